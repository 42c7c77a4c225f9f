"""The two-registers system, corrected and as printed."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, ClassVar

from tests.reference.base import NONE, Arc, Dynamic, UpTo, between
from tests.reference.systems.stack_buffer import StackBufferSystem

STORES = ("STORE(none)", "STORE(left)", "STORE(right)")
REGISTERS = ("REGISTER(1,to-stack)", "REGISTER(2,to-stack)", "REGISTER(1,to-register)", "REGISTER(2,to-register)")


class TwoRegisters(StackBufferSystem):
    """Start (empty, 0..n, no registers); final when the buffer and both registers are empty.

    SHIFT
    REDUCE                    s1 has a head
    LEFT-ARC                  b1 -> s1, s1 popped; no filled register between, lock respected
    RIGHT-ARC                 s1 -> b1, b1 pushed; the same
    STORE(none)               b1 into the first empty register; b1 > last
    STORE(left)               same, R1 filled, and b1 -> R1
    STORE(right)              same, R1 filled, and R1 -> b1
    CLEAR                     the registers are emptied; survivors return to the stack, the rightmost to the buffer
    REGISTER(k,to-register)   s1 -> Rk
    REGISTER(k,to-stack)      Rk -> s1, s1 popped if it is left of Rk
    """

    name = "two-registers"
    table = ("SHIFT", "REDUCE", "LEFT-ARC", "RIGHT-ARC", *STORES, "CLEAR", *REGISTERS)
    arc_moves = frozenset({"LEFT-ARC", "RIGHT-ARC", "STORE(left)", "STORE(right)", *REGISTERS})
    options: ClassVar[dict[str, tuple[Any, ...]]] = {"choices": ()}
    derives = "two_crossing_interval"
    up_to = UpTo(configurations=4, goals=6, reachable=6)
    dynamic = Dynamic(up_to=5, kept=(23470, 23470))

    registers: list[int]
    survivors: list[int]

    def start(self) -> None:
        """Everything in the buffer, the root as well."""
        self.stack = []
        self.buffer = list(range(self.n + 1))
        self.registers = [NONE, NONE]
        self.survivors = []

    def is_final(self) -> bool:
        """Nothing waits in the buffer or in a register."""
        return not self.buffer and self.registers == [NONE, NONE]

    def state(self) -> tuple[Hashable, ...]:
        """All that is not determined by the arcs."""
        return (tuple(self.stack), tuple(self.buffer), tuple(self.registers), self.last, self.lock)

    @property
    def last(self) -> int:
        """Rightmost token that survived the previous CLEAR."""
        return max(self.survivors, default=NONE)

    @property
    def covered(self) -> list[bool]:
        """For each register whether it is filled and spanned by an arc."""
        return [register != NONE and self.covers(register) for register in self.registers]

    @property
    def lock(self) -> int:
        """Rightmost stack token that is spanned by an arc of R1 built while R2 was empty."""
        spanned = [token for token in self.stack if any(between(token, *arc[:2]) for arc in self.early_arcs())]
        return max(spanned, default=NONE)

    @property
    def lock_once(self) -> int:
        """The same over all tokens that were on the stack when the arc was drawn, popped since or not.

        What an update by max(lock, s2) stores. It forbids nothing that `lock` allows: right of R1, tokens below a
        spanned one are spanned; left of R1 no arc to b1 is legal anyway.
        """
        spanned = [token for arc in self.early_arcs() for token in arc.when[1] if between(token, *arc[:2])]
        return max(spanned, default=NONE)

    def early_arcs(self) -> list[Arc]:
        """Arcs of R1 built while R2 was empty, as long as it is."""
        one, two = self.registers
        if one == NONE or two != NONE:
            return []
        return [arc for arc in self.drawn if arc.when[0] == (one, NONE) and one in arc[:2]]

    def draw(self, head: int, dependent: int, label: str | None, when: Any = None) -> None:
        """Add an arc, and remember what was in the registers and on the stack."""
        super().draw(head, dependent, label, (tuple(self.registers), tuple(self.stack)))

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
        if move in STORES:
            return self.may_store(move)
        if move == "CLEAR":
            return self.may_clear()
        k, to_register = self.parse(move)
        register = self.registers[k - 1]
        if register == NONE or not self.stack or not self.undisturbed(k):
            return False
        if to_register:
            return self.may_head(self.s1, register) and self.no_jump_to_register(k)
        return self.may_head(register, self.s1) and self.no_jump_to_stack(k)

    @staticmethod
    def parse(move: str) -> tuple[int, bool]:
        """The register and the direction of a REGISTER move."""
        return int(move[len("REGISTER(")]), move.endswith("to-register)")

    def may_join(self) -> bool:
        """Whether s1 and b1 may be joined: no filled register between them, and s1 is not locked."""
        if not self.stack or not self.buffer:
            return False
        one, two = self.registers
        if any(register != NONE and between(register, self.s1, self.b1) for register in self.registers):
            return False
        return not (one != NONE and two == NONE and self.s1 <= self.lock)

    def may_store(self, move: str) -> bool:
        """Whether b1 may enter a register."""
        one, two = self.registers
        if not self.buffer or self.b1 <= self.last or two != NONE:
            return False
        if move == "STORE(none)":
            return True
        if one == NONE:
            return False
        return self.may_head(self.b1, one) if move == "STORE(left)" else self.may_head(one, self.b1)

    def may_clear(self) -> bool:
        """Whether the registers may be emptied."""
        one, two = self.registers
        if one == NONE or (two == NONE and self.buffer):
            return False
        if self.s2 != NONE and not self.s2 < one:
            return False
        if two != NONE and self.s1 != NONE and between(self.s1, one, two):
            return False
        return self.no_loss()

    def no_loss(self) -> bool:
        """Whether each register token that CLEAR drops has a head."""
        return all(
            self.has_head(register) for register, covered in zip(self.registers, self.covered, strict=True) if covered
        )

    def undisturbed(self, k: int) -> bool:
        """Conditions T1 (intervals stay disjoint) and T2 (only arcs of registers are crossed)."""
        if not (self.s1 > self.last or (k == 1 and not self.covered[0])):
            return False
        two = self.registers[1]
        return two == NONE or self.s2 == NONE or self.s2 < two

    def no_jump_to_register(self, k: int) -> bool:
        """Condition T3 for s1 -> Rk: the head of s1 does not lie between them."""
        head = self.head(self.s1)
        return head == NONE or not between(head, self.s1, self.registers[k - 1])

    def no_jump_to_stack(self, k: int) -> bool:
        """Condition T3 for Rk -> s1: s1 has no register as child beyond Rk."""
        other = self.registers[2 - k]
        if other == NONE:
            return True
        return not (self.head(other) == self.s1 and between(self.registers[k - 1], self.s1, other))

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
        elif move in STORES:
            if move == "STORE(left)":
                self.draw(self.b1, self.registers[0], label)
            elif move == "STORE(right)":
                self.draw(self.registers[0], self.b1, label)
            self.registers[self.registers.index(NONE)] = self.buffer.pop(0)
        elif move == "CLEAR":
            self.clear()
        else:
            k, to_register = self.parse(move)
            register = self.registers[k - 1]
            if to_register:
                self.draw(self.s1, register, label)
            else:
                self.draw(register, self.s1, label)
                if self.s1 < register:
                    self.stack.pop()

    def clear(self) -> None:
        """Empty the registers."""
        one, two = self.registers
        covered = self.covered
        before_front = (self.buffer[0] if self.buffer else self.n + 1) - 1
        survivors = {self.stack.pop()} if self.stack else set()
        returning = {token for token in (*survivors, two) if token == before_front and token != NONE}
        survivors |= {token for token, cover in ((one, covered[0]), (two, covered[1])) if token != NONE and not cover}
        self.stack += sorted(survivors - returning)
        self.buffer = sorted(returning) + self.buffer
        self.survivors = sorted(survivors | returning)
        self.registers = [NONE, NONE]

    @staticmethod
    def bound(n: int) -> int:
        """The root is one of the words of the buffer."""
        return 5 * (n + 1)


class TwoRegistersPrinted(TwoRegisters):
    """The system as printed: no lock, no head conditions on CLEAR, other conditions on register arcs."""

    name = "two-registers/printed"
    exact = False
    up_to = UpTo(configurations=4, goals=6, reachable=6)
    dynamic = None

    @property
    def lock(self) -> int:
        """There is none."""
        return NONE

    def no_loss(self) -> bool:
        """Headless register tokens may be dropped."""
        return True

    def undisturbed(self, k: int) -> bool:
        """s1 right of the last survivor, or R1 uncovered; s2 left of the rightmost register."""
        if not (self.s1 > self.last or (k == 1 and not self.covered[0])):
            return False
        return self.s2 == NONE or self.s2 < max(self.registers)

    def close_and_far(self) -> list[int]:
        """Rclose and Rfar as seen from s1."""
        return self.registers if self.s1 < self.registers[0] else self.registers[::-1]

    def no_jump_to_register(self, k: int) -> bool:
        """The arc Rclose -> s1 does not exist."""
        close, _ = self.close_and_far()
        return close == NONE or not self.has_arc(close, self.s1)

    def no_jump_to_stack(self, k: int) -> bool:
        """The arc s1 -> Rfar does not exist."""
        _, far = self.close_and_far()
        return far == NONE or not self.has_arc(self.s1, far)
