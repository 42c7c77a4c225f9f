"""Memory of one sentence's configurations: opening, growing, compacting, copying."""

from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memcpy, memset

from fastparse.machine.operations cimport mix
from fastparse.machine.spec cimport GRAPH, OVER_WORDS, ROOT_IN_BUFFER, ROOT_ON_STACK, Spec
from fastparse.machine.state cimport (
    Arena, Branch, Cell, Drawn, Graph, History, Link, MAX_DEPTH, MAX_REGISTERS, MAX_STACKS, NO_LABEL, NONE, State,
    int32_t, uint8_t, uint64_t)


cdef int arena_open(Arena* a) except -1:
    """An empty arena; arena_start makes it usable."""
    memset(a, 0, sizeof(Arena))
    return 0


cdef void arena_close(Arena* a) noexcept nogil:
    free(a.cells)
    free(a.history)
    free(a.links)
    free(a.branches)
    close_graph(a)
    memset(a, 0, sizeof(Arena))


cdef void close_graph(Arena* a) noexcept nogil:
    cdef Graph* g = a.graph
    if g == NULL:
        return
    free(g.arcs)
    free(g.mark)
    free(g.agenda)
    free(g)
    a.graph = NULL


cdef int open_graph(Arena* a, int32_t n) noexcept nogil:
    """No arcs, and room for searches among n words and the root."""
    cdef Graph* g = a.graph
    cdef int32_t room = n + 1
    if g == NULL:
        g = <Graph*>malloc(sizeof(Graph))
        if g == NULL:
            return -1
        memset(g, 0, sizeof(Graph))
        a.graph = g
    g.n_arcs = 0
    if g.room < room:
        room += n // 2
        free(g.mark)
        free(g.agenda)
        g.room = 0
        g.mark = <int32_t*>malloc(<size_t>room * sizeof(int32_t))
        g.agenda = <int32_t*>malloc(<size_t>room * sizeof(int32_t))
        if g.mark == NULL or g.agenda == NULL:
            return -1
        g.room = room
        memset(g.mark, 0, <size_t>room * sizeof(int32_t))
    return 0


cdef int graph_reserve(Arena* a, Py_ssize_t arcs) noexcept nogil:
    return grow(<void**>&a.graph.arcs, &a.graph.capacity, a.graph.n_arcs + arcs, sizeof(Drawn))


cdef int grow(void** items, int32_t* capacity, Py_ssize_t wanted, size_t size) noexcept nogil:
    """Makes room for `wanted` items; -1 when memory is short or ids would overflow."""
    cdef void* larger
    cdef Py_ssize_t room = capacity[0]
    if wanted <= room:
        return 0
    if wanted > 0x7FFFFFF0:
        return -1
    room = room + room // 2
    if room < wanted:
        room = wanted
    if room > 0x7FFFFFF0:
        room = 0x7FFFFFF0
    larger = realloc(items[0], room * size)
    if larger == NULL:
        return -1
    items[0] = larger
    capacity[0] = <int32_t>room
    return 0


cdef int arena_start(Arena* a, const Spec* spec, int32_t n, bint exclusive) noexcept nogil:
    cdef int32_t w
    cdef Cell* cell
    a.n = n
    a.exclusive = exclusive
    a.n_cells = n + 1
    a.n_history = 0
    a.n_links = 0
    a.n_branches = 0
    a.depth = 1
    while (n >> (4 * a.depth)) > 0:
        a.depth += 1
    if grow(<void**>&a.cells, &a.cell_capacity, <Py_ssize_t>n + 1, sizeof(Cell)) < 0:
        return -1
    for w in range(n + 1):
        cell = &a.cells[w]
        memset(cell, 0, sizeof(Cell))
        cell.word = w
        cell.below = NONE
        cell.head = NONE
        cell.grandhead = NONE
        cell.left[0] = cell.left[1] = cell.right[0] = cell.right[1] = NONE
        cell.label = cell.head_label = NO_LABEL
        cell.left_label[0] = cell.left_label[1] = cell.right_label[0] = cell.right_label[1] = NO_LABEL
        cell.key = mix(<uint64_t>w, <uint64_t>0x5851F42D4C957F2DULL)
    if spec.traits & OVER_WORDS and exclusive:
        if grow(<void**>&a.links, &a.link_capacity, <Py_ssize_t>spec.n_stacks * (n + 1), sizeof(Link)) < 0:
            return -1
        a.n_links = spec.n_stacks * (n + 1)
    if not spec.traits & GRAPH:
        close_graph(a)
    elif open_graph(a, n) < 0:
        return -1
    return 0


