"""Finished shards one after the other: what one run over all inputs gives."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

from fastparse.corpus.conllu.tokenization import renumbered
from fastparse.corpus.files.sources import opened
from fastparse.corpus.reading import missing_blank_line

__all__ = ["Finished", "joined_conllu", "joined_text"]

_STEP = 1 << 20
_NEW_PARAGRAPH = b"# newpar\n"


class Finished(NamedTuple):
    """A shard that has been parsed.

    Attributes:
        path: of the outcome.
        packed: whether it is compressed.
        number: of the input it is of.
        continues: whether it begins within a paragraph of text.
        sentences: in the outcome.
    """

    path: Path
    packed: bool
    number: int
    continues: bool
    sentences: int


def joined_conllu(shards: Iterable[Finished]) -> Iterator[bytes]:
    """Those of CoNLL-U; files that run into one another are kept apart, as when they are read together."""
    number, tail = None, b""
    for shard in shards:
        if number is not None and shard.number != number:
            yield missing_blank_line(tail)
            tail = b""
        number = shard.number
        for piece in _pieces(shard):
            yield piece
            tail = (tail + piece)[-_STEP:]


def joined_text(shards: Iterable[Finished]) -> Iterator[bytes]:
    """Those of text; sentences are numbered through all, and a shard that begins within a paragraph begins none."""
    before = 0
    for shard in shards:
        continues = shard.continues
        rest = b""
        for piece in _pieces(shard):
            data = rest + piece
            end = data.rfind(b"\n\n") + 2 if b"\n\n" in data else 0
            rest = data[end:]
            if end:
                whole = data[:end].removeprefix(_NEW_PARAGRAPH) if continues else data[:end]
                continues = False
                yield renumbered(whole, before)
        yield rest
        before += shard.sentences


def _pieces(shard: Finished) -> Iterator[bytes]:
    with opened(shard.path) if shard.packed else open(shard.path, "rb") as stream:
        yield from iter(partial(stream.read, _STEP), b"")
