"""One thread for the matrix products: the halves of a batch already have a thread each.

Without this a product might also be cut into other pieces on a machine with more processors, and be rounded otherwise.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

__all__ = ["one_thread"]

_NAMES = ("scipy_openblas_{}_num_threads64_", "scipy_openblas_{}_num_threads", "openblas_{}_num_threads64_",
          "openblas_{}_num_threads")  # fmt: skip
Counter = tuple[Callable[[], int], Callable[[int], Any]]


@lru_cache(maxsize=1)
def _openblas() -> Counter | None:
    """How to ask for and set the number of threads of the library that numpy came with, if it can be found."""
    home = Path(np.__file__).parent
    folders = (home.parent / "numpy.libs", home / ".libs", home / ".dylibs")
    for path in sorted(found for folder in folders if folder.is_dir() for found in folder.glob("*openblas*")):
        try:
            library = ctypes.CDLL(str(path))
        except OSError:
            continue
        for name in _NAMES:
            if hasattr(library, name.format("set")) and hasattr(library, name.format("get")):
                return getattr(library, name.format("get")), getattr(library, name.format("set"))
    return None


@contextmanager
def one_thread() -> Iterator[bool]:
    """Let numpy multiply matrices on one thread; gives whether that could be arranged."""
    found = _openblas()
    if found is None:
        yield False
        return
    get, change = found
    before = get()
    change(1)
    try:
        yield True
    finally:
        change(before)
