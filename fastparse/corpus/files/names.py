"""Names that files can have, regular files, and errors that name them."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Iterator
from io import FileIO

from fastparse.errors import Error, file_error

__all__ = ["FULL", "need_name", "of_files", "open_regular"]

FULL = (errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC))


@contextlib.contextmanager
def of_files(name: str | None = None) -> Iterator[None]:
    """Raise what the system reports of files as errors of ours, which name the file.

    Args:
        name: of the output, for errors of full disks, to which the system gives none.
    """
    try:
        yield
    except BrokenPipeError:  # whoever reads has gone
        raise
    except OSError as error:
        if isinstance(error, Error) or error.errno is None:
            raise
        if error.filename is None and error.errno in FULL:
            error.filename = name
        raise file_error(error) from error


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
        FileError: if it cannot be opened: also an IsADirectoryError for a folder.
    """
    need_name(path)
    with of_files():
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    mode = os.fstat(descriptor).st_mode
    if stat.S_ISREG(mode):
        return open(path, "rb", buffering=0, opener=lambda *_: descriptor)  # errors name the path
    os.close(descriptor)
    if stat.S_ISDIR(mode):
        raise file_error(IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), os.fspath(path)))
    return None
