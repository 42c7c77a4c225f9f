"""The best trees of a beam, their scores and probabilities, and how sentences keep them."""

from __future__ import annotations

import os

import numpy as np
import pytest

import fastparse
from fastparse import Treebank
from fastparse.corpus.alternatives import read_trees, with_trees
from fastparse.errors import Error
from fastparse.model.description import USUAL_TREE_CONFIDENCE
from fastparse.search.confidence import fitted_to_trees, tree_confidence
from fastparse.search.engine import NO_TREE, Outcome
from tests.reference.search import after, complete
from tests.search.models import LABELS
from tests.search.test_encoders import RandomEncoder
from tests.toy import toy

TEXT = "I saw the man with the telescope. She reads it."


def all_trees(model, words):
    """Every tree that some derivation ends with -> the largest sum of logarithms, by following all derivations."""
    found = {}
    agenda = [(0, model.start(len(words)))]
    while agenda:
        score, c = agenda.pop()
        if c.is_final():
            result = complete(model, c, words, 0)
            tree = tuple(result.heads), tuple(result.labels)
            found[tree] = max(score, found.get(tree, score))
            continue
        for log, _, move in model.options(c, words):
            agenda.append((score + log, after(model, c, words, move)))
    return found


@pytest.mark.parametrize("name", ["arc-eager", "hybrid", "arc-standard", "swap"])
def test_the_best_trees_of_a_beam_are_those_of_all_derivations(name):
    """Of random encoders; FASTPARSE_SENTENCES asks for more than twelve sentences."""
    seed = asked = 0
    while asked < int(os.environ.get("FASTPARSE_SENTENCES", "12")):
        seed += 1
        encoder = RandomEncoder(seed, name, {}, single_root=bool(seed % 2), sure=(2, 8, 30)[seed % 3])
        out = Outcome(encoder.offsets, trees=5)
        encoder.engine.parse(encoder.values, out, 0, len(encoder.offsets) - 1, 64)
        for s, words in enumerate(encoder.words):
            if len(words) > 4:
                continue
            expected = all_trees(encoder.model, words)
            scores = sorted(expected.values(), reverse=True)
            part = slice(int(encoder.offsets[s]), int(encoder.offsets[s + 1]))
            found = [
                (tuple(out.tree_heads[k, part].tolist()), tuple(LABELS[i] for i in out.tree_labels[k, part].tolist()))
                for k in range(5)
                if out.tree_scores[k, s] > NO_TREE
            ]
            assert len(set(found)) == len(found) == min(5, len(expected))
            assert out.tree_scores[: len(found), s].tolist() == scores[: len(found)]
            assert [expected[tree] for tree in found] == scores[: len(found)]
            assert found[0][0] == tuple(out.heads[part].tolist())
            asked += 1


@pytest.fixture(scope="module")
def parser():
    return fastparse.load("en-fast")


def test_sentences_tell_their_best_trees(parser, tmp_path):
    treebank = parser.parse_text(TEXT, k=4)
    plain = parser.parse_text(TEXT, beam=32, threshold=0)
    for sentence, same in zip(treebank, plain, strict=True):
        trees = sentence.alternatives
        assert len(trees) == 4
        assert trees[0].heads == sentence.heads == same.heads
        assert trees[0].deprels == sentence.deprels == same.deprels
        probabilities = [tree.probability for tree in trees]
        assert probabilities == sorted(probabilities, reverse=True)
        assert 0 < sum(probabilities) <= 1.0002
        assert len({(tuple(tree.heads), tuple(tree.deprels)) for tree in trees}) == 4
        assert same.alternatives == []
    # They go wherever MISC goes, and a new parse replaces them.
    path = tmp_path / "out.conllu"
    treebank.write(path)
    assert [s.alternatives for s in fastparse.read_conllu(path)] == [s.alternatives for s in treebank]
    again = parser.parse(treebank, k=2, scores=True)
    assert [len(s.alternatives) for s in again] == [2, 2]
    assert "ArcProb" in again[0].misc[0]
    assert parser.parse(treebank.with_columns(misc=(np.full(treebank.n_words, -1, np.int32), [])), k=2)[0].alternatives


def test_threads_and_batches_change_nothing(parser):
    tagged = parser.tag(parser.tokenize(TEXT * 200))
    one, two = parser.parse(tagged, k=3), parser.parse(tagged, k=3, threads=2)
    assert one.to_bytes() == two.to_bytes()


def test_what_cannot_be_asked(parser):
    tagged = parser.tag(parser.tokenize(TEXT))
    with pytest.raises(Error, match="k=5 trees need a beam as large, not beam=4"):
        parser.parse(tagged, beam=4, k=5)
    with pytest.raises(Error, match="k=0"):
        parser.parse(tagged, k=0)
    linear = fastparse.train(toy(), "hybrid", beam=2, iterations=1, encoder=None, components=("parser",))
    with pytest.raises(Error, match="a linear model does not know how sure it is"):
        linear.parse(tagged, k=2)


def test_lists_of_words_have_a_place_for_trees_and_other_objects_have_none(parser):
    words = [["She", "reads", "old", "books"], ["He", "sleeps"]]
    (treebank,) = [parser.parse(fastparse.Treebank.from_columns(forms=words), k=3)]
    assert [one.alternatives for one in parser.parse(words, k=3)] == [one.alternatives for one in treebank]
    for asked in ({"k": 2}, {"scores": True}, {"deps": "copy"}):
        with pytest.raises(Error, match=f"{next(iter(asked))}=.*: a dict has no place for it"):
            list(parser.parse([{"form": ["She", "reads"]}], **asked))


def test_labels_with_marks_of_their_own():
    treebank = Treebank.from_columns(forms=[["a", "b"], ["c"]], heads=[[0, 1], [0]], deprels=[["root", "x"], ["root"]])
    heads, labels = np.array([[0, 1, 0], [2, 0, 0]]), np.array([[0, 1, 0], [1, 0, 0]])
    found = with_trees(treebank, heads, labels, ["root", "a;b|c=d%"], np.array([[0.5, 0.9], [0.25, 0.0]]))
    assert found[0].alternatives == [
        ([0, 1], ["root", "a;b|c=d%"], 0.5),
        ([2, 0], ["a;b|c=d%", "root"], 0.25),
    ]
    assert found[1].alternatives == [([0], ["root"], 0.9)]
    for misc in (["TreeProbs=0.5"], ["Trees=0:root|TreeProbs=x"], ["Trees=0:root|TreeProbs=0.5;0.5"]):
        with pytest.raises(Error, match="are of no trees"):
            read_trees(misc)


def test_probabilities_are_true():
    """Of made-up trees that are right as often as a line in the odds says."""
    source = np.random.default_rng(1)
    scores = np.sort(-source.exponential(2000, (3, 4000)).astype(np.int64), axis=0)[::-1]
    chance = 1 / (1 + np.exp(1 - 0.8 * scores / 1024))
    right = source.random(scores.shape) < chance
    fit = fitted_to_trees(scores, right)
    found = tree_confidence(scores, fit)
    assert abs(found[0].mean() - right[0].mean()) < 0.02
    for low in np.arange(0, 0.3, 0.1):
        some = (found[0] >= low) & (found[0] < low + 0.1)
        assert abs(found[0][some].mean() - right[0][some].mean()) < 0.05
    assert (found.sum(axis=0) <= 1 + 1e-9).all()
    assert fitted_to_trees(scores, np.zeros_like(right)) == USUAL_TREE_CONFIDENCE
    missing = scores.copy()
    missing[1:] = NO_TREE
    assert (tree_confidence(missing, fit)[1:] == 0).all()
