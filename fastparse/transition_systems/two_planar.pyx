"""2-planar (Gómez-Rodríguez and Nivre, 2010): two planar stacks over one buffer, k-planar with k = 2.

    move        from                to                     legal when
    SHIFT       (S, T, b|B)         (S|b, T|b, B)          -
    REDUCE      (S|s, T, B)         (S, T, B)              -
    LEFT-ARC    (S|s, T, b|B)       the same        b->s   s is not the root and has no head; no cycle
    RIGHT-ARC   (S|s, T, b|B)       the same        s->b   b is not the root and has no head; no cycle
    SWITCH      (S, T, B)           (T, S, B)              the last move was not SWITCH

Starts with empty stacks and 0..n (root="token") or 1..n (root="absent") in the buffer; final when that is empty.
Whether an arc would close a cycle takes O(log n) to find out, as k_planar.pyx explains.

The static oracles assign crossed arcs to planes, then build each plane as k_planar.pyx says. Arcs connected by
crossings leave one choice together: which of their two colours is which plane. For a given assignment no derivation has
fewer SWITCHes.

greedy: when the first arc of such a component is due, it takes the active plane. Linear.
fewest: the assignment with fewest SWITCHes, by dynamic programming over the words where crossed arcs end. Which planes
the arcs ending at a word need decides whether the active plane changes there: not if it is the only one needed or none
is, once otherwise. What is needed depends on the choices of the components that are open at the word, that is, have
both ended and unended arcs. Refused where too many are open at once.

The dynamic oracle keeps to the planes of the static derivation. A crossed gold arc can be drawn if one of its words is
in the buffer, the other there or on the stack of the arc's plane, and its dependent has no head; an uncrossed one from
either stack. All such arcs can be drawn together, but for one in each cycle they make with the arcs drawn: then a
move's cost is twice the number of arcs it loses, and one for each uncrossed arc that it leaves to the other stack
alone. SWITCH is free where arcs of b can be drawn from the other stack and none from the active one, and costs one
elsewhere.

That is not exact: another choice of planes may keep more, and SWITCH cannot be made twice in a row. From all
configurations and trees of three words together it draws 98.6% of the arcs that can be drawn.
"""

from fastparse.transition_systems.k_planar import system_of_planes

from libc.stdlib cimport free, malloc

from fastparse.machine.spec cimport Spec
from fastparse.machine.state cimport Arena, NONE, State, int32_t, int64_t, uint32_t
from fastparse.machine.system cimport System
from fastparse.transition_systems.k_planar cimport (
    ANY_PLANE, ARC_PLANE, AS_IT_IS, COMPONENT, ENDING, EXCHANGED, LEFT_ARC, N_PLANES_SCRATCH, NEXT_ENDING, REDUCE,
    RIGHT_ARC, SHIFT, SWITCH, next_in_planes, take_requested)
from fastparse.transition_systems.oracle cimport (
    DynamicOracle, Gold, NO_MEMORY, OUTSIDE, READY, StaticOracle, TOO_MANY, cheapest, losses)
from fastparse.trees.crossing cimport list_by_right_end
from fastparse.trees.planes cimport Colours, colour_arcs, colour_of, colours_in, component_of

cdef enum:
    N_MOVES = SWITCH + 1

cdef enum:
    GREEDY, FEWEST              # Gold.options

cdef enum:
    # Gold.scratch, behind that of k_planar.pxd
    PLANE = N_PLANES_SCRATCH    # [component] plane of its representative, or NONE
    FIRST_END                   # [component] the first word where one of its arcs ends
    LAST_END                    # [component] the last one
    SLOT                        # [component] number of its choice among those that are open together
    EVENT                       # [event] the word
    N_SCRATCH

cdef enum:
    MOST_OPEN = 14
    MOST_STEPS = 1 << 24        # events times states of the exact search
    UNREACHED = 1 << 30

cdef enum:
    # Bits of a word: in the buffer, on the stacks of the planes.
    ACTIVE = 1, INACTIVE = 2, EITHER = 3


def make(root: str) -> System:
    """The 2-planar system with or without the root in the buffer."""
    return system_of_planes("2-planar", 2, "cycle", root)


# ── the static oracle ──

