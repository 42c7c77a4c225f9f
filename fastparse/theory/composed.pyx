"""The oracle of composed systems: a search for a derivation that draws the arcs of the tree and no others.

The search goes depth first and prefers moves that draw arcs, then those that remove words, then those that shorten
the buffer. It never draws an arc that is not in the tree, and never removes a word that lacks an arc. For the systems
of the literature, and whenever drawing and removing early does no harm, it never turns back, so that it is linear.
Otherwise it remembers configurations from which there is no way, and gives up after a number of steps that is linear
in the number of words; such trees count as outside the class.

With several stacks, arcs first get planes in which they do not cross, uncrossed ones that of the first stack. An arc
is drawn in its plane, a word leaves a plane when it lacks no arc there, the front is pushed when it lacks no arc to
the left, and the stacks are switched where the front lacks an arc in the plane of the other stack, but none in its
own.

Systems of graphs have no oracle.
"""

from libc.stdint cimport int32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memset

from fastparse.machine.arena cimport arena_close, arena_reserve, arena_start, state_start
from fastparse.machine.keyset cimport KeySet, key_set_add, key_set_clear, key_set_close, key_set_has
from fastparse.machine.operations cimport mix
from fastparse.machine.spec cimport OVER_WORDS, Spec
from fastparse.machine.state cimport Arena, NONE, State, int32_t, int64_t, uint32_t, uint64_t, uint8_t
from fastparse.theory.program cimport Move, Program, PUSH, SWITCH, cell_at
from fastparse.transition_systems.oracle cimport Gold, NO_MEMORY, OUTSIDE, READY, StaticOracle
from fastparse.trees.crossing cimport is_planar
from fastparse.trees.planes cimport COLOURING_NO_MEMORY, colour_fewest, colour_two
from fastparse.trees.tree cimport area

cdef enum:
    PATIENCE = 100              # steps per word, on top of 5,000
    # Scratch areas of the tree; colouring uses 0 to 12.
    COMPONENT = 13              # [arc] number of the set connected by crossings
    EXCHANGED = 14              # [component] the plane that changes places with plane 0

cdef struct Node:
    State state
    uint32_t untried            # moves that may still be tried
    int32_t move                # the move that led here
    int32_t head                # words it joined, or NONE
    int32_t dependent
    int32_t n_cells             # what the arena held before it
    int32_t n_links
    int32_t n_branches
    uint64_t drawn              # hash of the arcs drawn so far

cdef struct Plan:
    Arena arena                 # shared regime: states of the whole path live in it
    int32_t capacity
    Node* nodes                 # the path
    int32_t n_words             # room in block
    int32_t n_stacks
    int32_t* block
    int32_t* missing            # [n + 1]  arcs not drawn yet
    int32_t* plane              # [n + 1]  of the arc to the head
    int32_t* in_plane           # [n_stacks (n + 1)]  missing arcs, by plane
    int32_t* to_left            # [n_stacks (n + 1)]  missing arcs to words on the left, by plane
    KeySet failed               # configurations from which there is no way
    uint8_t order[32]           # moves in the order in which they are tried


# ── configurations ──

cdef uint64_t key_of(const Spec* spec, const Arena* a, const Node* node) noexcept nogil:
    """Tells configurations on the way to one tree apart."""
    cdef const State* c = &node.state
    cdef uint64_t key = mix(node.drawn + <uint64_t>c.next, 0x2545F4914F6CDD1DULL)
    cdef int32_t k, at
    for k in range(spec.n_stacks):
        key = mix(key, 1 + <uint64_t>c.plane[k])
        at = c.stack[k]
        while at >= 0:
            if spec.traits & OVER_WORDS:
                key = mix(key, 16 + <uint64_t>a.links[at].word)
                at = a.links[at].below
            else:
                key = mix(key, 16 + <uint64_t>a.cells[at].word)
                at = a.cells[at].below
    key = mix(key, 8 + <uint64_t>(c.own_flags if spec.traits & OVER_WORDS else 0))
    at = c.returned
    while at >= 0:
        key = mix(key, 16 + <uint64_t>a.cells[at].word)
        at = a.cells[at].below
    return key | 1


# ── what is missing ──

cdef inline void count_arc(Plan* plan, int32_t head, int32_t dependent, int32_t change) noexcept nogil:
    """An arc is drawn (-1), or taken back (1)."""
    cdef size_t row = <size_t>plan.plane[dependent] * plan.n_words
    cdef int32_t right = head if head > dependent else dependent
    plan.missing[head] += change
    plan.missing[dependent] += change
    plan.in_plane[row + head] += change
    plan.in_plane[row + dependent] += change
    plan.to_left[row + right] += change


