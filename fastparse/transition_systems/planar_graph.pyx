"""Planar and 2-planar graphs (Gómez-Rodríguez and Nivre, 2013): words may have several heads.

    move        from                to                    legal when
    SHIFT       (S, T, b|B)         (S|b, T|b, B)         -
    REDUCE      (S|s, T, B)         (S, T, B)             covered_roots=False: s has a head
    LEFT-ARC    (S|s, T, b|B)       the same       b->s   the arc is new, s is not the root, and the constraints hold
    RIGHT-ARC   (S|s, T, b|B)       the same       s->b   the arc is new, b is not the root, and the constraints hold
    SWITCH      (S, T, B)           (T, S, B)             the last move was not SWITCH

planar/graph has the stack S alone and no SWITCH; 2-planar/graph is the system of section 5.1, before it is restricted
to trees. Starts with empty stacks and 1..n (root="absent") or 0..n (root="token") in the buffer; final when that is
empty.

Arcs are new if they differ from all others in head, dependent or label; what is drawn without a label can have any, and
only arcs that have one may come before it between the same words. doubles=False: two words have one arc in each
direction at most. single_head: the dependent has no head. acyclic: the dependent does not reach the head, by a search
along the arcs, as with several heads a component may be entered twice without a cycle. The search is linear in the
arcs; all else takes constant time, and O(log n) in a beam (words.pxd): while b is the front, what s has got since is
an arc from or to b.

A derivation has n SHIFTs, at most n REDUCEs per stack, a move per arc, and one SWITCH more than that at most between
the other moves.

dag/arc-eager is one of these systems: arc-eager for directed acyclic graphs (Sagae and Tsujii, 2008), which builds
planar graphs without covered roots.

    move        from           to                 legal when
    SHIFT       (S, b|B)       (S|b, B)           -
    REDUCE      (S|s, B)       (S, B)             s has a head
    LEFT-ARC    (S|s, b|B)     (S|s, b|B)  b->s   the arc is new, its opposite does not exist; acyclic: no cycle
    RIGHT-ARC   (S|s, b|B)     (S|s, b|B)  s->b   the arc is new, its opposite does not exist; acyclic: no cycle

As printed (acyclic=False) it excludes only cycles of two arcs.

The static oracle takes the arcs between two words together. With two stacks their crossings must be coloured with two
colours, the planes; what crosses nothing takes the plane that is at hand. At each buffer front it draws all arcs to its
left, those of the active plane first, the nearest first; what is in between lacks nothing in that plane.

    LEFT-ARC, RIGHT-ARC    the next of these arcs of the active plane is between s and b
    REDUCE                 it starts further left
    SWITCH                 there is none left in the active plane, but one in the other
    SHIFT                  there is none left

greedy: when the first arc of a component of crossing arcs is due, it takes the active plane. Linear but for union-find.
fewest: the planes with fewest SWITCHes, as two_planar.pyx finds them.
"""

from libc.stdlib cimport free, malloc

from fastparse.machine.operations cimport (
    NEWEST_IN, NEWEST_OUT, buffer_empty, draw_arc, start_graph)
from fastparse.machine.spec cimport GRAPH, OVER_WORDS, ROOT_IN_BUFFER, Spec
from fastparse.machine.state cimport Arena, Drawn, NO_LABEL, NONE, State, int32_t, uint32_t
from fastparse.machine.system cimport System
from fastparse.machine.words cimport cell_of, own_word, pop_word, push_word, reaches, top_word
from fastparse.transition_systems.k_planar cimport ENDING, NEXT_ENDING
from fastparse.transition_systems.oracle cimport Gold, NO_MEMORY, OUTSIDE, READY, StaticOracle
from fastparse.transition_systems.two_planar cimport (
    EVENT, FEWEST, N_SCRATCH, PLANE, fewest_switches)
from fastparse.trees.planes cimport COLOUR_AREAS, Colours, colour_of, colour_spans, component_of

cdef enum:
    SWITCHED = 1                # State.own_flags: the last move was SWITCH


cdef bint are_joined(
    const Spec* spec, const Arena* a, int32_t s, int32_t b, bint to_left, bint any_label
) noexcept nogil:
    """Whether an arc leads from s to b, or from b to s: without a label, or with any. s is a cell, b the front."""
    cdef const Drawn* arc
    cdef int32_t k = a.cells[s].own[NEWEST_IN if to_left else NEWEST_OUT]
    while k >= 0:
        arc = &a.graph.arcs[k]
        if (arc.head if to_left else arc.dependent) != b:
            return False
        if any_label or arc.label == NO_LABEL:
            return True
        k = arc.next_in if to_left else arc.next_out
    return False


