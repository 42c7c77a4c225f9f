"""Which words of two tokenizations of a text are the same, as the scorer of the CoNLL 2018 shared task has it.

Words that are tokens are the same if they stand on the same span. Those of multiword tokens have no span of their own:
in the smallest span that no multiword token of either side sticks out of, words are paired by a longest common
subsequence of their keys (lower-cased forms). Among several such sequences the one is taken that pairs whenever the
next keys are equal, then skips a gold word unless that makes the rest shorter, then one of the other side. As in that
scorer, a word that sticks out of the span is in it if it begins no later than the word of the other side in turn.

Time is linear in the words, sentences of any length included: a span of more than WINDOW words is aligned by looking no
more than that many words ahead.

Tokens and words stand where their forms do, one after the other without any space. Spaces are the characters of
Unicode's category Zs; they are taken out of forms too, so that a file whose forms hold spaces can be compared with one
that splits there. Places count bytes of UTF-8: spans of two texts that are the same are equal in bytes if and only if
they are equal in characters.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

import numpy

from fastparse.corpus.strings.interning cimport StringTable

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


cdef inline int space_at(const uint8_t* at, int64_t length) noexcept nogil:
    """The bytes of the space (category Zs) a string begins with, 0 if it begins with none."""
    if at[0] == 0x20:
        return 1
    if at[0] == 0xC2:
        return 2 if length > 1 and at[1] == 0xA0 else 0
    if at[0] < 0xE1 or at[0] > 0xE3 or length < 3:
        return 0
    if at[0] == 0xE1:
        return 3 if at[1] == 0x9A and at[2] == 0x80 else 0
    if at[0] == 0xE3:
        return 3 if at[1] == 0x80 and at[2] == 0x80 else 0
    if at[1] == 0x80:
        return 3 if 0x80 <= at[2] <= 0x8A or at[2] == 0xAF else 0
    return 3 if at[1] == 0x81 and at[2] == 0x9F else 0


cdef int64_t copy_visible(uint8_t* to, const uint8_t* at, int64_t length) noexcept nogil:
    """Copy a string without its spaces, or, where `to` is NULL, only count: the bytes left."""
    cdef int64_t size = 0, i = 0
    cdef int skipped
    while i < length:
        skipped = space_at(at + i, length - i)
        if skipped:
            i += skipped
            continue
        if to != NULL:
            to[size] = at[i]
        size += 1
        i += 1
    return size


def lay_out(
    StringTable table not None, const int32_t[::1] form_ids not None, bytes source not None,
    const int64_t[::1] first not None, const int64_t[::1] stop not None, const int64_t[:, ::1] cells not None,
):
    """Put the tokens of a treebank one after the other.

    Args:
        table: the forms of the words.
        form_ids: the form of each word.
        source: the bytes that hold the forms of multiword tokens.
        first, stop, cells: see `fastparse.corpus.multiword.Multiword`.

    Returns:
        The text (a uint8 array); where each token begins, and the end of the text (int64); for each word the token it
        belongs to (int64); which tokens are multiword tokens (bool).
    """
    cdef int64_t n_words = form_ids.shape[0], n_ranges = first.shape[0], n_forms = len(table)
    cdef int64_t size = 0, word = 0, token = 0, r, n_tokens = n_words, until
    cdef const int64_t* begins = <const int64_t*>table.begins.data
    cdef const int32_t* lengths = <const int32_t*>table.lengths.data
    cdef const uint8_t* strings = <const uint8_t*>table.source
    cdef const uint8_t* bytes_ = <const uint8_t*>source
    cdef int32_t form
    if stop.shape[0] != n_ranges or cells.shape[0] != n_ranges or cells.shape[1] < 2:
        raise ValueError("multiword tokens need a first word, a last and cells each")
    for word in range(n_words):
        if not 0 <= form_ids[word] < n_forms:
            raise IndexError(f"word {word} has form {form_ids[word]} of {n_forms}")
    until = 0
    for r in range(n_ranges):
        if not until <= first[r] < stop[r] <= n_words or not 0 <= cells[r, 0] <= cells[r, 1] <= len(source):
            raise IndexError(f"multiword token {r} covers words {first[r]}..{stop[r]} of {n_words}")
        until = stop[r]
        n_tokens -= stop[r] - first[r] - 1
    visible_ = numpy.empty(n_forms, numpy.int32)
    starts_ = numpy.empty(n_tokens + 1, numpy.int64)
    tokens_ = numpy.empty(n_words, numpy.int64)
    multiword_ = numpy.zeros(n_tokens, numpy.bool_)
    cdef int32_t[::1] visible = visible_
    cdef int64_t[::1] starts = starts_
    cdef int64_t[::1] tokens = tokens_
    cdef uint8_t[::1] multiword = multiword_.view(numpy.uint8)
    with nogil:
        for form in range(n_forms):
            visible[form] = <int32_t>copy_visible(NULL, strings + begins[form], lengths[form])
        r = word = 0
        while word < n_words:
            starts[token] = size
            if r < n_ranges and first[r] == word:
                multiword[token] = True
                size += copy_visible(NULL, bytes_ + cells[r, 0], cells[r, 1] - cells[r, 0])
                while word < stop[r]:
                    tokens[word] = token
                    word += 1
                r += 1
            else:
                size += visible[form_ids[word]]
                tokens[word] = token
                word += 1
            token += 1
        starts[n_tokens] = size
    # One byte more than the text has, so that there is always an address to write to.
    text_ = numpy.empty(size + 1, numpy.uint8)
    cdef uint8_t[::1] text = text_
    with nogil:
        r = word = 0
        for token in range(n_tokens):
            if multiword[token]:
                copy_visible(&text[starts[token]], bytes_ + cells[r, 0], cells[r, 1] - cells[r, 0])
                word = stop[r]
                r += 1
                continue
            form = form_ids[word]
            if visible[form] == lengths[form]:
                memcpy(&text[starts[token]], strings + begins[form], <size_t>lengths[form])
            else:
                copy_visible(&text[starts[token]], strings + begins[form], lengths[form])
            word += 1
    return text_[:size], starts_, tokens_, multiword_


def common_spans(const int64_t[::1] starts not None, const int64_t[::1] others not None):
    """Spans that two divisions of the same text share.

    Args:
        starts: where the spans of the one begin, rising, and the end of the text.
        others: the same for the other.

    Returns:
        The spans of the one and those of the other (int64, from 0), pair by pair.
    """
    cdef int64_t n = starts.shape[0] - 1, m = others.shape[0] - 1, i = 0, j = 0, k = 0
    pairs_ = numpy.empty((2, max(0, min(n, m))), numpy.int64)
    cdef int64_t[:, ::1] pairs = pairs_
    with nogil:
        while i < n and j < m:
            if starts[i] < others[j]:
                i += 1
            elif others[j] < starts[i]:
                j += 1
            else:
                if starts[i + 1] == others[j + 1]:
                    pairs[0, k] = i
                    pairs[1, k] = j
                    k += 1
                i += 1
                j += 1
    return pairs_[0, :k], pairs_[1, :k]
