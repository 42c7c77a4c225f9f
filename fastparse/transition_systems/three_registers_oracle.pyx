"""The static oracle of three-registers: a search for a derivation that draws the arcs of the tree and no others.

A tree has three-crossing intervals, or it is refused at once. The search goes depth first, draws arcs before it removes
words, and shortens the buffer last. What no derivation can do is not tried: another arc, a word that leaves while it
lacks an arc, CLEAR or a word behind the interval while a crossed arc of the interval is missing, and a word that goes
to the stack though a crossed arc on its left touches no stored word, or though its head lies between it and a child.
Words of a smallest set that touches all crossed arcs are stored first. Configurations without a way are remembered.
After 20,000 steps and 200 more per word the search is given up: the tree counts as too hard.

On all treebanks at hand it takes less than two steps per move of the derivation.
"""

from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memset

from fastparse.machine.arena cimport arena_close, arena_reserve, arena_start, state_start
from fastparse.machine.keyset cimport KeySet, key_set_add, key_set_clear, key_set_close, key_set_has
from fastparse.machine.operations cimport buffer_word, mix, word_of
from fastparse.machine.spec cimport Spec
from fastparse.machine.state cimport Arena, NONE, State, int32_t, int64_t, uint8_t, uint32_t, uint64_t
from fastparse.transition_systems.oracle cimport Gold, NO_MEMORY, OUTSIDE, READY, StaticOracle, TOO_MANY
from fastparse.transition_systems.three_registers cimport (
    BETWEEN, CLEAR, LAST, LEFT_ARC, LOCK, N_MOVES, REDUCE, REGISTERS, RIGHT_ARC, SHIFT, STORE, TO_REGISTER, TO_STACK)
from fastparse.trees.crossing cimport interval_sizes, mark_crossed, mark_reaching
from fastparse.trees.tree cimport area, tree_order

cdef enum:
    PATIENCE = 20_000
    PATIENCE_PER_WORD = 200
    # Scratch areas of the tree; interval_sizes uses 0 to 4.
    INTERVAL = 1                # [word] the crossing interval around it, or NONE
    FAVOURED = 2                # [word] in a smallest set that touches all crossed arcs
    RIGHT = 4                   # [interval] its last word
    SIZES = 5
    LATEST = 6                  # [word] the last crossing interval that begins there or before, or NONE
    CROSSED = 13                # [dependent]
    REACHING = 14               # [word] its head lies between it and a child

cdef struct Node:
    State state
    uint32_t untried            # moves that may still be tried
    int32_t move                # the move that led here
    int32_t head                # words it joined, or NONE
    int32_t dependent
    int32_t n_cells             # what the arena held before it
    uint64_t drawn              # hash of the arcs drawn so far

cdef struct Plan:
    Arena arena                 # shared regime: states of the whole path live in it
    int32_t capacity
    Node* nodes                 # the path
    int32_t n_words             # room in block
    int32_t* block
    int32_t* missing            # [n + 1]  arcs at the word that are not drawn yet
    int32_t* pending            # [interval]  crossed arcs that are not drawn yet
    int32_t* stored             # [n + 1]  whether the word has been in a register
    KeySet failed               # configurations from which there is no way

cdef uint8_t[N_MOVES + 1] ORDER  # in which moves are tried; STORE is the first of three at words that are favoured
ORDER[:] = [
    TO_REGISTER, TO_REGISTER + 1, TO_REGISTER + 2, TO_STACK, TO_STACK + 1, TO_STACK + 2, BETWEEN, BETWEEN + 1,
    BETWEEN + 2, BETWEEN + 3, BETWEEN + 4, BETWEEN + 5, LEFT_ARC, REDUCE, CLEAR, STORE, RIGHT_ARC, SHIFT, STORE]


cdef uint64_t key_of(const Arena* a, const Node* node) noexcept nogil:
    """Tells configurations on the way to one tree apart."""
    cdef const State* c = &node.state
    cdef uint64_t key = mix(node.drawn + <uint64_t>c.next, 0x2545F4914F6CDD1DULL)
    cdef int32_t k, at = c.stack[0]
    while at >= 0:
        key = mix(key, 16 + <uint64_t>a.cells[at].word)
        at = a.cells[at].below
    for k in range(REGISTERS):
        key = mix(key, 16 + <uint64_t>word_of(a, c.reg[k]))
    key = mix(key, 16 + <uint64_t>c.own[LAST])
    key = mix(key, (16 + <uint64_t>c.own[LOCK]) << 8 | c.own_flags)
    at = c.returned
    while at >= 0:
        key = mix(key, 16 + <uint64_t>a.cells[at].word)
        at = a.cells[at].below
    return key | 1


# ── what is missing ──

cdef inline void count_arc(Plan* plan, Gold* gold, int32_t dependent, int32_t change) noexcept nogil:
    """The arc into a word is drawn (-1), or taken back (1)."""
    plan.missing[gold.head[dependent]] += change
    plan.missing[dependent] += change
    if area(&gold.tree, CROSSED)[dependent]:
        plan.pending[area(&gold.tree, INTERVAL)[dependent]] += change


