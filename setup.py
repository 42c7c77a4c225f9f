"""Compile the Cython modules; everything else about the package stands in pyproject.toml.

Environment (what each build is for, and how to run the tests with it: docs/development.md):
    FASTPARSE_DEBUG=1      bounds checks and assertions, hardly optimised
    FASTPARSE_SANITIZE=1   the debug build under the address and undefined-behaviour sanitizers; with "thread" under
                           the thread sanitizer
    FASTPARSE_FUZZ=1       the same counting edges for libFuzzer, with CC=clang (docs/robustness.md)
    FASTPARSE_TRACE=1      the debug build with line tracing, for the coverage of .pyx files
    FASTPARSE_PORTABLE=1   any build without vector instructions, as on processors there is no code for
    FASTPARSE_JOBS=n       compilers at work at the same time; by default one per processor
"""

import os
import re
import subprocess
import sys
import sysconfig
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext


def wanted(variable: str) -> bool:
    """Whether an environment variable switches its build on."""
    return os.environ.get(variable, "") not in ("", "0")


WINDOWS = sys.platform == "win32"
FUZZ = wanted("FASTPARSE_FUZZ")
SANITIZE = FUZZ or wanted("FASTPARSE_SANITIZE")
TRACE = wanted("FASTPARSE_TRACE")
PORTABLE = wanted("FASTPARSE_PORTABLE")
DEBUG = SANITIZE or TRACE or wanted("FASTPARSE_DEBUG")
JOBS = 1 if WINDOWS else int(os.environ.get("FASTPARSE_JOBS") or os.cpu_count() or 1)

_SHARE = "FASTPARSE_SHARE"  # tells a process which of the modules to translate

# What modules with memoryviews need of Cython stands in one module: that halves build, package and import time.
UTILITIES = "fastparse._utilities"

# Modules in which no time is spent, or none is lost by it, are compiled to be small where they are installed.
ROOMY = (
    UTILITIES, "fastparse.corpus.foreign.gathering", "fastparse.corpus.strings.vectors",
    "fastparse.encoder.inspection", "fastparse.evaluation.", "fastparse.features.inspection",
    "fastparse.learning.trainers.easy_first", "fastparse.learning.trainers.three_step", "fastparse.lemmas.perceptron",
    "fastparse.lemmas.scripts", "fastparse.machine.system", "fastparse.search.easy_first",
    "fastparse.search.three_step", "fastparse.text.cases", "fastparse.theory.configuration",
    "fastparse.theory.easy_first", "fastparse.theory.exploration", "fastparse.theory.inspection",
    "fastparse.theory.oracles", "fastparse.theory.program", "fastparse.theory.three_step",
    "fastparse.transition_systems.oracle", "fastparse.trees.classes", "fastparse.trees.lifting",
    "fastparse.weights.building",
)  # fmt: skip

DIRECTIVES = {
    "language_level": 3,
    "boundscheck": DEBUG,
    "wraparound": False,
    "cdivision": True,
    "initializedcheck": DEBUG,
    "embedsignature": True,
    "freethreading_compatible": True,
    "linetrace": TRACE,
}


def flags() -> tuple[list[str], list[str]]:
    """Compiler and linker flags; no -march, so that a wheel runs on every machine of its architecture."""
    if WINDOWS:
        compile_args = ["/Od", "/std:c11", "/DFASTPARSE_DEBUG"] if DEBUG else ["/O2", "/std:c11"]
        return [*compile_args, *(["/DFASTPARSE_PORTABLE"] if PORTABLE else [])], []
    # Without contraction to fused operations sums are the same on every processor.
    common = ["-ffp-contract=off", *(["-DFASTPARSE_PORTABLE"] if PORTABLE else [])]
    if not DEBUG:
        return ["-O3", "-DCYTHON_WITHOUT_ASSERTIONS", *common], []
    compile_args = ["-O1", "-g", "-UNDEBUG", "-DFASTPARSE_DEBUG", *common]
    if TRACE:
        compile_args += ["-DCYTHON_TRACE_NOGIL=1", "-DCYTHON_USE_SYS_MONITORING=0"]
    if SANITIZE:
        kinds = "thread" if os.environ.get("FASTPARSE_SANITIZE") == "thread" else "address,undefined"
        sanitizers = [f"-fsanitize={kinds}{',fuzzer-no-link' if FUZZ else ''}"]
        return [*compile_args, "-fno-omit-frame-pointer", *sanitizers], sanitizers
    return compile_args, []


