"""Kinds and folding of characters."""

from __future__ import annotations

import unicodedata
from functools import cache

import pytest

from fastparse.text.units import MARKS, Characters


@cache
def characters() -> Characters:
    return Characters.of_unicode()


@pytest.mark.parametrize(
    "alike", ["aäßж", "AÄЖ", "אبक", "漢字", "かカ", "ไລ", "09٣", "½²", "\u0301\u20dd\U0001f3fd", "🙂☃", "$₽₿"[1:]]
)
def test_alike(alike: str):
    assert len({characters().kind(character) for character in alike}) == 1


def test_marks_have_kinds_of_their_own():
    kinds = {characters().kind(mark) for mark in MARKS}
    assert len(kinds) == len(MARKS)
    assert not kinds & {characters().kind(character) for character in "aA1漢🙂 ؟"}


def test_white_space():
    for character in map(chr, range(0x11000)):
        expected = character.isspace() or character in "\u200b\ufeff"
        found = characters().kind(character) in {characters().kind(c) for c in " \n\u2029"}
        assert found == expected, hex(ord(character))


def test_folding():
    assert characters().fold("Don’t “ÄÖ” ΣΑΣ") == 'don\'t "äö" σασ'
    for character in map(chr, range(0x20, 0x3000)):
        lower = character.lower()
        if unicodedata.category(character) == "Lu" and len(lower) == 1:
            assert characters().fold(character) == lower