cdef int arena_reserve(Arena* a, const Spec* spec, int32_t moves) noexcept nogil:
    cdef Py_ssize_t cells = <Py_ssize_t>moves * spec.cells_per_move
    if grow(<void**>&a.history, &a.history_capacity, <Py_ssize_t>a.n_history + moves, sizeof(History)) < 0:
        return -1
    if grow(<void**>&a.cells, &a.cell_capacity, a.n_cells + cells, sizeof(Cell)) < 0:
        return -1
    if spec.traits & GRAPH and graph_reserve(a, moves) < 0:
        return -1
    if spec.traits & OVER_WORDS:
        if grow(<void**>&a.links, &a.link_capacity,
                a.n_links + <Py_ssize_t>moves * spec.n_stacks, sizeof(Link)) < 0:
            return -1
        if grow(<void**>&a.branches, &a.branch_capacity, a.n_branches + cells * a.depth, sizeof(Branch)) < 0:
            return -1
    return 0


# ── compaction ──

cdef inline int32_t move_chain(const void* old, void* new, size_t size, size_t link, int32_t* moved, int32_t kept,
                               int32_t* n_new, int32_t at) noexcept nogil:
    """Copies a chain of records up to the first that has been copied; returns the new number of its start.

    `size` is that of a record, `link` says where it has the number of the next one. Records below `kept` keep their
    numbers: they are cells of untouched words, which have nothing below.
    """
    cdef int32_t start = NONE, target
    cdef int32_t* place = &start                # where the number of the record at hand belongs
    while at >= 0:
        target = at if at < kept else moved[at]
        if target >= 0:
            place[0] = target
            return start
        target = n_new[0]
        n_new[0] += 1
        memcpy(<char*>new + target * size, <const char*>old + at * size, size)
        moved[at] = place[0] = target
        place = <int32_t*>(<char*>new + target * size + link)
        at = place[0]
    return start


cdef int32_t move_cells(const Cell* old, Cell* new, int32_t* moved, int32_t kept, int32_t* n_new,
                        int32_t cell) noexcept nogil:
    return move_chain(old, new, sizeof(Cell), <char*>&old.below - <char*>old, moved, kept, n_new, cell)


cdef int32_t move_links(const Link* old, Link* new, int32_t* moved, int32_t* n_new, int32_t link) noexcept nogil:
    return move_chain(old, new, sizeof(Link), <char*>&old.below - <char*>old, moved, 0, n_new, link)


cdef int32_t move_history(const History* old, History* new, int32_t* moved, int32_t* n_new,
                          int32_t entry) noexcept nogil:
    return move_chain(old, new, sizeof(History), <char*>&old.previous - <char*>old, moved, 0, n_new, entry)


cdef int32_t move_branches(const Arena* a, Branch* new, int32_t* moved, int32_t* n_new, const Cell* old_cells,
                           Cell* new_cells, int32_t* moved_cells, int32_t* n_cells, int32_t root) noexcept nogil:
    """Copies what one tree of Words reaches."""
    cdef int32_t path[MAX_DEPTH]                # the nodes from the root to the one at hand
    cdef int32_t slot[MAX_DEPTH]                # the next child to be looked at in each of them
    cdef int32_t level = 0, node = root, child
    if root < 0 or moved[root] >= 0:
        return NONE if root < 0 else moved[root]
    path[0], slot[0] = root, 0
    moved[root] = n_new[0]
    n_new[0] += 1
    while level >= 0:
        node = path[level]
        if slot[level] == 16:
            level -= 1
            continue
        child = a.branches[node].child[slot[level]]
        if level < a.depth - 1:
            if child >= 0 and moved[child] < 0:
                moved[child] = n_new[0]
                n_new[0] += 1
                level += 1
                path[level], slot[level] = child, 0
                continue                        # this child comes again when it has been copied
            child = moved[child] if child >= 0 else NONE
        elif child > a.n:
            if moved_cells[child] < 0:
                moved_cells[child] = n_cells[0]
                new_cells[n_cells[0]] = old_cells[child]
                n_cells[0] += 1
            child = moved_cells[child]
        new[moved[node]].child[slot[level]] = child
        slot[level] += 1
    return moved[root]


cdef int32_t* forwarding(int32_t size) noexcept nogil:
    cdef int32_t* moved = <int32_t*>malloc((<size_t>size + 1) * sizeof(int32_t))
    if moved != NULL:
        memset(moved, 0xFF, (<size_t>size + 1) * sizeof(int32_t))
    return moved


cdef int compact_graph(Graph* g, Cell* cells, int32_t n_cells) noexcept nogil:
    """Drops the arcs that no cell leads to. Lists lead to older arcs, which stand further in front."""
    cdef int32_t i, k, n = 0
    cdef int32_t* moved = forwarding(g.n_arcs)
    cdef Drawn* arc
    if moved == NULL:
        return -1
    for i in range(n_cells):
        for k in range(2):
            if cells[i].own[k] >= 0:
                moved[cells[i].own[k]] = 0
    for k in range(g.n_arcs - 1, -1, -1):
        if moved[k] >= 0:
            if g.arcs[k].next_out >= 0:
                moved[g.arcs[k].next_out] = 0
            if g.arcs[k].next_in >= 0:
                moved[g.arcs[k].next_in] = 0
    for k in range(g.n_arcs):
        if moved[k] >= 0:
            moved[k] = n
            arc = &g.arcs[n]
            arc[0] = g.arcs[k]
            arc.next_out = moved[arc.next_out] if arc.next_out >= 0 else NONE
            arc.next_in = moved[arc.next_in] if arc.next_in >= 0 else NONE
            n += 1
    for i in range(n_cells):
        for k in range(2):
            if cells[i].own[k] >= 0:
                cells[i].own[k] = moved[cells[i].own[k]]
    g.n_arcs = n
    free(moved)
    return 0


