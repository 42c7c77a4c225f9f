"""Planar graphs (Gómez-Rodríguez and Nivre, 2013): words may have several heads; planar.pyx has the moves.

An arc must be new and must not enter the root. single_head: its dependent has no head. acyclic: its dependent does not
reach its head, by a search along the arcs, as with several heads a component may be entered twice without a cycle.

Starts with the empty stack and 1..n in the buffer; final when the buffer is empty. A pair of stack top and buffer front
never recurs, so that only the newest arc into a word can be the one that would be drawn again.
"""

from fastparse.machine.graph cimport add_arc, is_newest, reaches
from fastparse.machine.ends cimport buffer_empty, top_and_front
from fastparse.machine.operations cimport front, pop, shift
from fastparse.machine.spec cimport GRAPH, Spec
from fastparse.machine.state cimport Arena, Graph, State, int32_t, uint32_t
from fastparse.machine.system cimport System


cdef inline bint may_draw(const Spec* spec, const Graph* g, int32_t head, int32_t dependent) noexcept nogil:
    if dependent == 0 or is_newest(g, head, dependent):
        return False
    if spec.options & SINGLE_HEAD and g.first_in[dependent] >= 0:
        return False
    if spec.options & NO_OPPOSITE and is_newest(g, dependent, head):
        return False
    return not (spec.options & ACYCLIC and reaches(g, dependent, head))


cdef uint32_t legal(const Spec* spec, const Arena* a, const State* c) noexcept nogil:
    # In the exclusive regime, which is the only one of graph systems, cells are words.
    cdef int32_t s = c.stack[0], b = front(a, c)
    cdef uint32_t moves = <uint32_t>1 << SHIFT
    if b < 0:
        return 0
    if s < 0:
        return moves
    if not spec.options & HEADED_ONLY or a.graph.first_in[s] >= 0:
        moves |= <uint32_t>1 << REDUCE
    if may_draw(spec, a.graph, b, s):
        moves |= <uint32_t>1 << LEFT_ARC
    if may_draw(spec, a.graph, s, b):
        moves |= <uint32_t>1 << RIGHT_ARC
    return moves


cdef void apply(const Spec* spec, Arena* a, State* c, int32_t move, int32_t label) noexcept nogil:
    if move == SHIFT:
        shift(a, c)
    elif move == REDUCE:
        pop(a, c)
    elif move == LEFT_ARC:
        add_arc(a.graph, front(a, c), c.stack[0], label)
    else:
        add_arc(a.graph, c.stack[0], front(a, c), label)


cdef System graph_system(str name, uint32_t traits, int32_t options):
    cdef Spec spec = Spec(
        n_moves=N_MOVES, labelled=(1 << LEFT_ARC) | (1 << RIGHT_ARC), drawing=(1 << LEFT_ARC) | (1 << RIGHT_ARC),
        leftward=1 << LEFT_ARC, traits=traits | GRAPH, n_stacks=1, cells_per_move=0, options=options, data=NULL,
        start=NULL, legal=legal, apply=apply, is_final=buffer_empty, arc=top_and_front)
    return System.wrap(&spec, name, ("SHIFT", "REDUCE", "LEFT-ARC", "RIGHT-ARC"))


def make(single_head: bool, acyclic: bool, covered_roots: bool) -> System:
    """The planar system for graphs with these constraints."""
    return graph_system("planar/graph", 0, (SINGLE_HEAD if single_head else 0) | (ACYCLIC if acyclic else 0)
                        | (0 if covered_roots else HEADED_ONLY))
