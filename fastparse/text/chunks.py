"""Parts of a text that can be tokenized apart from each other, on any number of threads.

What is tokenized together is a unit, a paragraph at most, and no unit is looked at beyond its ends, which depend on
white space and marks alone: a text may be cut wherever a unit ends. After an empty line (a line end, where lines are
sentences) one begins for certain; where there is none, the units are read one after the other to find their ends.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import IO, NamedTuple

from fastparse.corpus.layout import Failures
from fastparse.corpus.problems import GO_ON, SAY_ENCODING, Problem
from fastparse.corpus.reading import read_conllu
from fastparse.corpus.treebank import Treebank
from fastparse.errors import Error
from fastparse.text.engine import MODES, Engine
from fastparse.text.units import (
    MOST_WHITE,
    Characters,
    first_visible,
    invalid_utf8,
    last_cut,
    size_of_characters,
    white_ends,
    whole_units,
)

__all__ = ["Chunk", "Tokenized", "after_paragraph", "chunks", "no_utf8", "tokenized", "within_paragraph"]

CHUNK = 1 << 16  # bytes of a part; the outcome does not depend on it
LOOK_AHEAD = 1 << 18  # bytes in which the end of a unit is looked for at first
_PART = 1 << 19  # bytes that are looked at together for white space that is left out: fewer than are kept of it


@dataclass(frozen=True)
class Chunk:
    """A part of a text.

    Attributes:
        data: whole units in UTF-8; bytes that are not UTF-8 are escaped (`broken.py`).
        size: bytes of the text, with white space that is left out.
        broken: whether some are not UTF-8.
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
    broken: bool
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
        chunk.data, final=chunk.final, mode=MODES[chunk.mode], offsets=chunk.offsets,
        place=chunk.place, new_paragraph=chunk.new_paragraph,
    )  # fmt: skip
    if not chunk.broken:
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
    buffer, at, place, new_paragraph, begin, lines, least, left_out = b"", 0, 0, True, 0, 0, size, 0
    waiting: list[bytes] = []  # what comes after the buffer: joined when it is much, so that nothing is copied often
    n_waiting = 0
    for text, last, closed, surplus in _of_white_space(characters, _whole_characters(pieces, name, tolerant)):
        waiting.append(text)
        n_waiting += len(text)
        slow = not (text or last or closed)
        if len(buffer) - at + n_waiting > least or last or slow or closed:
            buffer, at, n_waiting = b"".join((buffer[at:], *waiting)), 0, 0
            waiting.clear()
            if closed and first_visible(characters, buffer) == len(buffer):
                closed = False  # what the text begins with belongs to what follows
        left_out += surplus.size
        if not last or text:
            place, begin, lines = place + surplus.n, begin + surplus.size, lines + surplus.lines
        while len(buffer) - at > least or last or slow or (closed and at < len(buffer)):
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
                        characters, memoryview(buffer)[at:ahead], final=(last or closed) and ahead == len(buffer),
                        lines=by_line, wanted=size,
                    )  # fmt: skip
                if not after:
                    least = max(2 * least, LOOK_AHEAD)
                    continue
            data = buffer[at : at + after]
            n_bytes = size_without_escapes(data) if tolerant else after
            final = last and after == rest
            yield Chunk(
                data, n_bytes + left_out, n_bytes != after, final, new_paragraph, place, mode, offsets, on_error, name,
                begin, lines, slow,
            )  # fmt: skip
            left_out = 0
            if final:
                return
            at += after
            place += n
            begin += n_bytes
            lines += data.count(b"\n") if tolerant else 0
            new_paragraph = empty_line
            least = size


class _Surplus(NamedTuple):
    """White space that is left out: bytes, characters, line ends."""

    size: int = 0
    n: int = 0
    lines: int = 0


_NONE = _Surplus()


