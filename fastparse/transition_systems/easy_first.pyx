"""Easy-first (Goldberg and Elhadad, 2010): projective trees; neighbours in one list are joined in any order.

    move             from                  to                            legal when
    SHIFT            p1, p2, ..            p2, ..                        p1 is not the root
    ATTACH-LEFT(i)   .., p[i], p[i+1], ..  .., p[i], ..    p[i]->p[i+1]  -
    ATTACH-RIGHT(i)  .., p[i], p[i+1], ..  .., p[i+1], ..  p[i+1]->p[i]  p[i] is not the root

Starts with 0..n pending; final when only the root is. The root never leaves and stays in front, so that SHIFT, which
sets the roots of a forest apart, has no use here. n moves to a tree.

A move is a kind and a place. SYSTEM knows the kinds only and acts on the pair at State.focus; configurations below
number the places.
"""

from fastparse.errors import Error, UnknownNameError
from fastparse.transition_systems.configuration import Configuration

from fastparse.transition_systems.arena cimport arena_copy
from fastparse.transition_systems.configuration cimport CellConfiguration
from fastparse.transition_systems.operations cimport below, word_of
from fastparse.transition_systems.spec cimport ROOT_IN_FOCUS, Spec
from fastparse.transition_systems.state cimport Arena, NO_LABEL, State, int32_t, uint32_t
from fastparse.transition_systems.system cimport System


cdef uint32_t legal(const Spec* spec, const Arena* a, const State* c) noexcept nogil:
    cdef int32_t right = below(a, c.focus)
    if right < 0:
        return 0
    return (1 << ATTACH_LEFT) | ((1 << ATTACH_RIGHT) if word_of(a, c.focus) != 0 else 0)


cdef void apply(const Spec* spec, Arena* a, State* c, int32_t move, int32_t label) noexcept nogil:
    cdef int32_t left = c.focus
    if move == SHIFT:
        return
    if move == ATTACH_RIGHT:
        c.focus = a.cells[left].below
    pending_attach(a, c, left, move == ATTACH_LEFT, label)


cdef bint is_final(const Spec* spec, const Arena* a, const State* c) noexcept nogil:
    return a.n == 0 or a.cells[0].below < 0


cdef void arc(const Spec* spec, const Arena* a, const State* c, int32_t move,
              int32_t* head, int32_t* dependent) noexcept nogil:
    if move == ATTACH_LEFT:
        head[0], dependent[0] = c.focus, below(a, c.focus)
    else:
        head[0], dependent[0] = below(a, c.focus), c.focus


cdef Spec SPEC = Spec(
    n_moves=N_MOVES, labelled=(1 << ATTACH_LEFT) | (1 << ATTACH_RIGHT),
    drawing=(1 << ATTACH_LEFT) | (1 << ATTACH_RIGHT), traits=ROOT_IN_FOCUS, n_stacks=0, cells_per_move=0, options=0,
    data=NULL, legal=legal, apply=apply, is_final=is_final, arc=arc)

SYSTEM = System.wrap(
    &SPEC, "easy-first", ("SHIFT", "ATTACH-LEFT", "ATTACH-RIGHT"), "projective", None, ("focus", "pending"))


def configuration(name, n) -> PendingConfiguration:
    """The initial configuration."""
    return PendingConfiguration(SYSTEM, n)


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
            self.known_cell = self.arena.cells[self.known_cell].base
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

    def copy(self) -> PendingConfiguration:
        """An independent configuration equal to this one."""
        cdef PendingConfiguration other = PendingConfiguration.__new__(
            PendingConfiguration, self.system, self.arena.n)
        if arena_copy(&other.arena, &self.arena, &self.system.spec) < 0:
            raise MemoryError(f"no memory for a configuration of {self.arena.n} words")
        other.state = self.state
        other.label_ids = dict(self.label_ids)
        other.label_names = list(self.label_names)
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
