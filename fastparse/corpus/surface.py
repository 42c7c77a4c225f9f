"""The surface of a treebank: tokens as they stand in running text, with the white space around them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from fastparse.errors import ConlluError

if TYPE_CHECKING:
    from fastparse.corpus.treebank import Treebank

__all__ = [
    "RunningText", "SurfaceSentence", "SurfaceToken", "Token", "bytes_of", "laid_out", "running_text", "surface",
    "to_text",
]  # fmt: skip

_ESCAPES = {"s": " ", "t": "\t", "r": "\r", "n": "\n", "p": "|", "\\": "\\"}


class SurfaceToken(NamedTuple):
    """A token of running text.

    Attributes:
        form: as CoNLL-U has it.
        text: as the running text has it: the form, unless SpacesInToken says otherwise.
        words: the words of a multiword token; empty for a token that is one word.
        before: white space before it, from SpacesBefore.
        after: white space after it; None if nothing is said, which is a space within a paragraph.
        place: where TokenRange says that it begins and ends; None if it does not.
    """

    form: str
    text: str
    words: tuple[str, ...]
    before: str
    after: str | None
    place: tuple[int, int] | None = None


class SurfaceSentence(NamedTuple):
    """A sentence, and whether it begins a paragraph or a document."""

    new_paragraph: bool
    tokens: list[SurfaceToken]


def bytes_of(treebank: Treebank | bytes | str | os.PathLike[str]) -> bytes:
    """The CoNLL-U of a treebank: its own, those bytes, or a file's."""
    if isinstance(treebank, bytes):
        return treebank
    if isinstance(treebank, (str, os.PathLike)):
        from fastparse.corpus.reading import read_conllu

        return read_conllu(treebank).to_bytes()
    return treebank.to_bytes()


def surface(data: bytes) -> Iterator[SurfaceSentence]:
    """The sentences of CoNLL-U; columns but FORM and MISC are not looked at."""
    tokens: list[SurfaceToken] = []
    new, covered, n_words = False, 0, 0
    for number, line in enumerate(data.decode("utf-8").split("\n"), 1):
        line = line.rstrip("\r")
        if not line.strip(" \t"):
            if tokens:
                yield SurfaceSentence(new, tokens)
                tokens, new = [], False
            covered = 0
            continue
        if line.startswith("#"):
            new = new or line.startswith(("# newpar", "# newdoc"))
            continue
        cells = line.split("\t")
        if len(cells) < 8:
            raise ConlluError(f"line {number}: {len(cells)} columns where 10 are expected: {line[:60]!r}")
        if "." in cells[0]:
            continue
        misc = cells[9] if len(cells) > 9 else "_"
        if "-" in cells[0]:
            covered = int(cells[0].split("-")[1])
            n_words = len(tokens)
            tokens.append(_token(cells[1], misc))
        elif int(cells[0]) <= covered:
            tokens[n_words] = tokens[n_words]._replace(words=(*tokens[n_words].words, cells[1]))
        else:
            tokens.append(_token(cells[1], misc))
    if tokens:
        yield SurfaceSentence(new, tokens)


def _token(form: str, misc: str) -> SurfaceToken:
    if "Space" not in misc and "TokenRange" not in misc:
        return SurfaceToken(form, form, (), "", None)
    text, before, after, place = form, "", None, None
    for item in misc.split("|"):
        name, _, value = item.partition("=")
        if name == "SpaceAfter" and value == "No":
            after = ""
        elif name == "SpacesAfter":
            after = _unescaped(value)
        elif name == "SpacesBefore":
            before = _unescaped(value)
        elif name == "SpacesInToken":
            text = _unescaped(value)
        elif name == "TokenRange":
            begin, _, end = value.partition(":")
            place = (int(begin), int(end)) if begin.isdecimal() and end.isdecimal() else None
    return SurfaceToken(form, text, (), before, after, place)


def _unescaped(value: str) -> str:
    if "\\" not in value:
        return value
    pieces, at = [], 0
    while at < len(value):
        if value[at] == "\\" and at + 1 < len(value):
            pieces.append(_ESCAPES.get(value[at + 1], value[at + 1]))
            at += 2
        else:
            pieces.append(value[at])
            at += 1
    return "".join(pieces)


def to_text(treebank: Treebank | bytes | str | os.PathLike[str]) -> str:
    """The running text of a treebank.

    What SpacesBefore, SpacesAfter, SpacesInToken and SpaceAfter=No say is kept to the letter. Where nothing is said, a
    space stands between tokens, an empty line before `# newpar` and `# newdoc`, and a line end after the last token.
    """
    return laid_out(surface(bytes_of(treebank)))[0]


def laid_out(sentences: Iterable[SurfaceSentence]) -> tuple[str, list[list[tuple[SurfaceToken, int, int]]]]:
    """The running text of sentences, and for each its tokens, with the characters where they begin and end in it."""
    pieces: list[str] = []
    places: list[list[tuple[SurfaceToken, int, int]]] = []
    after: str | None = ""
    at = 0
    for new, tokens in sentences:
        if not tokens:
            places.append([])
            continue
        gap = ""
        if pieces:
            gap = "\n\n" if new and not after else " " if after is None else ""
        found = []
        for i, token in enumerate(tokens):
            pieces += (gap, token.before, token.text)
            begin = at + len(gap) + len(token.before)
            at = begin + len(token.text)
            found.append((token, begin, at))
            after = token.after
            gap = after if after is not None else " " if i + 1 < len(tokens) else ""
        pieces.append(gap)
        at += len(gap)
        places.append(found)
    if after is None and pieces:
        pieces.append("\n")
    return "".join(pieces), places


class Token(NamedTuple):
    """A token of running text, which is a word or, like "don't", several.

    Attributes:
        form: as CoNLL-U has it.
        start, end: the characters of the text where it begins and ends: those TokenRange says, else those of
            `Treebank.to_text`.
        words: the numbers of its words in the sentence, from 1.
    """

    form: str
    start: int
    end: int
    words: range


class RunningText(NamedTuple):
    """The text of a treebank.

    Attributes:
        text: all of it.
        tokens: of each sentence.
        spans: where each sentence begins and ends in `text`.
    """

    text: str
    tokens: list[list[Token]]
    spans: list[tuple[int, int]]


def running_text(treebank: Treebank) -> RunningText:
    """The text of a treebank with the places of its tokens.

    Sentences that could not be read and are only passed through have no part in it.
    """
    whole = treebank.select(range(len(treebank))) if treebank.kept_unparsed else treebank
    found = surface(whole.to_bytes())
    sizes = (end - begin for begin, end in pairwise(treebank.offsets.tolist()))
    text, places = laid_out(next(found) if size else SurfaceSentence(False, []) for size in sizes)
    sentences, spans = [], []
    for row in places:
        tokens = []
        number = 1
        for token, begin, end in row:
            n = max(1, len(token.words))
            tokens.append(Token(token.form, *(token.place or (begin, end)), range(number, number + n)))
            number += n
        sentences.append(tokens)
        spans.append((row[0][1], row[-1][2]) if row else (0, 0))
    return RunningText(text, sentences, spans)
