"""Membership in classes of trees and graphs, by definition and by brute force.

A tree is its list of heads (`heads[i-1]` is the head of word i, 0 the root, -1 none, so forests are covered as well); a
graph is a collection of pairs (head, dependent). Arcs from 0 count wherever a tree is asked about.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations, pairwise, product

from tests.reference.base import NONE, between

Arc = tuple[int, int]


def arcs_of(heads: Sequence[int]) -> list[Arc]:
    """The arcs of a tree or forest, sorted."""
    return sorted((head, word) for word, head in enumerate(heads, 1) if head != NONE)


def ends(arc: Arc) -> Arc:
    """Left and right end."""
    return (min(arc), max(arc))


def cross(one: Arc, other: Arc) -> bool:
    """Whether the ends of two arcs interleave strictly."""
    (a, b), (c, d) = ends(one), ends(other)
    return a < c < b < d or c < a < d < b


def crossed_arcs(arcs: Iterable[Arc]) -> list[Arc]:
    """Arcs that cross at least one other."""
    arcs = list(arcs)
    return [one for one in arcs if any(cross(one, other) for other in arcs)]


def dominated(arcs: Iterable[Arc], top: int) -> set[int]:
    """Everything that directed arcs reach from a position, itself included."""
    arcs = list(arcs)
    found = {top}
    while True:
        grown = found | {dependent for head, dependent in arcs if head in found}
        if grown == found:
            return found
        found = grown


# Graphs.


def is_planar(arcs: Iterable[Arc]) -> bool:
    """Whether no two arcs cross."""
    return not crossed_arcs(arcs)


def is_single_head(arcs: Iterable[Arc]) -> bool:
    """Whether no word has two heads."""
    dependents = [dependent for _, dependent in arcs]
    return len(dependents) == len(set(dependents))


def is_acyclic(arcs: Iterable[Arc]) -> bool:
    """Whether no directed path returns to its start."""
    arcs = list(arcs)
    return not any(head in dominated(arcs, dependent) for head, dependent in arcs)


def has_no_undirected_cycle(arcs: Iterable[Arc]) -> bool:
    """Whether every arc, its direction ignored, is the only connection of its ends."""
    arcs = list(arcs)
    for place, (head, dependent) in enumerate(arcs):
        rest = arcs[:place] + arcs[place + 1 :]
        if head in dominated(rest + [(m, h) for h, m in rest], dependent):
            return False
    return True


def has_no_two_cycle(arcs: Iterable[Arc]) -> bool:
    """Whether no two words head each other."""
    arcs = set(arcs)
    return not any((dependent, head) in arcs for head, dependent in arcs)


def has_no_covered_root(arcs: Iterable[Arc], n: int) -> bool:
    """Whether no headless word lies strictly inside an arc."""
    arcs = list(arcs)
    roots = set(range(1, n + 1)) - {dependent for _, dependent in arcs}
    return not any(between(root, *arc) for root in roots for arc in arcs)


def is_k_planar(arcs: Iterable[Arc], k: int) -> bool:
    """Whether some distribution of the arcs over k planes leaves each plane without crossings (all are tried)."""
    crossed = crossed_arcs(arcs)
    crossings = [(i, j) for i, j in combinations(range(len(crossed)), 2) if cross(crossed[i], crossed[j])]
    return any(all(plane[i] != plane[j] for i, j in crossings) for plane in product(range(k), repeat=len(crossed)))


# Trees and forests.


def is_tree(heads: Sequence[int]) -> bool:
    """Whether every word is reached from 0."""
    return len(dominated(arcs_of(heads), 0)) == len(heads) + 1


def is_projective_arc(heads: Sequence[int], arc: Arc) -> bool:
    """Whether the head dominates everything strictly between the ends."""
    below = dominated(arcs_of(heads), arc[0])
    return all(word in below for word in range(min(arc) + 1, max(arc)))


def is_projective(heads: Sequence[int]) -> bool:
    """Whether all arcs are projective."""
    return all(is_projective_arc(heads, arc) for arc in arcs_of(heads))


def crossing_intervals(heads: Sequence[int]) -> list[tuple[int, int, list[Arc]]]:
    """Left end, right end and crossed arcs of each group of crossed arcs whose closed spans hang together."""
    groups: list[list[Arc]] = []
    for arc in crossed_arcs(arcs_of(heads)):
        left, right = ends(arc)
        touched = [group for group in groups if any(min(a) <= right and left <= max(a) for a in group)]
        groups = [group for group in groups if group not in touched]
        groups.append(sorted([arc, *(a for group in touched for a in group)]))
    return sorted((min(map(min, group)), max(map(max, group)), group) for group in groups)


def reaches_beyond_head(heads: Sequence[int], word: int) -> bool:
    """Whether the word's head lies strictly between it and one of its children."""
    return word > 0 and any(
        between(heads[word - 1], word, child) for child, head in enumerate(heads, 1) if head == word
    )


def valid_sets(heads: Sequence[int], interval: tuple[int, int, list[Arc]], k: int) -> list[tuple[int, ...]]:
    """Sets of k positions that meet every crossed arc of an interval and contain all that reach beyond their heads."""
    left, right, arcs = interval
    inside = range(left, right + 1)
    needed = {word for word in inside if reaches_beyond_head(heads, word)}
    return [
        chosen
        for chosen in combinations(inside, k)
        if needed <= set(chosen) and all(head in chosen or dependent in chosen for head, dependent in arcs)
    ]


