"""All reachable configurations of a system for a few words: what it can derive, where it gets stuck, how long it
takes."""

from array import array

from cpython.bytes cimport PyBytes_FromStringAndSize

from fastparse.errors import Error
from fastparse.transition_systems.registry import resolve

from fastparse.configurations.configuration cimport CellConfiguration
from fastparse.machine.arena cimport arena_copy
from fastparse.machine.spec cimport GRAPH, OVER_WORDS, Spec
from fastparse.machine.state cimport Arena, NO_LABEL, NONE, State, int32_t, uint8_t, uint32_t
from fastparse.machine.system cimport System

cdef enum:
    MOST_WORDS = 8
    ROOM = 512                  # of a key, in bytes


cdef class Exploration:
    """Everything that can be reached from the initial configuration.

    Attributes:
        n_configurations: how many configurations there are.
        n_dead_ends: how many of them are not final and have no legal move.
        n_unsound: how many have a legal move that draws an arc to the root, to a word with a head, or closing a cycle.
        final_arcs: the sets of arcs of the final configurations, as sorted tuples of (head, dependent).
        trees: the heads of the final configurations in which every word has one.
        longest: moves of the longest derivation, -1 if a configuration can recur.
    """
    cdef readonly System system
    cdef readonly int n
    cdef readonly int n_configurations
    cdef readonly int n_dead_ends
    cdef readonly int n_unsound
    cdef readonly int longest
    cdef readonly set final_arcs
    cdef readonly set trees

    def __init__(self, system, n, visit=None, beyond_final=False, **options):
        """Explore a system.

        Args:
            system: a name or a composed system.
            n: number of words, at most 8.
            visit: called with each configuration once; it must not be changed or kept.
            beyond_final: whether derivations go on as long as preconditions hold, through final configurations.
            options: the system's options.
        """
        self.system = resolve(system, **options)
        if not 0 <= n <= MOST_WORDS:
            raise Error(f"only configurations of up to {MOST_WORDS} words can be listed, found n={n!r}")
        self.n = n
        self.final_arcs = set()
        self.trees = set()
        self.run(visit, beyond_final)

    cdef run(self, visit, bint beyond_final):
        cdef CellConfiguration here = CellConfiguration(self.system, self.n), after
        cdef const Spec* spec = &self.system.spec
        cdef dict number = {key_of(here): 0}
        cdef list waiting = [(here, 0)]
        cdef object sources = array("i"), targets = array("i")
        cdef set finals = set()
        cdef uint32_t moves
        cdef int32_t move, source
        cdef bytes key
        while waiting:
            here, source = waiting.pop()
            moves = spec.legal(spec, &here.arena, &here.state) if beyond_final else here.mask()
            if visit is not None:
                visit(here)
            if here.is_final():
                finals.add(source)
                self.final_arcs.add(tuple(here.arcs))
                if not spec.traits & GRAPH and all(head >= 0 for head in here.heads):
                    self.trees.add(tuple(here.heads))
            elif moves == 0:
                self.n_dead_ends += 1
            if not spec.traits & GRAPH and not is_sound(spec, &here.arena, &here.state, moves):
                self.n_unsound += 1
            for move in range(spec.n_moves):
                if not moves >> move & 1:
                    continue
                after = copy_of(here)
                after.make(move, NO_LABEL)
                key = key_of(after)
                target = number.get(key)
                if target is None:
                    target = number[key] = len(number)
                    waiting.append((after, target))
                sources.append(source)
                targets.append(target)
        self.n_configurations = len(number)
        self.longest = longest_way(len(number), sources, targets, finals)


def is_derivable(system, arcs, int n, **options):
    """Whether some derivation builds exactly these arcs, by exhaustive search.

    Left out are only configurations in which a word has gone that lacks an arc.
    """
    cdef System resolved = resolve(system, **options)
    cdef const Spec* spec = &resolved.spec
    cdef CellConfiguration here = CellConfiguration(resolved, n), after
    cdef set seen = {key_of(here)}, wanted = set(arcs)
    cdef list waiting = [here]
    cdef uint32_t moves
    cdef int32_t move, head = NONE, dependent = NONE
    cdef bytes key
    if not 0 <= n <= MOST_WORDS:
        raise Error(f"only derivations of up to {MOST_WORDS} words can be searched, found n={n!r}")
    while waiting:
        here = waiting.pop()
        if here.is_final():
            if set(here.arcs) == wanted:
                return True
            continue
        moves = here.mask()
        for move in range(spec.n_moves):
            if not moves >> move & 1:
                continue
            if spec.drawing >> move & 1:
                spec.arc(spec, &here.arena, &here.state, move, &head, &dependent)
                if (here.arena.cells[head].word, here.arena.cells[dependent].word) not in wanted:
                    continue
            after = copy_of(here)
            after.make(move, NO_LABEL)
            key = key_of(after)
            if key not in seen:
                seen.add(key)
                if lacks_nothing_gone(after, wanted):
                    waiting.append(after)
    return False


