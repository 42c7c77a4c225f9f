"""Classes of words, rules for lemmas, and rows with other tags."""

import numpy as np
import pytest

from fastparse.encoder.inputs import Inputs
from fastparse.networks.lemmas import lemma_by, rule_of
from fastparse.networks.shapes import Shape
from fastparse.networks.tagging import jackknifed, said_by, train_tagger
from fastparse.networks.targets import class_numbers, class_strings, with_tags, without_tags
from tests.networks.small import NO_DROPOUT, PLAN
from tests.toy import toy

PAIRS = [
    ("Dogs", "dog"), ("gebaut", "bauen"), ("was", "be"), ("The", "the"), ("GOOGLE", "Google"), ("I", "I"), ("'s", "be"),
    ("Emil", "Emil"), ("running", "run"), ("_", "_"), ("a-b", "a-b"), ("c++", "c++"), ("can't", "can not"),
]  # fmt: skip


@pytest.mark.parametrize(("form", "lemma"), PAIRS)
def test_a_rule_makes_the_lemma_it_was_made_from(form, lemma):
    assert lemma_by(rule_of(form, lemma), form) == lemma


def test_rules_carry_over_to_other_words():
    assert lemma_by(rule_of("Dogs", "dog"), "cats") == "cat"
    assert lemma_by(rule_of("baked", "bake"), "raised") == "raise"
    assert lemma_by("l 0- 9+x", "Short") == "short"


def test_classes_are_the_strings_of_a_column():
    bank = toy()
    for name in ("upos", "feats"):
        classes = class_strings(bank, name)
        table, ids = bank.table(name), bank.ids(name)
        assert [classes[i] for i in class_numbers(bank, name, classes).tolist()] == [table[i] for i in ids.tolist()]
    assert class_numbers(bank, "upos", ["NOUN"]).min() == -1


def test_lemmas_are_classes_too():
    bank = toy()
    classes = class_strings(bank, "lemma")
    numbers, forms, lemmas = class_numbers(bank, "lemma", classes), bank.table("form"), bank.table("lemma")
    known = numbers >= 0
    assert known.mean() > 0.8
    for number, form, lemma in zip(numbers[known], bank.ids("form")[known], bank.ids("lemma")[known], strict=True):
        assert lemma_by(classes[number], forms[form]) == lemmas[lemma]


def test_the_treebanks_own_tags_give_its_own_rows():
    bank, inputs = toy(), Inputs.learn(toy())
    rows = inputs.rows(bank)
    blank, where = without_tags(rows, inputs), inputs.columns()
    words = rows[:, 0] > 1
    assert not blank[words, where["tag"][0] :].any()
    np.testing.assert_array_equal(blank[:, : where["tag"][0]], rows[:, : where["tag"][0]])
    classes = {name: class_strings(bank, name) for name in ("upos", "xpos", "feats")}
    tags = {name: class_numbers(bank, name, strings) for name, strings in classes.items()}
    np.testing.assert_array_equal(with_tags(blank, inputs, tags, classes), rows)
    assert not with_tags(rows, inputs, {"upos": tags["upos"]}, classes)[words, where["feature"][0] :].any()


def test_folds_are_tagged_by_others():
    shape = Shape(width=16, pieces=2, distances=(1,), form=16, affix=16, tag=0, feature=0)
    plan = PLAN.__class__(rounds=12, words=60, rate=1e-2, warm_up=5, outputs=("upos",), dropout=NO_DROPOUT)
    bank = toy()
    tagger = train_tagger(bank, shape, plan, report=lambda row: None)
    gold = class_numbers(bank, "upos", tagger.outputs["upos"])
    assert (said_by(tagger, bank, tagger.outputs)["upos"] == gold).mean() > 0.98
    others = jackknifed(bank, shape, plan, tagger.outputs, 3, report=lambda row: None)["upos"]
    assert 0.5 < (others == gold).mean() < 0.98