def valid_pairs(heads: Sequence[int]) -> list[tuple[int, int, list[tuple[int, ...]]]]:
    """Every crossing interval with its valid pairs, in lexicographic order."""
    return [(each[0], each[1], valid_sets(heads, each, 2)) for each in crossing_intervals(heads)]


def is_k_crossing_interval(heads: Sequence[int], k: int) -> bool:
    """Whether k positions suffice in every crossing interval."""
    return all(valid_sets(heads, each, min(k, each[1] - each[0] + 1)) for each in crossing_intervals(heads))


def crossing_interval(heads: Sequence[int]) -> int:
    """The smallest k; 0 for projective trees."""
    return next(k for k in range(len(heads) + 2) if is_k_crossing_interval(heads, k))


def is_one_endpoint_crossing(heads: Sequence[int]) -> bool:
    """Whether the arcs that cross an arc always share an end."""
    arcs = arcs_of(heads)
    crossing = [[other for other in arcs if cross(arc, other)] for arc in arcs]
    return all(not others or set.intersection(*map(set, others)) for others in crossing)


def yields(heads: Sequence[int]) -> list[list[int]]:
    """Sorted projection of each word."""
    arcs = arcs_of(heads)
    return [sorted(dominated(arcs, word)) for word in range(1, len(heads) + 1)]


def is_well_nested(heads: Sequence[int]) -> bool:
    """Whether no two disjoint projections interleave."""
    return not any(
        not set(one) & set(other) and any(cross(a, b) for a in combinations(one, 2) for b in combinations(other, 2))
        for one, other in combinations(yields(heads), 2)
    )


def gap_degree(heads: Sequence[int]) -> int:
    """Largest number of breaks in a projection."""
    return max((sum(b - a > 1 for a, b in pairwise(each)) for each in yields(heads)), default=0)


def edge_degree(heads: Sequence[int]) -> int:
    """Largest number of connected parts strictly inside an arc that its head does not dominate."""
    arcs = arcs_of(heads)
    degrees = [0]
    for arc in arcs:
        inside = range(min(arc) + 1, max(arc))
        tops = [word for word in inside if heads[word - 1] not in inside]
        below = dominated(arcs, arc[0])
        degrees.append(sum(top not in below for top in tops))
    return max(degrees)


def has_covered_root(heads: Sequence[int]) -> bool:
    """Whether a child of 0 lies strictly inside an arc between words."""
    words = [arc for arc in arcs_of(heads) if arc[0] > 0]
    return any(head == 0 and any(between(word, *arc) for arc in words) for word, head in enumerate(heads, 1))


def is_in_attardi_2(heads: Sequence[int]) -> bool:
    """Whether some order of removals over neighbours, or over one word in between, builds the tree.

    A configuration is the list of positions left and the border between stack and buffer; all of them are searched.
    """
    start = (tuple(range(len(heads) + 1)), 1)
    seen, waiting = set(), [start]
    while waiting:
        items, border = waiting.pop()
        if (items, border) in seen:
            continue
        seen.add((items, border))
        if border == len(items):
            if items == (0,):
                return True
            continue
        waiting.append((items, border + 1))
        front = items[border]
        for distance in (1, 2):
            if border < distance:
                continue
            below = items[border - distance]
            if below and heads[below - 1] == front and below not in waiting_heads(heads, items):
                waiting.append((without(items, below), border - 1))
            if front and heads[front - 1] == below and front not in waiting_heads(heads, items):
                waiting.append((without(items, front), border - 1))
    return False


def waiting_heads(heads: Sequence[int], items: Sequence[int]) -> set[int]:
    """Positions some of whose children are still in the list."""
    return {heads[word - 1] for word in items if word}


def without(items: tuple[int, ...], item: int) -> tuple[int, ...]:
    """The list without one of its items."""
    return tuple(each for each in items if each != item)


def non_projective_words(heads: Sequence[int]) -> list[int]:
    """Words whose arc is not projective."""
    return [word for head, word in arcs_of(heads) if not is_projective_arc(heads, (head, word))]


def is_in_three_step(heads: Sequence[int], labels: Sequence[str] | None = None) -> bool:
    """Whether non-projective arcs of one label and direction never cross each other."""
    arcs = [(heads[word - 1], word) for word in non_projective_words(heads)]
    return not any(cross(one, other) and same_kind(one, other, labels) for one, other in combinations(arcs, 2))


def is_in_pass(heads: Sequence[int], left: bool) -> bool:
    """Whether non-projective arcs to words on the left (or right) of their heads never cross each other."""
    arcs = [(heads[word - 1], word) for word in non_projective_words(heads) if (heads[word - 1] > word) == left]
    return not any(cross(one, other) for one, other in combinations(arcs, 2))


def is_in_three_step_strict(heads: Sequence[int], labels: Sequence[str] | None = None) -> bool:
    """Whether the spans of such arcs share at most an end."""
    arcs = [(heads[word - 1], word) for word in non_projective_words(heads)]
    return not any(
        max(min(one), min(other)) < min(max(one), max(other)) and same_kind(one, other, labels)
        for one, other in combinations(arcs, 2)
    )


def same_kind(one: Arc, other: Arc, labels: Sequence[str] | None) -> bool:
    """Whether two arcs go in the same direction and bear the same label."""
    same_label = labels is None or labels[one[1] - 1] == labels[other[1] - 1]
    return same_label and (one[0] < one[1]) == (other[0] < other[1])
