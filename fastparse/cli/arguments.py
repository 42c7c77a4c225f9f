"""Options that several commands share."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from functools import partial
from typing import Any

from fastparse.errors import Error
from fastparse.request import MAX_BEAM

__all__ = ["beam_size", "find_sentence", "limit", "number_from", "positive"]


def positive(text: str) -> int:
    """A number from 1."""
    return _number(text, 1, None)


def limit(text: str) -> int:
    """A number from 1, or 0 for none."""
    return _number(text, 0, None)


def beam_size(text: str) -> int:
    """A number from 1 to MAX_BEAM."""
    return _number(text, 1, MAX_BEAM)


def number_from(least: int, most: int | None = None) -> Callable[[str], int]:
    """What reads a number between limits."""
    return partial(_number, least=least, most=most)


def _number(text: str, least: int, most: int | None) -> int:
    try:
        value = int(text)
    except ValueError:
        value = least - 1
    if value < least or (most is not None and value > most):
        raise argparse.ArgumentTypeError(f"{text!r} is no number from {least}{'' if most is None else f' to {most}'}")
    return value


def find_sentence(treebank: Any, wanted: str) -> int:
    """The place of a sentence given by number, from 1, or by id."""
    if wanted.isdecimal() and len(wanted) < 12 and 1 <= int(wanted) <= len(treebank):
        return int(wanted) - 1
    for number in range(len(treebank)):
        if treebank[number].sent_id == wanted:
            return number
    raise Error(f"no sentence {wanted!r}: expected a number from 1 to {len(treebank)}, or the id of a sentence")
