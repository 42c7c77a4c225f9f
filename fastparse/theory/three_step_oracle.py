"""The three-step system: a projective tree of anchors, then two passes that replace anchors by heads.

The first step is the derivation of the tree with anchors by a projective system, arc-eager unless another is asked for;
if it goes from right to left, words are numbered from the last one on. Anchors may be given.

In the pass of its direction a word whose arc is not projective is PUT, and its head takes it with DIST, nearest
dependent first. This works exactly if no two non-projective arcs of one direction and one label cross.
"""

from __future__ import annotations

from operator import index
from typing import TYPE_CHECKING, Any

import numpy as np

from fastparse.errors import Error, OracleError
from fastparse.theory.derive import Derivation, derive
from fastparse.theory.oracles import columns, lengths_of
from fastparse.theory.outside import covering
from fastparse.theory.three_step import count_moves
from fastparse.transition_systems.registry import check_options
from fastparse.trees.lifting import anchors_treebank, projective_heads
from fastparse.trees.mirroring import mirrored_heads
from fastparse.trees.tree import check_tree

if TYPE_CHECKING:
    from collections.abc import Sequence


class ThreeStepDerivation(Derivation):
    """The derivations of the three steps, one after the other.

    Attributes:
        steps: the derivations; ``moves`` is all their moves.
    """

    def __init__(self, steps: list[Derivation]) -> None:
        self.steps = steps
        super().__init__("three-step", steps[0].n, [move for step in steps for move in step.moves])

    def start(self) -> Any:
        """The initial configuration of the first step."""
        return self.steps[0].start()

    def end(self) -> Any:
        """The final configuration of the last step."""
        return self.steps[-1].end()

    def configurations(self) -> list[Any]:
        """The configurations of all steps; each step begins with an initial one."""
        return [configuration for step in self.steps for configuration in step.configurations()]

    def __str__(self) -> str:
        return "\n\n".join(f"{step.system}\n{step}" for step in self.steps)


class ThreeStepOracle:
    """The oracle of the pipeline and of its passes: see ``fastparse.theory.oracles.oracle_of``."""

    def derive(
        self, name: str, heads: Sequence[int], labels: Sequence[str] | None = None, /, **options: Any
    ) -> Derivation:
        """The derivation of a tree: three of them for the pipeline, one for a pass; OracleError outside the class.

        The first pass starts from the anchors, the second one from what the first one makes of them.
        """
        heads = [index(head) for head in heads]
        steps = check_options(name, options)
        projective = projective_heads(heads, at_once=True)
        if steps.get("anchors") is not None:
            projective = _checked_anchors(steps["anchors"], len(heads))
        if labels is not None and len(labels) != len(heads):
            raise Error(f"{len(heads)} words need as many labels, found {len(labels)}")
        between = [
            head if head > word else anchor
            for word, (head, anchor) in enumerate(zip(heads, projective, strict=True), start=1)
        ]
        passes = []
        for pass_name, start in (("three-step/left", projective), ("three-step/right", between)):
            if name in (pass_name, "three-step"):
                moves = _pass_moves(heads, projective, labels, pass_name == "three-step/left")
                passes.append(Derivation(pass_name, len(heads), moves, heads=start, labels=labels))
        if name != "three-step":
            return passes[0]
        if steps["direction"] == "right-to-left":
            projective = mirrored_heads(np.array(projective), np.array([0, len(heads)])).tolist()
            labels = None if labels is None else list(labels)[::-1]
        return ThreeStepDerivation([derive(projective, steps["projective"], labels), *passes])

    def lengths(self, name: str, heads: Any, offsets: Any, by_move: bool = False, /, **options: Any) -> np.ndarray:
        """Moves of all three steps, or of the pass; -1 outside the class. All labels count as one.

        By move: those of the first step, then SHIFT, PUT, DIST of each pass.
        """
        heads, _, offsets = columns(heads, None, offsets)
        counts = np.zeros((len(offsets) - 1, 6), dtype=np.int32)
        if len(counts) and len(heads):
            count_moves(heads, offsets, counts)
        if name == "three-step/left":
            counts = counts[:, :3]
        elif name == "three-step/right":
            counts = counts[:, 3:]
        else:
            steps = check_options(name, options)
            if steps["anchors"] is not None:
                raise Error("anchors are of one tree: derive takes them, counts do not")
            anchors = anchors_treebank(heads, offsets)
            if steps["direction"] == "right-to-left":
                anchors = mirrored_heads(anchors, offsets)
            first = lengths_of(steps["projective"], anchors, offsets, by_move=True)
            counts = np.concatenate([first, counts], axis=1)
        counts[(counts < 0).any(axis=1)] = -1
        return counts if by_move else np.where(counts[:, 0] < 0, -1, counts.sum(axis=1)).astype(np.int32)


def _checked_anchors(anchors: Sequence[int], n: int) -> list[int]:
    found = [index(anchor) for anchor in anchors]
    if len(found) != n:
        raise Error(f"{n} words need as many anchors, found {len(found)}")
    check_tree(found)
    if projective_heads(found) != found:
        raise Error(f"the anchors {found!r} are not a projective tree, which the first step builds")
    return found


def _pass_moves(heads: list[int], projective: list[int], labels: Sequence[str] | None, left: bool) -> list[str]:
    n = len(heads)
    names = ["_"] * n if labels is None else labels
    visited = range(1, n + 1) if left else range(n, 0, -1)
    dependents: dict[int, list[int]] = {}
    for word in visited:
        if heads[word - 1] != projective[word - 1] and (heads[word - 1] > word) == left:
            dependents.setdefault(heads[word - 1], []).append(word)
    if 0 in dependents:
        raise OracleError(
            f"'three-step' cannot build this tree: the root is the head of word {dependents[0][0]}, whose anchor is "
            f"another word; no pass comes to the root."
        )
    targets = {word for words in dependents.values() for word in words}
    waiting: dict[str, list[int]] = {}
    moves = []
    for focus in visited:
        for word in reversed(dependents.get(focus, ())):
            label = names[word - 1]
            if waiting[label].pop() != word:
                raise OracleError(_why_not(heads, projective, names, left))
            moves.append(f"DIST({label})")
        if focus in targets:
            waiting.setdefault(names[focus - 1], []).append(focus)
            moves.append(f"PUT({names[focus - 1]})")
        else:
            moves.append("SHIFT")
    return moves


def _why_not(heads: list[int], projective: list[int], names: Sequence[str], left: bool) -> str:
    spans = sorted(
        (min(word, head), max(word, head), head, word)
        for word, head in enumerate(heads, start=1)
        if head != projective[word - 1] and (head > word) == left
    )
    a, b = next(
        (a, b)
        for number, b in enumerate(spans)
        for a in spans[:number]
        if names[a[3] - 1] == names[b[3] - 1] and a[0] < b[0] < a[1] < b[1]
    )
    able = [name for name in covering(heads) if name != "three-step"]
    return (
        f"'three-step' cannot build this tree: the arcs {a[2]} -> {a[3]} and {b[2]} -> {b[3]} cross, are not "
        f"projective, and have one direction and label ({names[a[3] - 1]!r})."
    ) + (f" Systems that can: {', '.join(able)}." if able else "")


ORACLE = ThreeStepOracle()
