"""Whether the heads of each sentence make a tree: one linear, iterative pass."""

from libc.stdint cimport int8_t, int32_t, int64_t

import numpy

cdef enum:
    TREE, HEADLESS, OUT_OF_RANGE, CYCLE

# What the codes of `defects` mean.
DEFECTS = ("tree", "headless word", "head out of range", "cycle")


cdef int8_t defect(const int32_t* heads, int64_t n, int32_t* seen, int32_t* place) noexcept nogil:
    """The first defect of n heads, and the word it shows at; `seen` has room for n + 1 marks."""
    cdef int64_t word, at
    for word in range(n):
        if heads[word] < 0 or heads[word] > n:
            place[0] = <int32_t>(word + 1)
            return HEADLESS if heads[word] == -1 else OUT_OF_RANGE
        seen[word + 1] = 0
    seen[0] = -1
    for word in range(1, n + 1):
        # Climb, marking the path with this word's number: meeting the mark again closes a cycle.
        at = word
        while seen[at] == 0:
            seen[at] = <int32_t>word
            at = heads[at - 1]
        if seen[at] == word:
            place[0] = <int32_t>at
            return CYCLE
        at = word
        while seen[at] == word:
            seen[at] = -1
            at = heads[at - 1]
    return TREE


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
    codes = numpy.zeros(n_sentences, numpy.int8)
    places = numpy.zeros(n_sentences, numpy.int32)
    marks = numpy.zeros(longest + 1, numpy.int32)
    cdef int8_t[::1] code = codes
    cdef int32_t[::1] place = places
    cdef int32_t[::1] mark = marks
    if heads.shape[0] == 0:
        return codes, places
    with nogil:
        for i in range(n_sentences):
            code[i] = defect(&heads[0] + offsets[i], offsets[i + 1] - offsets[i], &mark[0], &place[i])
    return codes, places