cdef bint lacks_nothing_gone(CellConfiguration c, set wanted):
    cdef set here = set(c.buffer)
    cdef int32_t k
    for k in range(c.system.spec.n_stacks):
        here.update(c.stack_words(k))
    for k in range(2):
        if c.state.reg[k] >= 0:
            here.add(c.arena.cells[c.state.reg[k]].word)
    cdef set drawn = set(c.arcs)
    for arc in wanted:
        if arc not in drawn and (arc[0] not in here or arc[1] not in here):
            return False
    return True


cdef CellConfiguration copy_of(CellConfiguration c):
    cdef CellConfiguration other = CellConfiguration.__new__(CellConfiguration, c.system, c.arena.n)
    if arena_copy(&other.arena, &c.arena, &c.system.spec) < 0:
        raise MemoryError("no memory for a configuration")
    other.state = c.state
    return other


cdef bytes key_of(CellConfiguration c):
    """Equal for equal configurations: arcs, places, scalars, and the moves that are legal."""
    cdef uint8_t key[ROOM]
    cdef int32_t at = 0, w, k, cell
    cdef const Arena* a = &c.arena
    cdef const State* s = &c.state
    cdef const Spec* spec = &c.system.spec
    cdef uint32_t moves = c.mask()
    for w in range(a.n + 1):
        key[at] = <uint8_t>a.cells[w].head
        at += 1
    if spec.traits & GRAPH:
        for w in range(a.n + 1):
            for k in range(2):
                key[at + k] = 0
            k = a.graph.first_in[w]
            while k >= 0:
                key[at + (a.graph.head[k] >> 3)] |= <uint8_t>(1 << (a.graph.head[k] & 7))
                k = a.graph.next_in[k]
            at += 2
    for k in range(spec.n_stacks):
        cell = s.stack[k]
        while cell >= 0:
            key[at] = <uint8_t>(a.links[cell].word if spec.traits & OVER_WORDS else cell)
            cell = a.links[cell].below if spec.traits & OVER_WORDS else a.cells[cell].below
            at += 1
        key[at] = 255
        at += 1
    cell = s.returned
    while cell >= 0:
        key[at] = <uint8_t>cell
        cell = a.cells[cell].below
        at += 1
    for k in (255, s.next, s.reg[0], s.reg[1], s.last, s.lock, s.focus, s.covered, s.switched, s.joined_front):
        key[at] = <uint8_t>k
        at += 1
    for k in range(4):
        key[at] = <uint8_t>(moves >> (8 * k))
        at += 1
    return PyBytes_FromStringAndSize(<char*>key, at)


cdef bint is_sound(const Spec* spec, const Arena* a, const State* c, uint32_t moves) noexcept:
    """Whether each legal arc goes to a headless word that does not dominate its head, found by following heads."""
    cdef int32_t move, head = NONE, dependent = NONE, above, steps
    for move in range(spec.n_moves):
        if moves & spec.drawing & <uint32_t>1 << move:
            spec.arc(spec, a, c, move, &head, &dependent)
            if dependent == 0 or a.cells[dependent].head >= 0:
                return False
            above = head
            steps = 0
            while above >= 0 and above != dependent and steps <= a.n:
                above = a.cells[above].head
                steps += 1
            if above >= 0:
                return False
    return True


cdef int longest_way(int n_nodes, sources, targets, set finals) except -2:
    """Edges of the longest path from node 0 to a final node; -1 if there is a cycle."""
    if not len(sources):
        return 0
    cdef int[::1] source = sources, target = targets
    cdef int[::1] incoming = array("i", bytes(4 * n_nodes)), length = array("i", bytes(4 * n_nodes))
    cdef int[::1] first = array("i", bytes(4 * (n_nodes + 1))), following = array("i", bytes(4 * len(sources)))
    cdef list ready = [0]
    cdef int best = 0, done = 0, node, k, after
    # The targets of a node stand together in `following`, from first[node] on.
    for k in range(source.shape[0]):
        incoming[target[k]] += 1
        first[source[k] + 1] += 1
    for node in range(n_nodes):
        first[node + 1] += first[node]
    for k in range(source.shape[0] - 1, -1, -1):
        first[source[k] + 1] -= 1
        following[first[source[k] + 1]] = target[k]
    # first[node + 1] is now where the targets of node begin; those of the last node end at the end.
    while ready:
        node = ready.pop()
        done += 1
        if node in finals:
            best = max(best, length[node])
        for k in range(first[node + 1], first[node + 2] if node + 2 <= n_nodes else source.shape[0]):
            after = following[k]
            length[after] = max(length[after], length[node] + 1)
            incoming[after] -= 1
            if incoming[after] == 0:
                ready.append(after)
    return best if done == n_nodes else -1
