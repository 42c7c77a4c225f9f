"""How long derivations can become."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

__all__ = ["Bound", "N"]


class Bound(NamedTuple):
    """At most this many transitions for n words, as text and as a function of a number or an array."""

    text: str
    of: Callable[[Any], Any]

    @classmethod
    def times(cls, factor: int) -> Bound:
        """Linear, without a constant."""
        return cls(f"{factor}n", lambda n: factor * n)


N = Bound("n", lambda n: n)
