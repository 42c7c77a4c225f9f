"""Opening models, by path or name."""

from __future__ import annotations

import os
from pathlib import Path

from fastparse.components import Components
from fastparse.errors import ModelFormatError, UnknownNameError
from fastparse.model.sections import sections_of
from fastparse.model.storage import read_container
from fastparse.parser import Parser

__all__ = ["load"]

_BUNDLED = Path(__file__).parent / "models"
_BUNDLED_NAMES = ("en", "en-fast")


def load(name_or_path: str | os.PathLike[str] | None = None, *, verify: bool = False) -> Parser:
    """Open a model.

    The file is mapped, not read: it opens in milliseconds, and processes that open the same one share its memory. All
    of it is checked before use, so that a damaged or malicious file is refused.

    Args:
        name_or_path: the path of a model file; "en", the English model that comes with fastparse (also None), or
            "en-fast", the one for greedy parsing.
        verify: compute the SHA-256 of the file as well as its fast checksum.

    Raises:
        ModelFormatError: if it is no usable model file.
        UnknownNameError: if there is no such file.
    """
    path = _find("en" if name_or_path is None else name_or_path)
    try:
        container = read_container(path, verify=verify)
    except FileNotFoundError:
        raise UnknownNameError(
            f"there is no model {str(path)!r}: expected the path of a file that fastparse train wrote, or one of "
            f"{', '.join(map(repr, _BUNDLED_NAMES))}"
        ) from None
    try:
        found = Components.from_sections(sections_of(container.header, container.arrays))
        return Parser(None, others=found, origin=(os.path.abspath(path), container.sha256))
    except ModelFormatError:
        raise
    except (ValueError, TypeError, OverflowError) as error:
        raise ModelFormatError(
            f"{os.fspath(path)}: the model cannot be used: {error}. Copy it again, or train it with this version."
        ) from error


def _find(name: str | os.PathLike[str]) -> str:
    path = os.fspath(name)
    if not isinstance(path, str):
        raise UnknownNameError(f"a model is a path or a name, not {name!r}")
    if path not in _BUNDLED_NAMES or os.path.exists(path):
        return path
    bundled = _BUNDLED / f"{path}.fp"
    if not bundled.exists():
        raise UnknownNameError(
            f"the model {path!r} does not come with this copy of fastparse: train one (fastparse train TRAIN.conllu -o "
            f"{path}.fp) and give its path"
        )
    return str(bundled)
