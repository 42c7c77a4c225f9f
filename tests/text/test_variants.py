"""Variants of text to learn from: the same tokens otherwise spaced or written, marks at the right bytes."""

from __future__ import annotations

from random import Random

import pytest

from fastparse.corpus.surface import SurfaceToken, surface
from fastparse.text.variants import HAS_WORDS, SENTENCE_BEGINS, TOKEN_BEGINS, VARIANTS, marked, paragraphs
from tests.text import toy

PARAGRAPHS = list(paragraphs(surface(toy.conllu(200))))


@pytest.mark.parametrize("name", VARIANTS)
def test_marks_stand_where_tokens_begin(name: str):
    random = Random(1)
    varied = [VARIANTS[name](paragraph, random) for paragraph in PARAGRAPHS]
    text, marks = marked(varied)
    assert len(text) == len(marks)
    at = 0
    for paragraph in varied:
        for sentence in paragraph:
            for i, token in enumerate(sentence):
                while not marks[at]:
                    at += 1
                assert text[at:].startswith(token.text.encode())
                assert marks[at] == TOKEN_BEGINS | SENTENCE_BEGINS * (i == 0) | HAS_WORDS * bool(token.words)
                at += 1
    assert not any(marks[at:])


@pytest.mark.parametrize("name", ["plain", "quotes", "spaced", "lines", "wrapped", "lower", "capitals"])
def test_tokens_stay(name: str):
    random = Random(1)
    for paragraph in PARAGRAPHS:
        varied = VARIANTS[name](paragraph, random)
        assert [len(sentence) for sentence in varied] == [len(sentence) for sentence in paragraph]


def test_lines_are_not_longer_than_the_width():
    random = Random(1)
    lines = marked([VARIANTS["wrapped"](paragraph, random) for paragraph in PARAGRAPHS]).text.split(b"\n")
    assert 60 < max(map(len, lines)) <= 100
    assert len(lines) > len(marked(PARAGRAPHS).text.split(b"\n")) * 1.2


def test_bare_has_no_marks_at_the_end():
    random = Random(1)
    for paragraph in PARAGRAPHS:
        for sentence in VARIANTS["bare"](paragraph, random):
            assert any(map(str.isalnum, sentence[-1].text))


def test_signs_take_the_place_of_words():
    random = Random(1)
    texts = [marked([VARIANTS["written"](paragraph, random)]).text.decode() for paragraph in PARAGRAPHS]
    forms = {form for text in texts for form in text.split()}
    plain = {form for text in [marked([paragraph]).text.decode() for paragraph in PARAGRAPHS] for form in text.split()}
    new = forms - plain
    assert {form[0] for form in new} >= set("#@</~v")
    assert any(form.count("-") == 2 and form[:4].isdigit() for form in new)
    # Words that belong together with others, such as contractions, stay what they are.
    glued = {token.text for p in PARAGRAPHS for s in p for token in s if token.words}
    assert all(any(form in text for text in texts) for form in glued)


def test_other_marks_follow_abbreviations():
    def said(form: str, after: str | None = None) -> SurfaceToken:
        return SurfaceToken(form, form, (), "", after)

    sentence = [said("At"), said("5"), said("p.m.", ""), said(","), said("then", ""), said(","), said("not"), said(",")]
    texts = {marked([VARIANTS["written"]([sentence], Random(seed))]).text.decode() for seed in range(400)}
    assert any("p.m.; " in text for text in texts)
    # Elsewhere, and at the end of a sentence, a mark stays what it is.
    assert not any("then;" in text or text.rstrip().endswith(";") for text in texts)
