"""Names that files can have."""

from __future__ import annotations

import os

from fastparse.errors import Error

__all__ = ["need_name"]


def need_name(path: str | os.PathLike[str]) -> None:
    """Raise Error for a name that no file can have, for which the system has no error of its own."""
    try:
        fault = "it holds the character 0" if b"\0" in os.fsencode(path) else ""
    except UnicodeEncodeError as error:
        fault = f"{error.object[error.start]!r} cannot be written in {error.encoding}"
    if fault:
        raise Error(f"{os.fspath(path)!r:.80}: no file can be called so, as {fault}. Give another path.")
