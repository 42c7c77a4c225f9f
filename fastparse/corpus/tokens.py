"""Tokens of running text: what the words of a treebank look like where they come from."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from fastparse.corpus.surface import SurfaceSentence, laid_out, surface

if TYPE_CHECKING:
    from fastparse.corpus.treebank import Treebank

__all__ = ["RunningText", "Token", "running_text"]


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
