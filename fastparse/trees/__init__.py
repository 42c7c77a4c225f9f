"""Classes of dependency trees: membership, crossing structure, lifting, pseudo-projectivity."""

from fastparse.trees.classes import (
    TreeClasses,
    classes,
    classify,
    classify_treebank,
    contains,
    contains_treebank,
)
from fastparse.trees.crossing import (
    crossed_arcs,
    crossed_arcs_treebank,
    crossing_intervals,
    nonprojective_arcs,
    nonprojective_arcs_treebank,
)
from fastparse.trees.lifting import lift, lift_treebank, projective_heads, projective_treebank
from fastparse.trees.planes import planes
from fastparse.trees.pseudo_projective import (
    deprojectivize,
    deprojectivize_treebank,
    projectivize,
    projectivize_treebank,
)
from fastparse.trees.tree import check_tree

__all__ = [
    "TreeClasses",
    "check_tree",
    "classes",
    "classify",
    "classify_treebank",
    "contains",
    "contains_treebank",
    "crossed_arcs",
    "crossed_arcs_treebank",
    "crossing_intervals",
    "deprojectivize",
    "deprojectivize_treebank",
    "lift",
    "lift_treebank",
    "nonprojective_arcs",
    "nonprojective_arcs_treebank",
    "planes",
    "projective_heads",
    "projective_treebank",
    "projectivize",
    "projectivize_treebank",
]