cdef bint may_switch(const Plan* plan, const State* c, int32_t stack) noexcept nogil:
    return (plan.to_left[<size_t>c.plane[stack] * plan.n_words + c.next] > 0
            and plan.to_left[<size_t>c.plane[0] * plan.n_words + c.next] == 0)


cdef bint allowed(const Spec* spec, Plan* plan, const Gold* gold, const State* c, int32_t move,
                  int32_t* head, int32_t* dependent) noexcept nogil:
    """Whether a legal move is not known to be wrong; head and dependent are the words it joins, or NONE."""
    cdef const Program* p = <const Program*>spec.data
    cdef const Move* m = &p.moves[move]
    cdef const Arena* a = &plan.arena
    cdef int32_t k, word, link, depth, _depth, lacking, code
    cdef bint several = spec.traits & OVER_WORDS
    cdef size_t row = <size_t>c.plane[0] * plan.n_words
    head[0] = dependent[0] = NONE
    if m.head >= 0:
        spec.arc(spec, a, c, move, head, dependent)
        if a.cells[dependent[0]].head >= 0:
            return False
        head[0], dependent[0] = a.cells[head[0]].word, a.cells[dependent[0]].word
        if gold.head[dependent[0]] != head[0] or (several and plan.plane[dependent[0]] != c.plane[0]):
            return False
    for k in range(m.n_pops):
        if several:
            link = c.stack[0]
            for _depth in range(p.pops[m.first_pop + k]):
                link = a.links[link].below
            word = a.links[link].word
            lacking = plan.in_plane[row + word]
        else:
            word = a.cells[cell_at(p, a, c, p.pops[m.first_pop + k])].word
            lacking = plan.missing[word]
        if lacking != (head[0] == word or dependent[0] == word):
            return False
    if several:
        for k in range(m.n_operations):
            code = p.operations[m.first_operation + k].code
            if code == SWITCH and not may_switch(plan, c, p.operations[m.first_operation + k].argument):
                return False
            if code == PUSH:
                lacking = 0
                for depth in range(spec.n_stacks):
                    lacking += plan.to_left[<size_t>depth * plan.n_words + c.next]
                if lacking != (head[0] >= 0):
                    return False
    return True


# ── preparing ──

cdef int make_room(Plan* plan, const Spec* spec, int32_t n) noexcept nogil:
    cdef size_t words
    if plan.n_words <= n or plan.n_stacks < spec.n_stacks:
        words = <size_t>n + n // 2 + 32
        free(plan.block)
        plan.block = <int32_t*>malloc((2 + 2 * <size_t>spec.n_stacks) * words * sizeof(int32_t))
        if plan.block == NULL:
            plan.n_words = 0
            return NO_MEMORY
        plan.n_words = <int32_t>words
        plan.n_stacks = spec.n_stacks
        plan.missing, plan.plane = plan.block, plan.block + words
        plan.in_plane = plan.block + 2 * words
        plan.to_left = plan.in_plane + spec.n_stacks * words
    if arena_start(&plan.arena, spec, n, False) < 0:
        return NO_MEMORY
    key_set_clear(&plan.failed)
    return READY


cdef void put_moves_in_order(Plan* plan, const Program* p) noexcept nogil:
    """Moves that draw, moves that pop, moves that push, others."""
    cdef int32_t kind, move, own_kind, k, size = 0
    cdef const Move* m
    for kind in range(4):
        for move in range(p.n_moves):
            m = &p.moves[move]
            own_kind = 0 if m.head >= 0 else 1 if m.n_pops > 0 else 3
            if own_kind == 3:
                for k in range(m.n_operations):
                    if p.operations[m.first_operation + k].code == PUSH:
                        own_kind = 2
            # Pushing what the front still needs on another stack is not allowed, so switching first is safe.
            if kind == own_kind:
                plan.order[size] = <uint8_t>move
                size += 1


cdef void count_missing(Plan* plan, const Gold* gold, const Spec* spec) noexcept nogil:
    cdef int32_t d
    cdef size_t size = <size_t>spec.n_stacks * plan.n_words
    memset(plan.missing, 0, plan.n_words * sizeof(int32_t))
    memset(plan.in_plane, 0, size * sizeof(int32_t))
    memset(plan.to_left, 0, size * sizeof(int32_t))
    for d in range(1, gold.n + 1):
        if gold.head[d] >= 0:
            count_arc(plan, gold.head[d], d, 1)


