"""The interpreter of composed systems.

Legality is decided on facts: a byte per address, gathered once per configuration, against which the precomputed tests
of all moves are matched. Applying a move carries out its elementary transitions one by one, without further tests.

With one stack, facts about neighbours (symbolic.py says why they tell everything) are kept (program.pxd says where).
Untouched words have no arcs. With several stacks, words are reached through Words, and connectedness is that of
components.
"""

from libc.stdlib cimport calloc, free
from libc.string cimport memset

from fastparse.machine.operations cimport (
    NEWEST_IN, NEWEST_OUT, connect, draw_arc, front, note_arc, own, own_front, own_top, pop, push, start_graph,
    take_front)
from fastparse.machine.spec cimport GRAPH, OVER_WORDS, ROOT_IN_BUFFER, ROOT_ON_STACK, Spec
from fastparse.machine.state cimport Arena, NONE, State, int32_t, uint32_t, uint8_t
from fastparse.machine.system cimport System
from fastparse.machine.words cimport (
    cell_of, component, join, leads, own_word, pop_word, push_word, reaches, start_components, top_word)

cdef enum:
    # Facts kept in cells that survive the removal of the word between two neighbours
    LASTING = (JOINED | REACH_RIGHT | REACH_LEFT) >> LINK_SHIFT


# ── facts ──

cdef inline uint8_t facts_of(const Arena* a, int32_t cell) noexcept nogil:
    return (EXISTS | (HEAD if a.cells[cell].head >= 0 else 0) | (IS_ROOT if a.cells[cell].word == 0 else 0))


cdef void gather(const Program* p, const Arena* a, const State* c, uint8_t* facts) noexcept nogil:
    """Facts about all addresses that occur in tests, with one stack."""
    cdef int32_t k, cell = c.stack[0], word
    cdef uint8_t link = c.own_flags
    for k in range(p.depth):
        if cell < 0:
            facts[k] = 0
            continue
        facts[k] = facts_of(a, cell) | <uint8_t>(a.cells[cell].own[BELOW] << LINK_SHIFT)
        cell = a.cells[cell].below
    cell = c.returned
    word = c.next
    for k in range(p.width):
        if cell >= 0:
            facts[FRONT + k] = facts_of(a, cell) | <uint8_t>(link << LINK_SHIFT)
            link = a.cells[cell].own[BEHIND]
            cell = a.cells[cell].below
        elif word <= a.n:
            facts[FRONT + k] = facts_of(a, word) | <uint8_t>(link << LINK_SHIFT)
            link = 0
            word += 1
        else:
            facts[FRONT + k] = 0
    facts[MACHINE] = 0


cdef uint8_t links_of(const Program* p, const Arena* a, const State* c, int32_t s, int32_t b) noexcept nogil:
    """Facts about the stack top and the front where words may have several heads. While b is the front, what s has got
    since is an arc from or to b."""
    cdef uint8_t found = 0
    cdef int32_t cell = cell_of(a, c, s)
    if a.cells[cell].own[NEWEST_OUT] >= 0 and a.graph.arcs[a.cells[cell].own[NEWEST_OUT]].dependent == b:
        found |= ARC_RIGHT
    if a.cells[cell].own[NEWEST_IN] >= 0 and a.graph.arcs[a.cells[cell].own[NEWEST_IN]].head == b:
        found |= ARC_LEFT
    if p.tested_links & JOINED and leads(a, c, s, b, True):
        found |= JOINED
    if p.tested_links & REACH_RIGHT and reaches(a, c, s, b):
        found |= REACH_RIGHT
    if p.tested_links & REACH_LEFT and reaches(a, c, b, s):
        found |= REACH_LEFT
    return found


