"""Configurations for theory and teaching: one at a time, moves by name."""

from abc import ABCMeta
from importlib import import_module
from operator import index

from fastparse.errors import Error, UnknownNameError
from fastparse.transition_systems.registry import check_options, resolve, row_of

from fastparse.machine.arena cimport (
    arena_close, arena_copy, arena_open, arena_start, graph_reserve, state_start)
from fastparse.machine.operations cimport NEWEST_IN, word_of
from fastparse.machine.spec cimport GRAPH, OVER_WORDS
from fastparse.machine.state cimport Drawn, Graph, NO_LABEL, int32_t, uint16_t, uint32_t
from fastparse.transition_systems.two_registers cimport LAST, LOCK


class _Face(ABCMeta):
    """Lists what a configuration has, since `Configuration` itself makes one but is the class of none."""

    def __dir__(cls):
        return sorted({*super().__dir__(), *dir(CellConfiguration)})


class Configuration(metaclass=_Face):
    """The initial configuration of a transition system for a sentence of n words.

    What it has:
        legal(): the moves that may be made here, in the order of the system's table; none when final.
        apply(move): make one of them; "LEFT-ARC:nsubj" gives the arc a label.
        is_final(): whether a derivation may end here.
        moves: those made so far.
        copy(): an independent configuration equal to this one.
        heads, deprels: of each word, -1 and None while it has none (not for systems that build graphs).
        arcs, labelled_arcs: sorted (head, dependent) and (head, dependent, label).
        tree(): the heads after the completion rule: words without a head are attached to the root.
        stack, inactive, stacks, buffer, registers, focus, pending, theta: words in places, as far as the system has
            these; an AttributeError otherwise.
        memory: what the system remembers besides, such as which registers are covered.
        system, n: the system, and the number of words.

    Configurations compare by all of this, memory included, whichever way they were reached, and can be pickled. They
    have a hash, which changes when a move is applied: put copies into sets.

    Args:
        system: a name (see ``fastparse.systems()``) or a composed system.
        n: number of words; the root 0 is not counted.
        options: see ``fastparse.options(name)``.
    Raises:
        UnknownNameError: if the system or an option does not exist.
        Error: if n is not a number of words, or the name stands for a pipeline.
    Example:
        >>> c = Configuration("arc-eager", 2)
        >>> c.legal()
        ['SHIFT', 'RIGHT-ARC']
        >>> c.apply("RIGHT-ARC:root")
        >>> c
        arc-eager: [0 1] [2] {0 -> 1: root}
    """

    def __new__(cls, system, n, **options):
        if isinstance(system, str):
            row = row_of(system)
            if row.configuration:
                module, name = row.configuration.split(":")
                return getattr(import_module(module), name)(system, words(n), **check_options(system, options))
        return CellConfiguration(resolve(system, **options), n)


def restored(system, n, dict options, moves):
    """The configuration of pickles: the moves are made once more, and checked."""
    c = Configuration(system, n, **options)
    for move in moves:
        c.apply(move)
    return c


def words(n) -> int:
    """A number of words, checked."""
    try:
        number = index(n)
    except TypeError:
        raise Error(f"a configuration needs a number of words, found {n!r}") from None
    if not 0 <= number < 1 << 28:
        raise Error(f"the number of words must lie in 0..{(1 << 28) - 1}, found {n!r}")
    return number