cdef int assign_planes(Gold* gold, int32_t n_planes, int32_t* plane) noexcept nogil:
    """Planes below n_planes for the arcs, such that none cross in a plane; READY, OUTSIDE or NO_MEMORY.

    Uncrossed arcs lie in plane 0, and so does the arc with the first dependent of each set connected by crossings.
    """
    cdef int32_t* component = area(&gold.tree, COMPONENT)
    cdef int32_t* exchanged = area(&gold.tree, EXCHANGED)
    cdef int32_t d, g, needed, n_components = 0
    if n_planes == 2:
        needed = colour_two(&gold.tree, True, plane, component, &n_components)
    else:
        needed = colour_fewest(&gold.tree, True, plane, component)
    if needed == COLOURING_NO_MEMORY:
        return NO_MEMORY
    if needed < 0 or needed > n_planes:
        return OUTSIDE
    for d in range(gold.n + 1):
        exchanged[d] = NONE
    for d in range(1, gold.n + 1):
        g = component[d]
        if g < 0:
            continue
        if exchanged[g] < 0:
            exchanged[g] = plane[d]
        if plane[d] == exchanged[g]:
            plane[d] = 0
        elif plane[d] == 0:
            plane[d] = exchanged[g]
    return READY


cdef int prepare(const Spec* spec, Gold* gold) noexcept nogil:
    cdef Plan* plan = <Plan*>gold.extra
    cdef int32_t d, arcs = 0
    cdef int status
    if plan == NULL:
        plan = <Plan*>calloc(1, sizeof(Plan))
        if plan == NULL:
            return NO_MEMORY
        gold.extra = plan
        put_moves_in_order(plan, <const Program*>spec.data)
    if make_room(plan, spec, gold.n) != READY:
        return NO_MEMORY
    if spec.n_stacks > 1:
        status = assign_planes(gold, spec.n_stacks, plan.plane)
        if status != READY:
            return status
    else:
        # Systems with one stack only build planar trees.
        if not is_planar(&gold.tree, True):
            return OUTSIDE
        memset(plan.plane, 0, plan.n_words * sizeof(int32_t))
    count_missing(plan, gold, spec)
    for d in range(1, gold.n + 1):
        arcs += gold.head[d] >= 0
    return search(plan, spec, gold, arcs)


cdef inline uint32_t moves_of(const Spec* spec, const Arena* a, const State* c) noexcept nogil:
    return 0 if spec.is_final(spec, a, c) else spec.legal(spec, a, c)


cdef int search(Plan* plan, const Spec* spec, const Gold* gold, int32_t arcs) noexcept nogil:
    """Leaves a derivation in plan.nodes; READY, OUTSIDE or NO_MEMORY."""
    cdef const Program* p = <const Program*>spec.data
    cdef Arena* a = &plan.arena
    cdef Node* node
    cdef Node* following
    cdef int64_t patience = 5000 + <int64_t>PATIENCE * (gold.n + 1)
    cdef int32_t depth = 0, k, move, head = NONE, dependent = NONE
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
        move = NONE
        for k in range(p.n_moves):
            if node.untried >> plan.order[k] & 1:
                node.untried &= ~(<uint32_t>1 << plan.order[k])
                if allowed(spec, plan, gold, &node.state, plan.order[k], &head, &dependent):
                    move = plan.order[k]
                    break
        if move < 0:
            if key_set_add(&plan.failed, key_of(spec, a, node)) < 0:
                return NO_MEMORY
            if depth == 0:
                return OUTSIDE
            arcs += retract(plan, node)
            depth -= 1
            continue
        patience -= 1
        if patience == 0:
            return OUTSIDE
        if enlarge(plan, depth + 2) != READY or arena_reserve(a, spec, 1) < 0:
            return NO_MEMORY
        node = &plan.nodes[depth]
        following = &plan.nodes[depth + 1]
        following.state = node.state
        following.move, following.head, following.dependent = move, head, dependent
        following.n_cells, following.n_links, following.n_branches = a.n_cells, a.n_links, a.n_branches
        following.drawn = node.drawn
        spec.apply(spec, a, &following.state, move, 0)
        if head >= 0:
            count_arc(plan, head, dependent, -1)
            following.drawn ^= mix(<uint64_t>dependent, 0x9E3779B97F4A7C15ULL)
            arcs -= 1
        if plan.failed.n and key_set_has(&plan.failed, key_of(spec, a, following)):
            arcs += retract(plan, following)
            continue
        following.untried = moves_of(spec, a, &following.state)
        depth += 1


cdef int32_t retract(Plan* plan, const Node* node) noexcept nogil:
    """Undoes the move that led to a node; returns how many arcs it had drawn."""
    plan.arena.n_cells, plan.arena.n_links, plan.arena.n_branches = node.n_cells, node.n_links, node.n_branches
    if node.head < 0:
        return 0
    count_arc(plan, node.head, node.dependent, 1)
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
