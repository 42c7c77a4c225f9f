"""Trees made projective, or brought into a class, by moving dependents to ancestors of their heads.

A tree is split into pieces that can be changed one by one. A subtree can be split off when its words are an unbroken
stretch and the arc into its top is not crossed. The piece outside keeps the top as a leaf, the piece inside has it as
the child of the root. No arc inside covers the top, so lifting words inside, at most to the top, leaves the arc
uncrossed; every class defined by crossing arcs or interleaving subtrees holds of the tree exactly when it holds of all
pieces. Crossing intervals also unite what lies below an arc with the arc. For them a subtree is split off only when it
is the end of the sentence and its first word hangs on the word before: no arc, lifted or not, can then cover both
sides.

A tree is made projective all at once, or the shortest arc first, one step at a time (Nivre & Nilsson, 2005).

Lifting into other classes: while a piece is outside the class, all lifts of words that take part in crossings are tried
and the one that leaves the least to do is kept; then every lift is undone that the class allows to undo. What remains
is minimal in this sense: moving any lifted word back to its head, or to any ancestor below its present one, leaves the
class. Large pieces are made projective first, and undone from there.
"""

import numpy as np

from libc.stdint cimport int32_t, int64_t

from fastparse.trees.classes cimport K_CROSSING_INTERVAL, MEMBER_NO_MEMORY, TreeClass, class_named, in_class
from fastparse.trees.crossing cimport (
    find_anchors, for_each_crossing, interval_sizes, is_projective, mark_crossed, mark_reaching)
from fastparse.trees.tree cimport (
    Tree, TREE_NO_MEMORY, TREE_OK, TreeOwner, area, as_heads, as_offsets, out_of_memory, tree_load)

cdef enum Splitting:
    WHOLE               # the tree is the only piece
    BY_CROSSINGS        # for classes that speak of crossing arcs or interleaving subtrees
    BY_INTERVALS        # for classes that speak of crossing intervals, which reach over all they cover

cdef enum:
    LARGEST_SEARCH = 300_000    # lifts tried times words of the piece, per lift kept
    CROSSINGS_CAP = 1 << 20
    LARGEST_PIECE = 2000    # words; larger pieces are lifted all at once, as the other scheme takes a pass per lift


# ── pieces ──

cdef class Pieces:
    """The pieces of a tree that contain crossings, from the top down."""

    cdef readonly Py_ssize_t count
    cdef int32_t[::1] member        # positions of all pieces, piece by piece, ascending within each
    cdef int32_t[::1] start         # [count + 1]  piece i is member[start[i]:start[i + 1]]
    cdef int32_t[::1] top           # [count]  its top word, or 0
    cdef int32_t[::1] local         # [n + 1]  scratch: place of a position in the piece being read

    cdef int read(self, Tree* t, Py_ssize_t i, int32_t* heads) noexcept:
        """Set heads[0..] to piece i as a tree of its own; return its number of words."""
        cdef int32_t j, x, n = 0, top = self.top[i]
        if top == 0:
            self.local[0] = 0
        for j in range(self.start[i], self.start[i + 1]):
            n += 1
            self.local[self.member[j]] = n
        for j in range(self.start[i], self.start[i + 1]):
            x = self.member[j]
            heads[j - self.start[i]] = 0 if x == top else self.local[t.head[x]]
        return n

    cdef int32_t position(self, Py_ssize_t i, int32_t word) noexcept:
        """Position in the tree of a word of piece i; 0 is 0, and never the head of a word in a piece below the root."""
        return 0 if word == 0 else self.member[self.start[i] + word - 1]


cdef Pieces split(Tree* t, Splitting splitting):
    """The pieces with crossings, in O(n log n). Uses areas 0 to 10."""
    cdef Pieces pieces = Pieces()
    cdef int32_t i, m, h, v, size = t.n + 1, count = 0, total = 0
    cdef bint alone
    cdef int32_t* crossed = area(t, 6)
    cdef int32_t* low = area(t, 7)
    cdef int32_t* high = area(t, 8)
    cdef int32_t* piece = area(t, 9)        # top of the piece of each position
    cdef int32_t* number = area(t, 10)      # of the piece with this top, or -1
    pieces.local = np.zeros(size, dtype=np.int32)
    if is_projective(t):
        pieces.count = 0
        return pieces
    mark_crossed(t, True, crossed)
    for v in range(size):
        low[v] = v
        high[v] = v
        number[v] = -1
    for i in range(t.n, 0, -1):
        m = t.order[i]
        h = t.head[m]
        low[h] = min(low[h], low[m])
        high[h] = max(high[h], high[m])
    piece[0] = 0
    for i in range(1, size):
        m = t.order[i]
        alone = splitting != WHOLE and not crossed[m] and high[m] - low[m] + 1 == t.leave[m] - t.enter[m]
        if splitting == BY_INTERVALS:
            alone = alone and high[m] == t.n and low[m] == m and t.head[m] == m - 1
        if alone:
            piece[m] = m
        else:
            piece[m] = piece[t.head[m]]
        if (crossed[m] or splitting == WHOLE) and number[piece[m]] < 0:
            number[piece[m]] = count
            count += 1
    pieces.count = count
    pieces.top = np.zeros(count, dtype=np.int32)
    pieces.start = np.zeros(count + 1, dtype=np.int32)
    for m in range(1, size):
        i = number[piece[m]]
        if i >= 0:
            pieces.start[i + 1] += 1
            pieces.top[i] = piece[m]
        if piece[m] == m and number[piece[t.head[m]]] >= 0:
            pieces.start[number[piece[t.head[m]]] + 1] += 1
    for i in range(count):
        pieces.start[i + 1] += pieces.start[i]
        low[i] = pieces.start[i]
        total = pieces.start[i + 1]
    pieces.member = np.zeros(total, dtype=np.int32)
    for m in range(1, size):
        i = number[piece[m]]
        if i >= 0:
            pieces.member[low[i]] = m
            low[i] += 1
        if piece[m] == m:
            i = number[piece[t.head[m]]]
            if i >= 0:
                pieces.member[low[i]] = m
                low[i] += 1
    return pieces