cdef int arena_compact(Arena* a, const Spec* spec, State* states, int32_t n_states) noexcept nogil:
    """Shared regime: copies the cells, links, branches and history the states reach, and renews their ids."""
    cdef int32_t i, k, n_cells = a.n + 1, n_links = 0, n_branches = 0, n_history = 0
    cdef State* c
    cdef bint over_words = spec.traits & OVER_WORDS
    cdef int32_t* moved_cells = forwarding(a.n_cells)
    cdef int32_t* moved_links = forwarding(a.n_links)
    cdef int32_t* moved_branches = forwarding(a.n_branches)
    cdef int32_t* moved_history = forwarding(a.n_history)
    cdef Cell* cells = <Cell*>malloc(<size_t>a.cell_capacity * sizeof(Cell))
    cdef Link* links = <Link*>malloc((<size_t>a.link_capacity + 1) * sizeof(Link))
    cdef Branch* branches = <Branch*>malloc((<size_t>a.branch_capacity + 1) * sizeof(Branch))
    cdef History* history = <History*>malloc((<size_t>a.history_capacity + 1) * sizeof(History))
    if (moved_cells == NULL or moved_links == NULL or moved_branches == NULL or moved_history == NULL
            or cells == NULL or links == NULL or branches == NULL or history == NULL):
        free(moved_cells)
        free(moved_links)
        free(moved_branches)
        free(moved_history)
        free(cells)
        free(links)
        free(branches)
        free(history)
        return -1
    memcpy(cells, a.cells, (<size_t>a.n + 1) * sizeof(Cell))
    for i in range(n_states):
        c = &states[i]
        if over_words:
            for k in range(spec.n_stacks):
                c.stack[k] = move_links(a.links, links, moved_links, &n_links, c.stack[k])
            c.words = move_branches(a, branches, moved_branches, &n_branches, a.cells, cells, moved_cells, &n_cells,
                                    c.words)
        else:
            for k in range(spec.n_stacks):
                c.stack[k] = move_cells(a.cells, cells, moved_cells, a.n + 1, &n_cells, c.stack[k])
        c.returned = move_cells(a.cells, cells, moved_cells, a.n + 1, &n_cells, c.returned)
        for k in range(MAX_REGISTERS):
            c.reg[k] = move_cells(a.cells, cells, moved_cells, a.n + 1, &n_cells, c.reg[k])
        c.history = move_history(a.history, history, moved_history, &n_history, c.history)
    if a.graph != NULL and compact_graph(a.graph, cells, n_cells) < 0:
        free(cells)
        free(links)
        free(branches)
        free(history)
        cells = NULL
    free(moved_cells)
    free(moved_links)
    free(moved_branches)
    free(moved_history)
    if cells == NULL:
        return -1
    free(a.cells)
    free(a.links)
    free(a.branches)
    free(a.history)
    a.cells, a.n_cells = cells, n_cells
    a.links, a.n_links = links, n_links
    a.branches, a.n_branches = branches, n_branches
    a.history, a.n_history = history, n_history
    return 0


cdef int arena_copy(Arena* target, const Arena* source, const Spec* spec) noexcept nogil:
    """Exclusive regime: a second configuration of its own."""
    if arena_start(target, spec, source.n, True) < 0:
        return -1
    memcpy(target.cells, source.cells, (<size_t>source.n + 1) * sizeof(Cell))
    if spec.traits & OVER_WORDS and source.n_links > 0:  # Covington has no stacks, hence no links: both are NULL
        memcpy(target.links, source.links, <size_t>source.n_links * sizeof(Link))
    if source.graph != NULL:
        if graph_reserve(target, source.graph.n_arcs) < 0:
            return -1
        target.graph.n_arcs = source.graph.n_arcs
        if source.graph.n_arcs:
            memcpy(target.graph.arcs, source.graph.arcs, <size_t>source.graph.n_arcs * sizeof(Drawn))
    return 0


cdef void state_start(State* c, const Spec* spec, Arena* a) noexcept nogil:
    """The initial configuration. Systems over Words start with empty stacks."""
    cdef int32_t k
    memset(c, 0, sizeof(State))
    for k in range(MAX_STACKS):
        c.stack[k] = NONE
        c.plane[k] = <uint8_t>k
    c.returned = c.reg[0] = c.reg[1] = c.reg[2] = c.words = c.root_child = c.history = NONE
    c.next = 0 if spec.traits & ROOT_IN_BUFFER else 1
    if spec.traits & ROOT_ON_STACK:
        c.stack[0] = 0
    if spec.start != NULL:
        spec.start(spec, a, c)
