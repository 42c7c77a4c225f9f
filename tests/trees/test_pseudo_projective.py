"""Pseudo-projective encodings: projective trees, labels as in the paper, and what comes back."""

import numpy as np
import pytest

from fastparse import trees
from fastparse.errors import Error, UnknownNameError
from fastparse.trees.pseudo_projective import ENCODINGS
from tests.reference import trees as naive
from tests.trees.generate import every_tree, random_tree

# "A hearing is scheduled on the issue today": 5, "on", hangs on "hearing", past "is scheduled".
HEARING = [2, 3, 0, 3, 2, 7, 5, 4], ["det", "sbj", "root", "vc", "nmod", "det", "pc", "tmp"]


@pytest.mark.parametrize(
    ("encoding", "labels"),
    [
        ("head", ["det", "sbj", "root", "vc", "nmod↑sbj", "det", "pc", "tmp↑vc"]),
        ("path", ["det", "sbj↓", "root", "vc↓", "nmod↑", "det", "pc", "tmp↑"]),
        ("head+path", ["det", "sbj↓", "root", "vc↓", "nmod↑sbj", "det", "pc", "tmp↑vc"]),
    ],
)
def test_a_sentence(encoding, labels):
    heads, found = trees.projectivize(*HEARING, encoding)
    assert heads == [2, 3, 0, 3, 3, 7, 5, 3]
    assert found == labels
    assert trees.deprojectivize(heads, found, encoding) == HEARING


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_projective_trees_stay_as_they_are(encoding):
    heads, labels = [2, 0, 2], ["a", "root", "b"]
    assert trees.projectivize(heads, labels, encoding) == (heads, labels)
    assert trees.deprojectivize(heads, labels, encoding) == (heads, labels)


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_every_small_tree_becomes_projective_and_comes_back_a_tree(encoding):
    heads, offsets = every_tree(5)
    labels = [f"l{i % 5}" for i in range(len(heads))]
    projective, marked = trees.projectivize_treebank(heads, offsets, labels, encoding)
    assert trees.contains_treebank(projective, offsets, "projective").all()
    restored, plain = trees.deprojectivize_treebank(projective, offsets, marked, encoding)
    assert plain == labels
    trees.classify_treebank(restored, offsets)  # raises unless all are trees
    nonprojective = trees.nonprojective_arcs_treebank(heads, offsets)
    share = (restored == heads)[nonprojective].mean()
    # Labels differ within a sentence, so that they name the head wherever it can be found at all.
    assert share > {"head": 0.9, "path": 0.75, "head+path": 0.9}[encoding]


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_one_lifted_word_always_comes_back_along_its_path(encoding):
    checked = 0
    for seed in range(200):
        heads = random_tree(12, seed, 2)
        labels = [f"l{m}" for m in range(12)]
        projective, marked = trees.projectivize(heads, labels, encoding)
        if sum(a != b for a, b in zip(heads, projective, strict=True)) == 1:
            checked += 1
            assert trees.deprojectivize(projective, marked, encoding) == (heads, labels)
    assert checked > 10


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_nonsense_labels_still_give_a_tree(encoding):
    rng = np.random.default_rng(7)
    pool = ["a", "b", "a↑b", "b↑a", "a↑", "b↓", "a↑b↓", "b↑↓", "a↑c", "↑", "↓"]
    for seed in range(300):
        heads = trees.projective_heads(random_tree(10, seed, 3))
        labels = [pool[i] for i in rng.integers(0, len(pool), 10)]
        restored, plain = trees.deprojectivize(heads, labels, encoding)
        assert naive.is_tree(restored)
        assert not any("↑" in label or "↓" in label for label in plain)


def test_refusals():
    with pytest.raises(UnknownNameError, match="unknown encoding 'tail'"):
        trees.projectivize([0], ["root"], "tail")
    with pytest.raises(Error, match="one label per word"):
        trees.projectivize([0, 1], ["root"], "head")
    with pytest.raises(Error, match="'a↑b' holds a mark"):
        trees.projectivize([0], ["a↑b"], "head")
    with pytest.raises(Error, match="not a tree"):
        trees.projectivize([2, 1], ["a", "b"], "path")
    with pytest.raises(Error, match="not a tree"):
        trees.deprojectivize([2, 1], ["a↑b", "b"], "head")
