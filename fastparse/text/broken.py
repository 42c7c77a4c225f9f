"""Text that is not UTF-8 throughout: what to say, and sentences that hold such bytes left out or kept as they are.

Each byte that is not UTF-8 becomes a surrogate on its way through the tokenizer, which takes it for a character without
a meaning, and afterwards itself again. UTF-8 has no surrogates, so none is mistaken for another.
"""

from __future__ import annotations

import re

from fastparse.corpus.layout import Failures
from fastparse.corpus.problems import GO_ON, Problem
from fastparse.errors import Error

__all__ = ["escaped", "no_utf8", "size_without_escapes", "without_broken"]

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
        return "It looks like UTF-16: convert it to UTF-8, for instance with iconv -f UTF-16 -t UTF-8"
    return "Convert the text to UTF-8 first, for instance with iconv"


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
