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

The dynamic oracle is exact: it offers only moves after which the most arcs of the tree can still be drawn, for trees of
the class. Of these it prefers those that leave the fewest uncrossed arcs to the other stack alone, and SWITCH where
arcs of b can be drawn from there and none from here. An arc can be drawn, for itself, if its right word is in the
buffer, its left one there or on a stack, and its dependent has no head. All of them can be drawn together, but for
arcs that would close a cycle, and for arcs connected by crossings of which one can only be drawn in a plane that the
others leave to those it crosses. What has to be left out is found by leaving out, in turn, each arc of a cycle or of
the shortest chain of crossings that is at fault, with as few as will do. That takes few steps, since few arcs cross;
after 4,000 of them, or with twelve arcs left out, the oracle is satisfied with less. SWITCH cannot be made twice in a
row, so that it costs what the best move after it does.
"""

from fastparse.transition_systems.k_planar import system_of_planes

from libc.stdlib cimport free, malloc

from fastparse.machine.spec cimport Spec
from fastparse.machine.state cimport Arena, NONE, State, int32_t, int64_t, uint32_t
from fastparse.machine.system cimport System
from fastparse.transition_systems.k_planar cimport (
    ANY_PLANE, ARC_PLANE, AS_IT_IS, COMPONENT, ENDING, EXCHANGED, LEFT_ARC, NEXT_ENDING, REDUCE,
    RIGHT_ARC, SHIFT, SWITCH, next_in_planes, take_requested)
from fastparse.transition_systems.oracle cimport (
    DynamicOracle, Gold, NO_MEMORY, OUTSIDE, READY, StaticOracle, TOO_MANY, cheapest)
from fastparse.trees.crossing cimport list_by_right_end
from fastparse.trees.planes cimport Colours, colour_arcs, colour_of, colours_in, component_of

cdef enum:
    N_MOVES = SWITCH + 1

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

cdef enum:
    # Rows of the oracle's scratch, n + 1 numbers each. Those of arcs are by place in the list of crossed ones.
    PARENT = 0                  # [word] the head it has or, if that arc can still be drawn, gets
    MARK = 1                    # [word] of walks along heads
    WHERE = 2                   # [word] bits: in the buffer, on the active stack, on the other one
    IS_CROSSED = 3              # [word] whether the arc into it is crossed; NONE if not
    ARC = 5                     # [arc] its dependent
    SIDE = 6                    # [arc] its colour, where the first arc connected to it by crossings has 0
    NEEDS = 7                   # [arc] whether the colours have to be exchanged: 0, 1, or NONE for either
    CAME_FROM = 8               # [arc] of a search
    AGENDA = 9                  # [arc]
    FREE_ROWS = 10              # one for each arc that is left out
    MOST_LEFT_OUT = 12
    DEAR = 1 << 12              # an arc that is lost, against ones that wait for a SWITCH
    PATIENCE = 4000             # looks for two arcs that cannot both be drawn, of one move


cdef struct Hope:
    # The arcs of the tree that can still be drawn, each for itself.
    int32_t n
    const int32_t* head
    int32_t* scratch
    int32_t n_arcs              # crossed ones
    int32_t elsewhere           # others that can be drawn from the stack that is not active alone
    bint due_here               # the front has arcs to draw from the active stack
    bint due_there              # or from the other one alone
    int32_t patience


cdef inline int32_t* row(const Hope* hope, int32_t number) noexcept nogil:
    return hope.scratch + <int64_t>number * (hope.n + 1)


cdef inline bint cross(int32_t x, int32_t y, int32_t u, int32_t v) noexcept nogil:
    """Whether the arcs between two pairs of words, each with the smaller first, cross."""
    return x < u < y < v or u < x < v < y


cdef inline bint arcs_cross(const Hope* hope, int32_t i, int32_t j) noexcept nogil:
    cdef int32_t d = row(hope, ARC)[i], e = row(hope, ARC)[j]
    cdef int32_t h = hope.head[d], g = hope.head[e]
    return cross(min(d, h), max(d, h), min(e, g), max(e, g))


cdef void note(const Spec* spec, const Arena* a, const State* c, int32_t move, const int32_t* head,
               int32_t* scratch) noexcept nogil:
    """Marks crossed arcs."""
    cdef int32_t h = NONE, d = NONE, w, low, high
    if move != LEFT_ARC and move != RIGHT_ARC:
        return
    spec.arc(spec, a, c, move, &h, &d)
    low, high = min(h, d), max(h, d)
    for w in range(1, a.n + 1):
        if cross(low, high, min(w, head[w]), max(w, head[w])):
            scratch[IS_CROSSED * (a.n + 1) + d] = True
            return


cdef int32_t list_hopes(Hope* hope, const Arena* a, const State* c, int32_t move) noexcept nogil:
    """What can be drawn, each for itself, after a move that is no SWITCH; the arcs of the tree that cannot, counted."""
    cdef int32_t n = a.n, b = c.next, first = b + (move == SHIFT), k, link, w, low, usable, lost = 0
    cdef int32_t s = a.links[c.stack[0]].word if c.stack[0] >= 0 else NONE
    cdef int32_t* parent = row(hope, PARENT)
    cdef int32_t* where = row(hope, WHERE)
    cdef const int32_t* crossed = row(hope, IS_CROSSED)
    for w in range(n + 1):
        where[w] = EITHER if w >= b else 0
    for k in range(2):
        link = c.stack[k]
        while link >= 0:
            where[a.links[link].word] |= ACTIVE << k
            link = a.links[link].below
    if move == REDUCE:
        where[s] &= ~ACTIVE
    hope.n_arcs = hope.elsewhere = 0
    hope.due_here = hope.due_there = False
    for w in range(1, n + 1):
        parent[w] = a.cells[w].head
    if move == LEFT_ARC:
        parent[s] = b
    elif move == RIGHT_ARC:
        parent[b] = s
    for w in range(1, n + 1):
        if parent[w] < 0:
            low = min(w, hope.head[w])
            usable = where[low] if max(w, hope.head[w]) >= first else 0
            if usable:
                parent[w] = hope.head[w]
                if max(w, hope.head[w]) == b:
                    hope.due_here = hope.due_here or usable & ACTIVE
                    hope.due_there = hope.due_there or usable == INACTIVE
                if crossed[w] < 0:
                    hope.elsewhere += usable == INACTIVE
                else:
                    row(hope, ARC)[hope.n_arcs] = w
                    row(hope, NEEDS)[hope.n_arcs] = usable
                    hope.n_arcs += 1
        lost += parent[w] != hope.head[w]
    colour(hope)
    return lost


cdef void colour(const Hope* hope) noexcept nogil:
    """SIDE of all arcs, and NEEDS, which so far holds where an arc can be drawn."""
    cdef int32_t* side = row(hope, SIDE)
    cdef int32_t* needs = row(hope, NEEDS)
    cdef int32_t* agenda = row(hope, AGENDA)
    cdef int32_t i, j, first, size
    for i in range(hope.n_arcs):
        side[i] = NONE
    for first in range(hope.n_arcs):
        if side[first] >= 0:
            continue
        side[first] = 0
        agenda[0], size = first, 1
        while size > 0:
            size -= 1
            i = agenda[size]
            for j in range(hope.n_arcs):
                if side[j] < 0 and arcs_cross(hope, i, j):
                    side[j] = 1 - side[i]
                    agenda[size] = j
                    size += 1
    for i in range(hope.n_arcs):
        needs[i] = NONE if needs[i] == EITHER else side[i] ^ (needs[i] == INACTIVE)


cdef inline bint is_drawn(const Arena* a, int32_t w) noexcept nogil:
    return a.cells[w].head >= 0


cdef int32_t find_cycle(const Hope* hope, const Arena* a, int32_t* found) noexcept nogil:
    """The arcs of a cycle that could be left out; of those that are not crossed, one. 0: there is no cycle."""
    cdef const int32_t* parent = row(hope, PARENT)
    cdef const int32_t* crossed = row(hope, IS_CROSSED)
    cdef int32_t* mark = row(hope, MARK)
    cdef int32_t w, x, y, size = 0
    cdef bint plain = False
    for w in range(hope.n + 1):
        mark[w] = NONE
    for w in range(1, hope.n + 1):
        x = w
        while x > 0 and mark[x] < 0:
            mark[x] = w
            x = parent[x]
        if x <= 0 or mark[x] != w:
            continue
        y = x
        while True:
            if not is_drawn(a, y) and parent[y] == hope.head[y] and (crossed[y] >= 0 or not plain):
                plain = plain or crossed[y] < 0
                found[size] = y
                size += 1
            y = parent[y]
            if y == x:
                return size
    return 0


cdef int32_t find_chain(const Hope* hope, int32_t* found) noexcept nogil:
    """The shortest chain of crossing arcs between one that needs the colours as they are and one that does not.

    One of these arcs cannot be drawn. 0: there is none.
    """
    cdef const int32_t* needs = row(hope, NEEDS)
    cdef const int32_t* arc = row(hope, ARC)
    cdef const int32_t* parent = row(hope, PARENT)
    cdef int32_t* came_from = row(hope, CAME_FROM)
    cdef int32_t* agenda = row(hope, AGENDA)
    cdef int32_t i, j, at = 0, size = 0, length = 0
    for i in range(hope.n_arcs):
        came_from[i] = NONE
        if needs[i] == 0 and parent[arc[i]] >= 0:
            came_from[i] = i
            agenda[size] = i
            size += 1
    while at < size:
        i = agenda[at]
        at += 1
        if needs[i] == 1:
            while True:
                found[length] = arc[i]
                length += 1
                if came_from[i] == i:
                    return length
                i = came_from[i]
        for j in range(hope.n_arcs):
            if came_from[j] < 0 and parent[arc[j]] >= 0 and arcs_cross(hope, i, j):
                came_from[j] = i
                agenda[size] = j
                size += 1
    return 0


cdef bint fits(Hope* hope, const Arena* a, int32_t most, int32_t depth) noexcept nogil:
    """Whether the rest can all be drawn when so many arcs are left out."""
    cdef int32_t* parent = row(hope, PARENT)
    cdef int32_t* found = row(hope, FREE_ROWS + depth)
    cdef int32_t i, size
    hope.patience -= 1
    size = find_cycle(hope, a, found)
    if size == 0 and hope.n_arcs:
        size = find_chain(hope, found)
    if size == 0 or hope.patience < 0:
        return True
    if most == 0:
        return False
    for i in range(size):
        parent[found[i]] = NONE
        if fits(hope, a, most - 1, depth + 1):
            parent[found[i]] = hope.head[found[i]]
            return True
        parent[found[i]] = hope.head[found[i]]
    return False


cdef int32_t cost_after(Hope* hope, const Arena* a, const State* c, int32_t move) noexcept nogil:
    """The arcs of the tree that no derivation draws after a move that is no SWITCH."""
    cdef int32_t lost = list_hopes(hope, a, c, move), left_out = 0
    hope.patience = PATIENCE
    while left_out < MOST_LEFT_OUT and not fits(hope, a, left_out, 0):
        left_out += 1
    return lost + left_out


cdef uint32_t best_moves(const Spec* spec, const Arena* a, const State* c, const int32_t* head, int32_t* scratch,
                         uint32_t legal) noexcept nogil:
    cdef Hope hope = Hope(n=a.n, head=head, scratch=scratch)
    cdef State after
    cdef uint32_t then
    cdef int32_t cost[N_MOVES]
    cdef int32_t m
    for m in range(SWITCH):
        if legal >> m & 1:
            cost[m] = DEAR * cost_after(&hope, a, c, m) + hope.elsewhere
    if legal >> SWITCH & 1:
        after = c[0]
        spec.apply(spec, <Arena*>a, &after, SWITCH, 0)
        then = spec.legal(spec, a, &after)
        cost[SWITCH] = a.n + 1
        for m in range(SWITCH):
            if then >> m & 1:
                cost[SWITCH] = min(cost[SWITCH], cost_after(&hope, a, &after, m))
        list_hopes(&hope, a, c, SWITCH)
        cost[SWITCH] = DEAR * cost[SWITCH] + hope.elsewhere + (hope.due_here or not hope.due_there)
    return cheapest(cost, N_MOVES, legal)


DYNAMIC = DynamicOracle.wrap(best_moves, note)
