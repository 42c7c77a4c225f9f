"""The one walk over a plan: its groups that have something to say of the cells at hand, in order.

    cdef Walk walk = walk_over(plan, sentence, at)
    n = next_keys(&walk, keys)
    while n >= 0:
        ...                     # n features of a group
        n = next_keys(&walk, keys)
"""

from fastparse.features.plan cimport OPTIONAL, PlanC, SentenceRows, empty_positions, extract
from fastparse.machine.state cimport Cell, NONE, int32_t, uint32_t, uint64_t

cdef struct Walk:
    const PlanC* plan
    const SentenceRows* sentence
    const Cell* const* at       # [N_POSITIONS]  filled in where the plan reads
    uint32_t absent             # optional positions that are empty: what reads one of them is silent
    int32_t group               # the next to look at


cdef inline Walk walk_over(const PlanC* plan, const SentenceRows* sentence, const Cell* const* at) noexcept nogil:
    cdef uint32_t absent = empty_positions(at) if plan.positions & OPTIONAL else 0
    return Walk(plan=plan, sentence=sentence, at=at, absent=absent, group=0)


cdef inline int32_t next_group(Walk* walk) noexcept nogil:
    """The place of the next group that speaks; NONE at the end."""
    cdef int32_t g
    while walk.group < walk.plan.n_groups:
        g = walk.group
        walk.group += 1
        if not walk.plan.groups[g].required & walk.absent:
            return g
    return NONE


cdef inline int32_t next_keys(Walk* walk, uint64_t* keys) noexcept nogil:
    """Writes the keys of the next group that speaks, at most MAX_KEYS; returns their number, NONE at the end."""
    cdef int32_t g = next_group(walk)
    return extract(&walk.plan.groups[g], walk.sentence, walk.at, keys) if g >= 0 else NONE
