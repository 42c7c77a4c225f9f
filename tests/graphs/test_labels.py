"""Labels that carry words are learnt as patterns."""

from __future__ import annotations

import fastparse
from fastparse.graphs.labels import SLOTS, Slots
from tests.graphs.examples import TEXT, treebank


def test_patterns_and_back():
    bank = fastparse.read_conllu(TEXT.encode())
    slots = Slots(bank)
    found = {}
    for sentence, first in zip(bank, bank.offsets.tolist(), strict=False):
        for _, word, label in sentence.graph:
            if isinstance(word, int):
                pattern = slots.pattern(label, first + word - 1)
                assert slots.label(pattern, first + word - 1) == label
                found[label] = pattern
    assert found["obl:to"] == "=:{case}"
    assert found["conj:and"] == "=:{cc}"
    assert found["acl:relcl"] == "="
    assert found["nsubj:xsubj"] == "=:xsubj"
    assert found["ref"] == "ref"


def test_unseen_words_fill_the_slots():
    text = TEXT.replace("\tto\tto\tADP", "\tbeneath\tbeneath\tADP")
    slots = Slots(fastparse.read_conllu(text.encode()))
    assert slots.label("=:{case}", 6) == "obl:beneath"
    assert slots.label("nmod:{mark}", 6) == "nmod"
    assert slots.fill("no such slot", 6) == ""


def test_conjuncts_share_what_marks_the_first():
    rows = [
        ("in", "in", "ADP", 2, "case"), ("Rome", "Rome", "PROPN", 0, "root"), (",", ",", "PUNCT", 4, "punct"),
        ("Paris", "Paris", "PROPN", 2, "conj"), ("or", "or", "CCONJ", 6, "cc"), ("Bonn", "Bonn", "PROPN", 2, "conj"),
        ("because", "because", "ADP", 9, "case"), ("of", "of", "ADP", 7, "fixed"), ("rain", "rain", "NOUN", 2, "obl"),
    ]  # fmt: skip
    forms, lemmas, upos, heads, deprels = map(list, zip(*rows, strict=True))
    slots = Slots(fastparse.Treebank.from_columns(forms, upos, lemmas=lemmas, heads=heads, deprels=deprels))
    assert slots.fill("other cc", 3) == "or"
    assert slots.fill("shared case", 3) == "in"
    assert slots.label("^:{shared case}", 5) == "root:in"
    assert slots.pattern("obl:because_of", 8) == "=:{case}"
    assert slots.fill("Case", 8) == ""


def test_every_slot_is_asked_of_every_word():
    slots = Slots(treebank())
    for word in range(treebank().n_words):
        assert all(isinstance(slots.fill(name, word), str) for name in SLOTS)
