"""Attardi's system with arcs of degree 2 or 3 (Attardi, 2006): all projective and many non-projective trees.

    move        from               to                   legal when
    SHIFT       (S, b|B)           (S|b, B)             -
    LEFT-ARC    (S|s, b|B)         (S, b|B)      b->s   s is not the root
    RIGHT-ARC   (S|s, b|B)         (S, s|B)      s->b   -
    LEFT-ARC2   (S|t|s, b|B)       (S|s, b|B)    b->t   t is not the root
    RIGHT-ARC2  (S|t|s, b|B)       (S|t, s|B)    t->b   -
    LEFT-ARC3   (S|u|t|s, b|B)     (S|t|s, b|B)  b->u   u is not the root
    RIGHT-ARC3  (S|u|t|s, b|B)     (S|u|t, s|B)  u->b   -

The last two with degree=3 only. Starts with the root on the stack; final when the buffer is empty. No word in sight
ever has a head.

The static oracle draws the arc of the lowest degree that is possible, and shifts otherwise. An arc is possible when its
dependent, which it removes, has all its own dependents: gold.missing counts one arc, the one to its head. This greedy
choice derives every tree that is derivable at all (checked for all trees of up to 6 words, with either degree).
"""

from fastparse.machine.operations cimport (
    below, buffer_empty, buffer_word, connect_leaving, front, own, own_front, own_top, pop, replace_front, shift,
    take_second, word_of)
from fastparse.machine.spec cimport ROOT_ON_STACK, Spec
from fastparse.machine.state cimport Arena, NONE, State, int32_t, uint32_t
from fastparse.machine.system cimport System
from fastparse.transition_systems.oracle cimport Gold, StaticOracle

cdef enum:
    SHIFT, LEFT_ARC, RIGHT_ARC, LEFT_ARC2, RIGHT_ARC2, N_MOVES
    LEFT_ARC3 = N_MOVES, RIGHT_ARC3, N_MOVES_3

cdef enum:
    LEFTWARD = (1 << LEFT_ARC) | (1 << LEFT_ARC2) | (1 << LEFT_ARC3)
    RIGHTWARD = (1 << RIGHT_ARC) | (1 << RIGHT_ARC2) | (1 << RIGHT_ARC3)


cdef inline int32_t depth_of(int32_t move) noexcept nogil:
    """How many words of the stack lie above the one that an arc joins to the buffer front."""
    return (move - LEFT_ARC) // 2


cdef inline int32_t own_second(Arena* a, State* c) noexcept nogil:
    """Makes the two topmost cells of the stack editable and returns the lower one."""
    cdef int32_t top = own_top(a, c)
    a.cells[top].below = own(a, a.cells[top].below)
    return a.cells[top].below


cdef inline int32_t take_third(Arena* a, State* c) noexcept nogil:
    """Makes the two topmost cells of the stack editable and removes the cell below them."""
    cdef int32_t second = own_second(a, c), third = a.cells[second].below
    a.cells[second].below = a.cells[third].below
    return third


cdef uint32_t legal(const Spec* spec, const Arena* a, const State* c) noexcept nogil:
    cdef int32_t cell = c.stack[0], move
    cdef uint32_t moves = 1 << SHIFT
    if front(a, c) < 0:
        return 0
    for move in range(LEFT_ARC, spec.n_moves, 2):
        if cell < 0:
            break
        moves |= (<uint32_t>(word_of(a, cell) != 0) << move) | (<uint32_t>2 << move)
        cell = below(a, cell)
    return moves


cdef void apply(const Spec* spec, Arena* a, State* c, int32_t move, int32_t label) noexcept nogil:
    cdef int32_t head, dependent
    if move == SHIFT:
        shift(a, c)
        return
    if LEFTWARD >> move & 1:
        dependent = (
            pop(a, c) if move == LEFT_ARC else take_second(a, c) if move == LEFT_ARC2 else take_third(a, c))
        head = own_front(a, c)
    else:
        dependent = replace_front(a, c)
        head = c.returned if move == RIGHT_ARC else own_top(a, c) if move == RIGHT_ARC2 else own_second(a, c)
    connect_leaving(a, c, head, dependent, label)


cdef void arc(const Spec* spec, const Arena* a, const State* c, int32_t move,
              int32_t* head, int32_t* dependent) noexcept nogil:
    cdef int32_t place = c.stack[0]
    for _above in range(depth_of(move)):
        place = below(a, place)
    if LEFTWARD >> move & 1:
        head[0], dependent[0] = front(a, c), place
    else:
        head[0], dependent[0] = place, front(a, c)


def make(int degree) -> System:
    """The system with arcs of degree 2 at most, or 3."""
    cdef int32_t n_moves = N_MOVES if degree == 2 else N_MOVES_3
    cdef uint32_t all_moves = (1 << n_moves) - 1
    cdef Spec spec = Spec(
        n_moves=n_moves, labelled=(LEFTWARD | RIGHTWARD) & all_moves, drawing=(LEFTWARD | RIGHTWARD) & all_moves,
        leftward=LEFTWARD & all_moves, traits=ROOT_ON_STACK, n_stacks=1, cells_per_move=degree, options=0, data=NULL,
        start=NULL, legal=legal, apply=apply, is_final=buffer_empty, arc=arc)
    moves = ("SHIFT", "LEFT-ARC", "RIGHT-ARC", "LEFT-ARC2", "RIGHT-ARC2", "LEFT-ARC3", "RIGHT-ARC3")
    return System.wrap(&spec, "attardi", moves[:n_moves], covers=f"attardi-{degree}")


# ── the static oracle ──

cdef int32_t next_move(const Spec* spec, const Arena* a, const State* c, Gold* gold) noexcept nogil:
    cdef int32_t b = buffer_word(a, c), cell = c.stack[0], move, s
    if b < 0:
        return NONE
    # A move to the left and one to the right for each place in reach.
    for move in range(LEFT_ARC, spec.n_moves, 2):
        if cell < 0:
            break
        s = word_of(a, cell)
        if gold.head[s] == b and gold.missing[s] == 1:
            return move
        if gold.head[b] == s and gold.missing[b] == 1:
            return move + 1
        cell = below(a, cell)
    return SHIFT


ORACLE = StaticOracle.wrap(next_move)
