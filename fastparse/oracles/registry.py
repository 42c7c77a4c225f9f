"""The oracles of the systems: a module each, of the stem of the system's, loaded when first asked for.

A module defines ``ORACLE``: a StaticOracle, or an object of its own with the methods of ``OwnLoop``.
"""

from __future__ import annotations

from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Protocol

from fastparse.errors import UnknownNameError
from fastparse.transition_systems.registry import ROWS, row_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fastparse.machine.system import System

_STATIC = "fastparse.oracles.static."


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
    if not isinstance(system, str) and system.is_graph and f"{name}/graph" in ROWS:
        name += "/graph"
    if name not in ROWS and not isinstance(system, str):
        return import_module("fastparse.oracles.composed").oracle_of(system)
    found = _load(row_of(name).stem)
    if found is None:
        raise UnknownNameError(f"there is no oracle for {name!r}")
    return found


@lru_cache
def _load(stem: str) -> Any:
    return import_module(_STATIC + stem).ORACLE if find_spec(_STATIC + stem) else None


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
    return int(oracle.variants.index(wanted))
