"""Parts of a text that can be tokenized apart from each other, on any number of threads.

What is tokenized together is a unit, a paragraph at most, and no unit is looked at beyond its ends: a text may be cut
wherever one ends. An empty line (a line end, where lines are sentences) ends a unit for certain if another does so
less than a unit's length before. Where there is none of these, the tokenizer itself says how far it got: such parts
are tokenized at once, by the thread that reads.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from fastparse.errors import Error
from fastparse.text.engine import MODES, Engine, invalid_utf8

__all__ = ["Chunk", "chunks", "may_go_on", "tokenized"]

CHUNK = 1 << 16  # bytes of a part; the outcome does not depend on it
LOOK_AHEAD = 1 << 19  # bytes that are tokenized at once where there is nowhere to cut
UNIT = 60_000  # less than the characters of the largest unit
# A character that is no white space for certain, as bytes of UTF-8.
_SEEN = (
    rb"(?:[!-~]|[\xc3-\xdf][\x80-\xbf]|[\xe0\xe4-\xee][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}|\xe3[\x81-\xbf][\x80-\xbf]"
    rb"|\xe1[\x81-\x99\x9b-\xbf][\x80-\xbf]|\xe2[\x82-\xbf][\x80-\xbf]|\xe2\x80[\x90-\xa7\xb0-\xbf])"
)
_CUTS = {
    "text": re.compile(rb"\n\r?\n(?=" + _SEEN + rb")"),
    "lines": re.compile(rb"(?:\n|" + _SEEN + rb")\r?\n(?=" + _SEEN + rb")"),
}
_CUTS["words"] = _CUTS["lines"]


@dataclass(frozen=True)
class Chunk:
    """A part of a text, or what became of it.

    Attributes:
        data: text in UTF-8, of whole units; or its CoNLL-U.
        size: bytes of the text.
        is_conllu: which of the two `data` is.
        final: whether the text ends here.
        new_paragraph: whether a paragraph begins here.
        place: characters of the text before it; counted only where offsets are wanted.
        mode: a name in MODES.
        offsets: whether to write TokenRange.
    """

    data: bytes
    size: int
    is_conllu: bool
    final: bool
    new_paragraph: bool
    place: int
    mode: str
    offsets: bool


def tokenized(engine: Engine, chunk: Chunk) -> bytes:
    """The CoNLL-U of a chunk, its sentences numbered from 1."""
    if chunk.is_conllu:
        return chunk.data
    # A character more shows where the last white space ends.
    text = chunk.data if chunk.final else chunk.data + b"x"
    out, used, *_ = engine.run(
        text, final=chunk.final, mode=MODES[chunk.mode], offsets=chunk.offsets, n_sentences=0, place=chunk.place,
        new_paragraph=chunk.new_paragraph,
    )  # fmt: skip
    if used != chunk.size:
        raise Error(f"a text was cut at byte {chunk.size} and read to byte {used}: please report this")
    return out


def chunks(
    engine: Engine, pieces: Iterable[bytes], mode: str, offsets: bool, *, size: int = CHUNK, name: str = "the text"
) -> Iterator[Chunk]:
    """Cut a text that comes in pieces, which may end anywhere.

    Args:
        name: of the text, for messages.

    Raises:
        Error: for bytes that are not UTF-8.
    """
    buffer, at, place, new_paragraph, least = b"", 0, 0, True, LOOK_AHEAD
    for text, last in _whole_characters(pieces, name):
        buffer = buffer[at:] + text if at < len(buffer) else text
        at = 0
        while len(buffer) - at >= least or last:
            rest = len(buffer) - at
            if last and rest <= size:
                yield Chunk(buffer[at:], rest, False, True, new_paragraph, place, mode, offsets)
                return
            cut = _cut(buffer, at, size, mode)
            if cut > at:
                data = buffer[at:cut]
                yield Chunk(data, len(data), False, False, new_paragraph, place, mode, offsets)
                place += _characters(data) if offsets else 0
                new_paragraph = data.endswith((b"\n\n", b"\n\r\n"))
                at = cut
                continue
            end = min(len(buffer), at + least)
            while end < len(buffer) and buffer[end] & 0xC0 == 0x80:
                end -= 1
            final = last and end == len(buffer)
            out, used, _, place, new_paragraph = engine.run(
                memoryview(buffer)[at:end], final=final, mode=MODES[mode], offsets=offsets, n_sentences=0, place=place,
                new_paragraph=new_paragraph,
            )  # fmt: skip
            if used or final:
                yield Chunk(out, used, True, final, new_paragraph, place, mode, offsets)
            at += used
            least = LOOK_AHEAD if used else least * 2
            if final:
                return


def _cut(buffer: bytes, at: int, size: int, mode: str) -> int:
    """Where a chunk that begins at a byte may end, or that byte."""
    pattern, end = _CUTS[mode], min(len(buffer), at + size)
    begin = max(at, end - UNIT)
    found = [match.end() for match in pattern.finditer(buffer, begin, end)]
    if len(found) > 1:
        return found[-1]
    # What begins here begins a unit.
    return found[0] if found and begin == at else at


def _characters(text: bytes) -> int:
    return len(text.decode("utf-8"))


def _whole_characters(pieces: Iterable[bytes], name: str) -> Iterator[tuple[bytes, bool]]:
    """The pieces cut between characters, and whether each is the last; an empty one at the end."""
    rest, done = b"", 0
    for piece in pieces:
        data = rest + piece if rest else piece
        at = invalid_utf8(data)
        if at >= 0 and not (len(data) - at < 4 and may_go_on(data[at:])):
            raise _no_utf8(name, done + at, data[at])
        rest = data[at:] if at >= 0 else b""
        done += len(data) - len(rest)
        yield data[:at] if at >= 0 else data, False
    if rest:
        raise _no_utf8(name, done, rest[0])
    yield b"", True


def _no_utf8(name: str, at: int, byte: int) -> Error:
    return Error(
        f"{name}: byte {at} is not UTF-8 (0x{byte:02X}), counted from 0. Convert the text to UTF-8 first, for instance "
        f"with iconv."
    )


def may_go_on(start: bytes) -> bool:
    """Whether these bytes are the beginning of a character."""
    try:
        start.decode("utf-8")
    except UnicodeDecodeError as error:
        return error.reason == "unexpected end of data"
    return False
