"""The oracles of swap: eager (Nivre, 2009), lazy (Nivre, Kuhlmann and Hall, 2009), and the one with the fewest swaps.

The projective order is the in-order traversal of the tree: left children, word, right children. All oracles draw an
arc as soon as the dependent has all its own dependents, and otherwise SHIFT unless SWAP is due. The eager one swaps
whenever s comes before t in the projective order. The lazy one waits while s and the buffer front belong to the same
maximal projective component, which they can form without a swap; it never swaps more often. The component of a word
is its topmost ancestor in the forest that the oracle without SWAP builds.

The oracle with the fewest swaps searches over where to swap, by iterative deepening on the number of SWAPs (Korf, 1985:
IDA*). Where the search takes too long, and where the lazy oracle swaps no more often, it is the lazy one.

An arrangement is the words that have no head yet, in their order, and how many of them are on the stack. Arcs are
drawn as soon as they can be: from any derivation that waits the dependent can be left out, and the others swap as they
did, so that nothing is lost. Choices are left where both SWAP and SHIFT can be made.

A bound from below: two arcs that cross, a-c and b-d with a < b < c < d in the arrangement, can only be drawn once a
word of one has been swapped with a word of the other; each of the pairs ab, bc, cd and ad is swapped at most once, in
the order of the sentence. Crossings no two of which share such a pair need a SWAP each, and if no pair of a crossing
can be swapped any more, there is no way on.
"""

from libc.stdlib cimport calloc, free, realloc
from libc.string cimport memcpy, memmove

from fastparse.machine.operations cimport below, buffer_word, mix, word_of
from fastparse.machine.spec cimport Spec
from fastparse.machine.state cimport Arena, NONE, State, int32_t, uint64_t
from fastparse.transition_systems.oracle cimport Gold, NO_MEMORY, READY, StaticOracle
from fastparse.transition_systems.swap cimport LEFT_ARC, RIGHT_ARC, SHIFT, SWAP

cdef enum:
    LAZY, EAGER, FEWEST         # Gold.options

cdef enum:
    # Gold.scratch
    ORDER = 0                   # place in the projective order
    COMPONENT = 1               # topmost word of the maximal projective component
    CURSOR = 2                  # traversal: next child to visit
    ATTACHED = 3                # whether the oracle without SWAP reaches the arc to the head
    STACK = 4                   # of the oracle without SWAP
    WAITING = 5                 # children that the oracle without SWAP has not attached yet
    N_SCRATCH = 6

cdef enum:
    MOST_VISITED = 20_000       # arrangements, of a sentence
    MOST_SWAPS = 64             # of the rule: where it needs more, nothing is sought
    MOST_WORDS = 500
    MOST_PACKED = MOST_SWAPS + 1
    PLACES = 1 << 13            # of arrangements that have been seen, a power of two

cdef enum:
    CHOICE, DONE, STUCK         # what arrange returns

cdef struct Arrangement:
    int32_t size                # words without a head, and the root
    int32_t top                 # place of the stack top
    int32_t swaps               # so far
    int32_t tried               # choices
    signed char choice          # the one tried last
    int32_t* word               # [size]
    int32_t* waiting            # [n + 1] children that are still to be attached

cdef struct Seen:
    uint64_t key
    int32_t swaps               # with which the search came here

cdef struct Search:
    # Gold.extra. What it found:
    bint found                  # else the rule that was the limit has no more swaps, or nothing is known
    int32_t at                  # the next of the choices
    signed char* choices        # [n] whether to SWAP, in the order in which the choices come
    # Room to find it:
    const int32_t* head
    const int32_t* order
    const int32_t* component
    int32_t n
    int32_t n_levels
    size_t room                 # bytes of block
    char* block                 # what follows
    Arrangement* levels         # [n_levels]
    int32_t* place              # [n + 1]  of a word in the arrangement
    int32_t* low                # [n] ends of the arcs that are still to be drawn, by place
    int32_t* high               # [n]
    Seen* seen                  # [PLACES]
    uint64_t round              # tells rounds, and sentences, apart


