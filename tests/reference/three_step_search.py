"""The two passes of the three-step system as a textbook would write them, with scores from outside."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tests.reference.systems.three_step import ThreeStepLeft, ThreeStepRight

Score = Callable[..., int]
"""What speaks for a decision, above zero if it is made: score("dist", c, focus, word) and score("put", c, focus)."""
Choose = Callable[..., str]
"""The label a word waits under: choose(tree, theta, focus)."""


def improve(
    heads: Sequence[int],
    labels: Sequence[str],
    put: Score,
    dist: Score,
    left: bool,
    choose: Choose | None = None,
    inventory: Sequence[str] = (),
) -> tuple[list[int], list[str], list[str]]:
    """The heads and labels after a pass, and its moves.

    A word waits under its own label, or under the one of the inventory that is chosen.

    At each focus the words that DIST can reach are asked in turn, the last one first; a label that was refused is not
    asked again. Arcs that would close a cycle in the tree at the start are refused. Words on cycles that are closed all
    the same get their first heads back in the end, and all words if there are cycles after that.
    """
    system = (ThreeStepLeft if left else ThreeStepRight)(len(heads), heads=list(heads), labels=list(labels))
    system.table += tuple(f"{move}({label})" for move in ("PUT", "DIST") for label in inventory)
    moves = []
    found_labels = list(labels)
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
                found_labels[word - 1] = label
            else:
                refused.add(label)
        tree = tree_of(system, heads)
        waits = put(tree, system.theta, system.focus) > 0
        label = choose(tree, system.theta, system.focus) if waits and choose else labels[system.focus - 1]
        moves.append(f"PUT({label})" if waits else "SHIFT")
        system.apply(moves[-1])
    found = tree_of(system, heads)
    for again in (False, True):
        cyclic = [word for word, head in enumerate(found, start=1) if word in path_up(found, head)]
        if cyclic and again:
            return list(heads), list(labels), moves
        for word in cyclic:
            found[word - 1], found_labels[word - 1] = heads[word - 1], labels[word - 1]
    return found, found_labels, moves


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
