"""What a user should know of how a treebank was made fit for learning."""

from __future__ import annotations

from dataclasses import dataclass, field

__all__ = ["Account"]


@dataclass
class Account:
    """Filled while a treebank is prepared.

    Attributes:
        notes: in sentences.
        counts: the same in numbers, for the model.
    """

    notes: list[str] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)