cdef inline bint may_draw(const Spec* spec, const Arena* a, const State* c, int32_t s, int32_t b, int32_t s_cell,
                          int32_t b_cell, bint to_left) noexcept nogil:
    cdef int32_t head = b if to_left else s, dependent = s if to_left else b
    if dependent == 0 or are_joined(spec, a, s_cell, b, to_left, spec.options & SINGLE_LABEL):
        return False
    if spec.options & SINGLE_HEAD and a.cells[s_cell if to_left else b_cell].own[NEWEST_IN] >= 0:
        return False
    if spec.options & NO_OPPOSITE and are_joined(spec, a, s_cell, b, not to_left, True):
        return False
    return not (spec.options & ACYCLIC and reaches(a, c, dependent, head))


cdef uint32_t legal(const Spec* spec, const Arena* a, const State* c) noexcept nogil:
    cdef int32_t s = top_word(a, c, 0), b = c.next, s_cell, b_cell
    cdef uint32_t moves = <uint32_t>1 << SHIFT
    if b > a.n:
        return 0
    if spec.n_stacks > 1 and not c.own_flags & SWITCHED:
        moves |= <uint32_t>1 << SWITCH
    if s < 0:
        return moves
    s_cell, b_cell = cell_of(a, c, s), cell_of(a, c, b)
    if not spec.options & HEADED_ONLY or a.cells[s_cell].own[NEWEST_IN] >= 0:
        moves |= <uint32_t>1 << REDUCE
    if may_draw(spec, a, c, s, b, s_cell, b_cell, True):
        moves |= <uint32_t>1 << LEFT_ARC
    if may_draw(spec, a, c, s, b, s_cell, b_cell, False):
        moves |= <uint32_t>1 << RIGHT_ARC
    return moves


cdef void apply(const Spec* spec, Arena* a, State* c, int32_t move, int32_t label) noexcept nogil:
    cdef int32_t s, b, k
    c.own_flags = SWITCHED if move == SWITCH else 0
    if move == SHIFT:
        for k in range(spec.n_stacks):
            push_word(a, c, k, c.next)
        c.next += 1
    elif move == REDUCE:
        pop_word(a, c, 0)
    elif move == SWITCH:
        c.stack[0], c.stack[1] = c.stack[1], c.stack[0]
        c.plane[0], c.plane[1] = c.plane[1], c.plane[0]
    else:
        s = own_word(a, c, top_word(a, c, 0))
        b = own_word(a, c, c.next)
        if move == LEFT_ARC:
            draw_arc(a, b, s, label)
        else:
            draw_arc(a, s, b, label)


cdef void arc(const Spec* spec, const Arena* a, const State* c, int32_t move, int32_t* head,
              int32_t* dependent) noexcept nogil:
    cdef int32_t s = cell_of(a, c, top_word(a, c, 0)), b = cell_of(a, c, c.next)
    if move == LEFT_ARC:
        head[0], dependent[0] = b, s
    else:
        head[0], dependent[0] = s, b


cdef System graph_system(str name, int32_t n_stacks, uint32_t traits, int32_t options):
    cdef Spec spec = Spec(
        n_moves=SWITCH if n_stacks == 1 else N_MOVES, labelled=(1 << LEFT_ARC) | (1 << RIGHT_ARC),
        drawing=(1 << LEFT_ARC) | (1 << RIGHT_ARC), leftward=1 << LEFT_ARC, traits=traits | GRAPH | OVER_WORDS,
        n_stacks=n_stacks, cells_per_move=2, options=options, data=NULL, start=start_graph, legal=legal, apply=apply,
        is_final=buffer_empty, arc=arc)
    moves = ("SHIFT", "REDUCE", "LEFT-ARC", "RIGHT-ARC")
    if n_stacks == 1:
        return System.wrap(&spec, name, moves)
    return System.wrap(&spec, name, (*moves, "SWITCH"), "", None, ("inactive",), {"switched": SWITCHED})


cdef uint32_t traits_of(str root):
    return ROOT_IN_BUFFER if root == "token" else 0


cdef int32_t options_of(bint single_head, bint acyclic, bint doubles):
    return (SINGLE_HEAD if single_head else 0) | (ACYCLIC if acyclic else 0) | (0 if doubles else SINGLE_LABEL)


