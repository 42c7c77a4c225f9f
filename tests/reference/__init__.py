"""Textbook versions of every transition system: slow, plain, independent of fastparse.

Each class says what is claimed of its system and how far that is tried; the tables of the tests derive from it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.reference.base import System
from tests.reference.membership import CLASSES, COVERAGE, Heads
from tests.reference.systems.arc_eager import ArcEager
from tests.reference.systems.arc_eager_unshift import ArcEagerUnshift
from tests.reference.systems.arc_standard import ArcStandard, ArcStandardBuffer, Hybrid
from tests.reference.systems.attardi import Attardi
from tests.reference.systems.covington import Covington
from tests.reference.systems.dag import DagArcEager, DagArcStandard
from tests.reference.systems.easy_first import EasyFirst
from tests.reference.systems.planar import Planar, PlanarGraph
from tests.reference.systems.swap import Swap
from tests.reference.systems.three_registers import ThreeRegisters
from tests.reference.systems.three_step import ThreeStepLeft, ThreeStepRight
from tests.reference.systems.two_planar import KPlanar, TwoPlanar, TwoPlanarGraph
from tests.reference.systems.two_registers import TwoRegisters, TwoRegistersPrinted

SYSTEMS: dict[str, type[System]] = {
    system.name: system
    for system in (
        ArcStandard,
        Swap,
        Hybrid,
        ArcStandardBuffer,
        ArcEager,
        ArcEagerUnshift,
        Attardi,
        EasyFirst,
        Planar,
        TwoPlanar,
        KPlanar,
        PlanarGraph,
        TwoPlanarGraph,
        DagArcStandard,
        DagArcEager,
        Covington,
        TwoRegisters,
        TwoRegistersPrinted,
        ThreeRegisters,
        ThreeStepLeft,
        ThreeStepRight,
    )
}

TREE_CLASS: dict[str, Callable[[Heads], bool]] = {
    name: (CLASSES | COVERAGE)[system.derives] for name, system in SYSTEMS.items() if system.derives and system.exact
}
"""System -> the trees it derives; planar is projective when the root is the leftmost token."""


def Configuration(name: str, n: int, **options: Any) -> System:
    """The initial configuration of a system for n words."""
    if name not in SYSTEMS:
        raise ValueError(f"unknown system {name!r}; there are {list(SYSTEMS)!r}")
    return SYSTEMS[name](n, **options)
