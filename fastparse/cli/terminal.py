"""Standard streams as commands need them: open, and harmless to terminals."""

from __future__ import annotations

import os
import sys
from typing import Any, cast

from fastparse.corpus.problems import visible

__all__ = ["Visible", "prepare_streams", "said"]


class Visible:
    """A terminal that is shown no control characters but line ends and tabs: data may hold any."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        return int(self._stream.write(visible(text, kept="\n\t")))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


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
    if sys.stdout is not None and sys.stdout.isatty():
        sys.stdout = cast("Any", Visible(sys.stdout))


def said(message: object) -> str:
    """A message as it is printed: what it quotes of files and names does nothing to a terminal."""
    return visible(str(message), kept="\n")
