"""Which trees belong to which class."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

from tests.reference import graphs as g

COUNTS = json.loads((Path(__file__).parent.parent / "data" / "counts.json").read_text())
"""Sizes of classes and sets of derivable structures, totals of oracles, for small n."""

Heads = Sequence[int]


def two_planar(heads: Heads) -> bool:
    """Whether two planes suffice."""
    return g.is_k_planar(g.arcs_of(heads), 2)


def two_crossing_interval(heads: Heads) -> bool:
    """Whether two positions suffice in every crossing interval."""
    return g.is_k_crossing_interval(heads, 2)


CLASSES: dict[str, Callable[[Heads], bool]] = {
    "all": g.is_tree,
    "projective": g.is_projective,
    "two_crossing_interval": two_crossing_interval,
    "three_crossing_interval": lambda heads: g.is_k_crossing_interval(heads, 3),
    "one_endpoint_crossing": g.is_one_endpoint_crossing,
    "two_planar": two_planar,
    "well_nested": g.is_well_nested,
    "gap_degree_le_1": lambda heads: g.gap_degree(heads) <= 1,
    "well_nested_gap_le_1": lambda heads: g.is_well_nested(heads) and g.gap_degree(heads) <= 1,
    "two_ci_and_well_nested": lambda heads: two_crossing_interval(heads) and g.is_well_nested(heads),
}
"""Classes of trees under the names of tests/data/counts.json."""

COVERAGE: dict[str, Callable[[Heads], bool]] = {
    "attardi_degree2": g.is_in_attardi_2,
    "three_step_single_label_FA": g.is_in_three_step,
    "three_step_single_label_no_second_pending": g.is_in_three_step_strict,
    "three_step_left": lambda heads: g.is_in_pass(heads, left=True),
    "three_step_right": lambda heads: g.is_in_pass(heads, left=False),
    "three_step_unlimited_labels": lambda heads: g.is_in_three_step(heads, [str(i) for i in range(len(heads))]),
}
"""What systems cover that have no class of their own, under the names of tests/data/counts.json."""
