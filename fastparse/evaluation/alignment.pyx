"""Which words of two tokenizations of a text are the same, as the scorer of the CoNLL 2018 shared task has it.

Words that are tokens are the same if they stand on the same span. Those of multiword tokens have no span of their own:
in the smallest span that no multiword token of either side sticks out of, words are paired by a longest common
subsequence of their keys (lower-cased forms). Among several such sequences the one is taken that pairs whenever the
next keys are equal, then skips a gold word unless that makes the rest shorter, then one of the other side. As in that
scorer, a word that sticks out of the span is in it if it begins no later than the word of the other side in turn.

Time is linear in the words, sentences of any length included: a span of more than WINDOW words is aligned by looking no
more than that many words ahead.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

import numpy

cdef enum:
    WINDOW = 1024               # words of a side; spans of so many are aligned exactly


cdef struct Side:
    const int64_t* starts       # [n_tokens + 1]  where each token begins, and the end of the text
    const uint8_t* multiword    # [n_tokens]  whether the token is a multiword token
    const int64_t* tokens       # [n_words]  the token of each word
    const int32_t* keys         # [n_words]  what words of multiword tokens are compared by
    int64_t n                   # words

cdef struct Workspace:
    uint8_t* skip_gold          # [WINDOW][WINDOW]  whether leaving out this gold word keeps the sequence as long
    int32_t* row                # [WINDOW + 1]  longest common subsequences of the rest, by place on the other side
    int32_t* below              # [WINDOW + 1]  the same, one gold word further


cdef inline int64_t start(const Side* side, int64_t word) noexcept nogil:
    return side.starts[side.tokens[word]]


cdef inline int64_t end(const Side* side, int64_t word) noexcept nogil:
    return side.starts[side.tokens[word] + 1]


cdef inline bint in_multiword(const Side* side, int64_t word) noexcept nogil:
    return side.multiword[side.tokens[word]]


cdef inline bint is_beyond(const Side* side, int64_t word, int64_t limit) noexcept nogil:
    """Whether a word lies, at least in part, after the end of a span."""
    if word >= side.n:
        return True
    return start(side, word) >= limit if in_multiword(side, word) else end(side, word) > limit


cdef inline int64_t stretched(const Side* side, int64_t word, int64_t limit) noexcept nogil:
    """The end of a span that is not to cut the multiword token of this word."""
    return max(limit, end(side, word)) if in_multiword(side, word) else limit


cdef void pair(
    const Side* gold, const Side* other, int64_t g, int64_t g_end, int64_t o, int64_t o_end, int64_t* gold_word,
    Workspace* space
) noexcept nogil:
    """Pair the words g..g_end of the gold side with o..o_end of the other by their keys."""
    cdef int64_t n, m, i, j, i_end, j_end
    while True:
        while g < g_end and o < o_end and gold.keys[g] == other.keys[o]:
            gold_word[o] = g
            g += 1
            o += 1
        if g == g_end or o == o_end:
            return
        n = min(g_end - g, WINDOW)
        m = min(o_end - o, WINDOW)
        fill(gold.keys + g, n, other.keys + o, m, space)
        # What is cut off by the window may change the best way near its edge: go half of it, then look again.
        i_end = n if n == g_end - g else n // 2
        j_end = m if m == o_end - o else m // 2
        i = j = 0
        while i < i_end and j < j_end:
            if gold.keys[g + i] == other.keys[o + j]:
                gold_word[o + j] = g + i
                i += 1
                j += 1
            elif space.skip_gold[i * WINDOW + j]:
                i += 1
            else:
                j += 1
        g += i
        o += j


cdef void fill(const int32_t* gold, int64_t n, const int32_t* other, int64_t m, Workspace* space) noexcept nogil:
    """Set `skip_gold` for all places of a window, from its end to its beginning."""
    cdef int64_t i, j
    cdef int32_t longest
    cdef int32_t* row = space.row
    cdef int32_t* below = space.below
    cdef uint8_t* skip
    memset(below, 0, <size_t>(m + 1) * sizeof(int32_t))
    row[m] = 0
    for i in range(n - 1, -1, -1):
        skip = space.skip_gold + i * WINDOW
        for j in range(m - 1, -1, -1):
            longest = below[j + 1] + 1 if gold[i] == other[j] else below[j]
            longest = max(longest, max(below[j], row[j + 1]))
            row[j] = longest
            skip[j] = longest == below[j]
        row, below = below, row
        row[m] = 0


cdef void align_words(const Side* gold, const Side* other, int64_t* gold_word, Workspace* space) noexcept nogil:
    cdef int64_t g = 0, o = 0, g_begin, o_begin, limit
    while g < gold.n and o < other.n:
        if not in_multiword(gold, g) and not in_multiword(other, o):
            if start(gold, g) == start(other, o) and end(gold, g) == end(other, o):
                gold_word[o] = g
                g += 1
                o += 1
            elif start(gold, g) <= start(other, o):
                g += 1
            else:
                o += 1
            continue
        if in_multiword(gold, g):
            limit = end(gold, g)
            o += not in_multiword(other, o) and start(other, o) < start(gold, g)
        else:
            limit = end(other, o)
            g += start(gold, g) < start(other, o)
        g_begin, o_begin = g, o
        while not is_beyond(gold, g, limit) or not is_beyond(other, o, limit):
            if g < gold.n and (o >= other.n or start(gold, g) <= start(other, o)):
                limit = stretched(gold, g, limit)
                g += 1
            else:
                limit = stretched(other, o, limit)
                o += 1
        pair(gold, other, g_begin, g, o_begin, o, gold_word, space)


cdef int check(const int64_t[::1] starts, const uint8_t[::1] multiword, const int64_t[::1] tokens,
               const int32_t[::1] keys, Side* side) except -1:
    """A side whose tokens are none of them empty, so that every step of the alignment goes forward."""
    cdef int64_t n_tokens = multiword.shape[0], n = tokens.shape[0], i
    if starts.shape[0] != n_tokens + 1 or keys.shape[0] != n:
        raise ValueError(f"{starts.shape[0]} places and {keys.shape[0]} keys for {n_tokens} tokens and {n} words")
    for i in range(n_tokens):
        if starts[i] >= starts[i + 1]:
            raise ValueError(f"token {i} is empty")
    for i in range(n):
        if not (tokens[i - 1] if i else 0) <= tokens[i] < n_tokens:
            raise ValueError(f"word {i} belongs to token {tokens[i]} of {n_tokens}")
    side.n = n
    side.starts = &starts[0]
    side.multiword = &multiword[0] if n_tokens else NULL
    side.tokens = &tokens[0] if n else NULL
    side.keys = &keys[0] if n else NULL
    return 0


def align(
    const int64_t[::1] gold_starts not None, gold_multiword not None, const int64_t[::1] gold_tokens not None,
    const int32_t[::1] gold_keys not None, const int64_t[::1] starts not None, multiword not None,
    const int64_t[::1] tokens not None, const int32_t[::1] keys not None,
):
    """Align two tokenizations of the same text.

    Args:
        gold_starts, gold_multiword, gold_tokens: see `fastparse.evaluation.spans.lay_out`.
        gold_keys: an integer per word, the same for forms that differ in case at most.
        starts, multiword, tokens, keys: of the other tokenization.

    Returns:
        For each word of the other tokenization the gold word it is, or -1 (int64). Words are paired in order.
    """
    cdef Side gold, other
    cdef Workspace space
    cdef const uint8_t[::1] gold_flags = gold_multiword.view(numpy.uint8), flags = multiword.view(numpy.uint8)
    check(gold_starts, gold_flags, gold_tokens, gold_keys, &gold)
    check(starts, flags, tokens, keys, &other)
    found = numpy.full(other.n, -1, numpy.int64)
    if other.n == 0 or gold.n == 0:
        return found
    cdef int64_t[::1] gold_word = found
    space.skip_gold = <uint8_t*>malloc(WINDOW * WINDOW)
    space.row = <int32_t*>malloc(2 * (WINDOW + 1) * sizeof(int32_t))
    if space.skip_gold == NULL or space.row == NULL:
        free(space.skip_gold)
        free(space.row)
        raise MemoryError("cannot allocate the table of common subsequences")
    space.below = space.row + WINDOW + 1
    with nogil:
        align_words(&gold, &other, &gold_word[0], &space)
    free(space.skip_gold)
    free(space.row)
    return found
