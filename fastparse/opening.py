"""Opening models, by path or name."""

from __future__ import annotations

import os
from typing import Any

from fastparse.annotate.components import Components
from fastparse.encoder.encoder import kernel
from fastparse.errors import ModelFormatError
from fastparse.model.finding import find
from fastparse.model.sections import sections_of
from fastparse.model.storage import read_container
from fastparse.parser import Parser, kept

__all__ = ["load", "opened_once"]

_UNCHANGED: dict[tuple[str | int, ...], Parser] = {}


def load(name_or_path: str | os.PathLike[str] | None = None, *, verify: bool = False) -> Parser:
    """Open a model.

    It opens in milliseconds. All of it is read and checked before use, so that a damaged or malicious file is refused,
    and a file that is changed or removed afterwards does not matter.

    Args:
        name_or_path: the path of a model file; or the name of a model: "en", the English one that comes with fastparse
            (also None), "en-fast", the one for greedy parsing, or one that is installed as a package
            (`fastparse models` lists them).
        verify: compute the SHA-256 of the file as well as its fast checksum.

    Raises:
        ModelFormatError: if it is no usable model file.
        UnknownNameError: if there is no such file, or FASTPARSE_KERNEL asks for vector instructions that this machine
            lacks.
    """
    path = find(name_or_path)
    container = read_container(path, verify=verify)
    kernel()  # a wrong FASTPARSE_KERNEL is no fault of the model
    try:
        found = Components.from_sections(sections_of(container.header, container.arrays))
        return Parser(None, others=found, origin=(os.path.abspath(path), container.sha256))
    except ModelFormatError:
        raise
    except RecursionError:
        raise ModelFormatError(
            f"{os.fspath(path)}: the model cannot be used: its header is nested too deeply"
        ) from None
    except (ValueError, TypeError, OverflowError) as error:
        raise ModelFormatError(
            f"{os.fspath(path)}: the model cannot be used: {error}. Copy it again, or train it with this version."
        ) from error


def opened_once(model: Any) -> Parser:
    """A parser: the one given; or that of a name or path as for `load`, opened once per process unless it changes."""
    if isinstance(model, Parser):
        return model
    path = os.path.abspath(find(model))
    try:
        of = os.stat(path)
    except OSError:
        return load(path)  # which says what is wrong
    # The time of the last change of anything, content or dates, cannot be set back.
    key = (path, of.st_dev, of.st_ino, of.st_size, of.st_mtime_ns, of.st_ctime_ns)
    parser = _UNCHANGED.get(key)
    if parser is None:
        parser = _UNCHANGED.setdefault(key, kept(load(path)))
    return parser
