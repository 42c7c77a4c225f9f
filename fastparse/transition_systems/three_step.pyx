"""The second and third step of the three-step system: non-projective heads take the place of anchors.

The first step builds a projective tree in which a non-projective arc hangs from an anchor, with any projective system.
Then

    move         from                 to                        legal when
    SHIFT        (T, j)               (T, j')                   -
    PUT(label)   (T, j)               (T|label: j, j')          -
    DIST(label)  (T|label: i|U, j)    (T|U, j)            j->i  U holds no word that waits under this label

where T and U are the words that wait for a head, and j' is the word after j. three-step/left visits the words from 1 to
n and finds the heads of words to the left of their heads; three-step/right visits them from n to 1 and finds the rest.
Both start with the anchors as arcs and end behind the last word. A word in focus waits for a head once at most, and
DIST replaces its anchor.
"""

from fastparse.errors import Error, UnknownNameError
from fastparse.transition_systems.configuration import Configuration

from fastparse.transition_systems.arena cimport arena_copy
from fastparse.transition_systems.configuration cimport CellConfiguration
from fastparse.transition_systems.operations cimport adopt, attach
from fastparse.transition_systems.spec cimport OVER_WORDS, ROOT_IN_FOCUS, Spec
from fastparse.transition_systems.state cimport Arena, NO_LABEL, NONE, State, int32_t, uint16_t, uint32_t
from fastparse.transition_systems.system cimport System
from fastparse.transition_systems.words cimport cell_of, own_word, pop_word, push_word, top_word

cdef enum:
    RIGHT_PASS = 1              # Spec.options


cdef void set_anchors(Arena* a, State* c, const int32_t* heads, const int32_t* labels) noexcept nogil:
    cdef int32_t w
    # First all heads, so that every word finds the head of its head.
    for w in range(1, a.n + 1):
        a.cells[w].head = heads[w - 1]
        a.cells[w].label = <uint16_t>labels[w - 1]
    for w in range(1, a.n + 1):
        attach(a, w, heads[w - 1], labels[w - 1])
        adopt(a, c, heads[w - 1], w, labels[w - 1])


cdef int32_t waiting_word(const Arena* a, const State* c, int32_t label) noexcept nogil:
    cdef int32_t link = c.stack[0], cell
    while link >= 0:
        cell = cell_of(a, c, a.links[link].word)
        if a.cells[cell].joined and a.cells[cell].weight == label:
            return a.links[link].word
        link = a.links[link].below
    return NONE


cdef uint32_t legal(const Spec* spec, const Arena* a, const State* c) noexcept nogil:
    """DIST is legal under some label when any word waits; waiting_word says under which."""
    if c.next > a.n:
        return 0
    return (1 << SHIFT) | (1 << PUT) | ((1 << DIST) if c.stack[0] >= 0 else 0)


cdef void apply(const Spec* spec, Arena* a, State* c, int32_t move, int32_t label) noexcept nogil:
    cdef int32_t j = focus_word(spec, a, c), i, head, dependent
    if move == DIST:
        i = waiting_word(a, c, label)
        head = own_word(a, c, j)
        dependent = own_word(a, c, i)
        attach(a, dependent, head, label)
        a.cells[dependent].joined = 0
        adopt(a, c, head, i, label)
        # The top waits, or the stack is empty.
        while c.stack[0] >= 0 and not a.cells[cell_of(a, c, top_word(a, c, 0))].joined:
            pop_word(a, c, 0)
        return
    if move == PUT:
        dependent = own_word(a, c, j)
        a.cells[dependent].joined = 1
        a.cells[dependent].weight = label
        push_word(a, c, 0, j)
    c.next += 1


cdef bint is_final(const Spec* spec, const Arena* a, const State* c) noexcept nogil:
    return c.next > a.n


cdef void arc(const Spec* spec, const Arena* a, const State* c, int32_t move,
              int32_t* head, int32_t* dependent) noexcept nogil:
    """For the last word that waits, whatever its label; waiting_word knows the others."""
    head[0], dependent[0] = cell_of(a, c, focus_word(spec, a, c)), cell_of(a, c, top_word(a, c, 0))


cdef Spec LEFT_SPEC = Spec(
    n_moves=N_MOVES, labelled=(1 << PUT) | (1 << DIST), drawing=1 << DIST, traits=OVER_WORDS | ROOT_IN_FOCUS,
    n_stacks=1, cells_per_move=2, options=0, data=NULL, legal=legal, apply=apply, is_final=is_final, arc=arc)
cdef Spec RIGHT_SPEC = LEFT_SPEC
RIGHT_SPEC.options = RIGHT_PASS

