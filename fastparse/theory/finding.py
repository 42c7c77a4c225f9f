"""What is known of a property of a system, and why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

YES, NO, SO_FAR, UNKNOWN = "yes", "no", "so far", "unknown"


@dataclass(frozen=True)
class Finding:
    """What is known of a property.

    Attributes:
        value: "yes", "no", "unknown", or "so far": true of all sentences of the lengths that were tried.
        reason: the proposition, the example, or what was tried.
        example: the arcs (head, dependent) of a structure that refutes it; None where there is none.
        moves: the derivation of the example, where there is one.
    """

    value: str
    reason: str
    example: tuple[tuple[int, int], ...] | None = None
    moves: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.value:<8} {self.reason}"

    def to_dict(self) -> dict[str, Any]:
        """Plain values; without an example where there is none."""
        found: dict[str, Any] = {"value": self.value, "reason": self.reason}
        if self.example is not None:
            found |= {"example": [list(arc) for arc in self.example], "moves": list(self.moves)}
        return found