def extensions() -> list[Extension]:
    compile_args, link_args = flags()
    headers = sorted(map(str, Path("fastparse").rglob("*.h")))
    modules = [
        Extension(
            ".".join(path.with_suffix("").parts),
            [str(path)],
            depends=headers,
            include_dirs=["."],
            extra_compile_args=compile_args,
            extra_link_args=link_args,
        )
        for path in sorted(Path("fastparse").rglob("*.pyx"))
    ]
    source = UTILITIES.replace(".", "/") + ".c"
    utilities = Extension(UTILITIES, [source], extra_compile_args=compile_args, extra_link_args=link_args)
    return [*modules, utilities]


class Modules(build_ext):
    """Compiles, and leaves out of what is to be installed all that is for debuggers alone."""

    def run(self) -> None:
        if self.inplace:
            # What was made of sources that are gone would hide modules of the same name in plain Python.
            made = {Path(self.get_ext_filename(extension.name)) for extension in self.extensions}
            suffix = sysconfig.get_config_var("EXT_SUFFIX")
            for path in set(Path("fastparse").rglob(f"*{suffix}")) - made:
                path.unlink()
        super().run()

    def build_extension(self, extension: Extension) -> None:
        if sys.platform.startswith("linux") and not (DEBUG or self.inplace):
            small = ["-fno-asynchronous-unwind-tables", "-fno-unwind-tables", "-ffunction-sections", "-fdata-sections"]
            extension.extra_compile_args = [*extension.extra_compile_args, "-g0", *small]
            if extension.name.startswith(ROOMY):
                extension.extra_compile_args.append("-Os")
            # A hundred small modules: without pages of their own for each part of each they are a sixth smaller.
            link = ["-s", "--gc-sections", "-z,noseparate-code", "--build-id=none"]
            extension.extra_link_args = [*extension.extra_link_args, *(f"-Wl,{flag}" for flag in link)]
        super().build_extension(extension)


def qualify(source: Path) -> None:
    """Let the module of utilities go by its whole name: Cython writes its last part, which would then be importable."""
    text = source.read_text(encoding="utf-8")
    short = '"' + UTILITIES.rpartition(".")[2] + '"'
    if short in text:
        source.write_text(text.replace(short, f'"{UTILITIES}"'), encoding="utf-8")


def description() -> str:
    """README.md without the links into the repository: on an index of packages they lead nowhere."""
    text = Path("README.md").read_text(encoding="utf-8")
    text = re.sub(r"!\[[^][]+\]\((?!https?:)[^()\s]+\)\n", "", text)
    return re.sub(r"\[([^][]+)\]\((?!https?:)[^()\s]+\)", r"\1", text)


class Stamp:
    """A file that says how what lies in the folder was made, so that another kind of build starts afresh.

    Neither Cython nor the compiler commands notice that flags have changed.
    """

    def __init__(self, name: str) -> None:
        self.path = Path("build", name)
        self.text = repr((DIRECTIVES, flags()))
        self.differs = not self.path.exists() or self.path.read_text() != self.text
        if self.differs:
            self.path.unlink(missing_ok=True)

    def write(self) -> None:
        self.path.parent.mkdir(exist_ok=True)
        self.path.write_text(self.text)


def translate(modules: list[Extension], afresh: bool) -> list[Extension]:
    """The modules as C; what is newer than its sources is left as it is, unless all is wanted afresh."""
    found: list[Extension] = cythonize(
        modules,
        compiler_directives=DIRECTIVES,
        shared_utility_qualified_name=UTILITIES,
        force=afresh,
        show_all_warnings=False,
    )
    return found


def translate_share(number: int, afresh: bool) -> None:
    """Translate every `JOBS`th of the modules, the largest first."""
    *modules, utilities = extensions()
    modules.sort(key=lambda module: -os.path.getsize(module.sources[0]))
    translate([*modules[number::JOBS], *([] if number else [utilities])], afresh)


def translate_all(afresh: bool) -> list[Extension]:
    """Translate the modules, by as many processes as compile. Cython's own pool of them has been seen to hang."""
    others = [
        subprocess.Popen([sys.executable, __file__], env={**os.environ, _SHARE: f"{number} {int(afresh)}"})
        for number in range(1, JOBS)
    ]
    translate_share(0, afresh)
    if any(other.wait() for other in others):
        sys.exit("some modules cannot be translated into C: see above")
    return translate(extensions(), False)


if _SHARE in os.environ:
    translate_share(*map(int, os.environ[_SHARE].split()))
    sys.exit()
translated, compiled = Stamp("translated"), Stamp("compiled")
modules = translate_all(translated.differs)
qualify(Path(UTILITIES.replace(".", "/") + ".c"))
translated.write()
distribution = setup(
    long_description=description(),
    long_description_content_type="text/markdown",
    ext_modules=modules,
    cmdclass={"build_ext": Modules},
    options={"build_ext": {"parallel": JOBS, "force": compiled.differs}},
)
if distribution.have_run.get("build_ext"):
    compiled.write()
