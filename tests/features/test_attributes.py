"""Attributes of words: equal texts have equal values, different ones different values; rows begin anew per sentence."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from fastparse.features.attributes import Values, column_of, word_values
from fastparse.features.inspection import move_keys
from fastparse.features.templates import AttributeLayout, plan_of
from fastparse.theory.configuration import CellConfiguration
from fastparse.transition_systems.registry import resolve
from tests.features.material import random_rows, treebank_of
from tests.reference import Configuration as Textbook
from tests.reference.features import View

TEXTS = (
    "a",
    "ab",
    "abc",
    "abcd",
    "abcde",
    "é",
    "éa",
    "aé",
    "日本語学校",
    "本語学校",
    "日本語学",
    "🙂🙃",
    "🙃🙂x",
    "e\u0301e",
    "_",
)


def texts_as_words(texts, column="form"):
    rows = [dict(random_rows(Random(1), 1)[0], **{column: text}) for text in texts]
    return treebank_of([rows]), rows


@pytest.mark.parametrize("length", [1, 2, 3, 4])
@pytest.mark.parametrize("side", ["pre", "suf"])
def test_affixes_are_counted_in_characters(side, length):
    treebank, _ = texts_as_words(TEXTS)
    values = word_values(f"{side}{length}", treebank)
    affixes = [text[:length] if side == "pre" else text[-length:] for text in TEXTS]
    for i, one in enumerate(affixes):
        for j, other in enumerate(affixes):
            assert (values[i] == values[j]) == (one == other), (TEXTS[i], TEXTS[j])


def test_an_affix_of_a_short_word_is_the_word():
    treebank, _ = texts_as_words(TEXTS)
    forms = word_values("form", treebank)
    for attribute in ("pre4", "suf4"):
        for value, form, text in zip(word_values(attribute, treebank), forms, TEXTS, strict=True):
            assert (value == form) == (len(text) <= 4)


def test_values_of_selected_sentences_are_those_of_all():
    treebank = treebank_of([random_rows(Random(seed), 30) for seed in range(8)])
    for attribute in ("form", "upos", "feats", "feats[Case]", "pre2", "suf3"):
        everything = word_values(attribute, treebank)
        for s in range(len(treebank)):
            one = word_values(attribute, treebank[s : s + 1])
            assert (one == everything[treebank.offsets[s] : treebank.offsets[s + 1]]).all()


FIELDS = (
    ("_", None), ("Case=Nom", "Nom"), ("Case=Acc", "Acc"), ("Number=Sing|Case=Nom", "Nom"), ("Case=|A=b", ""),
    ("Cases=Nom", None), ("XCase=Nom", None), ("Cas=Nom", None), ("A=Case=Nom", None), ("Case", None),
    ("Case[psor]=Nom", None), ("A=b|Case=Nom|C=d", "Nom"), ("A=b|Case", None), ("Case=Nom,Acc", "Nom,Acc"),
)  # fmt: skip


def test_fields_of_feats():
    treebank, _ = texts_as_words([text for text, _ in FIELDS], "feats")
    values = word_values("feats[Case]", treebank)
    for i, (text, one) in enumerate(FIELDS):
        assert (values[i] == 3) == (one is None), text
        for j, (_, other) in enumerate(FIELDS):
            assert (values[i] == values[j]) == (one == other), text


def test_values_kept_for_missing_words_are_not_those_of_texts():
    treebank = treebank_of([random_rows(Random(seed), 50) for seed in range(3)])
    for attribute in ("form", "lemma", "upos", "xpos", "feats", "pre1", "suf3"):
        assert word_values(attribute, treebank).min() > 15


@pytest.mark.parametrize(
    ("attribute", "column"),
    [
        ("form", "form"),
        ("tag", "upos"),
        ("pre3", "form"),
        ("suf1", "form"),
        ("feats[Case]", "feats"),
        ("misc[x]", "misc"),
    ],
)
def test_columns_of_attributes(attribute, column):
    assert column_of(attribute) == column


@pytest.mark.parametrize("joined", [False, True])
def test_sentences_do_not_read_each_other(joined):
    """A sentence has the same keys alone as among others, with its root and nothing around it."""
    random = Random(3)
    sentences = [random_rows(random, n) for n in (1, 7, 1, 3, 12)]
    lines = (
        "S0.form", "B0.prev.form B0.prev2.form", "B0.next.form B0.next2.tag", "B3.form B3.tag", "S1.form S2.form",
        "between(S0,B3,NOUN)", "between(S0,B0,VERB) B0.tag",
    )  # fmt: skip
    layout = AttributeLayout()
    plan = plan_of(lines, layout, False)

    def keys(chosen):
        treebank = treebank_of(chosen)
        values = Values(treebank, layout.attributes, layout.counted, joined)
        offsets = treebank.offsets.astype(np.int64)
        found = []
        for s, rows in enumerate(chosen):
            c = CellConfiguration(resolve("arc-eager"), len(rows))
            found.append([move_keys(plan, c, values, offsets, s)])
            while c.legal():
                c.apply("SHIFT")
                found[-1].append(move_keys(plan, c, values, offsets, s))
        return found

    together = keys(sentences)
    assert [keys([rows])[0] for rows in sentences] == together
    assert keys(sentences[::-1])[::-1] == together


def test_counts_between_go_beyond_a_byte():
    """More than 255 words of a class up to a place."""
    rows = [dict(random_rows(Random(1), 1)[0], upos="NOUN") for _ in range(700)]
    layout = AttributeLayout()
    plan = plan_of(("between(S0,B0,NOUN)",), layout, False)
    values = Values(treebank_of([rows]), layout.attributes, layout.counted, False)
    offsets = np.array([0, 700])
    keys: dict[int, set[int]] = {}
    ours, plain = CellConfiguration(resolve("arc-eager"), 700), Textbook("arc-eager", 700)
    for k in range(690):
        move = "SHIFT" if k % 5 else "RIGHT-ARC:a"
        for _ in range(2 if k % 7 else 1):
            if move == "SHIFT" and ours.stack[-1] and "LEFT-ARC" in ours.legal() and k % 3:
                break
            ours.apply(move)
            plain.apply(move)
            break
        view = View(plain, rows, ("a",))
        keys.setdefault(view.feature("between(S0,B0,NOUN)")[1], set()).update(move_keys(plan, ours, values, offsets, 0))
    assert all(len(found) == 1 for found in keys.values())
