"""Regular files, and nothing that takes their place."""

from __future__ import annotations

import errno
import os
import stat
from io import FileIO

from fastparse.corpus.files.names import need_name

__all__ = ["open_regular"]


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
