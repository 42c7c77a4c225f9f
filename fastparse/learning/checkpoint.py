"""Trainings that can go on where they were interrupted: the state after each iteration, in a file."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from fastparse.errors import Error, ModelFormatError
from fastparse.model.storage import read_container, write_container

if TYPE_CHECKING:
    from fastparse.learning.learner import Learner

_SHORT = 80  # characters

__all__ = ["CHECKPOINT", "Progress", "read_checkpoint", "write_checkpoint"]

CHECKPOINT = b"\x89fastc\r\n"
_BEST = "best."


@dataclass
class Progress:
    """How far a training is.

    Attributes:
        done: iterations.
        clock: of the learner.
        iterations: what the model records of each.
        best: the best one, counted from 1.
        arrays: the weights of the best one.
    """

    done: int = 0
    clock: int = 1
    iterations: list[dict[str, Any]] = field(default_factory=list)
    best: int = 0
    arrays: dict[str, np.ndarray[Any, Any]] = field(default_factory=dict)


def write_checkpoint(
    path: str | os.PathLike[str], identity: dict[str, Any], progress: Progress, learner: Learner
) -> None:
    """Replace the file by the state of now.

    Args:
        identity: what a training must agree in to go on from here.
    """
    arrays = {f"{_BEST}{name}": array for name, array in progress.arrays.items()} | learner.state()
    state = {"done": progress.done, "clock": progress.clock, "iterations": progress.iterations, "best": progress.best}
    write_container(path, {"identity": identity, "progress": state}, arrays, CHECKPOINT)


def read_checkpoint(path: str | os.PathLike[str], identity: dict[str, Any], learner: Learner) -> Progress | None:
    """Restore a learner that has not begun and say how far the training was; None when there is no such file.

    Raises:
        Error: if the file is of another training.
        ModelFormatError: if it is damaged.
    """
    try:
        container = read_container(path, CHECKPOINT)
    except FileNotFoundError:
        return None
    found = container.header.get("identity")
    if found != identity:
        differing = _differing(identity, found if isinstance(found, dict) else {})
        raise Error(
            f"{os.fspath(path)}: this is the checkpoint of another training; they differ in {', '.join(differing)}. "
            f"Give another path, or delete it to begin anew."
        )
    try:
        learner.restore(container.arrays)
        best = {
            key.removeprefix(_BEST): np.array(array) for key, array in container.arrays.items() if key.startswith(_BEST)
        }
        progress = _progress(container.header["progress"], best)
        learner.clock = progress.clock
    except (LookupError, TypeError, ValueError, ArithmeticError) as error:
        raise ModelFormatError(f"{os.fspath(path)}: the checkpoint cannot be used: {error}. Delete it.") from error
    return progress


def _differing(wanted: dict[str, Any], found: dict[str, Any], within: str = "") -> list[str]:
    """The options, and whatever else, in which two trainings differ, with both values where they are short."""
    names = []
    for name in sorted({*wanted, *found}):
        mine, other = wanted.get(name), found.get(name)
        if mine == other:
            continue
        if isinstance(mine, dict) and isinstance(other, dict):
            names += _differing(mine, other, f"{name} ")
        else:
            values = f" ({other!r} there, {mine!r} here)"
            names.append(f"{within}{name}{values if len(values) < _SHORT else ''}")
    return names


def _progress(found: Any, best: dict[str, np.ndarray[Any, Any]]) -> Progress:
    """What a header says of a training; raises KeyError, TypeError or ValueError if that cannot be."""
    progress = Progress(found["done"], found["clock"], found["iterations"], found["best"], best)
    for name, least, most in (("done", 0, 10**9), ("clock", 0, 2**62), ("best", 0, progress.done)):
        value = getattr(progress, name)
        if type(value) is not int or not least <= value <= most:
            raise ValueError(f"{name} is {value!r:.40}, expected a number from {least} to {most}")
    rows = progress.iterations
    if not isinstance(rows, list) or len(rows) != progress.done or not all(isinstance(row, dict) for row in rows):
        raise ValueError(f"there are not records of {progress.done} iterations")
    for row in rows:
        if not all(isinstance(row[name], int) for name in ("updates", "features")) or not all(
            isinstance(row.get(name, 0.0), (int, float)) for name in ("uas", "las")
        ):
            raise ValueError("the record of an iteration is not what it must be")
    return progress