def _of_white_space(
    characters: Characters, texts: Iterable[tuple[bytes, bool]]
) -> Iterator[tuple[bytes, bool, bool, _Surplus]]:
    """The texts, without what comes after the first `MOST_WHITE` characters of white space on end.

    Yields:
        A text; whether it is the last; whether it only says that what came before it ends here: white space that was
        left out and a visible character come next; what was left out before it.
    """
    run, surplus = 0, _NONE  # characters of white space on end so far; what was left out of them
    for text, ends in _parts(texts):
        first, n_first, n_last = white_ends(characters, text)
        kept = first
        if run + n_first > MOST_WHITE:
            room = max(0, MOST_WHITE - run)
            kept = size_of_characters(text, room)
            size, n, lines = surplus
            surplus = _Surplus(size + first - kept, n + n_first - room, lines + text.count(b"\n", kept, first))
        if first == len(text):
            run += n_first
            if kept or not text:
                yield text[:kept], ends and not text, False, surplus if ends and not text else _NONE
            if ends and text:
                yield b"", True, False, surplus
            continue
        run = n_last
        if surplus.size:
            if kept:
                yield text[:kept], False, False, _NONE
            yield b"", False, True, _NONE
            text = text[first:]
        yield text, ends, False, surplus
        surplus = _NONE


def _parts(texts: Iterable[tuple[bytes, bool]]) -> Iterator[tuple[bytes, bool]]:
    """The texts in parts so small that no white space within one is left out."""
    for text, last in texts:
        at = 0
        while len(text) - at > _PART:
            end = _between_characters(text, at + _PART)
            yield text[at:end], False
            at = end
        yield text[at:] if at else text, last


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
            elif len(data) - at < 4 and _may_go_on(data[at:]):
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
        if _may_go_on(data[-n:]):
            return len(data) - n
    return len(data)


def _may_go_on(start: bytes) -> bool:
    """Whether these bytes are the beginning of a character."""
    try:
        start.decode("utf-8")
    except UnicodeDecodeError as error:
        return error.start == 0 and error.reason == "unexpected end of data"
    return False


# Text that is not UTF-8 throughout. Each byte that is not becomes a surrogate on its way through the tokenizer, which
# takes it for a character without a meaning, and afterwards itself again. UTF-8 has no surrogates, so none is mistaken
# for another.

_ESCAPE = re.compile(rb"\xed[\xb2\xb3][\x80-\xbf]")
_ESCAPED = 3  # bytes that stand for one
_NUMBER = re.compile(rb"(?<=# sent_id = )[0-9]+")
_FORMS = b"\n# text = "
_MOST_PROBLEMS = 1000  # of a chunk that are described; the others are counted


def escaped(text: bytes) -> bytes:
    """Text with its bytes that are not UTF-8 escaped."""
    return text.decode("utf-8", "surrogateescape").encode("utf-8", "surrogatepass")


def _unescaped(text: bytes) -> bytes:
    return text.decode("utf-8", "surrogatepass").encode("utf-8", "surrogateescape")


def size_without_escapes(text: bytes) -> int:
    """The bytes of escaped text before it was."""
    if b"\xed\xb2" not in text and b"\xed\xb3" not in text:
        return len(text)
    return len(text) - (_ESCAPED - 1) * len(_ESCAPE.findall(text))


def no_utf8(name: str, at: int, text: bytes) -> Error:
    """What to say of bytes that are not UTF-8.

    Args:
        at: where they are.
    """
    return Error(f"{_what(name, at, text[0])} {_remedy(at, text)}, {GO_ON}.")


def _what(where: str, at: int, byte: int) -> str:
    return f"{where}: byte {at} is not UTF-8 (0x{byte:02X}), counted from 0."


