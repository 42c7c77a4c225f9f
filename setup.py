"""Compile the Cython modules; everything else about the package stands in pyproject.toml.

Environment:
    FASTPARSE_DEBUG=1      bounds checks, C assertions, no optimisation beyond -O1
    FASTPARSE_SANITIZE=1   the debug build under the address and undefined-behaviour sanitizers
"""

import os
import sys
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup

SANITIZE = os.environ.get("FASTPARSE_SANITIZE", "") not in ("", "0")
DEBUG = SANITIZE or os.environ.get("FASTPARSE_DEBUG", "") not in ("", "0")

DIRECTIVES = {
    "language_level": 3,
    "boundscheck": DEBUG,
    "wraparound": False,
    "cdivision": True,
    "initializedcheck": DEBUG,
    "embedsignature": True,
    "freethreading_compatible": True,
}


def flags() -> tuple[list[str], list[str]]:
    """Compiler and linker flags; no -march, so that a wheel runs on every machine of its architecture."""
    if sys.platform == "win32":
        return ["/O2", "/std:c11"], []
    if SANITIZE:
        sanitizers = ["-fsanitize=address,undefined", "-fno-omit-frame-pointer"]
        return ["-O1", "-g", "-DFASTPARSE_DEBUG", *sanitizers], sanitizers
    if DEBUG:
        return ["-O1", "-g", "-DFASTPARSE_DEBUG", "-UNDEBUG"], []
    return ["-O3", "-DCYTHON_WITHOUT_ASSERTIONS", "-ffp-contract=off"], []


def extensions() -> list[Extension]:
    compile_args, link_args = flags()
    return [
        Extension(
            ".".join(path.with_suffix("").parts),
            [str(path)],
            include_dirs=["."],
            extra_compile_args=compile_args,
            extra_link_args=link_args,
        )
        for path in sorted(Path("fastparse").rglob("*.pyx"))
    ]


setup(
    ext_modules=cythonize(
        extensions(),
        compiler_directives=DIRECTIVES,
        nthreads=0 if sys.platform == "win32" else os.cpu_count() or 1,
        show_all_warnings=False,
    )
)
