"""Textbook versions of every transition system: slow, plain, independent of fastparse."""

from __future__ import annotations

from typing import Any

from tests.reference.arc_eager import ArcEager
from tests.reference.arc_standard import ArcStandard, ArcStandardBuffer, Hybrid
from tests.reference.base import System
from tests.reference.planar import Planar, PlanarGraph
from tests.reference.swap import Swap
from tests.reference.two_planar import TwoPlanar
from tests.reference.two_registers import TwoRegisters, TwoRegistersPrinted

SYSTEMS: dict[str, type[System]] = {
    system.name: system
    for system in (
        ArcStandard,
        Swap,
        Hybrid,
        ArcStandardBuffer,
        ArcEager,
        Planar,
        TwoPlanar,
        PlanarGraph,
        TwoRegisters,
        TwoRegistersPrinted,
    )
}


def Configuration(name: str, n: int, **options: Any) -> System:  # noqa: N802
    """The initial configuration of a system for n words."""
    if name not in SYSTEMS:
        raise ValueError(f"unknown system {name!r}; there are {list(SYSTEMS)!r}")
    return SYSTEMS[name](n, **options)
