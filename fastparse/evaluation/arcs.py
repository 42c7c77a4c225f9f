"""Which arcs cross others and which are not projective: an answer per word, for the arc that enters it."""

import numpy as np

from fastparse.evaluation.comparison import Integers, Mask


def crossed_arcs(heads: Integers, offsets: Integers) -> Mask:
    """Words whose arc crosses another arc of the sentence, arcs from the root included."""
    crossed = np.zeros(len(heads), bool)
    for start, end in zip(offsets[:-1].tolist(), offsets[1:].tolist(), strict=True):
        positions = np.arange(1, end - start + 1)
        left, right = np.minimum(heads[start:end], positions), np.maximum(heads[start:end], positions)
        left = np.where(heads[start:end] < 0, positions, left)
        inside = (left[:, None] < left) & (left < right[:, None]) & (right[:, None] < right)
        crossed[start:end] = inside.any(axis=0) | inside.any(axis=1)
    return crossed


def nonprojective_arcs(heads: Integers, offsets: Integers) -> Mask:
    """Words whose arc spans a word that the head does not dominate."""
    found = np.zeros(len(heads), bool)
    for start, end in zip(offsets[:-1].tolist(), offsets[1:].tolist(), strict=True):
        tree = [0, *heads[start:end].tolist()]
        for word, head in enumerate(tree[1:], 1):
            if head > 0:
                found[start + word - 1] = any(
                    not _dominates(tree, head, between) for between in range(min(head, word) + 1, max(head, word))
                )
    return found


def _dominates(tree: list[int], head: int, word: int) -> bool:
    # A cycle is left after as many steps as there are words.
    for _ in tree:
        if word == head:
            return True
        if word <= 0:
            return False
        word = tree[word]
    return False
