"""See lookahead.pxd."""

from libc.string cimport memcpy, memset

from fastparse.machine.operations cimport front, mix
from fastparse.machine.state cimport Cell, MAX_MOVES, NONE, uint64_t

cdef enum:
    MOST_STEPS = 6              # per word: of a way to the end
    TOUCHED = 4                 # cells that a move may change
    KEYS = 1024                 # of configurations without a way, a power of two
    PATIENCE = 24_000           # configurations times words that a step may visit

cdef struct Level:
    # A configuration on the path of the search, as it was before the move that led on.
    State state
    Cell cells[TOUCHED]
    int32_t touched[TOUCHED]
    int32_t first               # the rule's move, to be tried first, or NONE
    uint32_t untried
    uint64_t key

cdef struct Search:
    const Spec* spec
    Arena* arena
    const int32_t* head
    int32_t* scratch
    best_moves_t rule
    hope_t hope
    int32_t left                # configurations that may still be visited
    int32_t depth
    Level* levels               # [MOST_STEPS (n + 2)]
    Cell* kept                  # [n + 1]
    uint64_t* failed            # [KEYS]


cdef inline char* aligned(char* at) noexcept nogil:
    return at + (-<size_t>at & 15)


cdef void search_open(Search* s, int32_t n) noexcept nogil:
    """Lays out the room behind the rule's scratch."""
    cdef char* at = aligned(<char*>(s.scratch + 5 * (<size_t>n + 1)))
    s.failed = <uint64_t*>at
    at = aligned(at + KEYS * sizeof(uint64_t))
    s.kept = <Cell*>at
    at = aligned(at + (<size_t>n + 1) * sizeof(Cell))
    s.levels = <Level*>at
    s.left = PATIENCE // (n + 1)


cdef inline int32_t lowest(uint32_t moves) noexcept nogil:
    cdef int32_t move = 0
    while not moves >> move & 1:
        move += 1
    return move


cdef int32_t rule_of(const Search* s, const State* c, uint32_t legal) noexcept nogil:
    """The rule's move, or the first legal one where the rule has none."""
    cdef uint32_t best = s.rule(s.spec, s.arena, c, s.head, s.scratch, legal)
    return lowest(best if best else legal)


cdef int32_t follow(const Search* s, State* c) noexcept nogil:
    """Follows the rule to an end; the arcs of the tree that are drawn there."""
    cdef uint32_t legal
    cdef int32_t steps = 0, w, drawn = 0
    while steps < MOST_STEPS * (s.arena.n + 2) and not s.spec.is_final(s.spec, s.arena, c):
        legal = s.spec.legal(s.spec, s.arena, c)
        if not legal:
            break
        s.spec.apply(s.spec, s.arena, c, rule_of(s, c, legal), 0)
        steps += 1
    for w in range(1, s.arena.n + 1):
        drawn += s.arena.cells[w].head == s.head[w]
    return drawn


# ── the search ──

cdef uint64_t key_of(const Search* s, const State* c) noexcept nogil:
    """Tells configurations apart."""
    cdef const Arena* a = s.arena
    cdef uint64_t key = mix(<uint64_t>c.next, 1 + <uint64_t>c.own_flags)
    cdef int32_t w, k, cell
    for k in range(4):
        key = mix(key, <uint64_t>(c.own[k] + 16))
    for k in range(2):
        key = mix(key, <uint64_t>(c.reg[k] + 2))
    for w in range(1, a.n + 1):
        key = mix(key, <uint64_t>(a.cells[w].head + 2))
    cell = c.stack[0]
    while cell >= 0:
        key = mix(key, (<uint64_t>cell << 32) + <uint32_t>(a.cells[cell].own[0] + 16))
        cell = a.cells[cell].below
    key = mix(key, 3)
    cell = c.returned
    while cell >= 0:
        key = mix(key, <uint64_t>(cell + 2))
        cell = a.cells[cell].below
    return key | 1


cdef bint has_failed(const Search* s, uint64_t key) noexcept nogil:
    cdef uint64_t at = key >> 32 & (KEYS - 1), k
    for k in range(8):
        if s.failed[(at + k) & (KEYS - 1)] == key:
            return True
    return False


cdef void note_failed(Search* s, uint64_t key) noexcept nogil:
    """Keeps a key, if there is a place for it; what is forgotten is searched again."""
    cdef uint64_t at = key >> 32 & (KEYS - 1), k
    for k in range(8):
        if s.failed[(at + k) & (KEYS - 1)] == 0:
            s.failed[(at + k) & (KEYS - 1)] = key
            return