cdef class CellConfiguration:
    """A configuration of a system that is made of cells: see ``Configuration``.

    Labels get numbers as they are first used, those in `labels` in that order before all others.
    """

    def __cinit__(self, System system, n, labels=()):
        arena_open(&self.arena)
        self.system = system
        self.label_ids = {}
        self.label_names = []
        self.made = []
        if arena_start(&self.arena, &system.spec, words(n), True) < 0:
            raise MemoryError(f"no memory for a configuration of {n} words")
        state_start(&self.state, &system.spec, &self.arena)
        for label in labels:
            self.label_id(label)

    def __dealloc__(self):
        arena_close(&self.arena)

    # ── moving ──

    cdef uint32_t mask(self) noexcept:
        if self.system.spec.is_final(&self.system.spec, &self.arena, &self.state):
            return 0
        return self.system.spec.legal(&self.system.spec, &self.arena, &self.state)

    cdef int32_t label_id(self, str label) except -1:
        cdef object known = self.label_ids.get(label)
        if known is None:
            known = len(self.label_names)
            if known >= NO_LABEL:
                raise Error(f"more than {NO_LABEL} labels in one configuration")
            self.label_ids[label] = known
            self.label_names.append(label)
        return known

    cdef int make(self, int32_t move, int32_t label) except -1:
        if self.arena.graph != NULL and graph_reserve(&self.arena, 1) < 0:
            raise MemoryError(f"no memory for an arc among {self.arena.n} words")
        self.system.spec.apply(&self.system.spec, &self.arena, &self.state, move, label)
        self.state.length += 1
        return 0

    def legal(self) -> list[str]:
        """The moves that may be made, in the order of the system's table; none when final."""
        cdef uint32_t moves = self.mask()
        cdef int32_t move
        return [self.system.moves[move] for move in range(self.system.spec.n_moves) if moves >> move & 1]

    def apply(self, str move not None) -> None:
        """Make a move; "LEFT-ARC:nsubj" gives the arc a label.

        Raises:
            UnknownNameError: if the system has no such move.
            Error: if the move is not legal here; nothing has changed then.
        """
        cdef str name, colon, label
        name, colon, label = move.partition(":")
        if name not in self.system.moves:
            raise UnknownNameError(f"{self.system.name!r} has no move {name!r}; it has {', '.join(self.system.moves)}")
        cdef int32_t number = self.system.moves.index(name)
        if not self.mask() >> number & 1:
            possible = ", ".join(self.legal()) or ("nothing: it is final" if self.is_final() else "nothing: a dead end")
            raise Error(f"{name} is not legal in {self!r}; legal: {possible}")
        if colon and not self.system.spec.labelled >> number & 1:
            raise Error(f"{name} draws no arc, so {move!r} cannot carry a label")
        if colon and not label:
            raise Error(f"{move!r} has an empty label; leave the colon out for an arc without one")
        self.refuse_again(number, move, label)
        self.make(number, self.label_id(label) if colon else NO_LABEL)
        self.made.append(move)

    cdef int refuse_again(self, int32_t number, str move, str label) except -1:
        """Raises Error if a move would draw an arc that is there with this very label."""
        cdef const Drawn* arc
        cdef int32_t k, head = -1, dependent = -1, wanted = self.label_ids.get(label, NO_LABEL)
        # Composed systems draw no arc twice, whatever its label.
        if self.system.composition is not None:
            return 0
        if self.arena.graph == NULL or wanted == NO_LABEL or not self.system.spec.drawing >> number & 1:
            return 0
        self.system.spec.arc(&self.system.spec, &self.arena, &self.state, number, &head, &dependent)
        k = self.arena.cells[dependent].own[NEWEST_IN]
        while k >= 0:
            arc = &self.arena.graph.arcs[k]
            if arc.head == self.arena.cells[head].word and arc.label == wanted:
                raise Error(f"{move} is not legal in {self!r}: it would draw an arc that is there, with that label")
            k = arc.next_in
        return 0

    def is_final(self) -> bool:
        """Whether a derivation may end here."""
        return bool(self.system.spec.is_final(&self.system.spec, &self.arena, &self.state))

    def copy(self) -> CellConfiguration:
        """An independent configuration equal to this one."""
        cdef CellConfiguration other = CellConfiguration.__new__(CellConfiguration, self.system, self.arena.n)
        other.take(self)
        return other

    cdef int take(self, CellConfiguration other) except -1:
        """Become what another configuration of the same system and size is."""
        if arena_copy(&self.arena, &other.arena, &self.system.spec) < 0:
            raise MemoryError(f"no memory for a configuration of {self.arena.n} words")
        self.state = other.state
        self.label_ids = dict(other.label_ids)
        self.label_names = list(other.label_names)
        self.made = list(other.made)
        return 0

    __copy__ = copy

    def __deepcopy__(self, memo) -> CellConfiguration:
        return self.copy()

    def origin(self) -> tuple:
        """System (composed ones as such, others by name) and options: what it began from, besides n."""
        composed = self.system.composition is not None
        return (self.system, {}) if composed else (self.system.name, self.system.options)

    def __reduce__(self):
        if len(self.made) != self.state.length:
            raise Error("a configuration is pickled as its moves, and those of an exploration are not kept: make it "
                        "with Configuration(...) and apply(...)")
        system, options = self.origin()
        return restored, (system, self.arena.n, options, list(self.made))

    # ── arcs ──

    @property
    def moves(self) -> list[str]:
        """The moves made so far, as `apply` takes them."""
        return list(self.made)

    @property
    def n(self) -> int:
        """Words of the sentence, the root not counted."""
        return self.arena.n

    @property
    def heads(self) -> list[int]:
        """A head per word, -1 while it has none."""
        cdef int32_t w
        self.refuse_graphs("heads")
        return [self.arena.cells[w].head for w in range(1, self.arena.n + 1)]

    @property
    def deprels(self) -> list[str | None]:
        """A label per word; None while it has no head or the arc no label."""
        cdef int32_t w
        self.refuse_graphs("deprels")
        return [self.label_of(self.arena.cells[w].label) for w in range(1, self.arena.n + 1)]

    @property
    def labelled_arcs(self) -> list[tuple[int, int, str | None]]:
        """Sorted (head, dependent, label)."""
        cdef const Graph* g = self.arena.graph
        cdef int32_t w, k
        if self.system.spec.traits & GRAPH:
            return sorted(((g.arcs[k].head, g.arcs[k].dependent, self.label_of(g.arcs[k].label))
                           for k in range(g.n_arcs)), key=lambda arc: (*arc[:2], arc[2] or ""))
        return sorted(((self.arena.cells[w].head, w, self.label_of(self.arena.cells[w].label))
                       for w in range(self.arena.n + 1) if self.arena.cells[w].head >= 0), key=lambda arc: arc[:2])

    @property
    def arcs(self) -> list[tuple[int, int]]:
        """Sorted (head, dependent)."""
        return [(head, dependent) for head, dependent, _ in self.labelled_arcs]

    def tree(self) -> list[int]:
        """The heads after the completion rule: words without a head are attached to the root."""
        self.refuse_graphs("tree")
        return [max(head, 0) for head in self.heads]

    def refuse_graphs(self, what):
        if self.system.spec.traits & GRAPH:
            raise AttributeError(f"{self.system.name!r} builds graphs, so its configurations have arcs but no {what}")

    def label_of(self, uint16_t label):
        return None if label == NO_LABEL else self.label_names[label]

    # ── places ──

    cdef list chain(self, int32_t cell):
        cdef list found = []
        while cell >= 0:
            found.append(self.arena.cells[cell].word)
            cell = self.arena.cells[cell].below
        return found

    cdef list stack_words(self, int32_t k):
        cdef list found
        cdef int32_t link = self.state.stack[k]
        if self.system.spec.traits & OVER_WORDS:
            found = []
            while link >= 0:
                found.append(self.arena.links[link].word)
                link = self.arena.links[link].below
        else:
            found = self.chain(link)
        found.reverse()
        return found

    def part(self, name):
        if name not in self.system.parts:
            raise AttributeError(f"configurations of {self.system.name!r} have no {name}")

    @property
    def stack(self) -> list[int]:
        """The words of the (active) stack, bottom to top."""
        if "focus" in self.system.parts:
            raise AttributeError(f"configurations of {self.system.name!r} have no stack")
        return self.stack_words(0)

    @property
    def inactive(self) -> list[int]:
        """The words of the inactive stack, bottom to top."""
        self.part("inactive")
        return self.stack_words(1)

    @property
    def stacks(self) -> list[list[int]]:
        """All stacks, the active one first."""
        cdef int32_t k
        return [self.stack_words(k) for k in range(self.system.spec.n_stacks)]

    @property
    def buffer(self) -> list[int]:
        """The words of the buffer, front first."""
        return self.chain(self.state.returned) + list(range(self.state.next, self.arena.n + 1))

    @property
    def registers(self) -> list[int]:
        """The words in the registers R1, R2 and, if there is one, R3; -1 where empty."""
        self.part("registers")
        cdef int n = 3 if "third register" in self.system.parts else 2
        return [word_of(&self.arena, self.state.reg[k]) for k in range(n)]

    @property
    def focus(self) -> tuple[int, int]:
        """The two words in focus; the first is -1 left of the root, the second n + 1 at the end."""
        self.part("focus")
        return self.state.focus, self.state.next

    @property
    def memory(self) -> dict[str, object]:
        """What the system remembers besides words and arcs, since what is legal depends on it; {} for most systems.

        Of two and three registers: the registers that an arc covers, the stack word that is locked (with all left of
        it), and the rightmost word that survived the last CLEAR, -1 for none; of 2-planar whether the last move was
        SWITCH. What a system declares as its flags is shown as such.
        """
        cdef dict found = {}
        cdef int flags = self.state.own_flags
        if "covered" in self.system.parts:
            found["covered"] = [k + 1 for k in range(3) if flags >> k & 1]
        if "lock" in self.system.parts:
            found["lock"] = self.state.own[LOCK]
        if "survivor" in self.system.parts:
            found["survivor"] = self.state.own[LAST]
        for name, flag in self.system.flags.items():
            found[name] = bool(flags & flag)
        return found

    def remembered(self) -> str:
        """The memory in words; empty if there is none."""
        cdef list said = []
        for name, value in self.memory.items():
            if name == "covered":
                said.extend(f"R{k} covered" for k in value)
            elif value is True or value is False:
                said.extend([name] if value else [])
            elif value >= 0:
                said.append(f"{name} {value}")
        return "(" + ", ".join(said) + ")" if said else ""

    # ── text ──

    def show(self) -> list[str]:
        """What the configuration consists of, as the columns of a table; what it remembers is the last one."""
        cdef list columns = []
        if "focus" in self.system.parts:
            return [f"i={self.state.focus}", f"j={self.state.next}"]
        columns.append("[" + " ".join(map(str, self.stack_words(0))) + "]")
        for k in range(1, self.system.spec.n_stacks):
            columns.append("[" + " ".join(map(str, self.stack_words(k))) + "]")
        columns.append("[" + " ".join(map(str, self.buffer)) + "]")
        if "registers" in self.system.parts:
            columns.extend("." if word < 0 else str(word) for word in self.registers)
        if self.memory:
            columns.append(self.remembered())
        return columns

    def __repr__(self) -> str:
        arcs = ", ".join(f"{head} -> {dependent}" + (f": {label}" if label is not None else "")
                         for head, dependent, label in self.labelled_arcs)
        return f"{self.system.name}: {' '.join(filter(None, self.show()))} {{{arcs}}}"

    def __eq__(self, other):
        cdef CellConfiguration one
        if type(self) is not type(other):
            return NotImplemented
        one = other
        return self.arena.n == one.arena.n and self.system == one.system and repr(self) == repr(one)

    def __hash__(self) -> int:
        return hash((self.arena.n, repr(self)))


Configuration.register(CellConfiguration)
