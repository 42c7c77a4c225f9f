"""k-planar (Gómez-Rodríguez and Nivre, 2013): k planar stacks over one buffer, here for k = 2, 3 and 4.

    move        from                     to                            legal when
    SHIFT       (S1, .., Sk, b|B)        (S1|b, .., Sk|b, B)           -
    REDUCE      (S1|s, .., Sk, B)        (S1, .., Sk, B)               -
    LEFT-ARC    (S1|s, .., Sk, b|B)      the same               b->s   s is not the root and has no head; no cycle
    RIGHT-ARC   (S1|s, .., Sk, b|B)      the same               s->b   b is not the root and has no head; no cycle
    SWITCH      (S1, S2, .., Sk, B)      (S2, .., Sk, S1, B)           fewer than k - 1 SWITCHes came before it
    SWITCH(i)   (S1, .., Si+1, .., B)    (Si+1, .., S1, .., B)         the last move was not SWITCH(j)

switch="cycle" has SWITCH, the paper's, and switch="choose" has SWITCH(1), .. SWITCH(k - 1) in its place. Starts with
empty stacks and 0..n (root="token") or 1..n (root="absent") in the buffer; final when that is empty. The first stack
is the active one.

A word lies in all stacks, so its cell is found through Words. With single heads a cycle needs an arc within a
component: components are trees of words (words.pxd), the smaller hung below the larger and never compressed, so that
a test costs O(log n) and beams share them.

A derivation has n + 1 SHIFTs, at most k(n + 1) REDUCEs and n arcs, and before and after each at most k - 1 SWITCHes:
no more than k(k + 2)(n + 1) moves.

The static oracle colours the crossing arcs with as few planes as can be, by a search where two are not enough; it
refuses trees for which the search is given up, as too hard. Then it builds each plane in turn (2-planar does the same,
with planes of its own):

    LEFT-ARC, RIGHT-ARC    the next arc that ends at b in the active plane starts at s
    REDUCE                 it starts further left
    SWITCH                 there is none left, but there is one in another plane
    SHIFT                  there is none in any

Arcs connected by crossings have planes that may change places: when the first of them is due, its plane becomes the
active one. An uncrossed arc goes to the active plane, unless b has crossed arcs in other planes only. The fewest
SWITCHes are not sought.
"""

from fastparse.machine.operations cimport connect, has_head
from fastparse.machine.spec cimport OVER_WORDS, ROOT_IN_BUFFER, Spec
from fastparse.machine.state cimport Arena, MAX_STACKS, NONE, State, int32_t, uint32_t
from fastparse.machine.system cimport System
from fastparse.machine.words cimport cell_of, component, join, own_word, pop_word, push_word, start_components, top_word
from fastparse.transition_systems.oracle cimport Gold, NO_MEMORY, OUTSIDE, READY, StaticOracle, TOO_MANY
from fastparse.trees.crossing cimport list_by_right_end
from fastparse.trees.planes cimport COLOURING_NO_MEMORY, UNDECIDED, colour_fewest
from fastparse.trees.tree cimport left_end

cdef enum:
    # State.own_flags: a bit for each of the last moves that were SWITCHes
    ONCE = 1, TWICE = 2, THRICE = 4


cdef uint32_t legal(const Spec* spec, const Arena* a, const State* c) noexcept nogil:
    cdef int32_t s = top_word(a, c, 0), b = c.next
    cdef uint32_t moves = <uint32_t>1 << SHIFT
    cdef bint left, right
    if b > a.n:
        return 0
    if spec.options & CYCLING:
        moves |= <uint32_t>(not c.own_flags >> (spec.n_stacks - 2) & 1) << SWITCH
    elif not c.own_flags:
        moves |= ((<uint32_t>1 << (spec.n_stacks - 1)) - 1) << SWITCH
    if s < 0:
        return moves
    moves |= <uint32_t>1 << REDUCE
    left = s != 0 and not has_head(a, cell_of(a, c, s))
    right = b != 0 and not has_head(a, cell_of(a, c, b))
    if (left or right) and component(a, c, s) != component(a, c, b):
        moves |= <uint32_t>left << LEFT_ARC | <uint32_t>right << RIGHT_ARC
    return moves