cdef void gather_words(const Program* p, const Arena* a, const State* c, uint8_t* facts) noexcept nogil:
    """The same with several stacks; facts about neighbours only for S0 and B0."""
    cdef int32_t k, link = c.stack[0], word, s = top_word(a, c, 0)
    for k in range(p.depth):
        if link < 0:
            facts[k] = 0
            continue
        facts[k] = facts_of(a, cell_of(a, c, a.links[link].word))
        link = a.links[link].below
    for k in range(p.width):
        word = c.next + k
        facts[FRONT + k] = facts_of(a, cell_of(a, c, word)) if word <= a.n else 0
    facts[MACHINE] = c.own_flags
    if p.tested_links and s >= 0 and c.next <= a.n:
        word = c.next
        if a.graph != NULL:
            facts[FRONT] |= links_of(p, a, c, s, word)
            return
        if a.cells[cell_of(a, c, word)].head == s:
            facts[FRONT] |= ARC_RIGHT
        if a.cells[cell_of(a, c, s)].head == word:
            facts[FRONT] |= ARC_LEFT
        if component(a, c, s) == component(a, c, word):
            facts[FRONT] |= JOINED


cdef inline bint holds(const Program* p, const Move* move, const uint8_t* facts) noexcept nogil:
    cdef int32_t k, t
    cdef const Clause* clause
    cdef const Test* test
    for k in range(move.n_clauses):
        clause = &p.clauses[move.first_clause + k]
        for t in range(clause.n_tests):
            test = &p.tests[clause.first_test + t]
            if (facts[test.address] & (test.required | test.forbidden)) != test.required:
                break
        else:
            return True
    return False


cdef uint32_t legal(const Spec* spec, const Arena* a, const State* c) noexcept nogil:
    cdef const Program* p = <const Program*>spec.data
    cdef uint8_t facts[N_ADDRESSES]
    cdef uint32_t moves = 0
    cdef int32_t move
    if spec.traits & OVER_WORDS:
        gather_words(p, a, c, facts)
    else:
        gather(p, a, c, facts)
    for move in range(p.n_moves):
        if holds(p, &p.moves[move], facts):
            moves |= <uint32_t>1 << move
    return moves


cdef bint is_final(const Spec* spec, const Arena* a, const State* c) noexcept nogil:
    cdef const Program* p = <const Program*>spec.data
    cdef uint8_t facts[N_ADDRESSES]
    if p.buffer_ends:
        return front(a, c) < 0
    if spec.traits & OVER_WORDS:
        gather_words(p, a, c, facts)
    else:
        gather(p, a, c, facts)
    return holds(p, &p.moves[p.n_moves], facts)


# ── moves ──

cdef void draw(Arena* a, State* c, bint to_left, int32_t label) noexcept nogil:
    cdef int32_t s = own_top(a, c), b = own_front(a, c)
    cdef int32_t head = b if to_left else s, dependent = s if to_left else b
    connect(a, c, head, dependent, label)
    c.own_flags |= (JOINED | ((ARC_LEFT | REACH_LEFT) if to_left else (ARC_RIGHT | REACH_RIGHT))) >> LINK_SHIFT
    if a.graph != NULL:
        note_arc(a.graph, a.cells[head].word, a.cells[dependent].word, label)


cdef void apply(const Spec* spec, Arena* a, State* c, int32_t move, int32_t label) noexcept nogil:
    cdef const Program* p = <const Program*>spec.data
    cdef const Operation* operation = &p.operations[p.moves[move].first_operation]
    cdef int32_t _k, cell
    cdef uint8_t link
    for _k in range(p.moves[move].n_operations):
        if operation.code == PUSH:
            cell = take_front(a, c)
            link = c.own_flags
            c.own_flags = a.cells[cell].own[BEHIND]
            a.cells[cell].own[BEHIND] = 0
            a.cells[cell].own[BELOW] = link
            push(a, c, cell)
        elif operation.code == POP:
            cell = pop(a, c)
            c.own_flags &= a.cells[cell].own[BELOW] & LASTING
        elif operation.code == UNSHIFT:
            cell = own(a, pop(a, c))
            a.cells[cell].own[BEHIND] = c.own_flags
            c.own_flags = a.cells[cell].own[BELOW]
            a.cells[cell].own[BELOW] = 0
            a.cells[cell].below = c.returned
            c.returned = cell
        else:
            draw(a, c, operation.code == ARC_TO_LEFT, label)
        operation += 1


