"""Classes of words, rows with other tags, and taggers of what others have learnt."""

import numpy as np

from fastparse.encoder.inputs import Inputs
from fastparse.learning.networks.examples import (
    TAGS,
    class_numbers,
    class_strings,
    columns_with_tags,
    split_tags,
    without_tags,
)
from fastparse.learning.networks.shapes import Shape
from tests.networks.small import NO_DROPOUT, PLAN, tagger_network
from tests.toy import toy


def test_classes_are_the_strings_of_a_column():
    bank = toy()
    for name in ("upos", "feats"):
        classes = class_strings(bank, name)
        table, ids = bank.table(name), bank.ids(name)
        assert [classes[i] for i in class_numbers(bank, name, classes).tolist()] == [table[i] for i in ids.tolist()]
    assert class_numbers(bank, "upos", ["NOUN"]).min() == -1


def test_tags_can_be_taken_from_rows():
    bank, inputs = toy(), Inputs.learn(toy())
    rows, where = inputs.rows(bank), inputs.columns()
    blank, words = without_tags(rows, inputs), rows[:, 0] > 1
    assert not blank[words, where["tag"][0] :].any()
    np.testing.assert_array_equal(blank[:, : where["tag"][0]], rows[:, : where["tag"][0]])


def test_tags_are_one_class_of_three_columns():
    bank = toy()
    classes = class_strings(bank, TAGS)
    numbers = class_numbers(bank, TAGS, classes)
    for name in ("upos", "xpos", "feats"):
        table, ids = bank.table(name), bank.ids(name)
        assert [split_tags(classes[i])[name] for i in numbers.tolist()] == [table[i] for i in ids.tolist()]
    nothing = bank.with_columns(xpos=(np.zeros(bank.n_words, np.int32), ["_"]))
    assert columns_with_tags(bank) == ("upos", "xpos", "feats")
    assert columns_with_tags(nothing) == ("upos", "feats")


def test_a_tagger_learns():
    shape = Shape(width=16, pieces=2, distances=(1,), form=16, affix=16, tag=0, feature=0)
    plan = PLAN.__class__(rounds=12, words=60, rate=1e-2, warm_up=5, outputs=("upos",), dropout=NO_DROPOUT)
    bank = toy()
    tagger = tagger_network(bank, shape, plan)
    gold = class_numbers(bank, "upos", tagger.outputs["upos"])
    assert (tagger.annotate(bank)[2]["upos"] == gold).mean() > 0.98
