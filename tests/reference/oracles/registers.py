"""The oracle of the two-registers system."""

from __future__ import annotations

from collections.abc import Sequence

from tests.reference import graphs as g
from tests.reference.base import NONE, System
from tests.reference.oracles.todo import Arc, Todo
from tests.reference.systems.two_registers import TwoRegisters


class Registers(Todo):
    """The two-registers oracle for one valid pair per crossing interval."""

    def __init__(self, heads: Sequence[int], choices: Sequence[tuple[int, int]] | None = None) -> None:
        super().__init__(g.arcs_of(heads))
        self.intervals = g.crossing_intervals(heads)
        valid = [pairs for _, _, pairs in g.valid_pairs(heads)]
        if not all(valid):
            raise ValueError(f"two-registers cannot build {list(heads)!r}: an interval has no valid pair")
        self.pairs = [pairs[0] for pairs in valid] if choices is None else [tuple(pair) for pair in choices]
        if len(self.pairs) != len(valid) or any(pair not in ok for pair, ok in zip(self.pairs, valid, strict=True)):
            raise ValueError(f"choices {self.pairs!r} are not among the valid pairs {valid!r}")

    def missing(self, c: System, word: int) -> int:
        """Number of arcs at a position that are not drawn."""
        return sum(word in arc and self.wants(c, *arc) for arc in self.arcs)

    def arc_of(self, c: TwoRegisters, move: str) -> Arc:
        """The arc a REGISTER move would draw."""
        k, to_register = c.parse(move)
        register = c.registers[k - 1]
        return (c.s1, register) if to_register else (register, c.s1)

    def __call__(self, c: TwoRegisters) -> str:
        """First rule that applies."""
        legal = c.legal()
        one, two = c.registers
        if c.s1 > 0 and self.missing(c, c.s1) == 0:
            return "REDUCE"
        for move in (
            "REGISTER(1,to-register)",
            "REGISTER(2,to-register)",
            "REGISTER(1,to-stack)",
            "REGISTER(2,to-stack)",
        ):
            if move in legal and self.wants(c, *self.arc_of(c, move)):
                register = c.registers[c.parse(move)[0] - 1]
                pops = move.endswith("to-stack)") and c.s1 < register
                if not pops or self.missing(c, c.s1) == 1:
                    return move
        starts = [a for a, _ in self.pairs]
        current = starts.index(one) if one in starts else NONE
        if two != NONE and not any(self.wants(c, *arc) for arc in self.intervals[current][2]):
            return "CLEAR"
        if self.wants(c, c.b1, c.s1) and self.missing(c, c.s1) == 1 and "LEFT-ARC" in legal:
            return "LEFT-ARC"
        opens = one == NONE and c.b1 in starts
        closes = one != NONE and two == NONE and c.b1 == self.pairs[current][1]
        if c.b1 > c.last and (opens or closes):
            if one != NONE and self.wants(c, c.b1, one):
                return "STORE(left)"
            return "STORE(right)" if one != NONE and self.wants(c, one, c.b1) else "STORE(none)"
        return "RIGHT-ARC" if self.wants(c, c.s1, c.b1) and "RIGHT-ARC" in legal else "SHIFT"
