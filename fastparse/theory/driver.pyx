"""Runs a static oracle over one tree."""

from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memcpy, memset

from fastparse.machine.arena cimport arena_close, arena_start, graph_reserve, state_start
from fastparse.machine.spec cimport GRAPH, ROOT_IN_BUFFER, ROOT_IN_FOCUS, ROOT_ON_STACK
from fastparse.machine.state cimport NO_LABEL, NONE, int64_t
from fastparse.transition_systems.oracle cimport NO_MEMORY, NOT_A_TREE, OUTSIDE, READY
from fastparse.trees.tree cimport TREE_NO_MEMORY, TREE_OK, tree_free, tree_init, tree_link, tree_reserve, tree_scratch


cdef void driver_open(Driver* d, const Spec* spec, const Oracle* oracle, int32_t variant) noexcept nogil:
    memset(d, 0, sizeof(Driver))
    d.spec = spec
    d.oracle = oracle
    d.gold.options = variant
    tree_init(&d.gold.tree)


cdef void driver_close(Driver* d) noexcept nogil:
    if d.oracle.close != NULL:
        d.oracle.close(&d.gold)
    arena_close(&d.arena)
    tree_free(&d.gold.tree)
    free(d.block)
    free(d.arc_block)
    free(d.moves)
    free(d.labels)
    memset(d, 0, sizeof(Driver))


cdef int claim(Driver* d, int32_t n) noexcept nogil:
    """Room for n words; the initial state."""
    cdef size_t words, k
    cdef size_t scratch = d.oracle.n_scratch
    cdef int32_t* block
    if d.capacity <= n:
        words = <size_t>n + n // 2 + 32
        block = <int32_t*>malloc((2 * words + scratch * 2 * (words + 1)) * sizeof(int32_t))
        if block == NULL:
            return NO_MEMORY
        free(d.block)
        d.block = block
        d.capacity = <int32_t>words
        d.gold.label = block
        d.gold.missing = block + words
        for k in range(scratch):
            d.gold.scratch[k] = block + 2 * words + k * 2 * (words + 1)
    if arena_start(&d.arena, d.spec, n, True) < 0:
        return NO_MEMORY
    state_start(&d.state, d.spec, &d.arena)
    d.gold.n = n
    memset(d.gold.value, 0, sizeof(d.gold.value))
    d.length = 0
    d.illegal = NONE
    return READY


cdef int take_tree(Driver* d, int32_t n, const int32_t* heads, const int32_t* labels) noexcept nogil:
    """The gold tree. READY, NO_MEMORY or NOT_A_TREE."""
    cdef Gold* gold = &d.gold
    cdef int32_t* label = <int32_t*>gold.label
    cdef bint rooted = d.spec.traits & (ROOT_IN_BUFFER | ROOT_ON_STACK | ROOT_IN_FOCUS)
    cdef int32_t w
    cdef int status = tree_link(&gold.tree, heads, n, rooted)
    if status == TREE_OK and d.oracle.analyses:
        status = tree_scratch(&gold.tree)
    if status != TREE_OK:
        return NO_MEMORY if status == TREE_NO_MEMORY else NOT_A_TREE
    point_to_tree(gold)
    label[0] = NO_LABEL
    if labels != NULL:
        memcpy(label + 1, labels, n * sizeof(int32_t))
    else:
        for w in range(1, n + 1):
            label[w] = NO_LABEL
    return READY


cdef inline void point_to_tree(Gold* gold) noexcept nogil:
    gold.head, gold.first_child, gold.next_child = gold.tree.head, gold.tree.first_child, gold.tree.next_child


cdef int record(Driver* d, int32_t move, int32_t label) noexcept nogil:
    cdef int32_t room
    cdef void* larger
    if d.length == d.move_capacity:
        room = 2 * d.move_capacity + 256
        larger = realloc(d.moves, room)
        if larger == NULL:
            return NO_MEMORY
        d.moves = <uint8_t*>larger
        larger = realloc(d.labels, <size_t>room * sizeof(uint16_t))
        if larger == NULL:
            return NO_MEMORY
        d.labels = <uint16_t*>larger
        d.move_capacity = room
    d.moves[d.length] = <uint8_t>move
    d.labels[d.length] = <uint16_t>label
    d.length += 1
    return READY


cdef int32_t run(Driver* d, int32_t arcs) noexcept nogil:
    """Follows the oracle, as often as it wants to try."""
    cdef int32_t length
    cdef int status = d.oracle.prepare(d.spec, &d.gold) if d.oracle.prepare != NULL else READY
    if status != READY:
        return status
    length = follow(d, arcs)
    while length == OUTSIDE and d.oracle.retry != NULL and d.oracle.retry(d.spec, &d.gold):
        if claim(d, d.gold.n) != READY:
            return NO_MEMORY
        if d.spec.traits & GRAPH:
            list_arcs(d, d.gold.n)
        else:
            count_missing(&d.gold)
        length = follow(d, arcs)
    return length


cdef int32_t count_missing(Gold* gold) noexcept nogil:
    """Nothing of a gold tree is built; returns the number of its arcs."""
    cdef const int32_t* head = gold.head
    cdef int32_t* missing = gold.missing
    cdef int32_t w, arcs = 0
    memset(missing, 0, (<size_t>gold.n + 1) * sizeof(int32_t))
    for w in range(1, gold.n + 1):
        if head[w] >= 0:
            missing[w] += 1
            missing[head[w]] += 1
            arcs += 1
    return arcs


