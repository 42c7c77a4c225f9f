"""Many texts through a model: some hundred at a time, on all threads, and back one by one, in order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fastparse.annotate.stream import ordered
from fastparse.corpus.derived import joined
from fastparse.corpus.sheet import Part
from fastparse.corpus.treebank import Treebank
from fastparse.errors import Error
from fastparse.request import BATCH_WORDS
from fastparse.text.tokenizer import encoded

if TYPE_CHECKING:
    from fastparse.annotate.annotator import Call
    from fastparse.request import Request
    from fastparse.text.chunks import Chunk
    from fastparse.text.tokenizer import Tokenizer

__all__ = ["LONG_TEXT", "each", "no_text", "parted"]

LONG_TEXT = 6 * BATCH_WORDS  # bytes; what is longer is parsed in parts
_TOGETHER = 1 << 15  # bytes of texts that are worked on together, and
_MOST_TOGETHER = 512  # their number


@dataclass(frozen=True)
class _Batch:
    texts: list[bytes]


@dataclass(frozen=True)
class _Piece:
    """A part of a long text."""

    chunk: Chunk


def each(texts: Iterable[str], tokenizer: Tokenizer, call: Call, request: Request) -> Iterator[Treebank]:
    """The sentences of each text with what a model gives them, lazily and in order.

    The first text is worked on alone, and then twice as many each time: the first results come soon. What becomes of a
    text does not depend on the others.
    """

    def through(item: _Batch | _Piece) -> list[Treebank]:
        if isinstance(item, _Piece):
            return [call(tokenizer.sentences_of(item.chunk).treebank)[0]]
        if len(item.texts) == 1:
            return [call(tokenizer.treebank_of(item.texts[0], offsets=request.offsets))[0]]
        return parted(call(tokenizer.treebank_of_each(item.texts, offsets=request.offsets)[0])[0], len(item.texts))

    together = not request.strict  # whether a text is good enough does not depend on others
    pieces: list[Treebank] = []  # of the long text under way
    items = _items(texts, tokenizer, request, together)
    with ordered(_with_item(through), items, request.threads) as found:
        for item, treebanks in found:
            call.warn()
            if isinstance(item, _Batch):
                yield from treebanks
                continue
            pieces += treebanks
            if item.chunk.final:
                yield joined(pieces)
                pieces = []


def _with_item(work: Any) -> Any:
    return lambda item: (item, work(item))


def parted(treebank: Treebank, n: int) -> list[Treebank]:
    """The sentences of n texts that were tokenized together, text by text."""
    sheet = treebank._sheet()
    return [Treebank._of_sheet(Part(sheet, document)) for document in range(n)]


def _items(
    texts: Iterable[str], tokenizer: Tokenizer, request: Request, together: bool
) -> Iterator[_Batch | _Piece]:  # fmt: skip
    batch: list[bytes] = []
    most, held = 1, 0
    try:
        for text in texts:
            if not isinstance(text, str):
                raise no_text(text)
            data = encoded(text)
            if len(data) > LONG_TEXT:
                if batch:
                    yield _Batch(batch)
                    batch, held = [], 0
                yield from map(_Piece, tokenizer.chunks([data], offsets=request.offsets, size=LONG_TEXT))
                continue
            batch.append(data)
            held += len(data)
            if len(batch) >= most or held >= _TOGETHER:
                yield _Batch(batch)
                batch, held = [], 0
                most = min(2 * most, _MOST_TOGETHER) if together else 1
    except Exception:
        if batch:  # what came before is not lost
            yield _Batch(batch)
        raise
    if batch:
        yield _Batch(batch)


def no_text(found: Any) -> Error:
    """What to say of what is no text."""
    return Error(f"expected a text, found {found!r:.80}: give a string, or read a file with parse_file")