cdef void apply_words(const Spec* spec, Arena* a, State* c, int32_t move, int32_t label) noexcept nogil:
    """The same with several stacks."""
    cdef const Program* p = <const Program*>spec.data
    cdef const Operation* operation = &p.operations[p.moves[move].first_operation]
    cdef int32_t _k, i, s, b, head, dependent
    c.own_flags = 0
    for _k in range(p.moves[move].n_operations):
        if operation.code == PUSH:
            for i in range(spec.n_stacks):
                push_word(a, c, i, c.next)
            c.next += 1
        elif operation.code == POP:
            pop_word(a, c, 0)
        elif operation.code == SWITCH:
            i = operation.argument
            c.stack[0], c.stack[i] = c.stack[i], c.stack[0]
            c.plane[0], c.plane[i] = c.plane[i], c.plane[0]
            c.own_flags = SWITCHED
        else:
            s, b = top_word(a, c, 0), c.next
            head = own_word(a, c, b if operation.code == ARC_TO_LEFT else s)
            dependent = own_word(a, c, s if operation.code == ARC_TO_LEFT else b)
            connect(a, c, head, dependent, label)
            if a.graph != NULL:
                draw_arc(a, head, dependent, label)
            else:
                join(a, c, s, b)
        operation += 1


cdef int32_t cell_at(const Program* p, const Arena* a, const State* c, int32_t address) noexcept nogil:
    cdef int32_t cell, k, _k
    if address < FRONT:
        cell = c.stack[0]
        for _k in range(address):
            cell = a.cells[cell].below
        return cell
    cell = c.returned
    for k in range(address - FRONT):
        if cell < 0:
            return c.next + address - FRONT - k
        cell = a.cells[cell].below
    return cell if cell >= 0 else c.next


cdef void arc(const Spec* spec, const Arena* a, const State* c, int32_t move,
              int32_t* head, int32_t* dependent) noexcept nogil:
    cdef const Program* p = <const Program*>spec.data
    head[0] = cell_at(p, a, c, p.moves[move].head)
    dependent[0] = cell_at(p, a, c, p.moves[move].dependent)


cdef void arc_words(const Spec* spec, const Arena* a, const State* c, int32_t move,
                    int32_t* head, int32_t* dependent) noexcept nogil:
    cdef const Program* p = <const Program*>spec.data
    cdef int32_t s = cell_of(a, c, top_word(a, c, 0)), b = cell_of(a, c, c.next)
    head[0], dependent[0] = (b, s) if p.moves[move].head == FRONT else (s, b)


# ── from Python ──

cdef class Owner:
    """Owns the arrays of a program, and remembers what it was made from."""

    cdef Program program
    cdef readonly object composition

    def __cinit__(self):
        memset(&self.program, 0, sizeof(Program))

    def __dealloc__(self):
        free(self.program.moves)
        free(self.program.operations)
        free(self.program.clauses)
        free(self.program.tests)
        free(self.program.pops)


CODES = {"PUSH": PUSH, "UNSHIFT": UNSHIFT, "POP": POP, "ARC(B0, S0)": ARC_TO_LEFT, "ARC(S0, B0)": ARC_TO_RIGHT,
         "SWITCH": SWITCH}
FACTS = {"exists": EXISTS, "head": HEAD, "root": IS_ROOT, "joined": JOINED, "arc-right": ARC_RIGHT,
         "arc-left": ARC_LEFT, "reach-right": REACH_RIGHT, "reach-left": REACH_LEFT}


def address_number(address: str) -> int:
    """S0 .. are 0 .., B0 .. are FRONT .., and "" is what is no word."""
    return MACHINE if not address else (FRONT if address[0] == "B" else 0) + int(address[1:])


def tests_of(clause) -> list[tuple[int, int, int]]:
    """A clause as (address, required facts, forbidden facts)."""
    tests = {}
    for (fact, address), value in clause:
        required, forbidden = tests.get(address, (0, 0))
        bit = SWITCHED if fact == "switched" else FACTS[fact]
        tests[address] = (required | bit, forbidden) if value else (required, forbidden | bit)
    return sorted((address_number(address), *facts) for address, facts in tests.items())