def _remedy(at: int, text: bytes) -> str:
    if at == 0 and text[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return f"It looks like UTF-16: convert it to UTF-8, {SAY_ENCODING}"
    return f"Convert the text to UTF-8, {SAY_ENCODING}"


def without_broken(
    conllu: bytes, text: bytes, on_error: str, name: str, begin: int, lines: int
) -> tuple[bytes, Failures]:
    """Leave out the sentences with bytes that are not UTF-8, or keep them with these bytes.

    Args:
        conllu: of the tokenizer.
        text: of which it is; escaped as it is.
        on_error: "skip" or "keep".
        name: of the text.
        begin, lines: bytes and line ends of the text before.

    Returns:
        The CoNLL-U, and what could not be read.
    """
    places = _ESCAPE.finditer(text)
    made: list[bytes] = []
    problems: list[Problem] = []
    n_broken = n_sentences = 0
    for i, sentence in enumerate(conllu.split(b"\n\n")[:-1]):
        data = sentence + b"\n\n"
        forms = sentence.index(_FORMS) if _FORMS in sentence else 0
        # The comment has every character of a sentence once.
        n_escapes = len(_ESCAPE.findall(sentence[forms + 1 :].partition(b"\n")[0]))
        if n_escapes:
            n_broken += 1
            first = next(places).start()
            for _ in range(n_escapes - 1):
                next(places)
            if len(problems) < _MOST_PROBLEMS:
                problems.append(_problem(text, first, name, begin, lines))
            if on_error == "skip":
                continue
            data = _unescaped(data)
        else:
            n_sentences += 1
        if on_error == "skip" and i != n_sentences - 1:
            data = _NUMBER.sub(b"%d" % n_sentences, data, count=1)
        made.append(data)
    skipped, kept = (n_broken, 0) if on_error == "skip" else (0, n_broken)
    return b"".join(made), Failures(skipped, kept, tuple(problems))


def _problem(text: bytes, at: int, name: str, begin: int, lines: int) -> Problem:
    """What to say of the escape at a place in a text."""
    line = lines + text.count(b"\n", 0, at) + 1
    place = begin + size_without_escapes(text[:at])
    second = _ESCAPE.match(text, at + _ESCAPED)
    broken = _unescaped(text[at : second.end() if second else at + _ESCAPED])
    return Problem(name, line, None, f"{_what(f'{name}:{line}', place, broken[0])} {_remedy(place, broken)}, {GO_ON}.")


# Places in a file of text where a paragraph (a line, where these are sentences) begins for certain.

_STEP = 1 << 20
_BEFORE = 8  # bytes before a place that are looked at
# The beginning of a character that is no white space, and one that ends with a byte.
_VISIBLE = (
    rb"(?:[!-~]|[\xc3-\xdf\xe0\xe4-\xee\xf0-\xf4]|\xe1[\x81-\x99\x9b-\xbf]|\xe2[\x82-\xbf]"
    rb"|\xe2\x80[\x90-\xa7]|\xe3[\x81-\xbf])"
)
_SEEN = rb"(?:[!-~]|[\xc3-\xdf][\x80-\xbf]|[\xe0\xe4-\xee][\x80-\xbf]{2}|\xe2\x80[\x90-\xa7]|\xe3\x80[\x81-\xbf])"
_PARAGRAPH = re.compile(rb"\n\r?\n(?=" + _VISIBLE + rb")")
_LINE = re.compile(rb"(?:\n|" + _SEEN + rb")\r?\n(?=" + _VISIBLE + rb")")


def after_paragraph(stream: IO[bytes], at: int, size: int, *, lines: bool) -> int:
    """The first place from `at` on that is found, or the size of the file.

    Args:
        stream: the file.
        lines: whether lines are sentences.
    """
    pattern = _LINE if lines else _PARAGRAPH
    begin = max(0, at - _BEFORE)
    stream.seek(begin)
    data = b""
    while piece := stream.read(_STEP):
        data += piece
        for match in pattern.finditer(data):
            if begin + match.end() >= at:
                return begin + match.end()
        begin += max(0, len(data) - 2 * _BEFORE)
        data = data[-2 * _BEFORE :]
    return size


def within_paragraph(stream: IO[bytes], at: int) -> bool:
    """Whether no empty line ends at a place of a file."""
    begin = max(0, at - _BEFORE)
    stream.seek(begin)
    return not stream.read(at - begin).endswith((b"\n\n", b"\n\r\n"))
