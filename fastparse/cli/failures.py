"""What went wrong, as users of the command line read it."""

from __future__ import annotations

import argparse
import errno
import os
import re
from collections.abc import Iterable

from fastparse.corpus.problems import GO_ON
from fastparse.errors import Error

__all__ = ["in_shell", "said_of"]

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
_KEYWORD = re.compile(r"\b([a-z]+(?:_[a-z]+)*)=(?:'([^']*)'|([\w.]+))?")


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


def in_shell(error: Error, options: Iterable[argparse.Action]) -> str:
    """A message of the library, which speaks Python, with its keywords as options of the command.

    Advice on keywords that the command has no option for is left out where it is an alternative.
    """
    spelt = {action.dest: action for action in options}

    def option(match: re.Match[str]) -> str:
        action = spelt.get(match[1])
        if action is None:
            return match[0]
        name = max(action.option_strings, key=len)
        value = match[2] if match[2] is not None else match[3]
        return name if action.nargs == 0 or not value else f"{name} {value}"

    text = str(error)
    if "on_error" not in spelt:
        text = text.replace(f", {GO_ON}", "")
    return _KEYWORD.sub(option, text)