cdef int open_search(Gold* gold, Search** made) noexcept nogil:
    """Room for a sentence, kept for the next."""
    cdef Search* s = <Search*>gold.extra
    cdef int32_t n = gold.n, k
    cdef size_t words = <size_t>n + 1
    cdef size_t levels = words + 2 * MOST_SWAPS + 2
    cdef size_t needed = levels * (sizeof(Arrangement) + 2 * words * sizeof(int32_t) + 1) + 3 * words * sizeof(int32_t)
    cdef char* at
    if s == NULL:
        s = <Search*>calloc(1, sizeof(Search))
        if s == NULL:
            return NO_MEMORY
        gold.extra = s
        s.seen = <Seen*>calloc(PLACES, sizeof(Seen))
    if s.seen == NULL:
        return NO_MEMORY
    if s.room < needed:
        at = <char*>realloc(s.block, needed)
        if at == NULL:
            return NO_MEMORY
        s.block, s.room = at, needed
    s.n, s.n_levels = n, <int32_t>levels
    s.levels = <Arrangement*>s.block
    at = s.block + levels * sizeof(Arrangement)
    for k in range(s.n_levels):
        s.levels[k].word = <int32_t*>at
        s.levels[k].waiting = s.levels[k].word + words
        at += 2 * words * sizeof(int32_t)
    s.place = <int32_t*>at
    s.low = s.place + words
    s.high = s.low + words
    s.choices = <signed char*>(s.high + words)
    s.head = gold.head
    made[0] = s
    return READY


cdef void close(Gold* gold) noexcept nogil:
    cdef Search* s = <Search*>gold.extra
    if s != NULL:
        free(s.seen)
        free(s.block)
        free(s)
    gold.extra = NULL


# ── arrangements ──

cdef void first_arrangement(const Gold* gold, Arrangement* a) noexcept nogil:
    cdef int32_t w
    a.size, a.top, a.swaps, a.tried = gold.n + 1, 0, 0, 0
    for w in range(gold.n + 1):
        a.word[w] = w
        a.waiting[w] = 0
    for w in range(1, gold.n + 1):
        a.waiting[gold.head[w]] += 1


cdef inline void drop(Arrangement* a, int32_t at, int32_t head) noexcept nogil:
    """The word there gets its head."""
    memmove(a.word + at, a.word + at + 1, (a.size - at - 1) * sizeof(int32_t))
    a.size -= 1
    a.top -= 1
    a.waiting[head] -= 1


cdef inline void swap_top(Arrangement* a) noexcept nogil:
    a.word[a.top - 1], a.word[a.top] = a.word[a.top], a.word[a.top - 1]
    a.top -= 1
    a.swaps += 1


cdef int32_t arrange(const Search* s, Arrangement* a) noexcept nogil:
    """Does what there is no choice about."""
    cdef int32_t x, y
    cdef bint may_swap
    while True:
        may_swap = False
        if a.top > 0:
            x, y = a.word[a.top - 1], a.word[a.top]
            if s.head[x] == y and a.waiting[x] == 0:
                drop(a, a.top - 1, y)
                continue
            if s.head[y] == x and a.waiting[y] == 0:
                drop(a, a.top, x)
                continue
            may_swap = 0 < x < y
        if a.top + 1 < a.size:
            if may_swap:
                return CHOICE
            a.top += 1
        elif may_swap:
            swap_top(a)
        else:
            return DONE if a.size == 1 else STUCK


cdef inline bint rule_swaps(const Search* s, const Arrangement* a) noexcept nogil:
    """Whether the rule would swap, at a choice."""
    cdef int32_t x = a.word[a.top - 1], y = a.word[a.top]
    return s.order[y] < s.order[x] and s.component[y] != s.component[a.word[a.top + 1]]


cdef int32_t swaps_of_rule(const Search* s, const Gold* gold, Arrangement* a) noexcept nogil:
    """How often the rule swaps; more than MOST_SWAPS if it is more often."""
    first_arrangement(gold, a)
    while arrange(s, a) == CHOICE:
        if a.swaps > MOST_SWAPS:
            break
        if rule_swaps(s, a):
            swap_top(a)
        else:
            a.top += 1
    return a.swaps


# ── the bound ──

cdef struct Packing:
    int32_t n
    int32_t x[4 * MOST_PACKED]  # pairs that are spoken for
    int32_t y[4 * MOST_PACKED]
    int32_t n_pairs