cdef int fewest_switches(Gold* gold, Colours* k) noexcept nogil:
    """Sets the planes of all components; READY, TOO_MANY or NO_MEMORY.

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


cdef int prepare(const Spec* spec, Gold* gold) noexcept nogil:
    cdef Colours k = colours_in(&gold.tree, 0)
    cdef int32_t m, root
    cdef int status = READY
    list_by_right_end(&gold.tree, True, gold.scratch[ENDING], gold.scratch[NEXT_ENDING])
    if gold.choices != NULL:
        return take_requested(gold, 2)
    if not colour_arcs(&gold.tree, True, &k, gold.scratch[ENDING], gold.scratch[NEXT_ENDING]):
        return OUTSIDE
    if gold.options == FEWEST:
        status = fewest_switches(gold, &k)
    for m in range(1, gold.n + 1):
        root = component_of(&k, m)
        gold.scratch[EXCHANGED][m] = 0
        gold.scratch[ARC_PLANE][m] = colour_of(&k, m)
        if k.size[root] == 1:
            gold.scratch[COMPONENT][m] = ANY_PLANE
        elif gold.options == FEWEST:
            gold.scratch[ARC_PLANE][m] ^= gold.scratch[PLANE][root]
            gold.scratch[COMPONENT][m] = AS_IT_IS
        else:
            gold.scratch[COMPONENT][m] = root
    return status


ORACLE = StaticOracle.wrap(next_in_planes, prepare, N_SCRATCH, True, ("greedy", "fewest"))


# ── the dynamic oracle ──

cdef inline bint cross(int32_t x, int32_t y, int32_t u, int32_t v) noexcept nogil:
    """Whether the arcs between two pairs of words, each with the smaller first, cross."""
    return x < u < y < v or u < x < v < y


cdef void note(const Spec* spec, const Arena* a, const State* c, int32_t move, const int32_t* head,
               int32_t* scratch) noexcept nogil:
    """Keeps the plane of each crossed arc; NONE for others."""
    cdef int32_t* plane = scratch + 3 * (a.n + 1)
    cdef int32_t h = NONE, d = NONE, w, low, high
    if move != LEFT_ARC and move != RIGHT_ARC:
        return
    spec.arc(spec, a, c, move, &h, &d)
    low, high = min(h, d), max(h, d)
    for w in range(1, a.n + 1):
        if cross(low, high, min(w, head[w]), max(w, head[w])):
            plane[d] = c.plane[0]
            return


cdef uint32_t best_moves(const Spec* spec, const Arena* a, const State* c, const int32_t* head, int32_t* scratch,
                         uint32_t legal) noexcept nogil:
    cdef int32_t n = a.n, b = c.next, m, w, k, link, low, high, first, usable, left_over
    cdef int32_t s = a.links[c.stack[0]].word if c.stack[0] >= 0 else NONE
    cdef int32_t* parent = scratch
    cdef int32_t* where = scratch + 2 * (n + 1)
    cdef const int32_t* plane = scratch + 3 * (n + 1)
    cdef int32_t cost[N_MOVES]
    cdef bint due_here = False, due_there = False
    for w in range(n + 1):
        where[w] = EITHER if w >= b else 0
    for k in range(2):
        link = c.stack[k]
        while link >= 0:
            where[a.links[link].word] |= ACTIVE << k
            link = a.links[link].below
    for m in range(N_MOVES):
        if not legal >> m & 1:
            continue
        if m == REDUCE:
            where[s] &= ~ACTIVE
        first = b + 1 if m == SHIFT else b
        left_over = 0
        for w in range(1, n + 1):
            low, high = min(w, head[w]), max(w, head[w])
            parent[w] = a.cells[w].head
            if parent[w] >= 0 or high < first:
                continue
            usable = where[low]
            if plane[w] >= 0:
                usable &= ACTIVE if plane[w] == c.plane[0] else INACTIVE
            elif usable == INACTIVE:
                left_over += 1
            if usable:
                parent[w] = head[w]
                if m == SWITCH and high == b:
                    due_here = due_here or usable & ACTIVE
                    due_there = due_there or usable == INACTIVE
        if m == REDUCE:
            where[s] |= ACTIVE
        elif m == LEFT_ARC:
            parent[s] = b
        elif m == RIGHT_ARC:
            parent[b] = s
        cost[m] = 2 * losses(n, head, parent, scratch + n + 1) + left_over
        if m == SWITCH:
            cost[m] += due_here or not due_there
    return cheapest(cost, N_MOVES, legal)


DYNAMIC = DynamicOracle.wrap(best_moves, note)
