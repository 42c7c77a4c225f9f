"""The file that a training goes on from: what each of its parts has learnt, brought up to date after every round."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np

from fastparse.errors import Error, ModelFormatError
from fastparse.model.storage import read_container, write_container

__all__ = ["CHECKPOINT", "Checkpoint", "Part", "Path"]

CHECKPOINT = b"\x89fastc\r\n"
_SHORT = 80  # characters

Path = str | os.PathLike[str] | None
Arrays = dict[str, np.ndarray[Any, Any]]


class Part(NamedTuple):
    """What is kept of one part of a training.

    Attributes:
        header: for JSON.
        arrays: of integers, by name.
    """

    header: dict[str, Any]
    arrays: Arrays


class Checkpoint:
    """The parts of one training in a file; without a path nothing is kept. Threads may share it.

    Attributes:
        path: of the file.
        identity: what a training must agree in to go on from it.
    """

    def __init__(self, path: Path = None, identity: dict[str, Any] | None = None) -> None:
        """Read the file, if there is one.

        Args:
            identity: what a training must agree in to go on from here.

        Raises:
            Error: if the file is of another training.
            ModelFormatError: if it is damaged.
        """
        self.path, self.identity = path, identity or {}
        self._parts: dict[str, Part] = {}
        self._lock = threading.Lock()
        if path is None:
            return
        try:
            container = read_container(path, CHECKPOINT)
        except FileNotFoundError:
            return
        self.require(container.header.get("identity"), self.identity)
        with self.usable():
            for name, header in container.header["parts"].items():
                begin = f"{name}/"
                arrays = {k.removeprefix(begin): a for k, a in container.arrays.items() if k.startswith(begin)}
                if not isinstance(header, dict):
                    raise TypeError(f"{name} is not described by an object")
                self._parts[name] = Part(header, arrays)

    @property
    def names(self) -> tuple[str, ...]:
        """The parts that it holds."""
        return tuple(self._parts)

    def get(self, name: str) -> Part | None:
        """What is kept of a part."""
        return self._parts.get(name)

    def put(self, name: str, header: dict[str, Any], arrays: Arrays, instead_of: str | None = None) -> None:
        """Replace what is kept of a part, and the file.

        Args:
            instead_of: the beginning of the names of parts that are not needed any more.
        """
        if self.path is None:
            return
        with self._lock:
            kept = {
                other: part for other, part in self._parts.items()
                if instead_of is None or not other.startswith(instead_of)
            }  # fmt: skip
            kept[name] = Part(header, dict(arrays))
            every = {f"{part}/{key}": array for part, (_, own) in kept.items() for key, array in own.items()}
            parts = {part: own.header for part, own in kept.items()}
            write_container(self.path, {"identity": self.identity, "parts": parts}, every, CHECKPOINT)
            self._parts = kept  # what a signal keeps from the file is not said to be in it

    def require(self, found: Any, wanted: dict[str, Any]) -> None:
        """Raise Error if what the file says of a training is not what this one says of itself."""
        wanted = json.loads(json.dumps(wanted))  # as it comes out of a file
        if found != wanted:
            differing = _differing(wanted, found if isinstance(found, dict) else {})
            raise Error(
                f"{os.fspath(self.path or '')}: this is the checkpoint of another training; they differ in "
                f"{', '.join(differing)}. Give another path, or delete it to begin anew."
            )

    @contextmanager
    def usable(self) -> Iterator[None]:
        """Raises ModelFormatError for what goes wrong while something is made of the file's content."""
        try:
            yield
        except (LookupError, TypeError, ValueError, ArithmeticError, AttributeError) as error:
            raise ModelFormatError(
                f"{os.fspath(self.path or '')}: the checkpoint cannot be used: {error}. Delete it."
            ) from error


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
