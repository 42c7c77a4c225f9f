"""Where tokens and words stand in the text: their forms one after the other, without any space.

Spaces are the characters of Unicode's category Zs; they are taken out of forms too, so that a file whose forms hold
spaces can be compared with one that splits there. Places count bytes of UTF-8: spans of two texts that are the same are
equal in bytes if and only if they are equal in characters.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.string cimport memcpy

import numpy

from fastparse.corpus.strings.interning cimport StringTable


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
        first, stop, cells: see `fastparse.corpus.layout.Multiword`.

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
