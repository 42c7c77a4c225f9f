"""Configurations of easy-first: a move is a kind and a place in the pending list."""

from fastparse.errors import Error, UnknownNameError
from fastparse.theory.configuration import Configuration
from fastparse.transition_systems.easy_first import SYSTEM as _SYSTEM

from fastparse.machine.state cimport NO_LABEL, int32_t
from fastparse.machine.system cimport System
from fastparse.theory.configuration cimport CellConfiguration
from fastparse.transition_systems.easy_first cimport ATTACH_LEFT, ATTACH_RIGHT, PREVIOUS, SHIFT, pending_start


def configuration(name, n) -> PendingConfiguration:
    """The initial configuration."""
    return PendingConfiguration(_SYSTEM, n)


cdef class PendingConfiguration(CellConfiguration):
    """A configuration of easy-first: see ``Configuration``."""

    # A place that is known, so that derivations which move on a little at a time take constant time per move.
    cdef int32_t known_place, known_cell

    def __cinit__(self, System system, n):
        self.known_place, self.known_cell = 1, 0
        pending_start(&self.arena, &self.state)

    cdef int32_t cell_at(self, int32_t place) noexcept:
        """The cell of the item at a place, counted from 1; -1 behind the last."""
        while self.known_place > place:
            self.known_cell = self.arena.cells[self.known_cell].own[PREVIOUS]
            self.known_place -= 1
        while self.known_place < place:
            if self.arena.cells[self.known_cell].below < 0:
                return -1
            self.known_cell = self.arena.cells[self.known_cell].below
            self.known_place += 1
        return self.known_cell

    def legal(self) -> list[str]:
        """The moves that may be made, in the order of the system's table; none when final."""
        cdef int32_t pairs = len(self.pending) - 1, i
        return ([f"ATTACH-LEFT({i})" for i in range(1, pairs + 1)]
                + [f"ATTACH-RIGHT({i})" for i in range(2, pairs + 1)])

    def apply(self, str move not None) -> None:
        """Make a move; "ATTACH-LEFT(2):nsubj" gives the arc a label."""
        cdef str full, colon, label
        cdef int32_t left = -1, kind = SHIFT
        full, colon, label = move.partition(":")
        kind_name, _, place = full.partition("(")
        if full != "SHIFT":
            digits = place.removesuffix(")")
            if (kind_name not in ("ATTACH-LEFT", "ATTACH-RIGHT") or not place.endswith(")")
                    or not (digits.isascii() and digits.isdigit()) or digits.startswith("0")):
                raise UnknownNameError(
                    f"'easy-first' has no move {full!r}; it has SHIFT, ATTACH-LEFT(i) and ATTACH-RIGHT(i) for i >= 1")
            kind = ATTACH_LEFT if kind_name == "ATTACH-LEFT" else ATTACH_RIGHT
            if int(digits) <= self.arena.n:
                left = self.cell_at(int(digits))
        if left < 0 or self.arena.cells[left].below < 0 or (kind == ATTACH_RIGHT and left == 0):
            pairs = len(self.pending) - 1
            possible = f"ATTACH-LEFT(1..{pairs}), ATTACH-RIGHT(2..{pairs})" if pairs else "nothing: it is final"
            raise Error(f"{full} is not legal in {self!r}; legal: {possible}")
        if colon and not label:
            raise Error(f"{move!r} has an empty label; leave the colon out for an arc without one")
        self.state.focus = left
        # The item at this place afterwards is the surviving one.
        self.known_cell = left if kind == ATTACH_LEFT else self.arena.cells[left].below
        self.make(kind, self.label_id(label) if colon else NO_LABEL)
        self.made.append(move)

    def copy(self) -> PendingConfiguration:
        """An independent configuration equal to this one."""
        cdef PendingConfiguration other = PendingConfiguration.__new__(
            PendingConfiguration, self.system, self.arena.n)
        other.take(self)
        other.known_place, other.known_cell = self.known_place, self.known_cell
        return other

    __copy__ = copy

    @property
    def pending(self) -> list[int]:
        """The words that are still to be joined, the root first."""
        return self.chain(0)

    @property
    def buffer(self) -> list[int]:
        """The pending list, which takes the place of the buffer."""
        return self.chain(0)

    @property
    def focus(self):
        raise AttributeError("configurations of 'easy-first' have no focus")

    def show(self) -> list[str]:
        """What the configuration consists of, as the columns of a table."""
        return ["[" + " ".join(map(str, self.pending)) + "]"]


Configuration.register(PendingConfiguration)
