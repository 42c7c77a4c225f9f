"""Derivations of systems with a stack per plane, once it is known which arc is drawn in which plane."""

from fastparse.machine.state cimport MAX_STACKS, NONE, uint32_t
from fastparse.machine.words cimport top_word
from fastparse.oracles.oracle cimport OUTSIDE, READY
from fastparse.transition_systems.k_planar cimport CYCLING, LEFT_ARC, REDUCE, RIGHT_ARC, SHIFT, SWITCH
from fastparse.trees.tree cimport left_end

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
    cdef int32_t plane = gold.scratch[ARC_PLANE][arc], component = gold.scratch[COMPONENT][arc], one, other
    cdef int32_t* exchanged
    if component == AS_IT_IS:
        return plane
    exchanged = &gold.scratch[EXCHANGED][component]
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


cdef int32_t next_in_planes(const Oracle* oracle, const Spec* spec, const Arena* a, const State* c,
                            Gold* gold) noexcept nogil:
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
