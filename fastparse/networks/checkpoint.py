"""Trainings of networks that can go on where they were interrupted: the state after each round, in a file."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np

from fastparse.errors import Error, ModelFormatError

__all__ = ["Progress", "read_checkpoint", "write_checkpoint"]

Array = np.ndarray[Any, Any]


@dataclass
class Progress:
    """How far a training is.

    Attributes:
        best: numbers of the best round so far.
        best_score: what it is best by.
        scores: of the last round.
        steps: batches learnt.
        rounds: what each gave.
    """

    best: Array
    best_score: float = -1.0
    scores: dict[str, float] = field(default_factory=dict)
    steps: int = 0
    rounds: list[dict[str, Any]] = field(default_factory=list)


def write_checkpoint(
    path: str | os.PathLike[str], identity: dict[str, Any], progress: Progress, arrays: dict[str, Array]
) -> None:
    """Replace the file by the state of now.

    Args:
        identity: what a training must agree in to go on from here.
    """
    state = {"best_score": progress.best_score, "steps": progress.steps, "rounds": progress.rounds}
    text = json.dumps({"identity": identity, "progress": state}, ensure_ascii=False).encode()
    new = Path(f"{os.fspath(path)}.new")
    with new.open("wb") as file:
        np.savez(file, header=np.frombuffer(text, np.uint8), best=progress.best, **arrays)  # type: ignore[arg-type]
    new.replace(path)


def read_checkpoint(
    path: str | os.PathLike[str], identity: dict[str, Any], arrays: dict[str, Array]
) -> Progress | None:
    """Fill the arrays and say how far the training was; None when there is no such file.

    Raises:
        Error: if the file is of another training.
        ModelFormatError: if it is damaged.
    """
    try:
        with np.load(path) as found:
            header = json.loads(bytes(found["header"]))
            theirs, state = header["identity"], header["progress"]
            mine = json.loads(json.dumps(identity))
            if theirs != mine:
                parts = sorted(key for key in mine["plan"] if mine["plan"][key] != theirs["plan"].get(key))
                what = ", ".join(parts) or "the network or its treebank"
                raise Error(f"{path}: the checkpoint of another training (it differs in {what}): delete or rename it")
            for name, array in arrays.items():
                array[...] = found[name]
            return Progress(found["best"], state["best_score"], {}, state["steps"], state["rounds"])
    except FileNotFoundError:
        return None
    except Error:
        raise
    except (BadZipFile, KeyError, ValueError, OSError) as error:
        raise ModelFormatError(f"{path}: not a checkpoint of a network's training: {error}") from error
