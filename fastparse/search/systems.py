"""Which transition systems search can run with learnt weights."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastparse.errors import Error

if TYPE_CHECKING:
    from fastparse.machine.system import System

__all__ = ["FIRST_STEPS", "NOT_LEARNT", "THREE_STEP", "require_searchable"]

THREE_STEP = "three-step"
# The systems that build the projective tree the three-step system begins with.
FIRST_STEPS = ("arc-eager", "arc-standard", "arc-standard/buffer", "hybrid")

# Why some systems have no models.
NOT_LEARNT = {
    "planar/graph": "it builds graphs, not trees; train 'planar'",
    "dag/arc-standard": "it builds graphs, not trees; train 'arc-standard'",
    "dag/arc-eager": "it builds graphs, not trees; train 'arc-eager'",
    "two-registers/printed": "it is there to show what the rules do as they were printed; train 'two-registers'",
    "three-step/left": "it is a pass over trees that are there already; train 'three-step'",
    "three-step/right": "it is a pass over trees that are there already; train 'three-step'",
}


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
