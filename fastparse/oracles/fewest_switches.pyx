"""Fewest SWITCHes by dynamic programming over the words where crossed arcs end.

Which planes the arcs ending at a word need decides whether the active plane changes there: not if it is the only one
needed or none is, once otherwise. What is needed depends on the choices of the components that are open at the word.
"""

from libc.stdlib cimport free, malloc

from fastparse.machine.state cimport NONE, int64_t, uint32_t
from fastparse.oracles.oracle cimport NO_MEMORY, READY, TOO_MANY
from fastparse.oracles.planes cimport ENDING, NEXT_ENDING
from fastparse.trees.two_colouring cimport colour_of, component_of

cdef enum:
    MOST_OPEN = 14
    MOST_STEPS = 1 << 24        # events times states of the exact search
    UNREACHED = 1 << 30


cdef int fewest_switches(Gold* gold, Colours* k) noexcept nogil:
    """Sets the planes of all components.

    An event is a word where crossed arcs end. A choice has one bit per slot, the plane of the open component in it; a
    state is a choice and, as the lowest bit, the active plane.
    """
    cdef int32_t* first_end = gold.scratch[FIRST_END]
    cdef int32_t* last_end = gold.scratch[LAST_END]
    cdef int32_t* slot = gold.scratch[SLOT]
    cdef int32_t* event_at = gold.scratch[EVENT]
    cdef int32_t* came_from
    cdef int32_t* cost
    cdef int32_t* reached
    cdef int32_t n_events = 0, n_slots = 0, w, arc, root, e, state
    cdef int64_t n_states
    cdef uint32_t taken = 0
    for w in range(gold.n + 1):
        first_end[w] = NONE
    for w in range(gold.n + 1):
        arc = gold.scratch[ENDING][w]
        while arc >= 0:
            root = component_of(k, arc)
            if k.size[root] > 1:
                if first_end[root] < 0:
                    first_end[root] = w
                last_end[root] = w
                if n_events == 0 or event_at[n_events - 1] != w:
                    event_at[n_events] = w
                    n_events += 1
            arc = gold.scratch[NEXT_ENDING][arc]
    if n_events == 0:
        return READY
    # Slots for the components, reused as they close.
    for e in range(n_events):
        w = event_at[e]
        arc = gold.scratch[ENDING][w]
        while arc >= 0:
            root = component_of(k, arc)
            if k.size[root] > 1 and first_end[root] == w:
                first_end[root] = NONE - 1 - w      # has a slot now
                slot[root] = 0
                while taken >> slot[root] & 1:
                    slot[root] += 1
                if slot[root] >= MOST_OPEN:
                    return TOO_MANY
                taken |= <uint32_t>1 << slot[root]
                n_slots = max(n_slots, slot[root] + 1)
            arc = gold.scratch[NEXT_ENDING][arc]
        arc = gold.scratch[ENDING][w]
        while arc >= 0:
            root = component_of(k, arc)
            if k.size[root] > 1 and last_end[root] == w:
                taken &= ~(<uint32_t>1 << slot[root])
            arc = gold.scratch[NEXT_ENDING][arc]
    n_states = <int64_t>2 << n_slots
    if n_events * n_states > MOST_STEPS:
        return TOO_MANY
    came_from = <int32_t*>malloc(<size_t>(n_events * n_states) * sizeof(int32_t))
    cost = <int32_t*>malloc(<size_t>n_states * 2 * sizeof(int32_t))
    if came_from == NULL or cost == NULL:
        free(came_from)
        free(cost)
        return NO_MEMORY
    reached = cost + n_states
    for state in range(n_states):
        cost[state] = UNREACHED
    cost[0] = 0
    for e in range(n_events):
        event(gold, k, event_at[e], first_end, last_end, slot, <int32_t>n_states, cost, reached,
              came_from + e * n_states)
        cost, reached = reached, cost
    # No component is open now: the choice is empty, and only the active plane differs.
    state = 1 if cost[1] < cost[0] else 0
    for e in range(n_events - 1, -1, -1):
        w = event_at[e]
        state = came_from[e * n_states + state]
        arc = gold.scratch[ENDING][w]
        while arc >= 0:
            root = component_of(k, arc)
            if k.size[root] > 1:
                gold.scratch[PLANE][root] = state >> (slot[root] + 1) & 1
            arc = gold.scratch[NEXT_ENDING][arc]
        arc = gold.scratch[ENDING][w]
        while arc >= 0:
            root = component_of(k, arc)
            if k.size[root] > 1 and first_end[root] == NONE - 1 - w:
                state &= ~(2 << slot[root])
            arc = gold.scratch[NEXT_ENDING][arc]
    free(came_from)
    free(cost if cost < reached else reached)
    return READY


cdef void event(const Gold* gold, Colours* k, int32_t w, const int32_t* first_end, const int32_t* last_end,
                const int32_t* slot, int32_t n_states, const int32_t* cost, int32_t* reached,
                int32_t* came_from) noexcept nogil:
    """One step of the dynamic program. came_from: the choice at the event, and the plane that was active before."""
    cdef int32_t opening = 0, closing = 0, same = 0, other = 0, arc, root, bit, state, choice, active, after, total
    cdef int32_t all_slots = n_states // 2 - 1, in_one, in_zero, kept
    arc = gold.scratch[ENDING][w]
    while arc >= 0:
        root = component_of(k, arc)
        if k.size[root] > 1:
            bit = 1 << slot[root]
            if first_end[root] == NONE - 1 - w:
                opening |= bit
            if last_end[root] == w:
                closing |= bit
            if colour_of(k, arc):
                other |= bit
            else:
                same |= bit
        arc = gold.scratch[NEXT_ENDING][arc]
    for state in range(n_states):
        reached[state] = UNREACHED
    for choice in range(all_slots + 1):
        in_one = (choice & same) | (~choice & other)
        in_zero = (~choice & same) | (choice & other)
        kept = choice & ~closing
        for active in range(2):
            total = cost[2 * (choice & ~opening) + active]
            if total == UNREACHED:
                continue
            after = active
            if in_one and in_zero:
                after = 1 - active
            elif in_one:
                after = 1
            elif in_zero:
                after = 0
            total += after != active
            if total < reached[2 * kept + after]:
                reached[2 * kept + after] = total
                came_from[2 * kept + after] = 2 * choice + active
