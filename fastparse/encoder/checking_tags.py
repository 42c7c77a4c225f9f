"""What a tagger is made of besides its encoder, and what must hold of it when it comes from outside.

The header has `inputs` (what words are read by, see `encoder.inputs.Inputs`), `columns` (for each column that is said
its strings) and `encoder` (the name of its size). Among the arrays, `classes` (i4 [n, columns]) says which string of
each column a class has; the others are those of the encoder, whose only tag is the class.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from fastparse.encoder.encoder import Encoder
from fastparse.encoder.inputs import Inputs
from fastparse.encoder.lexicon import Lexicon
from fastparse.errors import ModelFormatError

__all__ = ["CLASSES", "COLUMNS", "Parts", "parts_of"]

COLUMNS = ("upos", "xpos", "feats")
CLASSES = "classes"

_SEGMENTS = 2  # forms and affixes
_GROUPS = ("form", "affix", "tag", "feature")
_NUMBERS = ("longest_affix", "most_grams", "most_features")
_CODES = "codes"  # of a lexicon; there are models without
_MOST_PARTS = 100  # of a word


class Parts(NamedTuple):
    """A tagger's parts after checking.

    Attributes:
        inputs: what words are read by.
        columns: the strings of each column.
        classes: int32 [n, columns]: the places of a class's strings.
        encoder: says a class of each word.
        size: the name of the encoder's size.
    """

    inputs: Inputs
    columns: dict[str, tuple[str, ...]]
    classes: np.ndarray[Any, Any]
    encoder: Encoder
    size: str


def parts_of(header: Mapping[str, Any], arrays: Mapping[str, np.ndarray[Any, Any]]) -> Parts:
    """The parts of a tagger from outside, if nothing in them leads compiled code astray.

    Raises:
        ModelFormatError: if something does.
    """
    given, columns, size = header.get("inputs"), header.get("columns"), header.get("encoder")
    _require(_is_inputs(given), "what words are read by is not described")
    _require(
        isinstance(columns, dict) and columns and all(name in COLUMNS and _is_tags(columns[name]) for name in columns),
        f"its columns are not strings of {', '.join(COLUMNS)}",
    )
    _require(isinstance(size, str), "the size of its encoder has no name")
    assert isinstance(given, dict)
    assert isinstance(columns, dict)
    strings = {name: tuple(columns[name]) for name in COLUMNS if name in columns}
    lexicon = Lexicon.among(arrays)
    rest = {name: array for name, array in arrays.items() if not name.startswith("lexicon.")}
    classes = rest.pop(CLASSES, None)
    _require(classes is not None, f"the array {CLASSES!r} is missing")
    assert classes is not None
    _require(
        classes.dtype == np.dtype(np.int32) and classes.ndim == 2 and classes.shape[1] == len(strings),
        f"the array {CLASSES!r} is not int32 of [classes, {len(strings)}]",
    )
    sizes = np.array([len(column) for column in strings.values()])
    _require(bool(((classes >= 0) & (classes < sizes)).all()), "a class names a string that does not exist")
    encoder = Encoder(rest, "the tagger's encoder")
    _require(
        encoder.n_segments == _SEGMENTS and encoder.n_tags == 1 and rest["tags.0.bias"].shape == classes.shape[:1],
        f"its encoder does not say one of {len(classes)} classes of forms and affixes",
    )
    return Parts(Inputs.from_dict(given, lexicon), strings, np.ascontiguousarray(classes), encoder, str(size))


def _require(condition: object, what: str) -> None:
    if not condition:
        raise ModelFormatError(f"this is not a usable tagger: {what}. Train the model again.")


def _is_strings(value: Any) -> bool:
    if not isinstance(value, list) or any(not issubclass(kind, str) for kind in set(map(type, value))):
        return False
    return len(set(value)) == len(value)


def _is_tags(value: Any) -> bool:
    return (
        _is_strings(value) and bool(value) and all(value) and not any(mark in tag for tag in value for mark in "\t\n\r")
    )


def _is_inputs(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and value.keys() - {_CODES} == {*_GROUPS, *_NUMBERS, "own"}
        and isinstance(value["own"], bool)
        and all(_is_strings(value[group]) for group in _GROUPS)
        and all(
            type(value[name]) is int and 0 <= value[name] <= _MOST_PARTS for name in value.keys() - {*_GROUPS, "own"}
        )
    )
