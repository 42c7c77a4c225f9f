"""The running text of treebanks."""

from __future__ import annotations

import pytest

import fastparse
from fastparse.corpus.surface import surface, to_text


def row(number: object, form: str, misc: str = "_") -> str:
    return f"{number}\t{form}\t_\t_\t_\t_\t_\t_\t_\t{misc}\n"


@pytest.mark.parametrize(
    ("conllu", "text"),
    [
        (row(1, "a") + row(2, "b"), "a b\n"),
        (row(1, "a", "SpaceAfter=No") + row(2, ".", "SpaceAfter=No"), "a."),
        (row(1, "a") + "\n" + row(1, "b"), "a b\n"),
        (row(1, "a") + "\n# newpar\n" + row(1, "b"), "a\n\nb\n"),
        (row(1, "a", "SpaceAfter=No") + "\n# newdoc id = x\n" + row(1, "b"), "a\n\nb\n"),
        (row(1, "a", "SpacesAfter=\\n") + "\n# newpar\n" + row(1, "b"), "a\nb\n"),
        (row(1, "a", "Gloss=x|SpacesAfter=\\s\\t\\r\\n\\p\\\\") + row(2, "b"), "a \t\r\n|\\b\n"),
        (row(1, "a", "SpacesBefore=\\s\\s|SpacesAfter=\\n"), "  a\n"),
        (row(1, "10 000", "SpacesInToken=10\\s\\s000"), "10  000\n"),
        (row("1-2", "don't", "SpaceAfter=No") + row(1, "do") + row(2, "n't") + row(3, "."), "don't.\n"),
        (row(1, "a") + row("1.1", "empty") + row(2, "b"), "a b\n"),
        ("", ""),
    ],
)
def test_text_of_a_treebank(conllu: str, text: str):
    assert to_text(conllu.encode()) == text
    if conllu:
        assert to_text(fastparse.read_conllu(conllu.encode())) == text


def test_words_of_tokens():
    (sentence,) = surface((row("1-2", "im") + row(1, "in") + row(2, "dem") + row(3, "Bad")).encode())
    assert [(token.form, token.words) for token in sentence.tokens] == [("im", ("in", "dem")), ("Bad", ())]


def test_a_line_without_columns():
    with pytest.raises(fastparse.ConlluError, match="line 2: 1 columns"):
        list(surface(b"# x\nhello\n"))
