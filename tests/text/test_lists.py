"""Lines of lists: a bullet or a number that goes on begins a sentence, and nothing ends between it and its item."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from fastparse.corpus.surface import surface, to_text
from fastparse.text.engine import Engine
from fastparse.text.tokenizer import Tokenizer
from tests.text import toy


@cache
def tokenizer() -> Tokenizer:
    return Tokenizer.train(toy.conllu(300))


def sentences(text: str, with_model: Tokenizer | None = None) -> list[str]:
    conllu = (with_model or tokenizer()).tokenize(text)
    assert to_text(conllu) == text
    return [" ".join(token.form for token in sentence.tokens) for sentence in surface(conllu)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("- Ida reads\n- Bo reads books\n- the old boat", ["- Ida reads", "- Bo reads books", "- the old boat"]),
        ("* books\n* stamps", ["* books", "* stamps"]),
        ("• books\n  • stamps", ["• books", "• stamps"]),
        ("1. reads it\n2. sells books\n3. buys", ["1 . reads it", "2 . sells books", "3 . buys"]),
        ("9) reads it\n10) sells it", ["9 ) reads it", "10 ) sells it"]),
        ("a) reads it\nb) sells it", ["a ) reads it", "b ) sells it"]),
        ("- Ida reads the\nbooks\n- Bo", ["- Ida reads the books", "- Bo"]),
    ],
)
def test_items_are_sentences(text: str, expected: list[str]):
    assert sentences(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Ida reads the books\n- it",  # one bullet alone
        "* it and\n- it",  # of two sorts
        "the old boat\n1 apple and the\n1 house",  # numbers without a mark
        "likes 7) it\nand 9) it",  # nor at the beginnings of lines
    ],
)
def test_other_lines_are_left_to_the_weights(text: str):
    engine = tokenizer()._engine
    tables = engine.tables
    never = (tables[0], type(tables[1])(np.zeros(4, np.uint64), -1), tables[2])
    rules_alone = Tokenizer(
        Engine(engine.characters, engine.gaps, engine.spaces, engine.ends, never, engine.lexicon, 0)
    )
    assert len(sentences(text, rules_alone)) == 1
    assert len(sentences("- " + text.replace("\n", "\n- "), rules_alone)) > 1


def test_lines_and_words_stay_what_they_are():
    text = "- Ida reads\n- Bo reads\n"
    for mode in ("lines", "words"):
        assert len(list(surface(tokenizer().tokenize(text, input=mode)))) == 2
