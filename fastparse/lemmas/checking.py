"""The arrays a lemmatizer is made of: what they hold, and what must hold of those from outside.

name                 type       holds
case                 uint8      per script: its case, see scripts.pxd
strip                uint16     per script two: characters to strip before and after
added                int32      per script two: places in `text_ends` of what to add before and after
text                 uint8      texts to add, one after the other, in UTF-8
text_ends            int32      where each text ends
dictionary           uint64     keys of forms with their tags, rising
dictionary_scripts   uint16     the script of each
keys                 uint64     keys that have weights, rising
row_begins           int32      where the row of each key begins, and the end
row_scripts          uint16     in a row: scripts, rising
row_weights          int16      in a row: the weight of each
known                uint64     keys of lemmas with their UPOS, rising
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from fastparse.corpus.arrays import never_falls, rises
from fastparse.errors import ModelFormatError
from fastparse.lemmas.scripts import Script

Arrays = dict[str, np.ndarray[Any, Any]]

TYPES: dict[str, type[np.generic]] = {
    "case": np.uint8,
    "strip": np.uint16,
    "added": np.int32,
    "text": np.uint8,
    "text_ends": np.int32,
    "dictionary": np.uint64,
    "dictionary_scripts": np.uint16,
    "keys": np.uint64,
    "row_begins": np.int32,
    "row_scripts": np.uint16,
    "row_weights": np.int16,
    "known": np.uint64,
}
WHOLE = 4
_ENDS = np.array([9, 10, 13], np.uint8)  # of cells and lines
MOST_SCRIPTS = 1 << 16  # ids are of 16 bits


def checked_arrays(arrays: Mapping[str, Any]) -> Arrays:
    """The arrays, if they are what a lemmatizer is made of: nothing in them leads compiled code astray.

    Raises:
        ModelFormatError: if they are not.
    """
    found: Arrays = {}
    for name, kind in TYPES.items():
        array = arrays.get(name)
        if not isinstance(array, np.ndarray) or array.ndim != 1 or array.dtype != np.dtype(kind):
            what = "missing" if array is None else f"no column of {np.dtype(kind).name}"
            raise ModelFormatError(f"the lemmatizer's array {name!r} is {what}: train the model again")
        found[name] = np.ascontiguousarray(array)
    n = len(found["case"])
    for fault, what in _faults(found, n):
        if fault:
            raise ModelFormatError(f"the lemmatizer is damaged: {what}. Train the model again.")
    return found


def _faults(arrays: Arrays, n: int) -> Any:
    """What may be wrong, one thing after the other: later questions rely on the answers to earlier ones."""
    ends, begins = arrays["text_ends"], arrays["row_begins"]
    yield n > MOST_SCRIPTS, f"{n} scripts are more than {MOST_SCRIPTS}"
    yield len(arrays["strip"]) != 2 * n or len(arrays["added"]) != 2 * n, "scripts are not complete"
    yield _outside(arrays["case"], WHOLE + 1), "a script has a case that does not exist"
    yield len(ends) and (ends[0] < 0 or not never_falls(ends)), "texts end before they begin"
    yield (int(ends[-1]) if len(ends) else 0) != len(arrays["text"]), "texts are cut off"
    yield _outside(arrays["added"], len(ends)), "a script adds a text that does not exist"
    yield not _is_text(arrays), "a text is not UTF-8"
    yield bool(np.isin(arrays["text"], _ENDS).any()), "a text holds a tab or a line end"
    for name in ("dictionary", "keys", "known"):
        yield not rises(arrays[name]), f"the keys of {name!r} do not rise"
    yield len(arrays["dictionary_scripts"]) != len(arrays["dictionary"]), "the dictionary is not complete"
    yield _outside(arrays["dictionary_scripts"], n), "the dictionary names a script that does not exist"
    yield len(begins) != len(arrays["keys"]) + 1, "rows are missing"
    yield begins[0] != 0 or not never_falls(begins), "rows overlap"
    yield begins[-1] != len(arrays["row_scripts"]), "rows are cut off"
    yield len(arrays["row_weights"]) != len(arrays["row_scripts"]), "weights are missing"
    yield _outside(arrays["row_scripts"], n), "a row names a script that does not exist"
    yield not _rows_rise(arrays), "a row names a script twice"


def _outside(array: np.ndarray[Any, Any], limit: int) -> bool:
    return bool(len(array)) and bool(array.min() < 0 or array.max() >= limit)


def _rows_rise(arrays: Arrays) -> bool:
    """Whether the scripts of each row rise, so that sums of weights stay small."""
    falls = np.flatnonzero(arrays["row_scripts"][1:] <= arrays["row_scripts"][:-1]) + 1
    return bool(np.isin(falls, arrays["row_begins"]).all())


def _is_text(arrays: Arrays) -> bool:
    try:
        _texts(arrays)
    except UnicodeDecodeError:
        return False
    return True


def _texts(arrays: Arrays) -> list[str]:
    data, ends = arrays["text"].tobytes(), arrays["text_ends"].tolist()
    return [data[begin:end].decode("utf-8") for begin, end in zip([0, *ends[:-1]], ends, strict=True)] if ends else []


def unpacked_scripts(arrays: Arrays) -> list[Script]:
    """The scripts that checked arrays hold."""
    texts = _texts(arrays)
    strips, added = arrays["strip"].reshape(-1, 2).tolist(), arrays["added"].reshape(-1, 2).tolist()
    return [
        Script(case, strip[0], texts[places[0]], strip[1], texts[places[1]])
        for case, strip, places in zip(arrays["case"].tolist(), strips, added, strict=True)
    ]


def packed_scripts(scripts: Sequence[Script]) -> Arrays:
    """The arrays that hold scripts."""
    places: dict[str, int] = {}
    added = [places.setdefault(text, len(places)) for script in scripts for text in (script.before, script.after)]
    encoded = [text.encode("utf-8") for text in places]
    return {
        "case": np.array([script.case for script in scripts], np.uint8),
        "strip": np.array([n for script in scripts for n in (script.strip_before, script.strip_after)], np.uint16),
        "added": np.array(added, np.int32),
        "text": np.frombuffer(b"".join(encoded), np.uint8),
        "text_ends": np.cumsum([len(text) for text in encoded], dtype=np.int32),
    }
