"""Which arcs cross others and which are not projective: an answer per word, for the arc that enters it.

Parses from elsewhere need not be trees: they may have cycles and words without a head. Compiled code answers for the
trees, the definitions for the rest; a word without a head has no arc, so its answer is no.
"""

from collections.abc import Callable

import numpy as np

from fastparse.evaluation.comparison import Integers, Mask
from fastparse.trees import crossed_arcs_treebank, nonprojective_arcs_treebank


def crossed_arcs(heads: Integers, offsets: Integers) -> Mask:
    """Words whose arc crosses another arc of the sentence, arcs from the root included."""
    return _answers(heads, offsets, crossed_arcs_treebank, _crossed)


def nonprojective_arcs(heads: Integers, offsets: Integers) -> Mask:
    """Words whose arc spans a word that the head does not dominate; arcs from the root never do."""
    return _answers(heads, offsets, nonprojective_arcs_treebank, _nonprojective)


def are_trees(heads: Integers, offsets: Integers) -> Mask:
    """Whether each sentence is a tree: from every word the heads lead to the root."""
    lengths = np.diff(offsets)
    starts, ends = np.repeat(offsets[:-1], lengths), np.repeat(offsets[1:], lengths)
    root, nowhere = len(heads), len(heads) + 1
    above = np.where(heads == 0, root, starts + heads - 1)
    above = np.append(np.where((heads < 0) | (above >= ends) & (heads > 0), nowhere, above), (root, nowhere))
    # Each round doubles the steps taken.
    for _ in range(int(lengths.max(initial=0)).bit_length()):
        above = above[above]
    lost = np.concatenate(([0], np.cumsum(above[:-2] != root)))
    return np.asarray(np.diff(lost[offsets]) == 0)


def _answers(
    heads: Integers,
    offsets: Integers,
    compiled: Callable[[Integers, Integers], Mask],
    defined: Callable[[list[int]], list[bool]],
) -> Mask:
    trees = are_trees(heads, offsets)
    if trees.all():
        return compiled(heads, offsets)
    # All words under the root: a tree that stands in for what is none.
    answers = compiled(np.where(np.repeat(trees, np.diff(offsets)), heads, 0).astype(np.int32), offsets)
    for sentence in np.flatnonzero(~trees):
        start, end = offsets[sentence], offsets[sentence + 1]
        answers[start:end] = defined(heads[start:end].tolist())
    return answers


def _crossed(heads: list[int]) -> list[bool]:
    spans = [sorted((head, word)) if 0 <= head <= len(heads) else (0, 0) for word, head in enumerate(heads, 1)]
    return [any(a < c < b < d or c < a < d < b for c, d in spans) for a, b in spans]


def _nonprojective(heads: list[int]) -> list[bool]:
    return [
        0 < head <= len(heads)
        and not all(_dominates(heads, head, between) for between in range(min(head, word) + 1, max(head, word)))
        for word, head in enumerate(heads, 1)
    ]


def _dominates(heads: list[int], head: int, word: int) -> bool:
    # A cycle has been seen after as many steps as there are words.
    for _ in range(len(heads) + 1):
        if word == head:
            return True
        if not 0 < word <= len(heads):
            return False
        word = heads[word - 1]
    return False
