"""Easy-first and the three-step system, which derive trees in their own way."""

from __future__ import annotations

import pytest

import fastparse
from fastparse.studies.transitions import moves_of
from fastparse.transition_systems.registry import ROWS, resolve
from fastparse.trees import projective_heads
from tests.reference.enumerate import all_trees
from tests.reference.oracles import three_step as reference

THREE_STEP = {1: 1, 2: 3, 3: 16, 4: 123, 5: 1190}
PROJECTIVE = {1: 1, 2: 3, 3: 12, 4: 55, 5: 273}


@pytest.mark.parametrize("n", THREE_STEP)
def test_three_step_derives_its_class(n: int) -> None:
    trees = [list(tree) for tree in all_trees(n)]
    lengths = fastparse.count_transitions(trees, "three-step")
    by_move = fastparse.count_transitions(trees, "three-step", by_move=True)
    assert (lengths >= 0).sum() == THREE_STEP[n]
    for tree, length, counts in zip(trees, lengths, by_move, strict=True):
        assert projective_heads(tree, at_once=True) == reference.anchors(tree)
        if length < 0:
            assert (counts == -1).all()
            with pytest.raises(fastparse.OracleError, match="cross"):
                fastparse.derive(tree, "three-step")
            continue
        derivation = fastparse.derive(tree, "three-step")
        assert len(derivation) == length == counts.sum()
        assert derivation.heads == tree
        projective, left, right = reference.derive_three_step(tree)
        assert derivation.steps[0].heads == projective
        assert [step.moves for step in derivation.steps[1:]] == [left, right]


@pytest.mark.parametrize("first", ROWS["three-step"].first_steps)
def test_the_first_step_is_the_one_that_is_asked_for(first: str) -> None:
    assert fastparse.options("three-step")["projective"] == "arc-eager"
    trees = [list(tree) for tree in all_trees(4)]
    by_move = fastparse.count_transitions(trees, "three-step", by_move=True, projective=first)
    names = moves_of("three-step", {"projective": first})
    assert by_move.shape[1] == len(names) == len(resolve(first).moves) + 6
    for tree, counts in zip(trees, by_move.tolist(), strict=True):
        if counts[0] < 0:
            continue
        derivation = fastparse.derive(tree, "three-step", projective=first)
        assert derivation.steps[0].system == first
        assert derivation.heads == tree
        alone = fastparse.derive(projective_heads(tree, at_once=True), first)
        assert derivation.steps[0].moves == alone.moves
        made = [*alone.moves]
        for side, step in zip(("left", "right"), derivation.steps[1:], strict=True):
            made += [f"{side}/{move.partition('(')[0]}" for move in step.moves]
        assert [made.count(name) for name in names] == counts
    assert fastparse.derive([2, 0], "three-step").steps[0].system == "arc-eager"
    with pytest.raises(fastparse.UnknownNameError, match="no projective='swap'"):
        fastparse.derive([2, 0], "three-step", projective="swap")
    with pytest.raises(fastparse.UnknownNameError, match="no projective='swap'"):
        fastparse.count_transitions([[2, 0]], "three-step", projective="swap")


@pytest.mark.parametrize("n", range(1, 6))
def test_labels_that_differ_derive_every_tree(n: int) -> None:
    labels = [f"l{word}" for word in range(n)]
    for tree in all_trees(n):
        derivation = fastparse.derive(list(tree), "three-step", labels=labels)
        assert derivation.heads == list(tree)
        assert derivation.end().deprels == labels


def test_passes_alone() -> None:
    heads, labels = [3, 4, 0, 0], ["a", "b", "c", "d"]
    left = fastparse.derive(heads, "three-step/left", labels=labels)
    assert left.moves == ["PUT(a)", "PUT(b)", "DIST(a)", "SHIFT", "DIST(b)", "SHIFT"]
    assert left.start().heads == [0, 0, 0, 0]
    assert left.heads == heads
    assert fastparse.derive(heads, "three-step/right", labels=labels).moves == ["SHIFT"] * 4
    assert fastparse.count_transitions([heads], "three-step/left").tolist() == [-1]
    assert fastparse.count_transitions([heads], "three-step/right").tolist() == [4]