cdef int32_t pack(Packing* p, int32_t a, int32_t b, int32_t c, int32_t d) noexcept nogil:
    """Takes a crossing in if its pairs are free; says no if none of them can be swapped any more."""
    cdef int32_t x[4]
    cdef int32_t y[4]
    cdef int32_t k, j, n = 0
    x[0], x[1], x[2], x[3] = a, b, c, a
    y[0], y[1], y[2], y[3] = b, c, d, d
    for k in range(4):
        if 0 < x[k] < y[k]:
            x[n], y[n] = x[k], y[k]
            n += 1
    if n == 0:
        return False
    for k in range(n):
        for j in range(p.n_pairs):
            if p.x[j] == x[k] and p.y[j] == y[k]:
                return True
    for k in range(n):
        p.x[p.n_pairs], p.y[p.n_pairs] = x[k], y[k]
        p.n_pairs += 1
    p.n += 1
    return True


cdef int32_t least_swaps(Search* s, const Arrangement* a, int32_t enough) noexcept nogil:
    """A number of SWAPs that will be needed at least; `enough` will do, and stands for no way at all too."""
    cdef Packing p
    cdef int32_t k, j, n = 0, w, h
    p.n = p.n_pairs = 0
    for k in range(a.size):
        s.place[a.word[k]] = k
    for k in range(a.size):
        w = a.word[k]
        if w > 0:
            h = s.place[s.head[w]]
            s.low[n], s.high[n] = min(k, h), max(k, h)
            n += 1
    for k in range(n):
        for j in range(n):
            if s.low[k] < s.low[j] < s.high[k] < s.high[j]:
                if not pack(&p, a.word[s.low[k]], a.word[s.low[j]], a.word[s.high[k]], a.word[s.high[j]]):
                    return enough
                if p.n >= enough or p.n == MOST_PACKED:
                    return p.n
    return p.n


# ── the search ──

cdef bint has_been_seen(Search* s, const Arrangement* a) noexcept nogil:
    """Whether the search of this round came here with no more swaps; notes it."""
    cdef uint64_t key = mix(mix(s.round, 1), <uint64_t>a.top)     # mixed twice: rounds and places are small numbers
    cdef Seen* found
    cdef int32_t k
    for k in range(a.size):
        key = mix(key, <uint64_t>a.word[k])
    key |= 1
    found = &s.seen[key >> 32 & (PLACES - 1)]
    if found.key == key and found.swaps <= a.swaps:
        return True
    found.key, found.swaps = key, a.swaps
    return False


cdef bint dive(Search* s, const Gold* gold, int32_t most, int32_t* left) noexcept nogil:
    """Looks for a derivation of at most so many SWAPs, and keeps its choices."""
    cdef Arrangement* a
    cdef Arrangement* b
    cdef int32_t depth = 0, status, k
    s.round += 1
    first_arrangement(gold, &s.levels[0])
    if arrange(s, &s.levels[0]) != CHOICE:
        return False                # the rule has done it
    while depth >= 0 and left[0] > 0:
        a = &s.levels[depth]
        if a.tried == 2:
            depth -= 1
            continue
        left[0] -= 1
        a.choice = rule_swaps(s, a) if a.tried == 0 else not a.choice
        a.tried += 1
        b = &s.levels[depth + 1]
        b.size, b.top, b.swaps, b.tried = a.size, a.top, a.swaps, 0
        memcpy(b.word, a.word, a.size * sizeof(int32_t))
        memcpy(b.waiting, a.waiting, (s.n + 1) * sizeof(int32_t))
        if a.choice:
            swap_top(b)
        else:
            b.top += 1
        status = arrange(s, b)
        if status == STUCK or b.swaps > most:
            continue
        if status == DONE:
            for k in range(depth + 1):
                s.choices[k] = s.levels[k].choice
            return True
        if b.swaps + least_swaps(s, b, most - b.swaps + 1) <= most and not has_been_seen(s, b):
            depth += 1
    return False