cdef bint may_pass(Plan* plan, Gold* gold, const State* c, int32_t b) noexcept nogil:
    """Whether the front may leave the buffer: no interval on its left lacks an arc, nor is one in the registers."""
    cdef const int32_t* interval = area(&gold.tree, INTERVAL)
    cdef int32_t g
    if c.reg[0] >= 0:
        return b <= area(&gold.tree, RIGHT)[interval[plan.arena.cells[c.reg[0]].word]]
    g = area(&gold.tree, LATEST)[b - 1] if b > 0 else NONE
    return g < 0 or g == interval[b] or plan.pending[g] == 0


cdef bint may_stay_out(Plan* plan, Gold* gold, int32_t b) noexcept nogil:
    """Whether the front need not be stored: each crossed arc to its left touches a stored word."""
    cdef const int32_t* crossed = area(&gold.tree, CROSSED)
    cdef int32_t child = gold.first_child[b]
    if area(&gold.tree, REACHING)[b]:
        return False
    if b > 0 and gold.head[b] < b and crossed[b] and not plan.stored[gold.head[b]]:
        return False
    while 0 <= child < b:
        if crossed[child] and not plan.stored[child]:
            return False
        child = gold.next_child[child]
    return True


cdef bint allowed(const Spec* spec, Plan* plan, Gold* gold, const State* c, int32_t move, int32_t* head,
                  int32_t* dependent) noexcept nogil:
    """Whether a legal move is not known to be wrong; head and dependent are the words it joins, or NONE."""
    cdef const Arena* a = &plan.arena
    cdef int32_t s = word_of(a, c.stack[0]), b = buffer_word(a, c), k
    head[0] = dependent[0] = NONE
    if spec.drawing >> move & 1:
        spec.arc(spec, a, c, move, head, dependent)
        head[0], dependent[0] = a.cells[head[0]].word, a.cells[dependent[0]].word
        if gold.head[dependent[0]] != head[0]:
            return False
    if move == LEFT_ARC:
        return plan.missing[s] == 1 and may_pass(plan, gold, c, b)
    if TO_STACK <= move < TO_REGISTER:
        return s > head[0] or plan.missing[s] == 1
    if move == REDUCE:
        return plan.missing[s] == 0
    if move == CLEAR:
        for k in range(REGISTERS):
            if c.own_flags >> k & 1 and plan.missing[a.cells[c.reg[k]].word]:
                return False
        return plan.pending[area(&gold.tree, INTERVAL)[a.cells[c.reg[0]].word]] == 0
    if move == STORE:
        return area(&gold.tree, INTERVAL)[b] >= 0 and touches(gold, b) and may_pass(plan, gold, c, b)
    if move == SHIFT or move == RIGHT_ARC:
        return may_pass(plan, gold, c, b) and (plan.stored[b] or may_stay_out(plan, gold, b))
    return True


cdef bint touches(Gold* gold, int32_t b) noexcept nogil:
    """Whether a crossed arc ends at a word."""
    cdef const int32_t* crossed = area(&gold.tree, CROSSED)
    cdef int32_t child = gold.first_child[b]
    if b > 0 and crossed[b]:
        return True
    while child >= 0:
        if crossed[child]:
            return True
        child = gold.next_child[child]
    return False


# ── preparing ──

cdef int make_room(Plan* plan, const Spec* spec, int32_t n) noexcept nogil:
    cdef size_t words
    if plan.n_words <= n:
        words = <size_t>n + n // 2 + 32
        free(plan.block)
        plan.block = <int32_t*>malloc(3 * words * sizeof(int32_t))
        if plan.block == NULL:
            plan.n_words = 0
            return NO_MEMORY
        plan.n_words = <int32_t>words
        plan.missing, plan.pending, plan.stored = plan.block, plan.block + words, plan.block + 2 * words
    if arena_start(&plan.arena, spec, n, False) < 0:
        return NO_MEMORY
    key_set_clear(&plan.failed)
    return READY


cdef int prepare(const Spec* spec, Gold* gold) noexcept nogil:
    cdef Plan* plan = <Plan*>gold.extra
    cdef int32_t* crossed = area(&gold.tree, CROSSED)
    cdef int32_t* interval = area(&gold.tree, INTERVAL)
    cdef int32_t* sizes = area(&gold.tree, SIZES)
    cdef int32_t d, g, latest = NONE
    if plan == NULL:
        plan = <Plan*>calloc(1, sizeof(Plan))
        if plan == NULL:
            return NO_MEMORY
        gold.extra = plan
    if make_room(plan, spec, gold.n) != READY:
        return NO_MEMORY
    tree_order(&gold.tree)
    for d in range(gold.n + 1):
        crossed[d] = 0
    mark_crossed(&gold.tree, True, crossed)
    for g in range(interval_sizes(&gold.tree, crossed, sizes)):
        if sizes[g] > REGISTERS:
            return OUTSIDE
    mark_reaching(&gold.tree, area(&gold.tree, REACHING))
    for d in range(gold.n + 1):
        latest = max(latest, interval[d])
        area(&gold.tree, LATEST)[d] = latest
    memset(plan.block, 0, 3 * <size_t>plan.n_words * sizeof(int32_t))
    for d in range(1, gold.n + 1):
        count_arc(plan, gold, d, 1)
    return search(plan, spec, gold)


