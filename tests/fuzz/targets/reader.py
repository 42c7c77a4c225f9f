"""The reader of CoNLL-U: any bytes, from any block to the whole file and back; the first says how they are read."""

from __future__ import annotations

import numpy as np

import fastparse
from fastparse.corpus.conllu.reader import read_block
from fastparse.corpus.files.compression import is_compressed
from fastparse.corpus.reading import iter_conllu, read_conllu

__all__ = ["execute"]

OFTEN = 250  # of 256 inputs one block alone: the rest takes eight times as long
COLUMNS = (0, 8, 10, 0)
MODES = ("stop", "skip", "keep", "keep")
FORMATS = ("auto", "conllu", "conllx", "conllx/8")


def execute(data: bytes) -> None:
    """Raise AssertionError unless what is promised of these bytes is kept."""
    if len(data) < 2:
        return
    if data[0] < OFTEN:
        block(data[0], data[1:])
    elif not is_compressed(data[2:]):  # which others read
        whole(data[1], data[2:])


def block(way: int, source: bytes) -> None:
    """One block; what was read lies inside it, in order."""
    found, problems = read_block(
        source, 0, len(source), final=bool(way & 4), max_words=1 + 20 * (way >> 3 & 1), n_columns=COLUMNS[way & 3],
        go_on=bool(way & 16), heads=bool(way & 32),
    )  # fmt: skip
    n = len(found["heads"])
    assert found["offsets"][0] == 0
    assert found["offsets"][-1] == n == len(found["head_at"])
    assert 0 <= found["consumed"] <= len(source)
    assert found["n_problems"] == len(problems) or len(problems) == 1000
    if n:
        for ids, table in zip(found["ids"], found["tables"], strict=True):
            assert len(ids) == n
            assert 0 <= ids.min() <= ids.max() < len(table)
        assert found["heads"].min() >= -1
        assert 0 <= found["head_at"].min() <= found["head_at"].max() < len(source)


def whole(way: int, source: bytes) -> None:
    """A treebank, which writes the bytes that it was read from, and other heads in their places."""
    on_error, format = MODES[way & 3], FORMATS[way >> 2 & 3]
    try:
        treebank = read_conllu(source, format, on_error)
    except fastparse.ConlluError:
        assert on_error == "stop"
        return
    if on_error != "skip":
        assert treebank.to_bytes() == source, "the bytes do not come back"
    if way & 16:
        batches = list(iter_conllu(source, 3, format, on_error))
        assert b"".join(map(fastparse.Treebank.to_bytes, batches)) == treebank.to_bytes(), "batches give other bytes"
    else:
        none = np.zeros(treebank.n_words, np.int32)
        written = treebank.with_heads(none, none, ["label"]).to_bytes()
        again = read_conllu(written, format, on_error)
        assert len(again) == len(treebank), "other heads spoil what is read"
        assert not again.heads.any(), "the heads do not come back"
