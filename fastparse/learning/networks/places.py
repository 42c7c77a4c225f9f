"""The places of a configuration whose words and labels a network reads, per transition system."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastparse.features.plan import CELL_FIELDS, POSITION_NAMES, WORD_FIELDS

if TYPE_CHECKING:
    from fastparse.machine.system import System

__all__ = ["FIELDS", "distances_for", "located", "places_for", "position_and_relation", "position_number"]

_ALWAYS = ("S0", "S1", "S2", "B0", "B1", "B2", "S0.l1", "S0.r1", "S0.r2", "S1.l1", "S1.r1", "B0.l1", "B0.l2")
# Systems whose words leave the stack as soon as they get a head.
_LEAVING = ("arc-standard", "hybrid", "swap", "attardi", "arc-standard/buffer")


def places_for(system: System) -> tuple[str, ...]:
    """A word at a position, or a child or the head of one, as in feature templates."""
    places = list(_ALWAYS)
    if not system.name.startswith(_LEAVING):
        places += ["S0.head", "B0.head"]
    if "registers" in system.parts:
        places += ["R1", "R2", "R1.head", "R2.head", "R1.r1", "R2.l1"]
    if "third register" in system.parts:
        places += ["R3", "R3.head", "R3.l1"]
    if "inactive" in system.parts:
        places += ["T0", "T0.head"]
    return tuple(places)


def distances_for(system: System) -> tuple[tuple[str, str], ...]:
    """Pairs of positions whose distance is read."""
    pairs = [("S0", "B0"), ("S1", "S0")]
    if "registers" in system.parts:
        pairs += [("R1", "B0"), ("S0", "R1"), ("R2", "B0")]
    if "third register" in system.parts:
        pairs += [("R3", "B0"), ("S0", "R3")]
    if "inactive" in system.parts:
        pairs += [("T0", "B0")]
    return tuple(pairs)


# Fields of a cell, by relation.
FIELDS = {"": 0, "head": 1, "l1": 2, "l2": 3, "r1": 4, "r2": 5}


def position_and_relation(place: str) -> tuple[str, str]:
    """S0.l1 is S0 and l1; S0 is S0 and nothing."""
    position, _, relation = place.partition(".")
    return position, relation


def position_number(position: str) -> int:
    """The number of S0 and the like."""
    return POSITION_NAMES.index(position)


def located(place: str) -> tuple[int, int, int]:
    """Position, and the offsets of the word and of the label in its cell; -1 for the position's own word: no label."""
    position, relation = position_and_relation(place)
    if not relation:
        return POSITION_NAMES.index(position), WORD_FIELDS[""], -1
    label = CELL_FIELDS["" if relation == "head" else relation, "deprel"]
    return POSITION_NAMES.index(position), WORD_FIELDS[relation], label[0]
