"""What a parser learns from: the treebank's tags, or those of taggers that have not seen the sentence."""

from types import SimpleNamespace

import numpy as np
import pytest

import fastparse
from fastparse import Error, UnknownNameError
from fastparse.learning.networks.examples import TAGS, class_numbers, class_strings
from fastparse.learning.networks.plans import tagger_plan, tagger_shape
from fastparse.learning.taggers import learn_tagger, scores_of_tags, shares_of_right_tags, tagger_of, with_own_tags
from tests.networks.small import tagger_network
from tests.tagger.models import blank, column
from tests.toy import toy


def test_each_part_is_tagged_by_a_tagger_that_has_not_seen_it(monkeypatch):
    bank, learnt = toy()[:18], []

    def learn(rest, size, seed, *others):
        learnt.append((seed, [sentence.forms for sentence in rest]))
        return learn_tagger(rest, size, seed)

    monkeypatch.setattr("fastparse.learning.taggers.learn_tagger", learn)
    own = with_own_tags(bank, 3)
    assert [seed for seed, _ in learnt] == [2, 3, 4]
    for i, sentence in enumerate(bank):
        assert [sentence.forms in forms for _, forms in learnt] == [fold != i // 6 for fold in range(3)]
    assert own.heads.tolist() == bank.heads.tolist()
    same = np.mean([a == b for a, b in zip(column(own, "upos"), column(bank, "upos"), strict=True)])
    assert 0.4 < same < 1
    assert "_" not in column(own, "upos")


def test_each_word_has_what_the_tagger_of_its_part_says(monkeypatch):
    def learn(rest, size, seed, *others):
        return SimpleNamespace(tag=lambda held: {"upos": (np.arange(held.n_words) % 2, [f"A{seed}", f"B{seed}"])})

    monkeypatch.setattr("fastparse.learning.taggers.learn_tagger", learn)
    own = with_own_tags(toy()[:12], 3, seed=4)
    for i, sentence in enumerate(own):
        assert {tag[1:] for tag in sentence.upos} == {str(5 + i // 4)}
    assert {tag[0] for tag in column(own, "upos")} == {"A", "B"}


def test_a_word_is_right_when_all_its_tags_are():
    ids = {name: np.array(toy().ids(name), np.int32) for name in ("upos", "xpos")}
    for name, every in (("upos", 2), ("xpos", 3)):
        ids[name][::every] = len(toy().table(name))
    said = {name: (found, [*toy().table(name), "no tag"]) for name, found in ids.items()}
    n = toy().n_words
    shares = shares_of_right_tags(toy(), said)
    assert shares["upos"] == pytest.approx(100 * (n // 2) / n)
    assert shares["all tags"] == pytest.approx(100 * sum(i % 2 > 0 and i % 3 > 0 for i in range(n)) / n)


def test_a_parser_learns_from_predicted_tags():
    few = toy()[:20]
    options = {"beam": 2, "iterations": 1, "folds": 2, "dev": few}
    said = fastparse.train(few, "arc-eager", tags="predicted", components=("tagger", "parser"), encoder=None, **options)
    gold = fastparse.train(few, "arc-eager", tags="gold", components=("tagger", "parser"), encoder=None, **options)
    assert said.info["training"]["tags"] == "predicted"
    assert said.info["training"]["folds"] == 2
    assert "tags" not in gold.info["training"]
    assert said.info["treebank"] == gold.info["treebank"]
    assert said.parse(toy()).to_bytes() != gold.parse(toy()).to_bytes()


def test_predicted_is_the_default_where_a_tagger_is_learnt():
    parser = fastparse.train(
        toy()[:20], "arc-eager", beam=1, iterations=1, components=("tagger", "parser"), folds=2, encoder=None
    )
    assert parser.info["training"]["tags"] == "predicted"


def test_impossible_choices_are_refused():
    with pytest.raises(UnknownNameError, match="'gold' or 'predicted'"):
        fastparse.train(toy(), "arc-eager", tags="silver", encoder=None)
    with pytest.raises(Error, match="folds=1"):
        fastparse.train(toy(), "arc-eager", folds=1, encoder=None)
    with pytest.raises(Error, match="no tags"):
        fastparse.train(blank(toy(), "upos", "xpos", "feats"), "arc-eager", tags="predicted", encoder=None)


def test_scores_of_combinations_are_sums():
    columns = ("upos", "xpos", "feats")
    plan = tagger_plan(toy().n_words, outputs=(*columns, TAGS), rounds=2)
    network = tagger_network(toy(), tagger_shape("small"), plan)
    weights, bias = scores_of_tags(network)
    state = np.random.default_rng(1).normal(size=network.shape.width)
    arrays = network.arrays
    for i, tags in enumerate(network.outputs[TAGS]):
        expected = arrays[f"output.{TAGS}.weight"][i] @ state + arrays[f"output.{TAGS}.offset"][i]
        for name, tag in zip(columns, tags.split("\t"), strict=True):
            place = network.outputs[name].index(tag)
            expected += arrays[f"output.{name}.weight"][place] @ state + arrays[f"output.{name}.offset"][place]
        assert weights[i] @ state + bias[i] == pytest.approx(expected, abs=1e-4)


def test_bytes_say_what_floats_say():
    columns = ("upos", "xpos", "feats")
    plan = tagger_plan(toy().n_words, outputs=(*columns, TAGS), rounds=8)
    network = tagger_network(toy(), tagger_shape("small"), plan)
    tagger = tagger_of(network, toy(), columns, "small")
    said = network.annotate(toy())[2][TAGS]
    strings = [network.outputs[TAGS][i].split("\t")[0] for i in said]
    ids, table = tagger.tag(toy())["upos"]
    assert np.mean([table[i] == string for i, string in zip(ids, strings, strict=True)]) > 0.9


def test_frequent_combinations_come_first():
    few = toy()[:20]
    tagger = learn_tagger(few, "small")
    places = {name: {tag: i for i, tag in enumerate(tags)} for name, tags in tagger.columns.items()}
    words = np.stack([[places[name][tag] for tag in column(few, name)] for name in tagger.columns], 1)
    counts = [(words == row).all(1).sum() for row in tagger.arrays()["classes"]]
    assert counts == sorted(counts, reverse=True)
    assert sum(counts) == few.n_words


def test_sentences_without_a_column_teach_nothing_of_it():
    bank = toy()
    n = bank.n_words
    first = np.repeat(np.arange(len(bank)) < len(bank) // 2, np.diff(bank.offsets))
    strings = np.array(column(bank, "feats"), object)
    strings[first] = "_"
    strings[~first & (strings == "_")] = "Some=Yes"
    table = sorted(set(strings))
    ids = np.array([table.index(string) for string in strings], np.int32)
    mixed = bank.with_columns(feats=(ids, table))
    whole = mixed.select(np.arange(len(bank) // 2, len(bank)))
    for name in ("feats", TAGS):
        classes = class_strings(mixed, name)
        assert set(class_strings(whole, name)) <= set(classes)
        numbers = class_numbers(mixed, name, classes)
        np.testing.assert_array_equal(numbers[~first], class_numbers(whole, name, classes))
        long = np.repeat(np.diff(bank.offsets) > 9, np.diff(bank.offsets))
        assert (numbers[first & long] == -1).all()
    assert (class_numbers(mixed, "upos", class_strings(mixed, "upos")) >= 0).all()
    assert len(class_numbers(bank, "feats", class_strings(bank, "feats"))) == n
    empty = blank(bank, "feats")
    assert class_strings(empty, "feats") == ("_",)
    assert (class_numbers(empty, "feats", ("_",)) == 0).all()
