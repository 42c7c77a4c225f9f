"""Which transition systems search can run with learnt weights."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from fastparse.errors import Error
from fastparse.transition_systems.registry import ROWS, resolve

if TYPE_CHECKING:
    from fastparse.machine.system import System
    from fastparse.model.description import SearchDescription

__all__ = [
    "FIRST_STEPS", "NOT_LEARNT", "THREE_STEP", "described_system", "label_masks", "moves_of_steps",
    "require_searchable",
]  # fmt: skip

THREE_STEP = "three-step"
FIRST_STEPS = ROWS[THREE_STEP].first_steps

# Why some systems have no models.
NOT_LEARNT = {name: row.no_models for name, row in ROWS.items() if row.no_models}


def moves_of_steps(first: System) -> tuple[str, ...]:
    """The moves of the three-step system with this first step, in the order in which they are counted."""
    passes = {side: resolve(f"{THREE_STEP}/{side}").moves for side in ("left", "right")}
    return (*first.moves, *(f"{side}/{move}" for side, moves in passes.items() for move in moves))


def described_system(described: SearchDescription) -> System:
    """The system a model was trained for.

    Raises:
        Error: if it cannot be made.
    """
    if described.recipe is None:
        return resolve(described.system, **described.options)
    from fastparse.theory.compose import from_recipe

    moves = described.recipe.get("moves")
    if not isinstance(moves, list) or not all(isinstance(m, list) and len(m) == 2 for m in moves):
        raise Error("the recipe has no list of moves")
    system = from_recipe({**described.recipe, "moves": dict(moves)})
    if system.name != described.system:
        raise Error(f"the recipe is of {system.name!r}, not of {described.system!r}")
    return system


def label_masks(described: SearchDescription) -> list[np.ndarray[Any, Any]]:
    """Per label, whether an arc from the root may carry it, and whether another arc may."""
    masks = [np.zeros(len(described.labels), np.uint8) for _ in range(2)]
    for mask, allowed in zip(masks, (described.root_labels, described.inner_labels), strict=True):
        mask[list(allowed)] = 1
    return masks


def require_searchable(system: System) -> None:
    """Raise Error for systems that build no trees, or whose derivations may not end."""
    if system.name in NOT_LEARNT:
        raise Error(f"{system.name!r} has no models: {NOT_LEARNT[system.name]}")
    if system.is_graph:
        raise Error(f"{system.name!r} has no models: it builds graphs, not trees")
    if system.composition is not None:
        from fastparse.theory.analysis import analyse

        found = analyse(system).bounded
        if found.value != "yes":
            raise Error(f"{system.name!r} has no models: its derivations may not end ({found.reason})")
