"""The two passes of the three-step system as a textbook would write them, with scores from outside."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tests.reference.systems.three_step import ThreeStepLeft, ThreeStepRight

Score = Callable[..., int]
"""What speaks for a decision, above zero if it is made: score("dist", c, focus, word) and score("put", c, focus)."""


def improve(
    heads: Sequence[int], labels: Sequence[str], put: Score, dist: Score, left: bool
) -> tuple[list[int], list[str]]:
    """The heads after a pass, and its moves.

    At each focus the words that DIST can reach are asked in turn, the last one first; a label that was refused is not
    asked again. Arcs that would close a cycle in the tree at the start are refused. Words on cycles that are closed all
    the same get their first heads back in the end, and all words if there are cycles after that.
    """
    system = (ThreeStepLeft if left else ThreeStepRight)(len(heads), heads=list(heads), labels=list(labels))
    moves = []
    while not system.is_final():
        refused: set[str] = set()
        while True:
            reachable = [pair for pair in reversed(system.theta) if pair[0] not in refused]
            if not reachable:
                break
            label, word = reachable[0]
            tree = tree_of(system, heads)
            if dist(tree, system.theta, system.focus, word) > 0 and word not in path_up(heads, system.focus):
                moves.append(f"DIST({label})")
                system.apply(moves[-1])
            else:
                refused.add(label)
        waits = put(tree_of(system, heads), system.theta, system.focus) > 0
        moves.append(f"PUT({labels[system.focus - 1]})" if waits else "SHIFT")
        system.apply(moves[-1])
    found = without_cycles(tree_of(system, heads), heads)
    return (found if without_cycles(found, heads) == found else list(heads)), moves


def without_cycles(found: Sequence[int], heads: Sequence[int]) -> list[int]:
    """Words on cycles have their first heads."""
    return [heads[word - 1] if word in path_up(found, head) else head for word, head in enumerate(found, start=1)]


def tree_of(system: ThreeStepLeft, heads: Sequence[int]) -> list[int]:
    """The heads as they are now."""
    now = list(heads)
    for arc in system.drawn:
        now[arc.dependent - 1] = arc.head
    return now


def path_up(heads: Sequence[int], word: int) -> list[int]:
    """The word and its ancestors."""
    path: list[int] = []
    while word > 0 and word not in path:
        path.append(word)
        word = heads[word - 1]
    return path
