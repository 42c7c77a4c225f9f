"""Names that files can have, and regular files."""

from __future__ import annotations

import errno
import os
import stat
from io import FileIO

from fastparse.errors import Error

__all__ = ["need_name", "open_regular"]


def need_name(path: str | os.PathLike[str]) -> None:
    """Raise Error for a name that no file can have, for which the system has no error of its own."""
    try:
        fault = "it holds the character 0" if b"\0" in os.fsencode(path) else ""
    except UnicodeEncodeError as error:
        fault = f"{error.object[error.start]!r} cannot be written in {error.encoding}"
    if fault:
        raise Error(f"{os.fspath(path)!r:.80}: no file can be called so, as {fault}. Give another path.")


def open_regular(path: str | os.PathLike[str]) -> FileIO | None:
    """A file to read, without a buffer; None for a device or a pipe, at whose other end nobody is waited for.

    Raises:
        Error: if no file can be called so.
        OSError: if it cannot be opened: IsADirectoryError for a folder.
    """
    need_name(path)
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    mode = os.fstat(descriptor).st_mode
    if stat.S_ISREG(mode):
        return open(path, "rb", buffering=0, opener=lambda *_: descriptor)  # errors name the path
    os.close(descriptor)
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), os.fspath(path))
    return None