LEFT = System.wrap(&LEFT_SPEC, "three-step/left", ("SHIFT", "PUT", "DIST"), "", None, ("focus", "theta"))
RIGHT = System.wrap(&RIGHT_SPEC, "three-step/right", ("SHIFT", "PUT", "DIST"), "", None, ("focus", "theta"))


def configuration(name, n, *, heads=None, labels=None) -> PassConfiguration:
    """The initial configuration of one pass.

    Args:
        name: "three-step/left" or "three-step/right".
        n: number of words.
        heads: an anchor per word; the root for all of them when missing.
        labels: a label per word; moves offer each of them, in the order of first occurrence. "_" when missing.
    """
    cdef PassConfiguration c = PassConfiguration(LEFT if name == LEFT.name else RIGHT, n)
    c.begin([0] * n if heads is None else heads, labels)
    return c


cdef class PassConfiguration(CellConfiguration):
    """A configuration of the second or third step: see ``Configuration``."""

    cdef tuple inventory
    cdef bint unlabelled

    def begin(self, heads, labels):
        cdef int32_t w
        for what, column in (("heads", heads), ("labels", labels)):
            if column is not None and len(column) != self.arena.n:
                raise Error(
                    f"{self.system.name!r} needs {what} for {self.arena.n} words, found {len(column)}: {column!r}")
        self.unlabelled = labels is None
        self.inventory = ("_",) if labels is None or not len(labels) else tuple(dict.fromkeys(labels))
        for label in self.inventory:
            if not isinstance(label, str) or not label:
                raise Error(f"{self.system.name!r} needs a label per word, found {label!r}")
            self.label_id(label)
        for w in range(1, self.arena.n + 1):
            if not 0 <= heads[w - 1] <= self.arena.n or heads[w - 1] == w:
                raise Error(f"the anchor of word {w} must be another of 0..{self.arena.n}, found {heads[w - 1]!r}")
        for w in range(1, self.arena.n + 1):
            label = NO_LABEL if labels is None else self.label_ids[labels[w - 1]]
            attach(&self.arena, w, heads[w - 1], label)
            adopt(&self.arena, &self.state, heads[w - 1], w, label)

    def legal(self) -> list[str]:
        """The moves that may be made, in the order of the system's table; none when final."""
        if self.is_final():
            return []
        return (["SHIFT"] + [f"PUT({label})" for label in self.inventory]
                + [f"DIST({label})" for label in self.inventory
                   if waiting_word(&self.arena, &self.state, self.label_ids[label]) >= 0])

    def apply(self, str move not None) -> None:
        """Make a move; the label is part of its name."""
        cdef int32_t kind = SHIFT, label = NO_LABEL
        if move != "SHIFT":
            name, _, given = move.partition("(")
            given, closed = given.removesuffix(")"), given.endswith(")")
            if name not in ("PUT", "DIST") or not closed or given not in self.inventory:
                raise UnknownNameError(
                    f"{self.system.name!r} has no move {move!r}; it has SHIFT, PUT(label) and DIST(label) for "
                    f"the labels {', '.join(self.inventory)}")
            kind = PUT if name == "PUT" else DIST
            label = self.label_ids[given]
        if self.is_final() or (kind == DIST and waiting_word(&self.arena, &self.state, label) < 0):
            possible = ", ".join(self.legal()) or "nothing: it is final"
            raise Error(f"{move} is not legal in {self!r}; legal: {possible}")
        self.make(kind, label)

    def copy(self) -> PassConfiguration:
        """An independent configuration equal to this one."""
        cdef PassConfiguration other = PassConfiguration.__new__(PassConfiguration, self.system, self.arena.n)
        if arena_copy(&other.arena, &self.arena, &self.system.spec) < 0:
            raise MemoryError(f"no memory for a configuration of {self.arena.n} words")
        other.state = self.state
        other.label_ids = dict(self.label_ids)
        other.label_names = list(self.label_names)
        other.inventory, other.unlabelled = self.inventory, self.unlabelled
        return other

    __copy__ = copy

    def label_of(self, label):
        return None if label == NO_LABEL or self.unlabelled else self.label_names[label]

    @property
    def focus(self) -> int:
        """The word in focus; n + 1 or 0 at the end."""
        return focus_word(&self.system.spec, &self.arena, &self.state)

    @property
    def theta(self) -> list[tuple[str, int]]:
        """The words that wait for a head with the label they wait under, the oldest first."""
        cdef int32_t word
        return [(self.label_names[self.arena.cells[word].weight], word) for word in self.stack_words(0)
                if self.arena.cells[word].joined]

    @property
    def buffer(self):
        raise AttributeError(f"configurations of {self.system.name!r} have no buffer")

    def show(self) -> list[str]:
        """What the configuration consists of, as the columns of a table."""
        return [f"j={self.focus}", "[" + " ".join(f"{label}:{word}" for label, word in self.theta) + "]"]


Configuration.register(PassConfiguration)
