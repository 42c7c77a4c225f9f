"""Whether the heads of each sentence make a tree: one linear, iterative pass."""

from libc.stdint cimport int8_t, int32_t, int64_t, uint32_t
from libc.string cimport memset

import numpy as np

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
