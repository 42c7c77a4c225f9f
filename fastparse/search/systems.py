"""Which transition systems search can run with learnt weights."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastparse.errors import Error
from fastparse.transition_systems.registry import ROWS

if TYPE_CHECKING:
    from fastparse.machine.system import System

__all__ = ["FIRST_STEPS", "NOT_LEARNT", "THREE_STEP", "require_searchable"]

THREE_STEP = "three-step"
FIRST_STEPS = ROWS[THREE_STEP].first_steps

# Why some systems have no models.
NOT_LEARNT = {name: row.no_models for name, row in ROWS.items() if row.no_models}


def require_searchable(system: System) -> None:
    """Raise Error for systems that build no trees, or whose derivations may not end."""
    if system.name in NOT_LEARNT:
        raise Error(f"{system.name!r} has no models: {NOT_LEARNT[system.name]}")
    if system.is_graph:
        raise Error(f"{system.name!r} has no models: it builds graphs, not trees")
    if system.composition is not None:
        from fastparse.composition.analysis import analyse

        found = analyse(system).bounded
        if found.value != "yes":
            raise Error(f"{system.name!r} has no models: its derivations may not end ({found.reason})")
