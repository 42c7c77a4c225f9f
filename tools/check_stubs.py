"""Compare the stubs beside the compiled modules with what the modules hold, by mypy's stubtest.

Python modules are their own description; only modules with a .pyi are compared.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
# What Cython adds to every module and class.
ALLOWED = r"""
.*\.__pyx_.*
.*\.__test__
.*\.__reduce_cython__
.*\.__setstate_cython__
.*\.__(init|new|copy|eq|hash|repr|len|getitem|iter|next|lt|le|gt|ge|ne)__
"""


def main() -> int:
    """Run stubtest and return its exit status."""
    stubs = sorted((ROOT / "fastparse").rglob("*.pyi"))
    modules = [".".join(path.relative_to(ROOT).with_suffix("").parts) for path in stubs]
    allowlist = ROOT / "build" / "stubtest-allowlist"
    allowlist.parent.mkdir(exist_ok=True)
    allowlist.write_text(ALLOWED)
    command = [sys.executable, "-m", "mypy.stubtest", "--concise", "--mypy-config-file", str(ROOT / "pyproject.toml")]
    command += ["--allowlist", str(allowlist), "--ignore-unused-allowlist"]
    command += ["--ignore-positional-only", "--ignore-disjoint-bases"]
    return subprocess.run([*command, *modules], cwd=ROOT).returncode


if __name__ == "__main__":
    sys.exit(main())
