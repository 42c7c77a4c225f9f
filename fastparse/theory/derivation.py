"""Derivations: the moves, the configurations they lead through, and a table of both."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fastparse.display import Pictured
from fastparse.theory.configuration import Configuration

if TYPE_CHECKING:
    from fastparse.machine.system import System

__all__ = ["Derivation"]


class Derivation(Pictured):
    """A sequence of moves from the initial configuration of a system to a final one.

    Attributes:
        system: the system's name.
        n: words of the sentence.
        moves: as ``Configuration.apply`` takes them, labels included.
    """

    def __init__(self, system: str | System, n: int, moves: list[str], **options: Any) -> None:
        self.system = system if isinstance(system, str) else system.name
        self.n = n
        self.moves = moves
        self._system = system
        self._options = options

    def start(self) -> Any:
        """The initial configuration."""
        return Configuration(self._system, self.n, **self._options)

    def end(self) -> Any:
        """The final configuration."""
        configuration = self.start()
        for move in self.moves:
            configuration.apply(move)
        return configuration

    def configurations(self) -> list[Any]:
        """All configurations, from the initial one to the final one: one more than there are moves."""
        configuration = self.start()
        found = [configuration.copy()]
        for move in self.moves:
            configuration.apply(move)
            found.append(configuration.copy())
        return found

    @property
    def arcs(self) -> list[tuple[int, int]]:
        """The arcs at the end, as sorted pairs (head, dependent)."""
        return list(self.end().arcs)

    @property
    def heads(self) -> list[int]:
        """The heads at the end."""
        return list(self.end().heads)

    def __len__(self) -> int:
        return len(self.moves)

    def __iter__(self) -> Any:
        return iter(self.moves)

    def __repr__(self) -> str:
        return f"<derivation of {self.n} words by {self.system!r} in {len(self.moves)} moves>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Derivation):
            return NotImplemented
        mine, yours = ((d._system, d.n, d.moves, d._options) for d in (self, other))
        return mine == yours

    def __hash__(self) -> int:
        return hash((self.system, self.n, tuple(self.moves)))

    def header(self) -> list[str]:
        """The names of the columns of `table`."""
        return ["move", *[""] * len(self.start().show()), "arc"]

    def table(self) -> list[list[str]]:
        """A row per configuration: the move that led to it, what it consists of, and the arc that was drawn."""
        configuration = self.start()
        rows = [["", *configuration.show(), ""]]
        arcs = set(configuration.arcs)
        for move in self.moves:
            configuration.apply(move)
            now = set(configuration.arcs)
            drawn = ", ".join(f"{head} -> {dependent}" for head, dependent in sorted(now - arcs))
            rows.append([move, *configuration.show(), drawn])
            arcs = now
        return rows

    def __str__(self) -> str:
        """The table."""
        rows = self.table()
        widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
        return "\n".join(
            "  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True) if width).rstrip()
            for row in rows
        )
