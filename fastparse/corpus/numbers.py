"""Numbers of things, in words."""

from __future__ import annotations

__all__ = ["number_of"]


def number_of(n: int, what: str) -> str:
    """`1 sentence`, `2,000 sentences`."""
    return f"{n:,} {what}{'' if n == 1 else 's'}"
