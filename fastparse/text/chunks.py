"""Parts of a text that can be tokenized apart from each other, on any number of threads.

What is tokenized together is a unit, a paragraph at most, and no unit is looked at beyond its ends, which depend on
white space and marks alone: a text may be cut wherever a unit ends. After an empty line (a line end, where lines are
sentences) one begins for certain; where there is none, the units are read one after the other to find their ends.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from fastparse.corpus.conllu.reading import read_conllu
from fastparse.corpus.layout import Failures
from fastparse.corpus.treebank import Treebank
from fastparse.text.broken import escaped, no_utf8, size_without_escapes, without_broken
from fastparse.text.cutting import first_visible, invalid_utf8, last_cut, whole_units
from fastparse.text.engine import MODES, Engine

__all__ = ["Chunk", "Tokenized", "chunks", "may_go_on", "tokenized"]

CHUNK = 1 << 16  # bytes of a part; the outcome does not depend on it
LOOK_AHEAD = 1 << 18  # bytes in which the end of a unit is looked for at first


@dataclass(frozen=True)
class Chunk:
    """A part of a text.

    Attributes:
        data: whole units in UTF-8; bytes that are not UTF-8 are escaped (`broken.py`).
        size: bytes of the text.
        final: whether the text ends here.
        new_paragraph: whether a paragraph begins here.
        place: characters of the text before it; counted only where offsets are wanted.
        mode: a name in MODES.
        offsets: whether to write TokenRange.
        on_error: what becomes of sentences with bytes that are not UTF-8: "stop", "skip" or "keep".
        name: of the text.
        begin: bytes of the text before it.
        lines: line ends before it; not counted where errors stop.
        slow: whether the next chunk may take long to come.
    """

    data: bytes
    size: int
    final: bool
    new_paragraph: bool
    place: int
    mode: str
    offsets: bool
    on_error: str
    name: str
    begin: int
    lines: int
    slow: bool = False


class Tokenized(NamedTuple):
    """What became of a chunk.

    Attributes:
        treebank: its sentences, numbered from 1; if some that could not be read are kept, their bytes too.
        failures: those that could not be read.
    """

    treebank: Treebank
    failures: Failures


def tokenized(engine: Engine, chunk: Chunk) -> Tokenized:
    """The sentences of a chunk."""
    tokens = engine.run(
        chunk.data, final=chunk.final, whole=True, mode=MODES[chunk.mode], offsets=chunk.offsets,
        place=chunk.place, new_paragraph=chunk.new_paragraph,
    )[0]  # fmt: skip
    if chunk.size == len(chunk.data):
        return Tokenized(Treebank._tokenized(tokens), Failures())
    conllu, failures = without_broken(
        tokens.source(), chunk.data, chunk.on_error, chunk.name, chunk.begin, chunk.lines
    )  # fmt: skip
    return Tokenized(read_conllu(conllu, format="conllu", on_error="keep" if failures.kept else "stop"), failures)


def chunks(
    engine: Engine, pieces: Iterable[bytes], mode: str, offsets: bool, *, size: int = CHUNK, name: str = "the text",
    on_error: str = "stop",
) -> Iterator[Chunk]:  # fmt: skip
    """Cut a text that comes in pieces, which may end anywhere.

    Args:
        pieces: an empty one says that the next may take long: what can be cut off before it is.
        size: bytes of a chunk, about.
        name: of the text, for messages.

    Raises:
        Error: for bytes that are not UTF-8, if `on_error` is "stop".
    """
    tolerant = on_error != "stop"
    characters, by_line = engine.characters, mode != "text"
    buffer, at, place, new_paragraph, begin, lines, least = b"", 0, 0, True, 0, 0, size
    for text, last in _whole_characters(pieces, name, tolerant):
        buffer = buffer[at:] + text if at < len(buffer) else text
        at = 0
        slow = not text and not last
        while len(buffer) - at > least or last or slow:
            rest = len(buffer) - at
            after, n, empty_line = rest, 0, False
            if not last or rest > size:
                visible = at + first_visible(characters, memoryview(buffer)[at:])
                after = last_cut(characters, buffer, visible, at + size, by_line) - at
                if after <= 0 and slow and rest <= least:
                    break
                if after > 0:
                    n = _characters(buffer[at : at + after]) if offsets else 0
                    empty_line = buffer.endswith((b"\n\n", b"\n\r\n"), at, at + after)
                else:
                    ahead = _between_characters(buffer, min(len(buffer), at + max(least, LOOK_AHEAD)))
                    after, n, empty_line = whole_units(
                        characters, memoryview(buffer)[at:ahead], final=last and ahead == len(buffer), lines=by_line,
                        wanted=size,
                    )  # fmt: skip
                if not after:
                    least = max(2 * least, LOOK_AHEAD)
                    continue
            data = buffer[at : at + after]
            n_bytes = size_without_escapes(data) if tolerant else after
            final = last and after == rest
            yield Chunk(data, n_bytes, final, new_paragraph, place, mode, offsets, on_error, name, begin, lines, slow)
            if final:
                return
            at += after
            place += n
            begin += n_bytes
            lines += data.count(b"\n") if tolerant else 0
            new_paragraph = empty_line
            least = size


def _between_characters(text: bytes, at: int) -> int:
    """A place where a character begins or the text ends, the last that is not after this one."""
    while at < len(text) and text[at] & 0xC0 == 0x80:
        at -= 1
    return at


def _characters(text: bytes) -> int:
    return len(text.decode("utf-8", "surrogatepass"))


def _whole_characters(pieces: Iterable[bytes], name: str, tolerant: bool) -> Iterator[tuple[bytes, bool]]:
    """The pieces cut between characters, and whether each is the last; an empty one at the end.

    Args:
        tolerant: whether bytes that are not UTF-8 are escaped.
    """
    rest, done = b"", 0
    for piece in pieces:
        data = rest + piece if rest else piece
        at = invalid_utf8(data)
        whole = len(data)
        if at >= 0:
            if tolerant:
                whole = _end_of_characters(data)
            elif len(data) - at < 4 and may_go_on(data[at:]):
                whole = at
            else:
                raise no_utf8(name, done + at, data[at:])
        rest = data[whole:]
        done += whole
        yield escaped(data[:whole]) if 0 <= at < whole else data[:whole], False
    if rest and not tolerant:
        raise no_utf8(name, done, rest)
    yield escaped(rest), True


def _end_of_characters(data: bytes) -> int:
    """Where the beginning of a character stands at the end, if there is one."""
    for n in range(1, min(4, len(data) + 1)):
        if may_go_on(data[-n:]):
            return len(data) - n
    return len(data)


def may_go_on(start: bytes) -> bool:
    """Whether these bytes are the beginning of a character."""
    try:
        start.decode("utf-8")
    except UnicodeDecodeError as error:
        return error.start == 0 and error.reason == "unexpected end of data"
    return False
