"""Sentences as record batches: CoNLL-U in, CoNLL-U out, nothing lost."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from fastparse.corpus.foreign.arrow import checked, columns_of, integer_lists, list_array, string_array
from fastparse.corpus.rows import NUMBERS, Around, Rows, conllu_of_rows
from fastparse.corpus.treebank import Treebank
from fastparse.errors import Error
from fastparse.extras import needed

__all__ = ["batch_of", "conllu_of", "schema"]

_WORDS = ("form", "lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc")


def schema(*, dictionary: bool = False) -> Any:
    """The columns of sentences; docs/arrow.md says what each holds.

    Args:
        dictionary: whether strings of words are ids into dictionaries (smaller and faster, but fewer programs read it).
    """
    pa = needed("pyarrow", "arrow")
    string = pa.dictionary(pa.int32(), pa.string()) if dictionary else pa.string()
    line = pa.struct([pa.field("at", pa.int32()), pa.field("line", pa.string())])

    def items(kind: Any) -> Any:
        return pa.list_(pa.field("element", kind))

    words = [pa.field(name, items(pa.int32() if name == "head" else string)) for name in _WORDS]
    return pa.schema([
        pa.field("sent_id", pa.string()), pa.field("text", pa.string()), pa.field("comments", items(pa.string())),
        *words, pa.field("lines", items(line)), pa.field("source", pa.binary()),
    ])  # fmt: skip


def batch_of(treebank: Treebank, *, dictionary: bool = False) -> Any:
    """A treebank as it was read, whole or a batch of it, as a record batch of `schema`.

    Raises:
        Error: if the treebank leaves sentences out that were read.
    """
    pa = needed("pyarrow", "arrow")
    wanted = schema(dictionary=dictionary)
    rows = Rows(treebank)
    lines = [[{"at": at, "line": line} for at, line in some] for some in rows.around.lines]
    columns: dict[str, Any] = {
        "sent_id": pa.array(rows.around.sent_ids, pa.string()),
        "text": pa.array(rows.around.texts, pa.string()),
        "comments": pa.array(rows.around.comments, wanted.field("comments").type),
        "head": list_array(rows.offsets, pa.array(np.ascontiguousarray(treebank.heads, np.int32))),
        "lines": pa.array(lines, wanted.field("lines").type),
        "source": pa.array(rows.around.sources, pa.binary()),
    }
    for name in NUMBERS:
        values = string_array(rows.cells[name][0], treebank.table(name), dictionary=dictionary)
        columns[name] = list_array(rows.offsets, values)
    return pa.record_batch([columns[name] for name in wanted.names], schema=wanted)


def conllu_of(batch: Any) -> bytes:
    """The CoNLL-U of a record batch: of `schema`, or with some of its columns; the others are `_`.

    Raises:
        Error: if a cell cannot stand in CoNLL-U.
    """
    offsets, cells = columns_of(checked(batch), "form", [name for name in NUMBERS if name != "form"])
    heads = integer_lists(batch, "head", "form", offsets)
    around = Around()
    around.sent_ids, around.texts = _column(batch, "sent_id", _is_text), _column(batch, "text", _is_text)
    around.sources = _column(batch, "source", lambda value: isinstance(value, bytes))
    around.comments = [some or [] for some in _column(batch, "comments", _are_texts)]
    lines = _column(batch, "lines", _are_lines)
    around.lines = [[(line["at"], line["line"]) for line in some or ()] for some in lines]
    return conllu_of_rows(around, offsets, heads, cells)


def _column(batch: Any, name: str, fits: Callable[[Any], bool]) -> list[Any]:
    """The values of a column, one per row; None for null, and throughout if there is no such column."""
    if name not in batch.schema.names:
        return [None] * len(batch)
    values: list[Any] = batch.column(batch.schema.names.index(name)).to_pylist()
    for row, value in enumerate(values):
        if value is not None and not fits(value):
            wanted = schema().field(name).type
            raise Error(f"row {row}: column {name!r} has {value!r:.80}, which is no {wanted} (docs/arrow.md)")
    return values


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(map(_is_text, value))


def _are_lines(value: Any) -> bool:
    return isinstance(value, list) and all(
        isinstance(line, dict) and _is_place(line.get("at")) and _is_text(line.get("line")) for line in value
    )


def _is_place(value: Any) -> bool:
    return type(value) is int and 0 <= value < 1 << 31