def build(composition, runs, final, bint is_graph, bint buffer_ends) -> System:
    """A system from a checked composition.

    Args:
        composition: a ``compose.Composition``.
        runs: for each move, what it does to addresses (``symbolic.Machine``).
        final: the formula of final configurations.
        is_graph: whether words may have several heads.
        buffer_ends: whether configurations are final exactly when the buffer is empty.
    """
    cdef Owner owner = Owner()
    cdef Program* p = &owner.program
    cdef Spec spec
    cdef int32_t i, n_operations = 0, n_clauses = 0, n_tests = 0, n_pops = 0, cells = 0, most_cells = 1
    operations = [steps for steps in composition.moves.values()]
    formulas = [*(run.precondition for run in runs.values()), final]
    clauses = [[tests_of(clause) for clause in sorted(formula.clauses, key=sorted)] for formula in formulas]
    pops = [[address_number(pop.address) for pop in run.pops] for run in runs.values()]
    owner.composition = composition
    p.n_moves = len(operations)
    p.buffer_ends = buffer_ends
    p.moves = <Move*>calloc(p.n_moves + 1, sizeof(Move))
    p.operations = <Operation*>calloc(1 + sum(map(len, operations)), sizeof(Operation))
    p.clauses = <Clause*>calloc(1 + sum(map(len, clauses)), sizeof(Clause))
    p.tests = <Test*>calloc(1 + sum(len(tests) for each in clauses for tests in each), sizeof(Test))
    p.pops = <int32_t*>calloc(1 + sum(map(len, pops)), sizeof(int32_t))
    if p.moves == NULL or p.operations == NULL or p.clauses == NULL or p.tests == NULL or p.pops == NULL:
        raise MemoryError("no memory for a composed system")
    memset(&spec, 0, sizeof(Spec))
    for i, run in enumerate(runs.values()):
        p.moves[i].first_operation = n_operations
        p.moves[i].n_operations = len(operations[i])
        cells = 0
        for step in operations[i]:
            p.operations[n_operations].code = CODES[step.kind]
            p.operations[n_operations].argument = step.argument
            cells += 4 if step.kind.startswith("ARC") else 1
            n_operations += 1
        most_cells = max(most_cells, cells)
        p.moves[i].head = p.moves[i].dependent = NONE
        if run.arcs:
            spec.drawing |= <uint32_t>1 << i
            p.moves[i].head = address_number(run.arcs[0].head)
            p.moves[i].dependent = address_number(run.arcs[0].dependent)
        p.moves[i].first_pop, p.moves[i].n_pops = n_pops, len(pops[i])
        for address in pops[i]:
            p.pops[n_pops] = address
            n_pops += 1
    for i, each in enumerate(clauses):
        p.moves[i].first_clause, p.moves[i].n_clauses = n_clauses, len(each)
        for tests in each:
            p.clauses[n_clauses].first_test, p.clauses[n_clauses].n_tests = n_tests, len(tests)
            n_clauses += 1
            for address, required, forbidden in tests:
                p.tests[n_tests].address = address
                p.tests[n_tests].required = required
                p.tests[n_tests].forbidden = forbidden
                n_tests += 1
                if address < FRONT:
                    p.depth = max(p.depth, <int32_t>address + 1)
                elif address < MACHINE:
                    p.width = max(p.width, <int32_t>address - FRONT + 1)
                if address != MACHINE:
                    p.tested_links |= (required | forbidden) & ~(EXISTS | HEAD | IS_ROOT)
    several = composition.stacks > 1
    spec.n_moves = p.n_moves
    spec.labelled = spec.drawing
    spec.leftward = 0
    spec.traits = ((OVER_WORDS if several else 0) | (GRAPH if is_graph else 0)
                   | {"stack": ROOT_ON_STACK, "buffer": ROOT_IN_BUFFER, "absent": 0}[composition.root])
    spec.n_stacks = composition.stacks
    spec.cells_per_move = most_cells
    spec.data = p
    if several:
        spec.start = start_graph if is_graph else start_components
    spec.legal, spec.is_final = legal, is_final
    spec.apply = apply_words if several else apply
    spec.arc = arc_words if several else arc
    return System.wrap(&spec, composition.name, tuple(composition.moves), composition.covers, None,
                       ("inactive",) if several else (), {"switched": SWITCHED} if several else {}, owner)
