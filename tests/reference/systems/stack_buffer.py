"""Systems whose control state is one stack and one buffer."""

from __future__ import annotations

from collections.abc import Hashable

from tests.reference.base import NONE, System


class StackBufferSystem(System):
    """A stack (top last) and a buffer (front first)."""

    stack: list[int]
    buffer: list[int]

    def start(self) -> None:
        """Root on the stack, words in the buffer."""
        self.stack = [0]
        self.buffer = list(range(1, self.n + 1))

    def is_final(self) -> bool:
        """The buffer is empty."""
        return not self.buffer

    def state(self) -> tuple[Hashable, ...]:
        """The stack and the buffer."""
        return (tuple(self.stack), tuple(self.buffer))

    @property
    def s1(self) -> int:
        """Top of the stack, or -1."""
        return self.stack[-1] if self.stack else NONE

    @property
    def s2(self) -> int:
        """Second on the stack, or -1."""
        return self.stack[-2] if len(self.stack) > 1 else NONE

    @property
    def b1(self) -> int:
        """Front of the buffer, or -1."""
        return self.buffer[0] if self.buffer else NONE

    def shift(self) -> None:
        """Move the front of the buffer onto the stack."""
        self.stack.append(self.buffer.pop(0))
