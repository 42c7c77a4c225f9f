"""The Arrow entrance: record batches over any buffers are refused, or become sentences, which are written and parsed.

The first bytes say which types the columns have; what follows becomes their offsets, ids and characters.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

import fastparse
from fastparse.bulk.arrow import to_conllu
from fastparse.corpus.foreign.arrow import checked, treebank_of

__all__ = ["execute"]

NAMES = ("upos", "head", "misc", "sent_id", "comments", "lines", "deprel", "source")


class Bytes:
    """The rest of an input, taken from the front; zeros follow its end."""

    def __init__(self, data: bytes) -> None:
        self._data, self._at = data, 0

    def take(self, n: int) -> bytes:
        found = self._data[self._at : self._at + n]
        self._at += n
        return found + bytes(n - len(found))

    def number(self) -> int:
        return self.take(1)[0]

    def numbers(self, n: int, kind: str) -> Any:
        """A buffer of n numbers from 0 to 255, or of any where the first byte is odd."""
        wild = self.number() & 7 == 7
        raw = np.frombuffer(self.take(n * (np.dtype(kind).itemsize if wild else 1)), kind if wild else "u1")
        return pa.py_buffer(np.array(raw).astype(kind).tobytes())

    def offsets(self, n: int, kind: str, most: int) -> tuple[Any, int]:
        """A buffer of n + 1 numbers that rise, as a rule, and the last of them."""
        if self.number() & 7 == 7:
            found = self.numbers(n + 1, kind)
            return found, most
        steps = np.frombuffer(self.take(n), np.uint8) & 3
        bounds = np.concatenate([[0], np.cumsum(steps)]).astype(kind)
        return pa.py_buffer(bounds.tobytes()), int(bounds[-1])

    def validity(self, n: int) -> Any:
        return pa.py_buffer(self.take((n + 7) // 8)) if self.number() & 3 == 3 else None


def strings(take: Bytes, n: int) -> Any:
    """An array of n strings, of one of the types for them."""
    kind = take.number() % 5
    if kind == 4:
        table = strings(take, 1 + take.number() % 4)
        indices = pa.Array.from_buffers(pa.int32(), n, [take.validity(n), take.numbers(n, "i4")])
        return pa.DictionaryArray.from_arrays(indices, table, safe=False)
    if kind == 3:
        return pa.nulls(n)
    large = kind == 2
    starts, size = take.offsets(n, "i8" if large else "i4", 16)
    data = pa.py_buffer(take.take(size))
    type_ = pa.large_string() if large else pa.string()
    return pa.Array.from_buffers(type_, n, [take.validity(n), starts, data])


def lists(take: Bytes, n: int, numbers: bool) -> Any:
    """An array of n lists of strings, or of numbers."""
    large = take.number() & 3 == 3
    starts, size = take.offsets(n, "i8" if large else "i4", 8)
    items = strings(take, size)
    if numbers:
        items = pa.Array.from_buffers(pa.int32(), size, [None, take.numbers(size, "i4")])
    type_ = pa.large_list(items.type) if large else pa.list_(items.type)
    return pa.Array.from_buffers(type_, n, [take.validity(n), starts], children=[items])


def execute(data: bytes) -> None:
    """A record batch of these bytes is refused, or becomes a treebank, and CoNLL-U."""
    try:
        batch = batch_of(Bytes(data))
    except pa.ArrowException:  # which looks at some of it of its own accord
        return
    try:
        treebank = treebank_of(checked(batch), "form")
    except fastparse.Error:
        return
    assert len(treebank) == len(batch)
    for sentence in treebank:
        assert len(sentence.forms) == len(sentence)
    try:
        b"".join(to_conllu([batch]))
    except fastparse.Error:
        return


def batch_of(take: Bytes) -> Any:
    """Some columns over buffers that hold anything."""
    n = take.number() % 6
    columns = {"form": lists(take, n, False)}
    for _ in range(take.number() % 3):
        name = NAMES[take.number() % len(NAMES)]
        columns[name] = strings(take, n) if take.number() & 1 else lists(take, n, name == "head")
    batch = pa.record_batch(list(columns.values()), names=list(columns))
    if take.number() & 3 == 3 and n:
        batch = batch.slice(take.number() % n)
    return batch
