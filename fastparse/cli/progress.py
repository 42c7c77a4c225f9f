"""The line on standard error that says how far a command is."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from typing import TextIO, TypeVar

from fastparse.cli.terminal import said

__all__ = ["Line", "told"]

_Item = TypeVar("_Item")

_SECONDS_BETWEEN = 0.2
_CLEAR = "\r\x1b[K"


class Line:
    """Text that overwrites itself on a terminal; elsewhere nothing of it is written unless asked for.

    Args:
        wanted: True writes also to files and pipes, a line every ten seconds; False never; None on terminals alone.
    """

    def __init__(self, wanted: bool | None = None, stream: TextIO | None = None) -> None:
        self._stream = stream or sys.stderr
        self._terminal = self._stream.isatty()
        self._wanted = self._terminal if wanted is None else wanted
        self._last = float("-inf")
        self._shown = False

    def show(self, text: str) -> None:
        """Replace the line, some times a second at most."""
        now = time.monotonic()
        if not self._wanted or now - self._last < (_SECONDS_BETWEEN if self._terminal else 10):
            return
        self._last = now
        self._shown = self._terminal
        text = said(text)
        self._stream.write(f"{_CLEAR}{text}" if self._terminal else f"{text}\n")
        self._stream.flush()

    def clear(self) -> None:
        """Remove the line."""
        if self._shown:
            self._stream.write(_CLEAR)
            self._stream.flush()
            self._shown = False

    def write(self, text: str) -> None:
        """A line that stays."""
        self.clear()
        self._stream.write(f"{said(text)}\n")
        self._stream.flush()


def told(items: Sequence[_Item], name: Callable[[_Item], str]) -> Iterator[_Item]:
    """The items one by one, each shown on a line while somebody works on it."""
    line = Line()
    try:
        for number, item in enumerate(items, 1):
            line.show(f"{name(item)}, {number} of {len(items)}")
            yield item
    finally:
        line.clear()