def make(single_head: bool, acyclic: bool, covered_roots: bool, root: str, doubles: bool) -> System:
    """The planar system for graphs with these constraints."""
    return graph_system("planar/graph", 1, traits_of(root), options_of(single_head, acyclic, doubles)
                        | (0 if covered_roots else HEADED_ONLY))


def make_two(single_head: bool, acyclic: bool, root: str, doubles: bool) -> System:
    """The 2-planar system for graphs with these constraints."""
    return graph_system("2-planar/graph", 2, traits_of(root), options_of(single_head, acyclic, doubles))


def make_dag(acyclic: bool, root: str, doubles: bool) -> System:
    """dag/arc-eager, with or without the search for cycles."""
    return graph_system("dag/arc-eager", 1, traits_of(root), options_of(False, acyclic, doubles)
                        | HEADED_ONLY | NO_OPPOSITE)


# ── the static oracle ──
#
# Edges are pairs of words with arcs between them, numbered from 1 on by their left ends.

cdef enum:
    # Edges.rows, besides those of two_planar.pxd: [edge] unless it is said otherwise
    LEFT = N_SCRATCH            # the left word
    FIRST_ARC                   # its arcs; those without a label are the last
    LAST_ARC
    COLOUR                      # the plane, or the side of its component
    COMPONENT                   # the component of crossing arcs, 0 where it crosses nothing
    EXCHANGED                   # [component] 1 + whether the sides change places, 0 while undecided
    COLOURS                     # room for Colours
    N_ROWS = COLOURS + COLOUR_AREAS

cdef enum:
    # Gold.value
    DUE                         # the buffer front whose edges have been placed, plus 1
    TODO                        # next edge of plane 0, of plane 1
    ARC = TODO + 2              # the next arc of the edge at hand, plus 1; 0: its first

cdef struct Edges:
    int32_t size                # of a row
    int32_t* numbers            # N_ROWS rows, then a number per arc
    int32_t* next_arc           # [arc] between the same words


cdef inline int32_t* row(const Edges* e, int32_t which) noexcept nogil:
    return e.numbers + <size_t>which * e.size


cdef void close(Gold* gold) noexcept nogil:
    cdef Edges* e = <Edges*>gold.extra
    if e != NULL:
        free(e.numbers)
        free(e)
        gold.extra = NULL


cdef int32_t list_edges(const Gold* gold, Edges* e) noexcept nogil:
    """Groups the arcs and lists the edges by right end, the nearest start first; returns their number."""
    cdef int32_t* starting = row(e, EVENT)
    cdef int32_t* next_starting = row(e, N_ROWS)
    cdef int32_t* ending = row(e, ENDING)
    cdef int32_t* left = row(e, LEFT)
    cdef int32_t w, k, right, n = 0
    for w in range(e.size):
        starting[w] = ending[w] = NONE
    for k in range(gold.n_arcs - 1, -1, -1):
        w = min(gold.arc_head[k], gold.arc_dependent[k])
        next_starting[k] = starting[w]
        starting[w] = k
    for w in range(gold.n + 1):
        k = starting[w]
        while k >= 0:
            right = max(gold.arc_head[k], gold.arc_dependent[k])
            e.next_arc[k] = NONE
            if ending[right] >= 0 and left[ending[right]] == w:
                e.next_arc[row(e, LAST_ARC)[ending[right]]] = k
            else:
                n += 1
                left[n] = w
                row(e, FIRST_ARC)[n] = k
                row(e, NEXT_ENDING)[n] = ending[right]
                ending[right] = n
            row(e, LAST_ARC)[ending[right]] = k
            k = next_starting[k]
    return n


cdef int choose_planes(const Gold* gold, Edges* e, int32_t n) noexcept nogil:
    """READY, OUTSIDE, TOO_MANY or NO_MEMORY."""
    cdef Gold of_edges = gold[0]
    cdef Colours k = Colours(
        row(e, COLOURS), row(e, COLOURS + 1), row(e, COLOURS + 2), row(e, COLOURS + 3), row(e, COLOURS + 4),
        row(e, COLOURS + 5), row(e, COLOURS + 6))
    cdef int32_t edge, root, i
    cdef int status = READY
    if not colour_spans(gold.n, n, row(e, LEFT), &k, row(e, ENDING), row(e, NEXT_ENDING)):
        return OUTSIDE
    if gold.options == FEWEST:
        of_edges.n = e.size - 2
        for i in range(N_SCRATCH):
            of_edges.scratch[i] = row(e, i)
        status = fewest_switches(&of_edges, &k)
    for edge in range(1, n + 1):
        root = component_of(&k, edge)
        row(e, COLOUR)[edge] = colour_of(&k, edge)
        row(e, COMPONENT)[edge] = root if k.size[root] > 1 else 0
        row(e, EXCHANGED)[edge] = 0
        if gold.options == FEWEST and root == edge and k.size[root] > 1:
            row(e, EXCHANGED)[edge] = 1 + row(e, PLANE)[edge]
    return status