cdef inline uint32_t moves_of(const Spec* spec, const Arena* a, const State* c) noexcept nogil:
    return 0 if spec.is_final(spec, a, c) else spec.legal(spec, a, c)


cdef int32_t next_untried(const Spec* spec, Plan* plan, Gold* gold, Node* node, int32_t* head,
                          int32_t* dependent) noexcept nogil:
    """The next move to try, with the words it joins; NONE when all were."""
    cdef int32_t b = buffer_word(&plan.arena, &node.state), k, move
    cdef bint favoured = b >= 0 and area(&gold.tree, INTERVAL)[b] >= 0 and area(&gold.tree, FAVOURED)[b]
    for k in range(N_MOVES + 1):
        move = ORDER[k]
        if move == STORE and k < N_MOVES and not favoured:
            continue
        if node.untried >> move & 1:
            node.untried &= ~(<uint32_t>1 << move)
            if allowed(spec, plan, gold, &node.state, move, head, dependent):
                return move
    return NONE


cdef int search(Plan* plan, const Spec* spec, Gold* gold) noexcept nogil:
    """Leaves a derivation in plan.nodes; READY, OUTSIDE, TOO_MANY or NO_MEMORY."""
    cdef Arena* a = &plan.arena
    cdef Node* node
    cdef Node* following
    cdef int64_t patience = PATIENCE + PATIENCE_PER_WORD * <int64_t>(gold.n + 1)
    cdef int32_t depth = 0, move, head = NONE, dependent = NONE, arcs = gold.n
    if enlarge(plan, 1) != READY:
        return NO_MEMORY
    memset(&plan.nodes[0], 0, sizeof(Node))
    state_start(&plan.nodes[0].state, spec, a)
    plan.nodes[0].untried = moves_of(spec, a, &plan.nodes[0].state)
    plan.nodes[0].head = NONE
    while True:
        node = &plan.nodes[depth]
        if arcs == 0 and spec.is_final(spec, a, &node.state):
            return READY
        move = next_untried(spec, plan, gold, node, &head, &dependent)
        if move < 0:
            if key_set_add(&plan.failed, key_of(a, node)) < 0:
                return NO_MEMORY
            if depth == 0:
                return OUTSIDE
            arcs += retract(plan, gold, node, &plan.nodes[depth - 1])
            depth -= 1
            continue
        patience -= 1
        if patience == 0:
            return TOO_MANY
        if enlarge(plan, depth + 2) != READY or arena_reserve(a, spec, 1) < 0:
            return NO_MEMORY
        node = &plan.nodes[depth]
        following = &plan.nodes[depth + 1]
        following.state = node.state
        following.move, following.head, following.dependent = move, head, dependent
        following.n_cells, following.drawn = a.n_cells, node.drawn
        if move == STORE:
            plan.stored[buffer_word(a, &node.state)] = True
        spec.apply(spec, a, &following.state, move, 0)
        if head >= 0:
            count_arc(plan, gold, dependent, -1)
            following.drawn ^= mix(<uint64_t>dependent, 0x9E3779B97F4A7C15ULL)
            arcs -= 1
        if plan.failed.n and key_set_has(&plan.failed, key_of(a, following)):
            arcs += retract(plan, gold, following, node)
            continue
        following.untried = moves_of(spec, a, &following.state)
        depth += 1


cdef int32_t retract(Plan* plan, Gold* gold, const Node* node, const Node* before) noexcept nogil:
    """Undoes the move that led to a node; returns how many arcs it had drawn."""
    plan.arena.n_cells = node.n_cells
    if node.move == STORE:
        plan.stored[buffer_word(&plan.arena, &before.state)] = False
    if node.head < 0:
        return 0
    count_arc(plan, gold, node.dependent, 1)
    return 1


cdef int enlarge(Plan* plan, int32_t size) noexcept nogil:
    cdef int32_t capacity
    cdef Node* larger
    if size <= plan.capacity:
        return READY
    capacity = 2 * plan.capacity + 64
    larger = <Node*>realloc(plan.nodes, <size_t>capacity * sizeof(Node))
    if larger == NULL:
        return NO_MEMORY
    plan.nodes = larger
    plan.capacity = capacity
    return READY


cdef int32_t next_move(const Spec* spec, const Arena* a, const State* c, Gold* gold) noexcept nogil:
    return (<Plan*>gold.extra).nodes[c.length + 1].move


cdef void close(Gold* gold) noexcept nogil:
    cdef Plan* plan = <Plan*>gold.extra
    if plan == NULL:
        return
    arena_close(&plan.arena)
    free(plan.nodes)
    free(plan.block)
    key_set_close(&plan.failed)
    free(plan)
    gold.extra = NULL


ORACLE = StaticOracle.wrap(next_move, prepare, 0, True, (), close)
