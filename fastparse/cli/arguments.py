"""Values of options that several commands share."""

from __future__ import annotations

import argparse

__all__ = ["beam_size", "positive"]


def positive(text: str) -> int:
    """A number from 1."""
    return _number(text, 1, None)


def beam_size(text: str) -> int:
    """A number from 1 to 1023."""
    return _number(text, 1, 1023)


def _number(text: str, least: int, most: int | None) -> int:
    try:
        value = int(text)
    except ValueError:
        value = least - 1
    if value < least or (most is not None and value > most):
        raise argparse.ArgumentTypeError(f"{text!r} is no number from {least}{'' if most is None else f' to {most}'}")
    return value