cdef int prepare(const Spec* spec, Gold* gold) noexcept nogil:
    cdef Edges* e
    cdef int32_t n, edge
    close(gold)
    e = <Edges*>malloc(sizeof(Edges))
    if e == NULL:
        return NO_MEMORY
    e.size = max(gold.n, gold.n_arcs) + 2
    e.numbers = <int32_t*>malloc(((<size_t>N_ROWS + 1) * e.size + gold.n_arcs) * sizeof(int32_t))
    e.next_arc = row(e, N_ROWS + 1)
    gold.extra = e
    if e.numbers == NULL:
        return NO_MEMORY
    n = list_edges(gold, e)
    if spec.n_stacks > 1:
        return choose_planes(gold, e, n)
    for edge in range(1, n + 1):
        row(e, COLOUR)[edge] = row(e, COMPONENT)[edge] = 0
    return READY


cdef inline int32_t plane_of(const Edges* e, int32_t edge, int32_t active) noexcept nogil:
    """The plane of an edge that crosses others, which is decided now if it was open."""
    cdef int32_t* exchanged = &row(e, EXCHANGED)[row(e, COMPONENT)[edge]]
    if exchanged[0] == 0:
        exchanged[0] = 1 + (row(e, COLOUR)[edge] ^ active)
    return row(e, COLOUR)[edge] ^ (exchanged[0] - 1)


cdef void place(Gold* gold, const State* c, int32_t b) noexcept nogil:
    """Lists the edges that end at b by plane, the nearest start first."""
    cdef const Edges* e = <const Edges*>gold.extra
    cdef int32_t* next_edge = row(e, NEXT_ENDING)
    cdef int32_t active = c.plane[0], free_plane = c.plane[0], edge, following, p
    cdef int32_t tail[2]
    cdef bint needed[2]
    needed[0] = needed[1] = False
    edge = row(e, ENDING)[b]
    while edge >= 0:
        if row(e, COMPONENT)[edge]:
            needed[plane_of(e, edge, active)] = True
        edge = next_edge[edge]
    if needed[1 - active] and not needed[active]:
        free_plane = 1 - active
    gold.value[TODO] = gold.value[TODO + 1] = tail[0] = tail[1] = 0
    edge = row(e, ENDING)[b]
    while edge >= 0:
        following = next_edge[edge]
        p = plane_of(e, edge, active) if row(e, COMPONENT)[edge] else free_plane
        if tail[p]:
            next_edge[tail[p]] = edge
        else:
            gold.value[TODO + p] = edge
        tail[p] = edge
        next_edge[edge] = 0
        edge = following
    gold.value[DUE] = b + 1


cdef int32_t next_move(const Spec* spec, const Arena* a, const State* c, Gold* gold) noexcept nogil:
    cdef const Edges* e = <const Edges*>gold.extra
    cdef int32_t b = c.next, k, edge
    if gold.value[DUE] != b + 1:
        place(gold, c, b)
    edge = gold.value[TODO + c.plane[0]]
    if edge:
        if top_word(a, c, 0) != row(e, LEFT)[edge]:
            return REDUCE
        k = gold.value[ARC] - 1 if gold.value[ARC] else row(e, FIRST_ARC)[edge]
        gold.value[ARC] = e.next_arc[k] + 1
        if e.next_arc[k] < 0:
            gold.value[TODO + c.plane[0]] = row(e, NEXT_ENDING)[edge]
        gold.move_arc = k
        return RIGHT_ARC if gold.arc_dependent[k] == b else LEFT_ARC
    if gold.value[TODO + 1 - c.plane[0]]:
        return SWITCH
    return SHIFT


ORACLE = StaticOracle.wrap(next_move, prepare, 0, False, ("greedy", "fewest"), close)
