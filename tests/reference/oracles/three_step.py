"""The oracle of the three-step system: anchors, and two passes."""

from __future__ import annotations

from collections.abc import Sequence

from tests.reference import graphs as g
from tests.reference.systems.three_step import ThreeStepLeft, ThreeStepRight


def anchors(heads: Sequence[int]) -> list[int]:
    """The projective tree: words with a non-projective arc go to the lowest ancestor that allows a projective one."""
    found = list(heads)
    for word in g.non_projective_words(heads):
        anchor = heads[word - 1]
        while not g.is_projective_arc(heads, (anchor, word)):
            anchor = heads[anchor - 1]
        found[word - 1] = anchor
    return found


def derive_pass(heads: Sequence[int], name: str, labels: Sequence[str] | None) -> list[str]:
    """PUT at words whose non-projective arc goes in the direction of the pass, DIST at their heads, nearest first."""
    left = name == "three-step/left"
    targets = [word for word in g.non_projective_words(heads) if (heads[word - 1] > word) == left]
    first = anchors(heads) if left else partly(heads, left=True)
    here = (ThreeStepLeft if left else ThreeStepRight)(len(heads), heads=first, labels=labels)
    moves: list[str] = []
    while not here.is_final():
        at = here.focus
        waiting = [word for word in targets if heads[word - 1] == at]
        todo = [f"DIST({label_of(labels, word)})" for word in sorted(waiting, key=lambda word: abs(word - at))]
        todo.append(f"PUT({label_of(labels, at)})" if at in targets else "SHIFT")
        for move in todo:
            here.apply(move)
        moves += todo
    if here.heads != (partly(heads, left=True) if left else list(heads)):
        raise ValueError(f"{name} cannot build {list(heads)!r}: it built {here.heads!r}")
    return moves


def partly(heads: Sequence[int], left: bool) -> list[int]:
    """Anchors, but the heads of those non-projective arcs that go in one direction."""
    found = anchors(heads)
    for word in g.non_projective_words(heads):
        if (heads[word - 1] > word) == left:
            found[word - 1] = heads[word - 1]
    return found


def label_of(labels: Sequence[str] | None, word: int) -> str:
    """The label of a word as the passes write it."""
    return "_" if labels is None else labels[word - 1]


def derive_three_step(
    heads: Sequence[int], labels: Sequence[str] | None = None
) -> tuple[list[int], list[str], list[str]]:
    """The projective tree and the moves of the passes to the right and back."""
    return anchors(heads), derive_pass(heads, "three-step/left", labels), derive_pass(heads, "three-step/right", labels)
