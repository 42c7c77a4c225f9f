"""The systems with the options that change what is legal, and the trees and graphs each of them derives."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from itertools import product
from typing import Any

from fastparse.transition_systems.registry import ROWS, resolve, systems
from tests.reference import SYSTEMS, TREE_CLASS
from tests.reference.enumerate import Graph, all_digraphs, all_planar_digraphs, all_trees
from tests.reference.membership import COUNTS

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
    return list(all_planar_digraphs(n))


def candidate_graphs(name: str, n: int) -> list[Graph]:
    """All directed graphs of n words, but for those that a system of one plane cannot derive in any case."""
    return list(all_digraphs(n)) if name.startswith("2-planar") else planar_graphs(n)


def tree_class(name: str) -> Callable[[tuple[int, ...]], bool]:
    """Which trees a system derives."""
    return TREE_CLASS[name]


def size(name: str, n: int) -> int | None:
    """How many trees of n words a system derives, by the table in tests/data; None where it does not say."""
    found = {**COUNTS["classes"][str(n)], **COUNTS["systems"][str(n)]}.get(SYSTEMS[name].derives)
    return None if found is None else found["any_root"]


def graph_cases() -> list[tuple[str, Options]]:
    """The systems of graphs under all options for which it is known what they derive."""
    found = [(name, options) for name, options in plain_cases() if resolve(name, **options).is_graph]
    return [(name, options) for name, options in found if SYSTEMS[name].graph_class(options) and not _rooted(options)]


def _rooted(options: Options) -> bool:
    """Whether the root is one of the words of the buffer: then graphs have arcs from it too."""
    return options.get("root") == "token"


def graph_class(name: str, options: Options) -> Callable[[Any, int], bool]:
    """Which graphs a system derives under these options."""
    member = SYSTEMS[name].graph_class(options)
    assert member is not None
    return member
