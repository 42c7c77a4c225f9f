"""Opening models, by path or name."""

from __future__ import annotations

import os

from fastparse.components import Components
from fastparse.errors import ModelFormatError
from fastparse.finding import find
from fastparse.model.sections import sections_of
from fastparse.model.storage import read_container
from fastparse.parser import Parser

__all__ = ["load"]


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
        UnknownNameError: if there is no such file.
    """
    path = find(name_or_path)
    container = read_container(path, verify=verify)
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
