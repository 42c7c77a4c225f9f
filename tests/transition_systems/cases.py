"""The systems with the options that change what is legal, and the trees and graphs each of them derives."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from itertools import product
from typing import Any

from fastparse.transition_systems.registry import ROWS, systems
from tests.reference import graphs as g
from tests.reference.enumerate import Graph, all_digraphs, all_trees
from tests.reference.membership import TREE_CLASS

Options = dict[str, Any]


def cases() -> list[tuple[str, Options]]:
    """Every system with every combination of options that have values to choose from."""
    found = []
    for name in systems():
        if ROWS[name].pipeline:
            continue
        choices = {option: values for option, values in ROWS[name].options.items() if values}
        found += [(name, dict(zip(choices, values, strict=True))) for values in product(*choices.values())]
    return found


def plain_cases() -> list[tuple[str, Options]]:
    """The same for the systems whose configurations are made of cells, and the pairs of moves and places left out."""
    return [(name, options) for name, options in cases() if not ROWS[name].configuration]


def case_id(case: tuple[str, Options]) -> str:
    """The name of a case in reports."""
    name, options = case
    return ",".join([name, *(f"{option}={value}" for option, value in options.items())])


@lru_cache
def trees(n: int) -> list[tuple[int, ...]]:
    """All trees of n words."""
    return [tuple(heads) for heads in all_trees(n)]


@lru_cache
def planar_graphs(n: int) -> list[Graph]:
    """All planar directed graphs of n words."""
    return [arcs for arcs in all_digraphs(n) if g.is_planar(arcs)]


def tree_class(name: str) -> Callable[[tuple[int, ...]], bool]:
    """Which trees a system derives."""
    return TREE_CLASS[name]


def graph_class(options: Options) -> Callable[[Any, int], bool]:
    """Which graphs the planar systems derive under these options."""

    def member(arcs: Any, n: int) -> bool:
        return (
            g.is_planar(arcs)
            and (not options.get("single_head") or g.is_single_head(arcs))
            and (not options.get("acyclic") or g.is_acyclic(arcs))
            and (options.get("covered_roots", True) or g.has_no_covered_root(arcs, n))
        )

    return member