cdef bint enter(Search* s, const State* c, int32_t target) noexcept nogil:
    """Puts a configuration on the path, if the target may be hoped for; else says no."""
    cdef Level* level = &s.levels[s.depth]
    if s.depth + 1 >= MOST_STEPS * (s.arena.n + 2) or s.hope(s.spec, s.arena, c, s.head, s.scratch) < target:
        return False
    level.key = key_of(s, c)
    if has_failed(s, level.key):
        return False
    level.state = c[0]
    level.untried = 0 if s.spec.is_final(s.spec, s.arena, c) else s.spec.legal(s.spec, s.arena, c)
    level.first = rule_of(s, c, level.untried) if level.untried else NONE
    s.depth += 1
    return True


cdef void make(Search* s, Level* level, State* c) noexcept nogil:
    """The next move from a configuration; the cells it may change are kept."""
    cdef int32_t move = level.first if level.first >= 0 else lowest(level.untried), k
    cdef const State* before = &level.state
    level.first = NONE
    level.untried &= ~(<uint32_t>1 << move)
    level.touched[0], level.touched[1] = before.stack[0], front(s.arena, before)
    level.touched[2], level.touched[3] = before.reg[0], before.reg[1]
    for k in range(TOUCHED):
        if level.touched[k] >= 0:
            level.cells[k] = s.arena.cells[level.touched[k]]
    c[0] = level.state
    s.spec.apply(s.spec, s.arena, c, move, 0)


cdef void take_back(Search* s, const Level* level) noexcept nogil:
    """Undoes the last move from a configuration."""
    cdef int32_t k
    for k in range(TOUCHED):
        if level.touched[k] >= 0:
            s.arena.cells[level.touched[k]] = level.cells[k]


cdef bint reaches(Search* s, const State* start, int32_t target) noexcept nogil:
    """Whether a derivation is found that ends with so many arcs of the tree. The arena is left as it was."""
    cdef State c
    cdef Level* level
    cdef int32_t w, drawn
    cdef bint found = False
    s.depth = 0
    if not enter(s, start, target):
        return False
    while s.depth > 0:
        level = &s.levels[s.depth - 1]
        if not found and level.untried and s.left > 0:
            s.left -= 1
            make(s, level, &c)
            if enter(s, &c, target):
                if s.levels[s.depth - 1].untried == 0:
                    drawn = 0
                    for w in range(1, s.arena.n + 1):
                        drawn += s.arena.cells[w].head == s.head[w]
                    found = drawn >= target
            else:
                take_back(s, level)
            continue
        if not found and s.left > 0:
            note_failed(s, level.key)
        s.depth -= 1
        if s.depth > 0:
            take_back(s, &s.levels[s.depth - 1])
    return found


# ── the answer ──

cdef uint32_t look_ahead(const Spec* spec, const Arena* a, const State* c, const int32_t* head, int32_t* scratch,
                         uint32_t legal, best_moves_t rule, hope_t hope) noexcept nogil:
    cdef Search s
    cdef Level root
    cdef State after
    cdef int32_t drawn[MAX_MOVES]
    cdef int32_t m, target, most = NONE, hoped
    cdef uint32_t best = 0
    cdef size_t size = (<size_t>a.n + 1) * sizeof(Cell)
    if not legal & (legal - 1):
        return legal
    s.spec, s.arena, s.head, s.scratch, s.rule, s.hope = spec, <Arena*>a, head, scratch, rule, hope
    search_open(&s, a.n)
    hoped = hope(spec, a, c, head, scratch)
    memcpy(s.kept, a.cells, size)
    for m in range(spec.n_moves):
        if legal >> m & 1:
            after = c[0]
            spec.apply(spec, s.arena, &after, m, 0)
            drawn[m] = follow(&s, &after)
            memcpy(s.arena.cells, s.kept, size)
            if drawn[m] > most:
                most, best = drawn[m], 0
            if drawn[m] == most:
                best |= <uint32_t>1 << m
    target = hoped
    while target > most:
        memset(s.failed, 0, KEYS * sizeof(uint64_t))
        for m in range(spec.n_moves):
            if legal >> m & 1:
                root.state = c[0]
                root.first, root.untried = m, 0
                make(&s, &root, &after)
                if reaches(&s, &after, target):
                    if target > most:
                        most, best = target, 0
                    best |= <uint32_t>1 << m
                take_back(&s, &root)
        target -= 1
    return best
