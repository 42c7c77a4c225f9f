"""What beams and oracles see of configurations, for tests: many that share their cells, and the best moves."""

import numpy as np

from fastparse.errors import Error
from fastparse.transition_systems.registry import resolve

from libc.stdlib cimport free, malloc

from fastparse.machine.arena cimport arena_close, arena_compact, arena_open, arena_reserve, arena_start, state_start
from fastparse.machine.operations cimport NEWEST_IN, NEWEST_OUT
from fastparse.machine.spec cimport GRAPH, OVER_WORDS, Spec
from fastparse.machine.state cimport Arena, Cell, MAX_REGISTERS, NO_LABEL, NONE, State, int32_t, uint32_t
from fastparse.machine.system cimport System
from fastparse.machine.words cimport cell_of
from fastparse.theory.configuration cimport CellConfiguration
from fastparse.transition_systems.oracle cimport Dynamic, dynamic_oracle, scratch_room


cdef class Branches:
    """Configurations by number. 0 is the initial one; branching never changes another.

    Args:
        system: a name or a composed system; of the systems of graphs those branch whose words stay within reach.
        n: number of words.
        capacity: configurations to make room for.
        options: the system's options.
    """
    cdef readonly System system
    cdef Arena arena
    cdef State* states
    cdef int32_t capacity
    cdef int32_t size

    def __cinit__(self, system, int32_t n, int32_t capacity, **options):
        arena_open(&self.arena)
        self.system = resolve(system, **options)
        if self.system.spec.traits & GRAPH and not self.system.spec.traits & OVER_WORDS:
            raise Error(f"{self.system.name!r} builds graphs of words that leave for good, and does not share them")
        self.states = <State*>malloc(<size_t>capacity * sizeof(State))
        if self.states == NULL or arena_start(&self.arena, &self.system.spec, n, False) < 0:
            raise MemoryError(f"no memory for {capacity} configurations of {n} words")
        self.capacity = capacity
        self.size = 1
        state_start(&self.states[0], &self.system.spec, &self.arena)

    def __dealloc__(self):
        arena_close(&self.arena)
        free(self.states)

    def __len__(self) -> int:
        return self.size

    @property
    def n_cells(self) -> int:
        """Cells in use, those that nothing reaches any more included."""
        return self.arena.n_cells

    def legal(self, int32_t i) -> list[str]:
        """The legal moves of a configuration."""
        cdef const Spec* spec = &self.system.spec
        cdef int32_t move
        if spec.is_final(spec, &self.arena, &self.states[i]):
            return []
        cdef uint32_t moves = spec.legal(spec, &self.arena, &self.states[i])
        return [self.system.moves[move] for move in range(spec.n_moves) if moves >> move & 1]

    def is_final(self, int32_t i) -> bool:
        """Whether a configuration is final."""
        return bool(self.system.spec.is_final(&self.system.spec, &self.arena, &self.states[i]))

    def branch(self, int32_t i, str move, int32_t label, int32_t at) -> None:
        """Put the configuration that a legal move leads to from configuration i at place `at`."""
        cdef const Spec* spec = &self.system.spec
        cdef State after = self.states[i]
        cdef int32_t cells = self.arena.n_cells
        if not 0 <= at <= self.size or at >= self.capacity:
            raise Error(f"no place {at} among {self.size} of at most {self.capacity} configurations")
        if arena_reserve(&self.arena, spec, 1) < 0:
            raise MemoryError("no memory for a configuration")
        spec.apply(spec, &self.arena, &after, self.system.moves.index(move), label)
        if self.arena.n_cells - cells > spec.cells_per_move:
            raise RuntimeError(
                f"{self.system.name}: {move} made {self.arena.n_cells - cells} cells, more than announced")
        after.length += 1
        self.states[at] = after
        self.size = max(self.size, at + 1)

    def compact(self) -> None:
        """Forget all that no configuration reaches."""
        if arena_compact(&self.arena, &self.system.spec, self.states, self.size) < 0:
            raise MemoryError("no memory to compact an arena")
        if arena_reserve(&self.arena, &self.system.spec, 1) < 0:
            raise MemoryError("no memory for a configuration")

    def view(self, int32_t i):
        """All that moves and features see of a configuration."""
        return view_of(&self.arena, &self.states[i], &self.system.spec)


def view(CellConfiguration c):
    """The same for a configuration of its own."""
    return view_of(&c.arena, &c.state, &c.system.spec)


