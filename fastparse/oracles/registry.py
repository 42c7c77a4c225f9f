"""The oracles by the name of their system: a module each, loaded when first asked for.

A module defines ``ORACLE``: a StaticOracle, or an object of its own with the methods of ``OwnLoop``.
"""

from __future__ import annotations

from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol

from fastparse.errors import UnknownNameError
from fastparse.transition_systems.registry import ROWS, row_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fastparse.machine.system import System

_STATIC = "fastparse.oracles.static_oracle."

_MODULES = {
    "arc-standard": "arc_standard",
    "arc-standard/buffer": "arc_standard_buffer",
    "arc-eager": "arc_eager",
    "hybrid": "hybrid",
    "easy-first": "easy_first",
    "planar": "planar",
    "planar/graph": "planar_graph",
    "2-planar": "two_planar",
    "dag/arc-standard": "dag_arc_standard",
    "dag/arc-eager": "dag_arc_eager",
    "attardi": "attardi",
    "swap": "swap",
    "covington": "covington",
    "two-registers": "two_registers",
    "two-registers/printed": "two_registers_printed",
    "three-step": "three_step",
    "three-step/left": "three_step",
    "three-step/right": "three_step",
}


class OwnLoop(Protocol):
    """An oracle of a system whose derivations the common driver cannot run."""

    def derive(self, name: str, heads: Sequence[int], labels: Sequence[str] | None, **options: Any) -> Any:
        """The derivation of a tree; OracleError outside the class."""

    def lengths(self, name: str, heads: Any, offsets: Any, by_move: bool, **options: Any) -> Any:
        """int32 per tree of the treebank (or 2-D), -1 outside the class."""


def oracle_of(system: str | System) -> Any:
    """The oracle of a system.

    Raises:
        UnknownNameError: if there is none.
    """
    name = system if isinstance(system, str) else system.name
    if name == "planar" and not isinstance(system, str) and system.is_graph:
        name = "planar/graph"
    if name in _MODULES:
        return _load(name)
    if name not in ROWS and not isinstance(system, str):
        return import_module("fastparse.oracles.composed").oracle_of(system)
    if isinstance(system, str):
        row_of(name)
    raise UnknownNameError(f"there is no oracle for {name!r}")


@lru_cache
def _load(name: str) -> Any:
    return import_module(_STATIC + _MODULES[name]).ORACLE


def variant_of(oracle: Any, wanted: str | None, name: str) -> int:
    """The number of a variant of a static oracle; the first when none is wanted.

    Raises:
        UnknownNameError: if the oracle has no such variant.
    """
    if wanted is None:
        return 0
    if wanted not in oracle.variants:
        known = f"it has {', '.join(map(repr, oracle.variants))}" if oracle.variants else "it has only one"
        raise UnknownNameError(f"{name!r} has no oracle {wanted!r}; {known}")
    return oracle.variants.index(wanted)