cdef int find_fewest_swaps(Gold* gold, const int32_t* order, const int32_t* component) noexcept nogil:
    """Looks for a derivation with fewer SWAPs than the rule that swaps where order says so and component allows it.

    READY or NO_MEMORY; sets Gold.extra, and Gold.fell_back if it gave up the search.
    """
    cdef Search* s = NULL
    cdef int32_t limit, most, left = MOST_VISITED
    gold.fell_back = gold.n > MOST_WORDS
    if gold.fell_back:
        if gold.extra != NULL:
            (<Search*>gold.extra).found = False
        return READY
    if open_search(gold, &s) != READY:
        return NO_MEMORY
    s.order, s.component = order, component
    s.found, s.at = False, 0
    limit = swaps_of_rule(s, gold, &s.levels[0])
    if limit > MOST_SWAPS:
        gold.fell_back = True
        return READY
    first_arrangement(gold, &s.levels[0])
    most = least_swaps(s, &s.levels[0], limit)
    while most < limit and not s.found and left > 0:
        s.found = dive(s, gold, most, &left)
        most += 1
    gold.fell_back = not s.found and left <= 0
    return READY


# ── the oracles ──

cdef void attach_without_swap(Gold* gold) noexcept nogil:
    """Marks the words to which the oracle without SWAP gives their heads."""
    cdef int32_t* attached = gold.scratch[ATTACHED]
    cdef int32_t* stack = gold.scratch[STACK]
    cdef int32_t* waiting = gold.scratch[WAITING]
    cdef int32_t w, s, t, top = 0
    for w in range(gold.n + 1):
        attached[w] = 0
        waiting[w] = 0
    for w in range(1, gold.n + 1):
        waiting[gold.head[w]] += 1
    stack[0] = 0
    for w in range(1, gold.n + 1):
        top += 1
        stack[top] = w
        while top > 0:
            s, t = stack[top], stack[top - 1]
            if gold.head[t] == s and waiting[t] == 0:
                attached[t] = 1
                waiting[s] -= 1
                stack[top - 1] = s
            elif gold.head[s] == t and waiting[s] == 0:
                attached[s] = 1
                waiting[t] -= 1
            else:
                break
            top -= 1


cdef int prepare(const Spec* spec, Gold* gold) noexcept nogil:
    cdef int32_t* order = gold.scratch[ORDER]
    cdef int32_t* component = gold.scratch[COMPONENT]
    cdef int32_t* cursor = gold.scratch[CURSOR]
    cdef const int32_t* attached = gold.scratch[ATTACHED]
    cdef int32_t w, child, place = 0
    attach_without_swap(gold)
    for w in range(gold.n + 1):
        cursor[w] = gold.first_child[w]
        order[w] = NONE
    component[0] = 0
    w = 0
    while w >= 0:
        child = cursor[w]
        if order[w] < 0 and (child < 0 or child > w):
            order[w] = place
            place += 1
        if child < 0:
            w = gold.head[w]
            continue
        cursor[w] = gold.next_child[child]
        component[child] = component[w] if attached[child] else child
        w = child
    return find_fewest_swaps(gold, order, component) if gold.options == FEWEST else READY


cdef inline bint choice(Search* s) noexcept nogil:
    s.at += 1
    return s.choices[s.at - 1]


cdef int32_t next_move(const Spec* spec, const Arena* a, const State* c, Gold* gold) noexcept nogil:
    cdef int32_t s = word_of(a, c.stack[0]), t = word_of(a, below(a, c.stack[0])), b = buffer_word(a, c)
    cdef const int32_t* component
    if t >= 0:
        if gold.head[t] == s and gold.missing[t] == 1:
            return LEFT_ARC
        if gold.head[s] == t and gold.missing[s] == 1:
            return RIGHT_ARC
        if gold.options == FEWEST and gold.extra != NULL and (<Search*>gold.extra).found:
            if 0 < t < s and (b < 0 or choice(<Search*>gold.extra)):
                return SWAP
            return SHIFT if b >= 0 else NONE
        if gold.scratch[ORDER][s] < gold.scratch[ORDER][t]:
            component = gold.scratch[COMPONENT]
            if gold.options == EAGER or b < 0 or component[s] != component[b]:
                return SWAP
    return SHIFT if b >= 0 else NONE


ORACLE = StaticOracle.wrap(next_move, prepare, N_SCRATCH, False, ("lazy", "eager", "fewest"), close)
