"""Standard streams as commands need them: open, and harmless to terminals."""

from __future__ import annotations

import os
import shutil
import sys
from typing import Any, cast

from fastparse.corpus.problems import visible

__all__ = ["Named", "Visible", "prepare_streams", "said", "terminal_width"]


class Around:
    """A stream that is another one but for what it does of its own."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


class Visible(Around):
    """A terminal that is shown no control characters but line ends and tabs: data may hold any."""

    def write(self, text: str) -> int:
        return int(self._stream.write(visible(text, kept="\n\t")))


class Named(Around):
    """A stream whose errors say its name, as those of files do."""

    def __init__(self, stream: Any, name: str) -> None:
        super().__init__(stream)
        self._name = name

    def write(self, text: str) -> int:
        return int(self._named(self._stream.write, text))

    def flush(self) -> None:
        self._named(self._stream.flush)

    def _named(self, call: Any, *arguments: str) -> Any:
        try:
            return call(*arguments)
        except OSError as error:
            error.filename = error.filename or self._name
            raise


def prepare_streams() -> None:
    """See that no file which is opened takes the place of a closed standard stream, and guard a terminal.

    Whatever is written to standard error while that is closed is lost. `sys.stdin` and `sys.stdout` stay None while
    they are closed, so that whoever needs them can say so.
    """
    for descriptor in range(3):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # gets the lowest number that is free
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, as long as the process
    if sys.stdout is not None and not isinstance(sys.stdout, Named):
        guarded = Visible(sys.stdout) if sys.stdout.isatty() else sys.stdout
        sys.stdout = cast("Any", Named(guarded, "standard output"))


def terminal_width() -> int | None:
    """Cells of a line of the terminal that standard output is; None for files and pipes."""
    if sys.stdout is None or not sys.stdout.isatty():
        return None
    return shutil.get_terminal_size().columns


def said(message: object) -> str:
    """A message as it is printed: what it quotes of files and names does nothing to a terminal."""
    return visible(str(message), kept="\n")
