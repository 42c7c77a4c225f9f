"""Planar graphs (Gómez-Rodríguez and Nivre, 2013): words may have several heads; planar.pyx has the moves.

An arc must be new and must not enter the root. single_head: its dependent has no head. acyclic: its dependent does not
reach its head, by a search along the arcs, as with several heads a component may be entered twice without a cycle.

Starts with the empty stack and 1..n in the buffer; final when the buffer is empty. A pair of stack top and buffer front
never recurs, so that only the newest arc into a word can be the one that would be drawn again.

dag/arc-eager is one of these systems: arc-eager for directed acyclic graphs (Sagae and Tsujii, 2008), which builds
planar graphs without covered roots.

    move        from           to                 legal when
    SHIFT       (S, b|B)       (S|b, B)           -
    REDUCE      (S|s, B)       (S, B)             s has a head
    LEFT-ARC    (S|s, b|B)     (S|s, b|B)  b->s   neither this arc nor its opposite exists; acyclic: no cycle
    RIGHT-ARC   (S|s, b|B)     (S|s, b|B)  s->b   neither this arc nor its opposite exists; acyclic: no cycle

As printed (acyclic=False) it excludes only cycles of two arcs. The search for longer ones is linear in the arcs.

The static oracle draws, at each buffer front, all arcs to its left, the nearest first; what is in between has its head
when it has to go.

    LEFT-ARC, RIGHT-ARC    the next of these arcs is between s and b
    REDUCE                 it starts further left
    SHIFT                  there is none left
"""

from fastparse.machine.operations cimport add_arc, buffer_empty, front, is_newest, pop, reaches, shift, top_and_front
from fastparse.machine.spec cimport GRAPH, Spec
from fastparse.machine.state cimport Arena, Graph, NONE, State, int32_t, uint32_t
from fastparse.machine.system cimport System
from fastparse.transition_systems.oracle cimport Gold, OUTSIDE, READY, StaticOracle


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


def make_dag(acyclic: bool) -> System:
    """dag/arc-eager, with or without the search for cycles."""
    return graph_system("dag/arc-eager", 0, HEADED_ONLY | NO_OPPOSITE | (ACYCLIC if acyclic else 0))


# ── the static oracle ──

cdef enum:
    # Gold.scratch; the lists of arcs take two rooms each, for 4 (n + 2) arcs.
    STARTING                    # [word] first arc that starts (has its left end) here
    ENDING                      # [word] first arc that ends here, the nearest start first
    NEXT_STARTING = 2           # [arc]
    NEXT_ENDING = 4             # [arc]
    N_SCRATCH = 6


cdef int prepare(const Spec* spec, Gold* gold) noexcept nogil:
    cdef int32_t* starting = gold.scratch[STARTING]
    cdef int32_t* ending = gold.scratch[ENDING]
    cdef int32_t* next_starting = gold.scratch[NEXT_STARTING]
    cdef int32_t* next_ending = gold.scratch[NEXT_ENDING]
    cdef int32_t w, k, right
    if gold.n_arcs > 4 * gold.n + 4:
        return OUTSIDE          # more than a planar graph can have
    for w in range(gold.n + 1):
        starting[w] = ending[w] = NONE
    for k in range(gold.n_arcs):
        w = min(gold.arc_head[k], gold.arc_dependent[k])
        next_starting[k] = starting[w]
        starting[w] = k
    for w in range(gold.n + 1):
        k = starting[w]
        while k >= 0:
            right = max(gold.arc_head[k], gold.arc_dependent[k])
            next_ending[k] = ending[right]
            ending[right] = k
            k = next_starting[k]
    return READY


cdef int32_t next_move(const Spec* spec, const Arena* a, const State* c, Gold* gold) noexcept nogil:
    cdef int32_t s = c.stack[0], b = front(a, c), k = gold.scratch[ENDING][b]
    if k < 0:
        return SHIFT
    if min(gold.arc_head[k], gold.arc_dependent[k]) != s:
        return REDUCE
    gold.scratch[ENDING][b] = gold.scratch[NEXT_ENDING][k]
    gold.move_arc = k
    return RIGHT_ARC if gold.arc_dependent[k] == b else LEFT_ARC


ORACLE = StaticOracle.wrap(next_move, prepare, N_SCRATCH)
