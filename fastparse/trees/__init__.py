"""Classes of dependency trees: membership, crossing structure, lifting, pseudo-projectivity."""

from fastparse.trees.colouring import planes
from fastparse.trees.crossing import (
    crossed_arcs,
    crossed_arcs_treebank,
    crossing_intervals,
    nonprojective_arcs,
    nonprojective_arcs_treebank,
)
from fastparse.trees.membership import (
    TreeClasses,
    classes,
    classify,
    classify_treebank,
    contains,
    contains_treebank,
)

__all__ = [
    "TreeClasses",
    "classes",
    "classify",
    "classify_treebank",
    "contains",
    "contains_treebank",
    "crossed_arcs",
    "crossed_arcs_treebank",
    "crossing_intervals",
    "nonprojective_arcs",
    "nonprojective_arcs_treebank",
    "planes",
]