cdef tuple cell_view(const Cell* x):
    return (x.word, x.head, x.grandhead, x.left[0], x.left[1], x.right[0], x.right[1], x.label, x.head_label,
            x.left_label[0], x.left_label[1], x.right_label[0], x.right_label[1], x.n_left, x.n_right,
            x.left_set[0], x.left_set[1], x.right_set[0], x.right_set[1], x.own[0], x.own[1], x.key)


cdef tuple arcs_view(const Arena* a, const Cell* x):
    """The arcs from and to a word, the newest first."""
    cdef list found = []
    cdef int32_t k = x.own[NEWEST_OUT]
    while k >= 0:
        found.append((a.graph.arcs[k].dependent, a.graph.arcs[k].label))
        k = a.graph.arcs[k].next_out
    found.append(None)
    k = x.own[NEWEST_IN]
    while k >= 0:
        found.append((a.graph.arcs[k].head, a.graph.arcs[k].label))
        k = a.graph.arcs[k].next_in
    return (x.word, x.n_heads, x.key, *found)


cdef tuple chain_view(const Arena* a, int32_t cell):
    cdef list found = []
    while cell >= 0:
        found.append(cell_view(&a.cells[cell]))
        cell = a.cells[cell].below
    return tuple(found)


cdef tuple view_of(const Arena* a, const State* c, const Spec* spec):
    cdef list found = []
    cdef int32_t k, link
    if spec.traits & OVER_WORDS:
        for k in range(spec.n_stacks):
            link = c.stack[k]
            while link >= 0:
                found.append((k, a.links[link].word))
                link = a.links[link].below
        for k in range(a.n + 1):
            if spec.traits & GRAPH:
                found.append(arcs_view(a, &a.cells[cell_of(a, c, k)]))
            else:
                found.append(cell_view(&a.cells[cell_of(a, c, k)]))
    else:
        for k in range(spec.n_stacks):
            found.append(chain_view(a, c.stack[k]))
    found.append(chain_view(a, c.returned))
    for k in range(MAX_REGISTERS):
        found.append(cell_view(&a.cells[c.reg[k]]) if c.reg[k] >= 0 else None)
    found.append(c.focus)
    found.append((c.next, c.own[0], c.own[1], c.own[2], c.own[3], c.own[4], c.own_flags, c.root_child, c.length,
                  c.root_children,
                  c.plane[0], c.plane[1]))
    return tuple(found)


def best_moves(CellConfiguration c not None, heads, moves=None) -> list[str]:
    """The legal moves after which the most arcs of a tree can still be drawn.

    Of 2-planar those of them that leave the fewest arcs to the other stack. Of a system whose oracle looks ahead,
    such as two-registers, some of them may be left out, and for long sentences the search for them may be given up.

    Args:
        c: a configuration.
        heads: a tree of the system's class.
        moves: the tree's static derivation, from which the oracles of 2-planar and two-registers learn which arcs are
            crossed, and which words are stored.
    Raises:
        Error: if the system has no dynamic oracle, or its oracle needs moves.
    """
    cdef Dynamic oracle = dynamic_oracle(c.system.name)
    cdef CellConfiguration other
    cdef int32_t[::1] numbers
    cdef uint32_t best
    cdef int32_t m
    if oracle.best_moves == NULL:
        raise Error(f"{c.system.name!r} has no dynamic oracle")
    if len(heads) != c.arena.n:
        raise Error(f"a tree of {len(heads)} words for a configuration of {c.arena.n}")
    numbers = np.array([NONE, *heads, *[NONE] * scratch_room(len(heads))], dtype=np.int32)
    if oracle.note != NULL:
        if moves is None:
            raise Error(f"the dynamic oracle of {c.system.name!r} needs the moves of the static derivation")
        other = CellConfiguration(c.system, c.arena.n)
        for move in moves:
            m = c.system.moves.index(move.partition(":")[0])
            oracle.note(&c.system.spec, &other.arena, &other.state, m, &numbers[0], &numbers[c.arena.n + 1])
            other.make(m, NO_LABEL)
    best = oracle.best_moves(&c.system.spec, &c.arena, &c.state, &numbers[0], &numbers[c.arena.n + 1], c.mask())
    return [c.system.moves[m] for m in range(c.system.spec.n_moves) if best >> m & 1]
