"""The exceptions and warnings users meet.

Messages are written where they are raised: what, where, what was expected, what to do.
"""

from __future__ import annotations

import errno
import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

__all__ = [
    "ConlluError", "Error", "FastparseWarning", "FileError", "ModelFormatError", "OracleError", "UnknownNameError",
    "did_you_mean", "file_error", "said_of",
]  # fmt: skip

_SAID = {
    errno.ENOENT: "there is no such file or folder",
    errno.EISDIR: "this is a folder, not a file",
    errno.ENOTDIR: "a part of this path is a file, not a folder",
    errno.EACCES: "you may not read or write this: look at its permissions",
    errno.EPERM: "you may not change this: look at its permissions",
    errno.ENOSPC: "there is no space left on the disk: what was being written is not there",
    errno.EDQUOT: "your quota of the disk is full: what was being written is not there",
    errno.EROFS: "this disk can only be read",
    errno.EMFILE: "too many files are open",
    errno.ENAMETOOLONG: "this name is too long",
}


class Error(ValueError):
    """Any error a user can cause and mend; the base of the others."""


class ConlluError(Error):
    """A treebank file is not what its format says."""


class UnknownNameError(Error):
    """A system, move, option, column, label or model that does not exist."""


class UnknownLanguage(Error):
    """A text of a language that no installed model is of.

    Attributes:
        code: of its language, as far as that is known.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class ModelFormatError(Error):
    """A model file is damaged, truncated, foreign or from the future."""


class OracleError(Error):
    """A tree lies outside the class a system can build."""


class FileError(OSError, Error):
    """A file that cannot be opened, read or written. It is the OSError that Python has for it as well."""

    def __str__(self) -> str:
        return said_of(self)


class _Missing(FileError, FileNotFoundError):
    pass


class _Folder(FileError, IsADirectoryError):
    pass


class _Forbidden(FileError, PermissionError):
    pass


def file_error(error: OSError) -> FileError:
    """What the system reports of a file, as an error of ours."""
    kinds = (_Missing, _Folder, _Forbidden)
    kind = next((kind for kind in kinds if isinstance(error, kind.__bases__[1])), FileError)
    return kind(error.errno, error.strerror, error.filename)


class FastparseWarning(UserWarning):
    """Something works, but hardly as it was meant: `strict=True`, or --strict, makes it an error."""


def did_you_mean(word: Any, known: Iterable[str]) -> str:
    """A question that names the most similar of the known words, or nothing."""
    from difflib import get_close_matches

    close = get_close_matches(str(word), list(known), n=1, cutoff=0.6)
    return f": did you mean {close[0]}?" if close else ""


def said_of(error: OSError) -> str:
    """What the system reports, with the name of the file."""
    said = _SAID.get(error.errno or 0) or error.strerror or str(error) or "the system reports an error"
    if not isinstance(error.filename, (str, bytes)) or not error.filename:
        return said
    path = os.fsdecode(error.filename)
    folder = os.path.dirname(path)
    if error.errno == errno.ENOENT and folder and not os.path.isdir(folder):
        return f"{path}: there is no folder {folder!r}"
    return f"{path}: {said}"
