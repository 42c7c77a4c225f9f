"""Dependency trees as C arrays: whether heads make one, loading, order, dominance.
"""

import numpy as np

from fastparse.errors import Error

from libc.stdint cimport int32_t, int64_t, int8_t, uint32_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

cdef enum:
    MOST_SHOWN = 8          # words of a cycle in a message

# What the codes of `defects` mean.
DEFECTS = ("tree", "headless word", "head out of range", "cycle")


cdef int find_defect(const int32_t* heads, int32_t n, int32_t* mark, int32_t* word) noexcept nogil:
    """Each word climbs to where another one has been, leaving its number: meeting that again closes a cycle."""
    cdef int32_t w, at
    for w in range(1, n + 1):
        if <uint32_t> heads[w - 1] > <uint32_t> n:
            word[0] = w
            return HEADLESS if heads[w - 1] == -1 else OUT_OF_RANGE
    memset(mark, 0, (<size_t> n + 1) * sizeof(int32_t))
    mark[0] = -1
    for w in range(1, n + 1):
        at = w
        while mark[at] == 0:
            mark[at] = w
            at = heads[at - 1]
        if mark[at] == w:
            word[0] = at
            return CYCLE
    return TREE


cdef void tree_init(Tree* t) noexcept nogil:
    t.n = 0
    t.capacity = -1
    t.culprit = -1
    t.block = NULL
    t.scratch = NULL


cdef void tree_free(Tree* t) noexcept nogil:
    free(t.block)
    free(t.scratch)
    tree_init(t)


cdef int tree_reserve(Tree* t, int32_t n) noexcept nogil:
    cdef int32_t capacity = n
    cdef int64_t width
    if n <= t.capacity:
        return TREE_OK
    if t.capacity > n // 2:
        capacity = n + n // 2
    width = <int64_t> capacity + 2
    free(t.block)
    free(t.scratch)
    t.scratch = NULL
    t.block = <int32_t*> malloc(6 * width * sizeof(int32_t))
    if t.block == NULL:
        t.capacity = -1
        return TREE_NO_MEMORY
    t.capacity = capacity
    t.head = t.block
    t.first_child = t.block + width
    t.next_child = t.block + 2 * width
    t.order = t.block + 3 * width
    t.enter = t.block + 4 * width
    t.leave = t.block + 5 * width
    return TREE_OK


cdef int tree_scratch(Tree* t) noexcept nogil:
    if t.scratch == NULL:
        t.scratch = <int32_t*> malloc(SCRATCH_AREAS * (<size_t> t.capacity + 2) * sizeof(int32_t))
    return TREE_OK if t.scratch != NULL else TREE_NO_MEMORY


cdef int tree_link(Tree* t, const int32_t* heads, int32_t n, bint root_arcs) noexcept nogil:
    cdef int32_t w, h
    cdef int32_t* head
    cdef int32_t* first_child
    cdef int32_t* next_child
    cdef int defect
    if tree_reserve(t, n) != TREE_OK:
        return TREE_NO_MEMORY
    t.n = n
    defect = find_defect(heads, n, t.next_child, &t.culprit)
    if defect != TREE:
        return defect
    head, first_child, next_child = t.head, t.first_child, t.next_child
    memset(first_child, 0xFF, (<size_t> n + 1) * sizeof(int32_t))      # all -1
    for w in range(n, 0, -1):
        h = heads[w - 1]
        head[w] = h
        next_child[w] = first_child[h]
        first_child[h] = w
    head[0] = -1
    next_child[0] = -1
    if not root_arcs:
        w = first_child[0]
        first_child[0] = -1
        while w >= 0:
            h = next_child[w]
            head[w] = next_child[w] = -1
            w = h
    return TREE_OK


cdef void tree_order(Tree* t) noexcept nogil:
    cdef int32_t v = 0, rank = 0
    while True:
        t.enter[v] = rank
        t.order[rank] = v
        rank += 1
        if t.first_child[v] >= 0:
            v = t.first_child[v]
            continue
        t.leave[v] = rank
        while t.next_child[v] < 0:
            v = t.head[v]
            if v < 0:
                return
            t.leave[v] = rank
        v = t.next_child[v]


cdef int tree_load(Tree* t, const int32_t* heads, int32_t n) noexcept nogil:
    cdef int status = tree_link(t, heads, n, True)
    if status == TREE_OK:
        status = tree_scratch(t)
    if status == TREE_OK:
        tree_order(t)
    return status


