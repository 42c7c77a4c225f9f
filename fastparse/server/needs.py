"""What requests need of a model, and say of its search."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastparse.search.engine import MAX_BEAM
from fastparse.server.failures import Refused

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fastparse.server.models import Offer

__all__ = ["beam_of", "need"]


def need(offer: Offer, component: str) -> None:
    """Raises Refused for a model that lacks a component."""
    if component not in offer.components:
        raise Refused(400, f"the model {offer.name!r} has no {component}: it has {', '.join(offer.components)}")


def beam_of(fields: Mapping[str, str], name: str = "beam") -> int | None:
    """The size of the beam that is asked for; None for the model's own.

    Raises:
        Refused: for what is no size of a beam.
    """
    text = fields.get(name)
    if not text:
        return None
    if not (text.isascii() and text.isdecimal() and len(text) < 6 and 1 <= int(text) <= MAX_BEAM):
        raise Refused(400, f"{name}={text!r:.200} is no number from 1 (greedy) to {MAX_BEAM}")
    return int(text)