cdef inline void exchange(State* c, int32_t i, int32_t j) noexcept nogil:
    c.stack[i], c.stack[j] = c.stack[j], c.stack[i]
    c.plane[i], c.plane[j] = c.plane[j], c.plane[i]


cdef void apply(const Spec* spec, Arena* a, State* c, int32_t move, int32_t label) noexcept nogil:
    cdef int32_t s, b, k
    c.own_flags = c.own_flags << 1 | ONCE if move >= SWITCH else 0
    if move == SHIFT:
        for k in range(spec.n_stacks):
            push_word(a, c, k, c.next)
        c.next += 1
    elif move == REDUCE:
        pop_word(a, c, 0)
    elif move >= SWITCH:
        if spec.options & CYCLING:
            for k in range(spec.n_stacks - 1):
                exchange(c, k, k + 1)
        else:
            exchange(c, 0, move - SWITCH + 1)
    else:
        join(a, c, top_word(a, c, 0), c.next)
        s = own_word(a, c, top_word(a, c, 0))
        b = own_word(a, c, c.next)
        if move == LEFT_ARC:
            connect(a, c, b, s, label)
        else:
            connect(a, c, s, b, label)


cdef bint is_final(const Spec* spec, const Arena* a, const State* c) noexcept nogil:
    return c.next > a.n


cdef void arc(const Spec* spec, const Arena* a, const State* c, int32_t move,
              int32_t* head, int32_t* dependent) noexcept nogil:
    cdef int32_t s = cell_of(a, c, top_word(a, c, 0)), b = cell_of(a, c, c.next)
    if move == LEFT_ARC:
        head[0], dependent[0] = b, s
    else:
        head[0], dependent[0] = s, b


def make(int k, str switch, str root) -> System:
    """The system of k planes, with or without the root in the buffer."""
    return system_of_planes("k-planar", k, switch, root)


def system_of_planes(str name, int k, str switch, str root) -> System:
    """The same under any name."""
    cdef bint cycling = switch == "cycle"
    switches = ("SWITCH",) if cycling or k == 2 else ("SWITCH(1)", "SWITCH(2)", "SWITCH(3)")[:k - 1]
    moves = ("SHIFT", "REDUCE", "LEFT-ARC", "RIGHT-ARC", *switches)
    cdef Spec spec = Spec(
        n_moves=len(moves), labelled=(1 << LEFT_ARC) | (1 << RIGHT_ARC), drawing=(1 << LEFT_ARC) | (1 << RIGHT_ARC),
        leftward=1 << LEFT_ARC, traits=OVER_WORDS | (ROOT_IN_BUFFER if root == "token" else 0), n_stacks=k,
        cells_per_move=4, options=CYCLING if cycling else 0, data=NULL, start=start_components, legal=legal,
        apply=apply, is_final=is_final, arc=arc)
    flags = (("switched", ONCE), ("switched twice", TWICE), ("switched thrice", THRICE))[:k - 1 if cycling else 1]
    return System.wrap(&spec, name, moves, f"{k}-planar", None, ("inactive",), dict(flags))


# ── the static oracle ──

cdef enum:
    # Gold.value
    DUE                         # the buffer front whose arcs have been placed, plus 1
    TODO                        # next arc of plane 0, of plane 1, .., plus 1


cdef int take_requested(Gold* gold, int32_t n_planes) noexcept nogil:
    cdef int32_t m
    if gold.n_choices != gold.n:
        return OUTSIDE
    for m in range(1, gold.n + 1):
        if not 0 <= gold.choices[m - 1] < n_planes:
            return OUTSIDE
        gold.scratch[ARC_PLANE][m] = gold.choices[m - 1]
        gold.scratch[COMPONENT][m] = AS_IT_IS
    return READY


