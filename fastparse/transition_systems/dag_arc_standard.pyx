"""Arc-standard for directed acyclic graphs (Sagae and Tsujii, 2008): planar graphs without covered roots, bottom-up.

    move           from           to                   legal when
    SHIFT          (S, b|B)       (S|b, B)             -
    LEFT-REDUCE    (S|s, b|B)     (S, b|B)      b->s   the arc is new; acyclic: no cycle
    RIGHT-REDUCE   (S|s, b|B)     (S, s|B)      s->b   the arc is new; acyclic: no cycle
    LEFT-ATTACH    (S|s, b|B)     (S|s, b|B)    b->s   the same, and its opposite does not exist
    RIGHT-ATTACH   (S|s, b|B)     (S, s|b|B)    s->b   the same, and its opposite does not exist

Starts with the empty stack and 1..n in the buffer; final when the buffer is empty. As printed (acyclic=False) REDUCE
moves may close cycles of two arcs. The searches are linear in the arcs.
"""

from fastparse.machine.graph cimport add_arc, has_arc, reaches
from fastparse.machine.ends cimport buffer_empty, top_and_front
from fastparse.machine.operations cimport front, pop, shift, take_front, unshift
from fastparse.machine.spec cimport GRAPH, Spec
from fastparse.machine.state cimport Arena, Graph, State, int32_t, uint32_t
from fastparse.machine.system cimport System
from fastparse.transition_systems.planar_graph cimport ACYCLIC


cdef inline bint may_draw(const Spec* spec, const Graph* g, int32_t head, int32_t dependent) noexcept nogil:
    return not has_arc(g, head, dependent) and not (spec.options & ACYCLIC and reaches(g, dependent, head))


cdef uint32_t legal(const Spec* spec, const Arena* a, const State* c) noexcept nogil:
    # In the exclusive regime, which is the only one of graph systems, cells are words.
    cdef int32_t s = c.stack[0], b = front(a, c)
    cdef uint32_t moves = <uint32_t>1 << SHIFT
    if b < 0:
        return 0
    if s < 0:
        return moves
    if may_draw(spec, a.graph, b, s):
        moves |= <uint32_t>1 << LEFT_REDUCE
        if not has_arc(a.graph, s, b):
            moves |= <uint32_t>1 << LEFT_ATTACH
    if may_draw(spec, a.graph, s, b):
        moves |= <uint32_t>1 << RIGHT_REDUCE
        if not has_arc(a.graph, b, s):
            moves |= <uint32_t>1 << RIGHT_ATTACH
    return moves


cdef void apply(const Spec* spec, Arena* a, State* c, int32_t move, int32_t label) noexcept nogil:
    cdef int32_t s = c.stack[0], b = front(a, c)
    if move == SHIFT:
        shift(a, c)
        return
    if move == LEFT_REDUCE or move == LEFT_ATTACH:
        add_arc(a.graph, b, s, label)
    else:
        add_arc(a.graph, s, b, label)
    if move == LEFT_REDUCE:
        pop(a, c)
    elif move != LEFT_ATTACH:
        pop(a, c)
        if move == RIGHT_REDUCE:
            take_front(a, c)
        unshift(a, c, s)


cdef uint32_t DRAWING = (1 << LEFT_REDUCE) | (1 << RIGHT_REDUCE) | (1 << LEFT_ATTACH) | (1 << RIGHT_ATTACH)


def make(acyclic: bool) -> System:
    """The system with or without the search for cycles."""
    cdef Spec spec = Spec(
        n_moves=N_MOVES, labelled=DRAWING, drawing=DRAWING, leftward=(1 << LEFT_REDUCE) | (1 << LEFT_ATTACH),
        traits=GRAPH, n_stacks=1, cells_per_move=0, options=ACYCLIC if acyclic else 0, data=NULL, start=NULL,
        legal=legal, apply=apply, is_final=buffer_empty, arc=top_and_front)
    return System.wrap(
        &spec, "dag/arc-standard", ("SHIFT", "LEFT-REDUCE", "RIGHT-REDUCE", "LEFT-ATTACH", "RIGHT-ATTACH"))
