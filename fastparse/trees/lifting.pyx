"""Lifting: bring a tree into a class by moving dependents to ancestors of their heads.

Each piece of the tree (see pieces.pyx) is treated alone. While a piece is outside the class, all lifts of words that
take part in crossings are tried and the one that leaves the least to do is kept; then every lift is undone that the
class allows to undo. What remains is minimal in this sense: moving any lifted word back to its head, or to any
ancestor below its present one, leaves the class. Large pieces are made projective first, and undone from there.
"""

from libc.stdint cimport int32_t, int64_t

import numpy as np

from fastparse.trees.arcs cimport for_each_crossing, mark_crossed
from fastparse.trees.tree cimport TREE_NO_MEMORY, Tree, TreeOwner, area, as_heads, as_offsets, out_of_memory, tree_load
from fastparse.trees.intervals cimport interval_sizes, mark_reaching
from fastparse.trees.classes cimport (
    K_CROSSING_INTERVAL, MEMBER_NO_MEMORY, TreeClass, class_named, in_class
)
from fastparse.trees.pieces cimport BY_CROSSINGS, BY_INTERVALS, WHOLE, Pieces, Splitting, split
from fastparse.trees.projectivizing cimport lift_all_at_once

cdef enum:
    LARGEST_SEARCH = 300_000    # lifts tried times words of the piece, per lift kept
    CROSSINGS_CAP = 1 << 20


cdef bint _count(void* context, int32_t e, int32_t f) noexcept nogil:
    (<int32_t*> context)[0] += 1
    return (<int32_t*> context)[0] >= CROSSINGS_CAP


cdef class Lifter:
    """Lifts the trees of one treebank into one class."""

    cdef TreeClass target
    cdef object predicate               # instead of a class: heads -> bool, asked about whole trees
    cdef object name
    cdef TreeOwner tree                 # the tree as given
    cdef TreeOwner piece                # the piece as it is now
    cdef TreeOwner trial                # the piece with one change
    cdef int32_t[::1] heads             # of the piece now, heads[i - 1] for word i
    cdef int32_t[::1] given             # of the piece at first
    cdef int32_t[::1] candidate         # words whose lift is tried
    cdef int32_t highest                # head in the piece beyond which no word is lifted: its top

    def __cinit__(self, into, root_arcs):
        self.tree = TreeOwner()
        self.piece = TreeOwner()
        self.trial = TreeOwner()
        self.name = into
        if callable(into):
            self.predicate = into
            self.target = class_named("all", root_arcs)
        else:
            self.predicate = None
            self.target = class_named(into, root_arcs)
        self.heads = np.zeros(0, dtype=np.int32)

    cdef int load(self, TreeOwner owner, Py_ssize_t n) except -1:
        if tree_load(&owner.tree, &self.heads[0], <int32_t> n) == TREE_NO_MEMORY:
            out_of_memory()
        return 0

    cdef bint inside(self, TreeOwner owner) except? -1:
        cdef int answer
        cdef Tree* t = &owner.tree
        if self.predicate is not None:
            return bool(self.predicate([t.head[m] for m in range(1, t.n + 1)]))
        answer = in_class(t, &self.target)
        if answer == MEMBER_NO_MEMORY:
            out_of_memory()
        # A tree of which it is not known whether it is inside counts as outside: lifting on is always possible.
        return answer == 1

    cdef int64_t badness(self, TreeOwner owner) except -1:
        """0 inside the class; outside, how far away the tree looks."""
        cdef Tree* t = &owner.tree
        cdef int32_t* crossed = area(t, 13)
        cdef int32_t* size = area(t, 5)
        cdef int32_t g, count, crossings = 0
        cdef int64_t excess = 0
        if self.inside(owner):
            return 0
        for_each_crossing(t, True, _count, &crossings)
        if self.target.kind == K_CROSSING_INTERVAL:
            mark_crossed(t, True, crossed)
            count = interval_sizes(t, crossed, size)
            for g in range(count):
                excess += max(0, size[g] - self.target.k)
        return (excess + 1) * CROSSINGS_CAP + crossings

    cdef int lift_piece(self, Py_ssize_t n) except -1:
        """Lift the piece in self.heads[:n] into the class."""
        self.load(self.piece, n)
        if self.inside(self.piece):
            return 0
        self.given = np.array(self.heads[:n], dtype=np.int32)
        self.candidate = np.zeros(n, dtype=np.int32)
        while True:
            if not self.best_lift(n):
                self.projectivize_piece(n)
                break
            self.load(self.piece, n)
            if self.inside(self.piece):
                break
        self.undo(n)
        return 0

    cdef int32_t collect(self) noexcept:
        """List the words to lift: those with crossed arcs and those that reach over their head."""
        cdef Tree* t = &self.piece.tree
        cdef int32_t* crossed = area(t, 13)
        cdef int32_t* reaching = area(t, 14)
        cdef int32_t m, count = 0
        mark_crossed(t, True, crossed)
        mark_reaching(t, reaching)
        for m in range(1, t.n + 1):
            if t.head[m] != 0 and t.head[m] != self.highest and (crossed[m] or reaching[m]):
                self.candidate[count] = m
                count += 1
        return count

    cdef bint best_lift(self, Py_ssize_t n) except? -1:
        """Make the lift after which the tree looks best: the first such word, its lowest such head.

        False when there are too many to try.
        """
        cdef Tree* t = &self.piece.tree
        cdef int32_t i, m, a, was, best_word = -1, best_head = -1, count = self.collect()
        cdef int64_t bad, least = -1, tries = 0
        for i in range(count):
            a = t.head[self.candidate[i]]
            while a != self.highest:
                a = t.head[a]
                tries += 1
            if tries * n > LARGEST_SEARCH:
                return False
        for i in range(count):
            m = self.candidate[i]
            was = a = t.head[m]
            while a != self.highest:
                a = t.head[a]
                self.heads[m - 1] = a
                self.load(self.trial, n)
                bad = self.badness(self.trial)
                if least < 0 or bad < least:
                    least = bad
                    best_word = m
                    best_head = a
            self.heads[m - 1] = was
            if least == 0:
                break
        if best_word < 0:
            return False
        self.heads[best_word - 1] = best_head
        return True

    cdef int projectivize_piece(self, Py_ssize_t n) except -1:
        """Move every non-projective arc to the lowest ancestor from which it would be projective now.

        The result is projective.
        """
        self.load(self.piece, n)
        lift_all_at_once(&self.piece.tree, &self.heads[0])
        return 0

    cdef int undo(self, Py_ssize_t n) except -1:
        """Move lifted words back as far as the class allows, until none can be."""
        cdef bint changed = True
        cdef int32_t m, now, a
        cdef TreeOwner given = TreeOwner()
        if tree_load(&given.tree, &self.given[0], <int32_t> n) == TREE_NO_MEMORY:
            out_of_memory()
        while changed:
            changed = False
            for m in range(1, n + 1):
                now = self.heads[m - 1]
                a = self.given[m - 1]
                while a != now:
                    self.heads[m - 1] = a
                    self.load(self.trial, n)
                    if self.inside(self.trial):
                        changed = True
                        break
                    self.heads[m - 1] = now
                    a = given.tree.head[a]
        return 0

    cdef Splitting splitting(self) noexcept:
        if self.predicate is not None or not self.target.root_arcs:
            return WHOLE
        return BY_INTERVALS if self.target.kind == K_CROSSING_INTERVAL else BY_CROSSINGS

    cdef int64_t lift(self, const int32_t* heads, int32_t n, int32_t* out, object sentence) except -1:
        """Copy heads[0..n-1] to `out`, lifted; return the number of words moved."""
        cdef Py_ssize_t i, j, size
        cdef int64_t moved = 0
        cdef Pieces pieces
        for i in range(n):
            out[i] = heads[i]
        self.tree.load(heads, n, sentence)
        pieces = split(&self.tree.tree, self.splitting())
        if self.heads.shape[0] < n:
            self.heads = np.zeros(n, dtype=np.int32)
        for i in range(pieces.count):
            size = pieces.read(&self.tree.tree, i, &self.heads[0])
            self.highest = 0
            if pieces.top[i] != 0:
                self.highest = pieces.local[pieces.top[i]]
            self.lift_piece(size)
            for j in range(size):
                if self.heads[j] != 0 or pieces.top[i] == 0:
                    out[pieces.position(i, j + 1) - 1] = pieces.position(i, self.heads[j])
        for i in range(n):
            moved += out[i] != heads[i]
        return moved


