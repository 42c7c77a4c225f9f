"""The three-registers system: two-registers with one more, and with arcs between registers as moves of their own."""

from __future__ import annotations

from collections.abc import Hashable

from tests.reference.base import NONE, UpTo, between
from tests.reference.systems.stack_buffer import StackBufferSystem

NUMBERS = (1, 2, 3)
TO_STACK = tuple(f"REGISTER({k},to-stack)" for k in NUMBERS)
TO_REGISTER = tuple(f"REGISTER({k},to-register)" for k in NUMBERS)
PAIRS = tuple(f"REGISTERS({j},{k})" for j in NUMBERS for k in NUMBERS if j != k)


def crosses(one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Whether two arcs cross."""
    (a, b), (x, y) = sorted(one), sorted(other)
    return a < x < b < y or x < a < y < b


class ThreeRegisters(StackBufferSystem):
    """Start (empty, 0..n, no registers); final when the buffer and all registers are empty.

    SHIFT
    REDUCE                    s1 has a head
    LEFT-ARC                  b1 -> s1, s1 popped; no filled register between, s1 not locked
    RIGHT-ARC                 s1 -> b1, b1 pushed; the same
    STORE                     b1 into the first empty register; b1 > last
    CLEAR                     the registers are emptied; survivors return to the stack, the rightmost to the buffer
    REGISTER(k,to-stack)      Rk -> s1, s1 popped if it is left of Rk
    REGISTER(k,to-register)   s1 -> Rk
    REGISTERS(j,k)            Rj -> Rk
    """

    name = "three-registers"
    table = ("SHIFT", "REDUCE", "LEFT-ARC", "RIGHT-ARC", "STORE", "CLEAR", *TO_STACK, *TO_REGISTER, *PAIRS)
    arc_moves = frozenset({"LEFT-ARC", "RIGHT-ARC", *TO_STACK, *TO_REGISTER, *PAIRS})
    derives = "three_crossing_interval"
    up_to = UpTo(configurations=4, goals=6, reachable=5)

    filled: list[int]
    last: int

    def start(self) -> None:
        """Everything in the buffer, the root as well."""
        self.stack = []
        self.buffer = list(range(self.n + 1))
        self.filled = []
        self.last = NONE

    def is_final(self) -> bool:
        """Nothing waits in the buffer or in a register."""
        return not self.buffer and not self.filled

    def state(self) -> tuple[Hashable, ...]:
        """All that is not determined by the arcs."""
        low = frozenset(arc[:2] for arc in self.drawn if arc.when and self.filled)
        return (tuple(self.stack), tuple(self.buffer), tuple(self.filled), self.last, low)

    @property
    def registers(self) -> list[int]:
        """The words in the registers, -1 where empty."""
        return [*self.filled, *(NONE for _ in NUMBERS[len(self.filled) :])]

    @property
    def covered(self) -> list[bool]:
        """For each filled register whether it is spanned by an arc."""
        return [self.covers(register) for register in self.filled]

    @property
    def lock(self) -> int:
        """Rightmost stack word, right of all registers, that an arc of one spans, while a register is empty."""
        if not self.filled or len(self.filled) == len(NUMBERS):
            return NONE
        arcs = [arc for arc in self.drawn if arc.head in self.filled or arc.dependent in self.filled]
        right = [word for word in self.stack if word > self.filled[-1]]
        return max((word for word in right if any(between(word, *arc[:2]) for arc in arcs)), default=NONE)

    def locked(self) -> bool:
        """Whether the stack top has to wait for another register."""
        return self.s1 <= self.lock

    def can(self, move: str) -> bool:
        """The precondition of a move."""
        if move == "SHIFT":
            return bool(self.buffer)
        if move == "REDUCE":
            return bool(self.stack) and self.has_head(self.s1)
        if move == "LEFT-ARC":
            return self.may_join() and self.may_head(self.b1, self.s1)
        if move == "RIGHT-ARC":
            return self.may_join() and self.may_head(self.s1, self.b1)
        if move == "STORE":
            return bool(self.buffer) and self.b1 > self.last and len(self.filled) < len(NUMBERS)
        if move == "CLEAR":
            return self.may_clear()
        numbers = self.numbers(move)
        if any(number > len(self.filled) for number in numbers):
            return False
        words = [self.filled[number - 1] for number in numbers]
        if move in PAIRS:
            return self.may_head(*words) and not self.crosses_low(*words)
        if not self.stack or not self.undisturbed(words[0]):
            return False
        if move in TO_STACK:
            return self.may_head(words[0], self.s1) and not self.leaps_with(words[0])
        head = self.head(self.s1)
        return self.may_head(self.s1, words[0]) and (head == NONE or not between(head, self.s1, words[0]))

    @staticmethod
    def numbers(move: str) -> list[int]:
        """The registers that a move names."""
        return [int(part) for part in move.partition("(")[2].strip(")").split(",") if part.isdigit()]

    def may_join(self) -> bool:
        """Whether s1 and b1 may be joined."""
        if not self.stack or not self.buffer or self.locked():
            return False
        return not any(between(register, self.s1, self.b1) for register in self.filled)

    def may_clear(self) -> bool:
        """Whether the registers may be emptied."""
        if not self.filled or (len(self.filled) == 1 and self.buffer):
            return False
        first, last = self.filled[0], self.filled[-1]
        if self.s2 > first or between(self.s1, first, last) or (self.s1 > last and self.locked()):
            return False
        return all(self.has_head(word) for word, covered in zip(self.filled, self.covered, strict=True) if covered)

    def crosses_low(self, one: int, other: int) -> bool:
        """Whether an arc between two words crosses one that a survivor has got."""
        return any(crosses((one, other), arc[:2]) for arc in self.drawn if arc.when)

    def undisturbed(self, register: int) -> bool:
        """Conditions T1 (intervals stay disjoint) and T2 (only arcs of registers are crossed)."""
        if self.crosses_low(self.s1, register):
            return False
        if self.s1 <= self.last and any(crosses((self.s1, register), arc[:2]) for arc in self.drawn):
            return False
        return len(self.filled) < len(NUMBERS) or self.s2 < self.filled[-1]

    def leaps_with(self, head: int) -> bool:
        """Condition T3: with this head s1 would have a register as child beyond it."""
        return any(self.has_arc(self.s1, word) and between(head, self.s1, word) for word in self.filled)

    def do(self, move: str, label: str | None) -> None:
        """The effect of a move."""
        if move == "SHIFT":
            self.shift()
        elif move == "REDUCE":
            self.stack.pop()
        elif move == "LEFT-ARC":
            self.draw(self.b1, self.stack.pop(), label)
        elif move == "RIGHT-ARC":
            self.draw(self.s1, self.b1, label)
            self.shift()
        elif move == "STORE":
            self.filled = [*self.filled, self.buffer.pop(0)]
        elif move == "CLEAR":
            self.clear()
        else:
            words = [self.filled[number - 1] for number in self.numbers(move)]
            low = self.s1 <= self.last  # remembered: it may never be crossed
            if move in PAIRS:
                self.draw(*words, label)
            elif move in TO_REGISTER:
                self.draw(self.s1, words[0], label, low)
            else:
                self.draw(words[0], self.s1, label, low)
                if self.s1 < words[0]:
                    self.stack.pop()

    def clear(self) -> None:
        """Empty the registers."""
        kept = {word for word, covered in zip(self.filled, self.covered, strict=True) if not covered}
        kept |= {self.stack.pop()} if self.stack else set()
        self.last = max(kept)
        before_front = (self.buffer[0] if self.buffer else self.n + 1) - 1
        if self.last == before_front and self.last != self.filled[0]:
            kept.remove(self.last)
            self.buffer = [self.last, *self.buffer]
        self.stack = [*self.stack, *sorted(kept)]
        self.filled = []

    @staticmethod
    def bound(n: int) -> int:
        """The root is one of the words of the buffer."""
        return 5 * (n + 1)
