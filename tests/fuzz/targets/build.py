"""Compile what runs the targets of this folder: `python -m tests.fuzz.targets.build FOLDER [--clang clang-14]`.

The folder gets `scanner` and `tables`, which are C alone, and `python`, which runs the targets that are written in
Python over modules built with FASTPARSE_FUZZ=1 and the same compiler.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import sysconfig
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
SANITIZERS = "address,undefined"
IN_C = ("scanner", "tables")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--clang", default="clang")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    common = [options.clang, "-g", "-O1", "-fno-sanitize-recover=all", f"-I{ROOT}"]
    for name in IN_C:
        target = [str(HERE / f"{name}.c"), "-o", str(options.folder / name)]
        subprocess.run([*common, f"-fsanitize=fuzzer,{SANITIZERS}", *target], check=True)
    runtime = subprocess.run([options.clang, "-print-runtime-dir"], check=True, capture_output=True, text=True)
    paths, settings = sysconfig.get_paths(), sysconfig.get_config_vars()
    libraries = settings["LIBDIR"]
    driver = [
        str(HERE / "python.c"), "-o", str(options.folder / "python"), f"-I{paths['include']}",
        f'-DPYTHON="{sys.executable}"', "-Wl,--export-dynamic", "-Wl,--whole-archive",
        f"{runtime.stdout.strip()}/libclang_rt.fuzzer_no_main-x86_64.a", "-Wl,--no-whole-archive", "-lstdc++",
        f"-L{libraries}", f"-Wl,-rpath,{libraries}", f"-lpython{settings['LDVERSION']}", "-lm", "-lpthread", "-ldl",
    ]  # fmt: skip
    subprocess.run([*common, f"-fsanitize={SANITIZERS}", *driver], check=True)


if __name__ == "__main__":
    main()
