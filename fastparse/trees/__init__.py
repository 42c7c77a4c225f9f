"""Classes of dependency trees: membership, crossing structure, lifting, pseudo-projectivity."""

from fastparse.trees.colouring import planes
from fastparse.trees.crossing import (
    crossed_arcs,
    crossed_arcs_treebank,
    nonprojective_arcs,
    nonprojective_arcs_treebank,
)
from fastparse.trees.heads import check_tree
from fastparse.trees.intervals import crossing_intervals
from fastparse.trees.lifting import lift, lift_treebank
from fastparse.trees.membership import (
    TreeClasses,
    classes,
    classify,
    classify_treebank,
    contains,
    contains_treebank,
)
from fastparse.trees.projectivizing import projective_heads, projective_treebank
from fastparse.trees.pseudo_projective import (
    deprojectivize,
    deprojectivize_treebank,
    projectivize,
    projectivize_treebank,
)

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