cdef int32_t plane_of(Gold* gold, int32_t arc, int32_t active) noexcept nogil:
    """The plane of an arc that is not free, which is decided now if it was open."""
    cdef int32_t plane = gold.scratch[ARC_PLANE][arc], group = gold.scratch[COMPONENT][arc], one, other
    cdef int32_t* exchanged
    if group == AS_IT_IS:
        return plane
    exchanged = &gold.scratch[EXCHANGED][group]
    if exchanged[0] == 0:
        exchanged[0] = 8 * (plane + 1) + active
    one, other = exchanged[0] // 8 - 1, exchanged[0] % 8
    return other if plane == one else one if plane == other else plane


cdef void place(Gold* gold, const State* c, int32_t n_planes, int32_t b) noexcept nogil:
    """Lists the arcs that end at b by plane, the nearest start first."""
    cdef int32_t* next_arc = gold.scratch[NEXT_ENDING]
    cdef int32_t active = c.plane[0], free_plane = c.plane[0], arc, following, p, k
    cdef int32_t tail[MAX_STACKS]
    cdef uint32_t needed = 0
    arc = gold.scratch[ENDING][b]
    while arc >= 0:
        if gold.scratch[COMPONENT][arc] != ANY_PLANE:
            needed |= <uint32_t>1 << plane_of(gold, arc, active)
        arc = next_arc[arc]
    if needed:
        for k in range(n_planes - 1, -1, -1):
            if needed >> c.plane[k] & 1:
                free_plane = c.plane[k]
    for k in range(n_planes):
        gold.value[TODO + k] = 0
        tail[k] = NONE
    arc = gold.scratch[ENDING][b]
    while arc >= 0:
        following = next_arc[arc]
        p = free_plane if gold.scratch[COMPONENT][arc] == ANY_PLANE else plane_of(gold, arc, active)
        if tail[p] < 0:
            gold.value[TODO + p] = arc + 1
        else:
            next_arc[tail[p]] = arc
        tail[p] = arc
        next_arc[arc] = NONE
        arc = following
    gold.value[DUE] = b + 1


cdef int32_t next_in_planes(const Spec* spec, const Arena* a, const State* c, Gold* gold) noexcept nogil:
    cdef int32_t b = c.next, arc, k
    if gold.value[DUE] != b + 1:
        place(gold, c, spec.n_stacks, b)
    arc = gold.value[TODO + c.plane[0]] - 1
    if arc >= 0:
        if top_word(a, c, 0) != left_end(&gold.tree, arc):
            return REDUCE
        gold.value[TODO + c.plane[0]] = gold.scratch[NEXT_ENDING][arc] + 1
        return RIGHT_ARC if arc == b else LEFT_ARC
    for k in range(1, spec.n_stacks):
        if gold.value[TODO + c.plane[k]]:
            return SWITCH if spec.options & CYCLING else SWITCH + k - 1
    return SHIFT


cdef int prepare(const Spec* spec, Gold* gold) noexcept nogil:
    cdef int32_t m, needed
    list_by_right_end(&gold.tree, True, gold.scratch[ENDING], gold.scratch[NEXT_ENDING])
    if gold.choices != NULL:
        return take_requested(gold, spec.n_stacks)
    # Components are -1 for uncrossed arcs, as ANY_PLANE is.
    needed = colour_fewest(&gold.tree, True, gold.scratch[ARC_PLANE], gold.scratch[COMPONENT])
    if needed == COLOURING_NO_MEMORY:
        return NO_MEMORY
    if needed == UNDECIDED:
        return TOO_MANY
    for m in range(gold.n + 1):
        gold.scratch[EXCHANGED][m] = 0
    return READY if needed <= spec.n_stacks else OUTSIDE


ORACLE = StaticOracle.wrap(next_in_planes, prepare, N_PLANES_SCRATCH, True)