cdef class TreeOwner:
    """Owns one Tree and turns what tree_load refuses into errors."""

    def __cinit__(self):
        tree_init(&self.tree)

    def __dealloc__(self):
        tree_free(&self.tree)

    cdef int load(self, const int32_t* heads, int32_t n, object sentence) except -1:
        """Load a tree; `sentence` (its index in a treebank, or None) is for the message."""
        cdef int status
        cdef int32_t word, above
        with nogil:
            status = tree_load(&self.tree, heads, n)
        if status == TREE_OK:
            return 0
        if status == TREE_NO_MEMORY:
            raise MemoryError(f"no memory for a tree of {n} words")
        where = "" if sentence is None else f"sentence {sentence} (counted from 0): "
        word = self.tree.culprit
        if status == CYCLE:
            cycle = [word]
            above = heads[word - 1]
            while above != word:
                cycle.append(above)
                above = heads[above - 1]
            raise Error(f"{where}not a tree: {_cycle(cycle)}; expected heads that lead from every word to the root 0")
        raise Error(
            f"{where}not a tree: the head of word {word} is {heads[word - 1]}; "
            f"expected 0 (the root) or another word from 1 to {n}"
        )


def _cycle(words):
    """What to say of words whose heads lead round in a circle."""
    if len(words) == 1:
        return f"word {words[0]} is its own head"
    shown = ", ".join(map(str, words[:MOST_SHOWN]))
    return f"the heads of words {shown}{', ..' if len(words) > MOST_SHOWN else ''} form a cycle"


cdef int out_of_memory() except -1:
    raise MemoryError("no memory for the analysis of a tree")


cdef object as_array(object values, str what):
    try:
        return np.asarray(values)
    except (ValueError, TypeError, OverflowError):      # lists of different lengths, say
        raise Error(f"{what} must be a flat list or array of integers: {values!r:.80}") from None


cdef const int32_t[::1] as_heads(object heads):
    """`heads` as a contiguous int32 array, without a copy where it is one already."""
    array = as_array(heads, "heads")
    if array.dtype == np.int32 and array.ndim == 1 and array.flags.c_contiguous:
        return array
    if array.ndim != 1:
        raise Error(f"heads must be a flat list or array of integers, not of {array.ndim} dimensions")
    if array.size == 0:
        return np.zeros(0, dtype=np.int32)
    if array.dtype.kind not in "iu":
        raise Error(f"heads must be integers, not {array.dtype.name}: {heads!r:.80}")
    if array.max() > 2**31 - 1 or array.min() < -(2**31):
        raise Error(f"heads must be word numbers from 0 to {array.size}, not {array.min()} to {array.max()}")
    return array.astype(np.int32)


cdef const int64_t[::1] as_offsets(object offsets, Py_ssize_t n_words):
    """`offsets` as checked int64: ascending, from 0 to `n_words`. None means one sentence."""
    array = as_array([0, n_words] if offsets is None else offsets, "offsets")
    if array.ndim != 1 or array.size == 0 or array.dtype.kind not in "iu":
        raise Error("offsets must be a flat array of integers: one more than there are sentences, the first of them 0")
    array = np.ascontiguousarray(array, dtype=np.int64)
    if array[0] != 0 or array[array.size - 1] != n_words or (array[1:] < array[: array.size - 1]).any():
        raise Error(
            f"offsets must ascend from 0 to the number of heads, {n_words}; found {array[0]} to {array[array.size - 1]}"
        )
    return array


def checked_heads(heads, offsets=None):
    """New arrays of heads (int32) and of checked offsets (int64); sentence s has the words offsets[s]:offsets[s + 1].

    Raises:
        Error: for what is not whole numbers, or does not fit.
    """
    array = np.array(as_heads(heads))
    return array, np.array(as_offsets(offsets, len(array)))


def check_tree(heads):
    """Raise an Error unless `heads` is a tree.

    Heads[i - 1] is the head of word i, 0 the root, and every word leads to it.
    """
    cdef const int32_t[::1] view = as_heads(heads)
    TreeOwner().load(&view[0] if view.shape[0] else NULL, <int32_t> view.shape[0], None)


def defects(const int32_t[::1] heads, const int64_t[::1] offsets):
    """What keeps each sentence from being a tree.

    Args:
        heads: of all words.
        offsets: where each sentence begins; one more than there are sentences.

    Returns:
        Codes (int8, an index into DEFECTS; 0 is a tree) and the word each defect shows at (int32, 0 for trees).
    """
    cdef int64_t n_sentences = offsets.shape[0] - 1, i, longest = 0
    if n_sentences < 0 or offsets[0] != 0 or offsets[n_sentences] != heads.shape[0]:
        raise ValueError(f"offsets must run from 0 to the {heads.shape[0]} words")
    for i in range(n_sentences):
        if offsets[i + 1] < offsets[i]:
            raise ValueError(f"offsets fall at sentence {i + 1}")
        longest = max(longest, offsets[i + 1] - offsets[i])
    codes = np.zeros(n_sentences, np.int8)
    places = np.zeros(n_sentences, np.int32)
    marks = np.zeros(longest + 1, np.int32)
    cdef int8_t[::1] code = codes
    cdef int32_t[::1] place = places
    cdef int32_t[::1] mark = marks
    if heads.shape[0] == 0:
        return codes, places
    with nogil:
        for i in range(n_sentences):
            code[i] = <int8_t>find_defect(
                &heads[0] + offsets[i], <int32_t>(offsets[i + 1] - offsets[i]), &mark[0], &place[i])
    return codes, places