def lift(heads, into, root_arcs=True):
    """Lift a tree into a class.

    Args:
        heads: heads[i - 1] is the head of word i, 0 the root.
        into: one of `classes()`, or a predicate on lists of heads that all projective trees satisfy.
        root_arcs: as in `contains`.

    Returns:
        New heads (a list): inside the class; each is the head of before or one of its ancestors; none can be moved
        back alone.

    Example:
        >>> lift([3, 0, 2], into="projective")
        [2, 0, 2]
    """
    cdef const int32_t[::1] view = as_heads(heads)
    cdef int32_t[::1] out = np.zeros(view.shape[0], dtype=np.int32)
    cdef Lifter lifter = Lifter(into, root_arcs)
    if view.shape[0]:
        lifter.lift(&view[0], <int32_t> view.shape[0], &out[0], None)
    return np.asarray(out).tolist()


def lift_treebank(heads, offsets, into, root_arcs=True):
    """`lift` every sentence of a treebank; sentence s has the words offsets[s]:offsets[s + 1].

    Returns:
        (new heads, number of words that moved).
    """
    cdef const int32_t[::1] view = as_heads(heads)
    cdef const int64_t[::1] bounds = as_offsets(offsets, view.shape[0])
    lifted = np.zeros(view.shape[0], dtype=np.int32)
    cdef int32_t[::1] out = lifted
    cdef Lifter lifter = Lifter(into, root_arcs)
    cdef int64_t s, moved = 0
    for s in range(bounds.shape[0] - 1):
        if bounds[s + 1] > bounds[s]:
            moved += lifter.lift(&view[bounds[s]], <int32_t> (bounds[s + 1] - bounds[s]), &out[bounds[s]], s)
    return lifted, moved
