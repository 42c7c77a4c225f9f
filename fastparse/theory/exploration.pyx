"""All reachable configurations of a system for a few words: what it can derive, where it gets stuck, how long it
takes.

Systems whose configurations are made of cells are explored in C. Those with configurations of their own (easy-first,
whose moves come with a place, and the passes of three-step) are asked in words, by the names of their moves.
"""

from array import array
from collections import deque

from fastparse.errors import Error
from fastparse.theory.configuration import Configuration
from fastparse.transition_systems import registry
from fastparse.transition_systems.registry import resolve

from cpython.bytes cimport PyBytes_FromStringAndSize

from fastparse.machine.arena cimport arena_copy
from fastparse.machine.spec cimport GRAPH, OVER_WORDS, ROOT_IN_FOCUS, Spec
from fastparse.machine.state cimport (
    Arena, MAX_REGISTERS, NO_LABEL, NONE, State, int32_t, int64_t, uint32_t, uint8_t)
from fastparse.machine.system cimport System
from fastparse.theory.configuration cimport CellConfiguration

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
        whole: whether everything was visited; False if there were more configurations than asked for.
    """
    cdef readonly System system
    cdef readonly int n
    cdef readonly int n_configurations
    cdef readonly int n_dead_ends
    cdef readonly int n_unsound
    cdef readonly int longest
    cdef readonly bint whole
    cdef readonly set final_arcs
    cdef readonly set trees
    cdef dict ends                      # arcs -> number of the first final configuration that has them
    cdef list came_from                 # by number: (number, move) of the configuration before; None at the start
    cdef int64_t most

    def __init__(self, system, n, visit=None, beyond_final=False, ways=False, most=None, **options):
        """Explore a system.

        Args:
            system: a name or a composed system.
            n: number of words, at most 8.
            visit: called with each configuration once; it must not be changed or kept.
            beyond_final: whether derivations go on as long as preconditions hold, through final configurations; not
                for systems with configurations of their own.
            ways: whether to remember a shortest derivation of each set of final arcs, for `way_to`.
            most: configurations to visit; None visits them all.
            options: the system's options.
        """
        self.system = resolve(system, **options)
        if not 0 <= n <= MOST_WORDS:
            raise Error(f"only configurations of up to {MOST_WORDS} words can be listed, found n={n!r}")
        self.n = n
        self.final_arcs = set()
        self.trees = set()
        self.ends = {}
        self.came_from = [None] if ways else []
        self.most = -1 if most is None else most
        self.whole = True
        if has_own_configurations(self.system):
            if beyond_final:
                raise Error(f"{self.system.name!r} cannot be explored beyond final configurations")
            self.run_by_name(visit)
        else:
            self.run(visit, beyond_final)

    def way_to(self, arcs) -> list[str]:
        """The moves of a shortest derivation that ends with exactly these arcs; asked of an exploration with ways.

        Raises:
            Error: if no derivation does.
        """
        found = self.ends.get(tuple(sorted(arcs)))
        if found is None or not self.came_from:
            raise Error(f"no derivation of {self.system.name!r} that is known ends with the arcs {sorted(arcs)}")
        moves = []
        while (step := self.came_from[found]) is not None:
            found, move = step
            moves.append(move)
        return moves[::-1]

    cdef void end(self, here, int number, bint is_graph):
        """Notes a final configuration."""
        arcs = tuple(here.arcs)
        self.final_arcs.add(arcs)
        self.ends.setdefault(arcs, number)
        if not is_graph and all(head >= 0 for head in here.heads):
            self.trees.add(tuple(here.heads))

    cdef bint is_enough(self, int number):
        if self.most >= 0 and number >= self.most:
            self.whole = False
            return True
        return False

    cdef int place(self, dict number, waiting, key, after, int source, str move) except -2:
        """The number of a configuration that a move leads to, which waits if it is new; -1 if there are enough."""
        target = number.get(key)
        if target is not None:
            return target
        if self.is_enough(len(number)):
            return -1
        number[key] = target = len(number)
        waiting.append((after, target))
        if self.came_from:
            self.came_from.append((source, move))
        return target

    cdef run_by_name(self, visit):
        """What `run` does, by names of moves."""
        start = Configuration(self.system.name, self.n, **self.system.options)
        number = {identity(start): 0}
        waiting = deque([(start, 0)])
        sources, targets = array("i"), array("i")
        finals = set()
        cdef int target
        while waiting:
            here, source = waiting.popleft()
            if visit is not None:
                visit(here)
            moves, sound = here.legal(), True
            if here.is_final():
                finals.add(source)
                self.end(here, source, False)
            elif not moves:
                self.n_dead_ends += 1
            for move in moves:
                after = here.copy()
                after.apply(move)
                sound = sound and is_acyclic(after.heads)
                key = identity(after)
                target = self.place(number, waiting, key, after, source, move)
                if target < 0:
                    continue
                sources.append(source)
                targets.append(target)
            self.n_unsound += not sound
        self.n_configurations = len(number)
        self.longest = longest_way(len(number), sources, targets, finals)

    cdef run(self, visit, bint beyond_final):
        cdef CellConfiguration here = CellConfiguration(self.system, self.n), after
        cdef const Spec* spec = &self.system.spec
        cdef dict number = {key_of(here): 0}
        cdef object waiting = deque([(here, 0)])
        cdef object sources = array("i"), targets = array("i")
        cdef set finals = set()
        cdef uint32_t moves
        cdef int32_t move, source, target
        cdef bytes key
        while waiting:
            # Breadth first for shortest ways; depth first otherwise, which keeps fewer configurations at a time.
            here, source = waiting.popleft() if self.came_from else waiting.pop()
            moves = spec.legal(spec, &here.arena, &here.state) if beyond_final else here.mask()
            if visit is not None:
                visit(here)
            if here.is_final():
                finals.add(source)
                self.end(here, source, spec.traits & GRAPH)
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
                target = self.place(number, waiting, key, after, source, self.system.moves[move])
                if target < 0:
                    continue
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
    cdef CellConfiguration here, after
    cdef set seen, wanted = set(arcs)
    cdef list waiting
    cdef uint32_t moves
    cdef int32_t move, head = NONE, dependent = NONE
    cdef bytes key
    if not 0 <= n <= MOST_WORDS:
        raise Error(f"only derivations of up to {MOST_WORDS} words can be searched, found n={n!r}")
    if has_own_configurations(resolved):
        return tuple(sorted(wanted)) in Exploration(resolved, n).final_arcs
    here = CellConfiguration(resolved, n)
    seen, waiting = {key_of(here)}, [here]
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


def has_own_configurations(System system) -> bool:
    """Whether configurations of the system are not made by its Spec alone."""
    return system.name in registry.ROWS and bool(registry.ROWS[system.name].configuration)


def identity(configuration):
    """What tells configurations of one system and sentence apart, what is not shown of them included."""
    if has_own_configurations(configuration.system):
        return tuple(configuration.show()), tuple(configuration.labelled_arcs), tuple(configuration.legal())
    return key_of(configuration)


def is_acyclic(heads) -> bool:
    """Whether no word is above itself; words without a head are above no other."""
    for word in range(1, len(heads) + 1):
        above, steps = word, 0
        while above > 0 and steps <= len(heads):
            above, steps = heads[above - 1], steps + 1
        if above > 0:
            return False
    return True


cdef bint lacks_nothing_gone(CellConfiguration c, set wanted):
    """Whether the words of arcs that are not drawn are all there; where a focus moves over words, none ever goes."""
    cdef set here
    cdef int32_t k
    if c.system.spec.traits & ROOT_IN_FOCUS:
        return True
    here = set(c.buffer)
    for k in range(c.system.spec.n_stacks):
        here.update(c.stack_words(k))
    for k in range(MAX_REGISTERS):
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
        for w in range(2 * (a.n + 1)):
            key[at + w] = 0
        for k in range(a.graph.n_arcs):
            w = a.graph.arcs[k].head
            key[at + 2 * a.graph.arcs[k].dependent + (w >> 3)] |= <uint8_t>(1 << (w & 7))
        at += 2 * (a.n + 1)
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
    for k in (255, s.next, s.reg[0], s.reg[1], s.reg[2], s.focus, s.own[0], s.own[1], s.own[2], s.own[3], s.own[4],
              s.own_flags):
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
