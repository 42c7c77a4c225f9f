"""The loader: components of a model with damaged arrays are refused, or run.

An input below 128 is a table of weights, byte for byte. Any other names a sound component and says what is changed in
its arrays: eight bytes a change.
"""

from __future__ import annotations

import struct
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import fastparse
from fastparse.annotate.components import LEMMATIZER, TAGGER, TOKENIZER, Annotator
from fastparse.model.sections import PARSER, Section
from fastparse.text.tokenizer import Tokenizer
from fastparse.weights.arrays import Form, tables_from
from tests.fuzz.models import TEMPLATES
from tests.text.toy import conllu
from tests.toy import TOY

__all__ = ["execute"]

# What `fastparse.load` takes for a damaged file.
REFUSED = (fastparse.Error, ValueError, TypeError, OverflowError)
MOST_CHANGES = 16
CHANGE = struct.Struct("<BBHi")
TEXT = "Dr. Moe doesn't see the U.S. market. (3.5) books,\n\nand Ida can't!"
SENTENCES = fastparse.read_conllu(TOY)[17:19]


class Sound(NamedTuple):
    """A component that is not damaged.

    Attributes:
        name: in a model.
        section: of a file.
        run: does with a component what it is for.
    """

    name: str
    section: Section
    run: Callable[[Annotator], object]


def _parsed(components: Annotator) -> None:
    parser = fastparse.Parser(components)
    for beam in (1, 3):
        assert parser.parse(SENTENCES, beam=beam).trees().all(), "not a tree"


def _lemmatized(components: Annotator) -> None:
    components.get(LEMMATIZER).lemmatizer.apply(["cows", "Xs", "", "mice"], ["NOUN"] * 4, ["Number=Plur", "_", "", "_"])


def _tagged(components: Annotator) -> None:
    components.get(TAGGER).tagger.tag(SENTENCES)


def _tokenized(components: Annotator) -> None:
    components.need_tokenizer().tokenize(TEXT, offsets=True)


def sound() -> list[Sound]:
    """One of each kind, small."""
    tokenizer = Tokenizer.train(conllu(120), passes=1, variants=1)
    with tempfile.TemporaryDirectory() as folder:
        templates = Path(folder) / "templates.txt"
        templates.write_text(TEMPLATES)
        tags = fastparse.train(TOY, iterations=1, components=(TAGGER, LEMMATIZER))._annotator.sections()
        linear = fastparse.train(TOY, "arc-eager", beam=1, iterations=1, templates=templates, components=(PARSER,))
        neural = fastparse.train(TOY, "arc-eager", encoder="small", iterations=1, components=(PARSER,))
    return [
        Sound(TOKENIZER, Section({"record": {}}, tokenizer.to_arrays()), _tokenized),
        Sound(LEMMATIZER, tags[LEMMATIZER], _lemmatized),
        Sound(TAGGER, tags[TAGGER], _tagged),
        Sound(PARSER, linear._annotator.sections()[PARSER], _parsed),
        Sound(PARSER, neural._annotator.sections()[PARSER], _parsed),
    ]


SOUND = sound()


def execute(data: bytes) -> None:
    """Load what these bytes say; it is refused, or it runs."""
    if len(data) < 8:
        return
    if data[0] < 128:
        table(data)
    else:
        component(SOUND[data[0] % len(SOUND)], data[1:])


def table(data: bytes) -> None:
    """A table of weights, and sums of some keys."""
    of_moves, width = bool(data[0] & 1), 1 + (data[1] | (data[0] >> 1 & 1) << 8)
    n_displacements, n_slots = 1 + data[2] % 16, 8 * data[3]
    values = np.frombuffer(data[8:], np.uint8)
    arrays = {
        "t.displacements": np.array(values[:n_displacements]),
        "t.slots": np.array(values[n_displacements : n_displacements + n_slots]),
        "t.pool": np.array(values[n_displacements + n_slots :]),
    }
    try:
        made = tables_from(arrays, (Form("t", width, of_moves),))["t"]
    except fastparse.Error:
        return
    made.sums(np.frombuffer((data * 2)[: len(data) // 8 * 8], np.uint64))


def component(one: Sound, data: bytes) -> None:
    """A component with some changes."""
    arrays = dict(one.section.arrays)
    names = sorted(arrays)
    for array, kind, place, value in CHANGE.iter_unpack(data[: min(len(data) // 8, MOST_CHANGES) * 8]):
        name = names[array % len(names)]
        arrays[name] = changed(arrays[name], kind, place, value)
    try:
        loaded = Annotator.from_sections({one.name: Section(one.section.header, arrays)})
    except REFUSED:
        return
    one.run(loaded)


def changed(array: np.ndarray[Any, Any], kind: int, place: int, value: int) -> np.ndarray[Any, Any]:
    """An array with other items, another length, type or shape."""
    kind %= 16
    if kind == 0:
        return np.array(array[: place % (len(array) + 1)])
    if kind == 1:
        return np.resize(array, place % 64)
    if kind == 2:
        return np.concatenate([array, array[: place % (len(array) + 1)]])
    if kind == 3:
        return np.ascontiguousarray(array).view(np.uint8).reshape(-1)
    if kind == 4:
        return np.array(array.reshape(-1))
    made = np.array(array)
    flat = made.reshape(-1)
    if len(flat):
        at = place % len(flat)
        limits = np.iinfo(flat.dtype)
        odd = (limits.min, limits.max, 0, 1)[value & 3]
        end = at + 1 + (value >> 2 & 15) * (kind % 3 == 0)
        flat[at:end] = odd if kind < 9 else np.array([value]).astype(flat.dtype)[0]
    return made
