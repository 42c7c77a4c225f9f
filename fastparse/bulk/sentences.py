"""Sentences as record batches: CoNLL-U in, CoNLL-U out, nothing lost."""

from __future__ import annotations

from typing import Any

import numpy as np

from fastparse.bulk.cells import checked, columns_of, integer_lists, list_array, string_array
from fastparse.bulk.extras import needed
from fastparse.corpus.rows import NUMBERS, Around, Rows, conllu_of_rows
from fastparse.corpus.treebank import Treebank
from fastparse.errors import Error

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
    names, n = batch.schema.names, len(offsets) - 1

    def column(name: str, empty: Any = None) -> list[Any]:
        found = batch.column(names.index(name)).to_pylist() if name in names else [None] * n
        return found if empty is None else [empty if value is None else value for value in found]

    around = Around()
    around.sent_ids, around.texts, around.sources = column("sent_id"), column("text"), column("source")
    around.comments = column("comments", [])
    try:
        around.lines = [[(line["at"], line["line"]) for line in some] for some in column("lines", [])]
    except (TypeError, KeyError):
        raise Error("column 'lines' holds no lists of {at, line}: see fastparse.bulk.arrow.schema()") from None
    return conllu_of_rows(around, offsets, heads, cells)