cdef int32_t follow(Driver* d, int32_t arcs) noexcept nogil:
    """Makes moves until the system is final; OUTSIDE unless exactly the gold arcs were drawn."""
    cdef const Spec* spec = d.spec
    cdef const Oracle* oracle = d.oracle
    cdef Arena* a = &d.arena
    cdef State* c = &d.state
    cdef Gold* gold = &d.gold
    cdef int32_t move, label, head = NONE, dependent = NONE, arc
    cdef int32_t* built = d.arc_block
    # Longer than any derivation; it ends an oracle that goes round in circles.
    cdef int64_t patience = <int64_t>a.n * a.n + 16 * <int64_t>a.n + 4 * <int64_t>arcs + 64
    while not spec.is_final(spec, a, c):
        move = oracle.next(spec, a, c, gold)
        if move < 0 or patience == 0:
            return OUTSIDE
        patience -= 1
        if not spec.legal(spec, a, c) >> move & 1:
            d.illegal = move
            return OUTSIDE
        label = NO_LABEL
        if spec.drawing >> move & 1:
            spec.arc(spec, a, c, move, &head, &dependent)
            if spec.traits & GRAPH:
                arc = gold.move_arc
                if built[arc] or gold.arc_head[arc] != head or gold.arc_dependent[arc] != dependent:
                    return OUTSIDE
                built[arc] = True
                label = gold.arc_label[arc]
            elif gold.head[dependent] != head:
                return OUTSIDE
            else:
                label = gold.label[dependent]
            gold.missing[head] -= 1
            gold.missing[dependent] -= 1
            arcs -= 1
        spec.apply(spec, a, c, move, label)
        c.length += 1
        if record(d, move, label) != READY:
            return NO_MEMORY
    return d.length if arcs == 0 else OUTSIDE


cdef int32_t driver_derive(Driver* d, int32_t n, const int32_t* heads, const int32_t* labels) noexcept nogil:
    cdef int32_t w, k = 0
    cdef int status
    if claim(d, n) != READY:
        return NO_MEMORY
    status = take_tree(d, n, heads, labels)
    if status != READY:
        return status
    if not d.spec.traits & GRAPH:
        return run(d, count_missing(&d.gold))
    if claim_arcs(d, n) != READY:
        return NO_MEMORY
    for w in range(1, n + 1):
        if d.gold.head[w] >= 0:
            set_arc(d, k, d.gold.head[w], w, d.gold.label[w])
            k += 1
    d.gold.n_arcs = k
    return run(d, list_arcs(d, n))


cdef int claim_arcs(Driver* d, int32_t n_arcs) noexcept nogil:
    """Room for the arcs of a graph."""
    cdef Gold* gold = &d.gold
    cdef int32_t* block
    if d.arc_capacity < n_arcs:
        block = <int32_t*>malloc(<size_t>n_arcs * 5 * sizeof(int32_t))
        if block == NULL:
            return NO_MEMORY
        free(d.arc_block)
        d.arc_block = block
        d.arc_capacity = n_arcs
    if graph_reserve(&d.arena, n_arcs) < 0:
        return NO_MEMORY
    gold.n_arcs = n_arcs
    gold.arc_head = d.arc_block + d.arc_capacity
    gold.arc_dependent = d.arc_block + 2 * d.arc_capacity
    gold.arc_label = d.arc_block + 3 * d.arc_capacity
    return READY


cdef inline void set_arc(Driver* d, int32_t k, int32_t head, int32_t dependent, int32_t label) noexcept nogil:
    (<int32_t*>d.gold.arc_head)[k] = head
    (<int32_t*>d.gold.arc_dependent)[k] = dependent
    (<int32_t*>d.gold.arc_label)[k] = label


cdef int32_t list_arcs(Driver* d, int32_t n) noexcept nogil:
    """Lists the arcs by head, counts them by word, with none of them built; returns how many there are."""
    cdef Gold* gold = &d.gold
    cdef int32_t* first_arc = gold.tree.first_child
    cdef int32_t* next_arc = d.arc_block + 4 * d.arc_capacity
    cdef int32_t k, w
    for w in range(n + 1):
        gold.tree.head[w] = NONE
        gold.missing[w] = 0
        first_arc[w] = NONE
    for k in range(gold.n_arcs - 1, -1, -1):
        d.arc_block[k] = False
        next_arc[k] = first_arc[gold.arc_head[k]]
        first_arc[gold.arc_head[k]] = k
        gold.missing[gold.arc_head[k]] += 1
        gold.missing[gold.arc_dependent[k]] += 1
    gold.next_arc = next_arc
    return gold.n_arcs


cdef int32_t driver_derive_graph(Driver* d, int32_t n, int32_t n_arcs, const int32_t* heads,
                                 const int32_t* dependents, const int32_t* labels) noexcept nogil:
    cdef int32_t k
    if claim(d, n) != READY or claim_arcs(d, n_arcs) != READY or tree_reserve(&d.gold.tree, n) != TREE_OK:
        return NO_MEMORY
    if d.oracle.analyses and tree_scratch(&d.gold.tree) != TREE_OK:
        return NO_MEMORY
    point_to_tree(&d.gold)
    for k in range(n_arcs):
        if (heads[k] < 0 or heads[k] > n or dependents[k] < 0 or dependents[k] > n or heads[k] == dependents[k]):
            return NOT_A_TREE
        set_arc(d, k, heads[k], dependents[k], NO_LABEL if labels == NULL else labels[k])
    return run(d, list_arcs(d, n))