def test_what_is_wrong_with_the_tree_is_told() -> None:
    with pytest.raises(fastparse.OracleError, match=r"3 -> 1 and 4 -> 2 cross.*swap"):
        fastparse.derive([3, 4, 0, 0], "three-step")
    with pytest.raises(fastparse.Error, match="not a tree"):
        fastparse.derive([2, 1], "three-step")
    with pytest.raises(fastparse.Error, match="as many labels"):
        fastparse.derive([2, 0], "three-step", labels=["a"])


@pytest.mark.parametrize("n", PROJECTIVE)
def test_easy_first_derives_projective_trees(n: int) -> None:
    trees = [list(tree) for tree in all_trees(n)]
    lengths = fastparse.count_transitions(trees, "easy-first")
    assert (lengths >= 0).sum() == PROJECTIVE[n]
    for tree, length in zip(trees, lengths, strict=True):
        if length < 0:
            with pytest.raises(fastparse.OracleError):
                fastparse.derive(tree, "easy-first")
            continue
        derivation = fastparse.derive(tree, "easy-first", labels=[str(head) for head in tree])
        assert len(derivation) == length == n
        assert derivation.heads == tree
        assert derivation.end().deprels == [str(head) for head in tree]


def test_easy_first_counts_by_move() -> None:
    heads = [2, 0, 2]
    assert fastparse.count_transitions([heads, [0, 0, 1, 2]], "easy-first", by_move=True).tolist() == [
        [0, 2, 1],
        [-1, -1, -1],
    ]


def test_easy_first_places_far_to_the_right() -> None:
    c = fastparse.Configuration("easy-first", 6)
    c.apply("ATTACH-RIGHT(6):a")
    c.apply("ATTACH-LEFT(1):b")
    c.apply("ATTACH-RIGHT(3)")
    assert c.pending == [0, 2, 4, 6]
    assert c.arcs == [(0, 1), (4, 3), (6, 5)]
    for wrong in ("ATTACH-LEFT(4)", "ATTACH-RIGHT(1)", "ATTACH-LEFT(99)", "SHIFT"):
        before = repr(c)
        with pytest.raises(ValueError, match="not legal"):
            c.apply(wrong)
        assert repr(c) == before
    for unknown in ("ATTACH-LEFT", "ATTACH-LEFT(0)", "ATTACH-LEFT(x)", "REDUCE"):
        with pytest.raises(ValueError, match="no move"):
            c.apply(unknown)


def test_a_first_step_from_right_to_left_numbers_words_from_the_last_one() -> None:
    for tree in map(list, all_trees(4)):
        found = fastparse.count_transitions([tree], "three-step", by_move=True, direction="right-to-left")[0]
        if found[0] < 0:
            continue
        derivation = fastparse.derive(tree, "three-step", list("abcd"), direction="right-to-left")
        anchors = projective_heads(tree, at_once=True)
        turned = [5 - head if head else 0 for head in reversed(anchors)]
        assert derivation.steps[0].moves == fastparse.derive(turned, "arc-eager", list("dcba")).moves
        assert derivation.heads == tree
        first = [move.partition(":")[0] for move in derivation.steps[0].moves]
        assert [first.count(move) for move in resolve("arc-eager").moves] == found[:4].tolist()
    assert fastparse.derive([0, 1, 1, 1], "three-step").moves != fastparse.derive(
        [0, 1, 1, 1], "three-step", direction="right-to-left"
    ).moves  # fmt: skip


def test_anchors_may_be_given() -> None:
    # 2 -> 3 is projective, and waits all the same.
    derivation = fastparse.derive([2, 0, 2, 3], "three-step", ["a", "root", "b", "c"], anchors=[2, 0, 2, 2])
    assert derivation.steps[0].heads == [2, 0, 2, 2]
    assert derivation.heads == [2, 0, 2, 3]
    assert derivation.steps[2].moves == ["PUT(c)", "DIST(c)", "SHIFT", "SHIFT", "SHIFT"]
    bad = (([2, 0, 2], "4 words"), ([4, 0, 2, 2], "not a projective tree"), ([3, 0, 1, 2], "not a tree"))
    for anchors, message in bad:
        with pytest.raises(fastparse.Error, match=message):
            fastparse.derive([2, 0, 2, 3], "three-step", anchors=anchors)
    with pytest.raises(fastparse.OracleError, match="the root is the head of word 1"):
        fastparse.derive([0, 1], "three-step", anchors=[2, 0])
    with pytest.raises(fastparse.Error, match="anchors are of one tree"):
        fastparse.count_transitions([[2, 0]], "three-step", anchors=[2, 0])