# ── projective trees ──

cdef void lift_all_at_once(Tree* t, int32_t* heads) noexcept nogil:
    """Set heads[m - 1] to the anchor of word m, the lowest ancestor from which its arc is projective in `t`.

    The result is projective and differs exactly in the non-projective arcs. O(n). Uses areas 0 and 1.
    """
    cdef int32_t m
    cdef int32_t* anchor = area(t, 1)
    find_anchors(t, anchor)
    for m in range(1, t.n + 1):
        heads[m - 1] = anchor[m]


cdef int lift_shortest_first(Tree* t, int32_t* heads) noexcept nogil:
    """Move the shortest non-projective arc (in a tie the leftmost) to the head of its head, until there is none.

    heads[0..n-1] is the tree on entry and the result; `t` is used up. Returns TREE_OK or TREE_NO_MEMORY. Uses areas 0
    and 1. O(n) per lift.
    """
    cdef int32_t m, length, least, shortest, n = t.n
    cdef int32_t* anchor
    cdef int status
    while True:
        status = tree_load(t, heads, n)
        if status < 0:
            return status
        anchor = area(t, 1)
        find_anchors(t, anchor)
        shortest = least = 0
        for m in range(1, n + 1):
            length = m - t.head[m] if t.head[m] < m else t.head[m] - m
            if anchor[m] != t.head[m] and (shortest == 0 or length < least):
                shortest = m
                least = length
        if shortest == 0:
            return TREE_OK
        heads[shortest - 1] = t.head[t.head[shortest]]


def anchors_treebank(heads, offsets):
    """`projective_treebank` at once, but sentences that are no trees keep their heads."""
    cdef const int32_t[::1] view = as_heads(heads)
    cdef const int64_t[::1] bounds = as_offsets(offsets, view.shape[0])
    cdef TreeOwner owner = TreeOwner()
    cdef int64_t s, start
    cdef int status
    result = np.array(view, dtype=np.int32)
    cdef int32_t[::1] out = result
    for s in range(bounds.shape[0] - 1):
        start = bounds[s]
        if bounds[s + 1] == start:
            continue
        status = tree_load(&owner.tree, &view[start], <int32_t> (bounds[s + 1] - start))
        if status == TREE_NO_MEMORY:
            out_of_memory()
        if status == TREE_OK:
            lift_all_at_once(&owner.tree, &out[start])
    return result


def projective_heads(heads, at_once=False):
    """The heads of a tree made projective.

    Args:
        heads: heads[i - 1] is the head of word i, 0 the root.
        at_once: move each non-projective arc to the lowest ancestor of its head from which it would be projective, and
            no other arc; otherwise lift the shortest non-projective arc one step at a time, the leftmost dependent
            first in a tie, which may move other arcs too (parts of more than 2,000 words that cannot be split are
            moved at once all the same).

    Returns:
        New heads, a list.

    Example:
        >>> projective_heads([3, 0, 2])
        [2, 0, 2]
    """
    cdef const int32_t[::1] view = as_heads(heads)
    return projective_treebank(view, [0, view.shape[0]], at_once).tolist()


def projective_treebank(heads, offsets, at_once=False):
    """`projective_heads` of every sentence of a treebank; sentence s has the words offsets[s]:offsets[s + 1].

    Returns an int32 array.
    """
    cdef const int32_t[::1] view = as_heads(heads)
    cdef const int64_t[::1] bounds = as_offsets(offsets, view.shape[0])
    cdef TreeOwner whole = TreeOwner()
    cdef TreeOwner part = TreeOwner()
    cdef Pieces pieces
    result = np.array(view, dtype=np.int32)
    cdef int32_t[::1] out = result
    cdef int32_t[::1] piece = np.zeros(view.shape[0] + 1, dtype=np.int32)
    cdef int64_t s, start
    cdef int32_t i, j, n
    cdef bint all_at_once = at_once
    for s in range(bounds.shape[0] - 1):
        start = bounds[s]
        if bounds[s + 1] == start:
            continue
        whole.load(&view[start], <int32_t> (bounds[s + 1] - start), s if bounds.shape[0] > 2 else None)
        if all_at_once:
            lift_all_at_once(&whole.tree, &out[start])
            continue
        pieces = split(&whole.tree, BY_CROSSINGS)
        for i in range(pieces.count):
            n = pieces.read(&whole.tree, i, &piece[0])
            if tree_load(&part.tree, &piece[0], n) == TREE_NO_MEMORY:
                out_of_memory()
            if n > LARGEST_PIECE:
                lift_all_at_once(&part.tree, &piece[0])
            elif lift_shortest_first(&part.tree, &piece[0]) == TREE_NO_MEMORY:
                out_of_memory()
            for j in range(n):
                if piece[j] != 0 or pieces.top[i] == 0:
                    out[start + pieces.position(i, j + 1) - 1] = pieces.position(i, piece[j])
    return result


# ── trees of a class ──

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
