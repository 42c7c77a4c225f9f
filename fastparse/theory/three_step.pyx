"""Configurations of the second and third step of the three-step system: anchors and labels are given at the start."""

from fastparse.errors import Error, UnknownNameError
from fastparse.theory.configuration import Configuration
from fastparse.transition_systems.three_step import LEFT as _LEFT, RIGHT as _RIGHT

from libc.stdint cimport int32_t, int64_t

from fastparse.machine.operations cimport adopt, attach
from fastparse.machine.state cimport NO_LABEL, int32_t
from fastparse.theory.configuration cimport CellConfiguration
from fastparse.transition_systems.three_step cimport DIST, PUT, SHIFT, UNDER, WAITS, focus_word, waiting_word
from fastparse.trees.crossing cimport find_anchors, is_planar
from fastparse.trees.tree cimport (
    Tree, TREE_NO_MEMORY, TREE_OK, area, out_of_memory, tree_free, tree_init, tree_link, tree_order, tree_scratch)


def configuration(name, n, *, heads=None, labels=None) -> PassConfiguration:
    """The initial configuration of one pass.

    Args:
        name: "three-step/left" or "three-step/right".
        n: number of words.
        heads: an anchor per word; the root for all of them when missing.
        labels: a label per word; moves offer each of them, in the order of first occurrence. "_" when missing.
    """
    cdef PassConfiguration c = PassConfiguration(_LEFT if name == _LEFT.name else _RIGHT, n)
    c.begin([0] * n if heads is None else heads, labels)
    return c


cdef class PassConfiguration(CellConfiguration):
    """A configuration of the second or third step: see ``Configuration``."""

    cdef tuple inventory
    cdef bint unlabelled
    cdef dict given                      # heads and labels, as far as there are

    def begin(self, heads, labels):
        cdef int32_t w
        for what, column in (("heads", heads), ("labels", labels)):
            if column is not None and len(column) != self.arena.n:
                raise Error(
                    f"{self.system.name!r} needs {what} for {self.arena.n} words, found {len(column)}: {column!r}")
        self.given = {name: list(column) for name, column in (("heads", heads), ("labels", labels))
                      if column is not None}
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
        self.made.append(move)

    def copy(self) -> PassConfiguration:
        """An independent configuration equal to this one."""
        cdef PassConfiguration other = PassConfiguration.__new__(PassConfiguration, self.system, self.arena.n)
        other.take(self)
        other.inventory, other.unlabelled, other.given = self.inventory, self.unlabelled, self.given
        return other

    __copy__ = copy

    def origin(self) -> tuple:
        """The name of the system, and the anchors and labels that were given."""
        return self.system.name, self.given

    def __eq__(self, other):
        same = CellConfiguration.__eq__(self, other)
        return same if same is NotImplemented else same and self.inventory == (<PassConfiguration>other).inventory

    def __hash__(self) -> int:
        return CellConfiguration.__hash__(self)

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
        return [(self.label_names[self.arena.cells[word].own[UNDER]], word) for word in self.stack_words(0)
                if self.arena.cells[word].own[WAITS]]

    @property
    def buffer(self):
        raise AttributeError(f"configurations of {self.system.name!r} have no buffer")

    def show(self) -> list[str]:
        """What the configuration consists of, as the columns of a table."""
        return [f"j={self.focus}", "[" + " ".join(f"{label}:{word}" for label, word in self.theta) + "]"]


Configuration.register(PassConfiguration)


cdef enum:
    # Columns of the counts: SHIFT, PUT, DIST of each pass.
    N_COLUMNS = 6
    # Scratch areas; find_anchors uses 0.
    ANCHOR = 1
    WAITING = 2


cdef int32_t count_pass(Tree* t, const int32_t* anchor, bint left) noexcept nogil:
    """Non-projective arcs of one direction, or -1 if two of them cross (all labels count as one)."""
    cdef int32_t step, w, waiting = 0, found = 0
    cdef int32_t* stack = area(t, WAITING)
    for step in range(1, t.n + 1):
        w = step if left else t.n + 1 - step
        # Dependents must be the last ones that wait.
        while waiting > 0 and t.head[stack[waiting - 1]] == w:
            waiting -= 1
            found += 1
        if anchor[w] != t.head[w] and (t.head[w] > w) == left:
            stack[waiting] = w
            waiting += 1
    return found if waiting == 0 else -1


cdef void count_tree(Tree* t, int32_t* counts) noexcept nogil:
    cdef int32_t* anchor = t.head
    cdef int32_t side, found = 0
    cdef bint projective = is_planar(t, True)
    if not projective:
        tree_order(t)
        anchor = area(t, ANCHOR)
        find_anchors(t, anchor)
    for side in range(2):
        if not projective:
            found = count_pass(t, anchor, side == 0)
        counts[3 * side] = t.n - found if found >= 0 else -1
        counts[3 * side + 1] = counts[3 * side + 2] = found


def count_moves(const int32_t[::1] heads, const int64_t[::1] offsets, int32_t[:, ::1] counts):
    """Fills in a row of zeros per tree: the moves of each pass, -1 throughout one that cannot be made."""
    cdef Py_ssize_t i
    cdef int32_t n, k
    cdef int status = TREE_OK
    cdef Tree t
    tree_init(&t)
    with nogil:
        for i in range(counts.shape[0]):
            n = <int32_t>(offsets[i + 1] - offsets[i])
            if n == 0:
                continue
            status = tree_link(&t, &heads[offsets[i]], n, True)
            if status == TREE_OK:
                status = tree_scratch(&t)
            if status == TREE_OK:
                count_tree(&t, &counts[i, 0])
            elif status == TREE_NO_MEMORY:
                break
            else:
                for k in range(N_COLUMNS):
                    counts[i, k] = -1
        tree_free(&t)
    if status == TREE_NO_MEMORY:
        out_of_memory()
