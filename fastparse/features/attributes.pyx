"""Word attributes of a treebank as 32-bit values, one row per word: what templates read."""

import numpy as np

from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, realloc
from libc.string cimport memcpy, memset

from fastparse.corpus.strings.hashing cimport hash_bytes

from fastparse.errors import Error

COLUMN_OF = {"tag": "upos"}


cdef uint32_t fold(uint64_t h) noexcept nogil:
    """32 bits of a 64-bit hash, never one of the small values kept for missing words."""
    cdef uint32_t x = <uint32_t>(h ^ (h >> 32))
    return x if x > 15 else x + 16


cdef uint32_t affix(bytes text, int length, bint from_end) noexcept:
    """Hash of the first or last `length` characters of UTF-8 text; of all of it when it is shorter."""
    cdef const unsigned char* p = text
    cdef Py_ssize_t n = len(text), i
    cdef int seen = 0
    if from_end:
        i = n
        while i > 0 and seen < length:
            i -= 1
            while i > 0 and (p[i] & 0xC0) == 0x80:
                i -= 1
            seen += 1
        return fold(hash_bytes(p + i, n - i))
    i = 0
    while i < n and seen < length:
        i += 1
        while i < n and (p[i] & 0xC0) == 0x80:
            i += 1
        seen += 1
    return fold(hash_bytes(p, i))


cdef uint32_t field(bytes text, bytes name) noexcept:
    """Hash of the value of `name` in text like Case=Nom|Number=Sing; 3 when it is not there."""
    cdef const unsigned char* p = text
    cdef const unsigned char* key = name
    cdef Py_ssize_t n = len(text), m = len(name), i = 0, j, start
    while i < n:
        j = 0
        while j < m and i + j < n and p[i + j] == key[j]:
            j += 1
        start = i + j + 1
        if j == m and i + j < n and p[i + j] == c"=":
            i = start
            while i < n and p[i] != c"|":
                i += 1
            return fold(hash_bytes(p + start, i - start))
        while i < n and p[i] != c"|":
            i += 1
        i += 1
    return 3


def column_of(attribute: str) -> str:
    """The treebank column an attribute is computed from."""
    if attribute[:3] in ("pre", "suf"):
        return "form"
    return COLUMN_OF.get(attribute, attribute.partition("[")[0])


cdef list strings_of(treebank, str column, const int32_t[::1] ids):
    """The strings of a column, which are in the hands of users, so that the ids are compared with them."""
    cdef list table = treebank.table(column)
    cdef Py_ssize_t i, size = len(table)
    for i in range(ids.shape[0]):
        if not 0 <= ids[i] < size:
            raise Error(f"the strings of the column {column} have been changed: they are not to be written to")
    return table


cdef int fill(uint32_t[::1] out, str attribute, treebank) except -1:
    """The attribute's value for each word."""
    cdef const int32_t[::1] ids
    cdef const uint64_t[::1] hashes
    cdef uint32_t[::1] entries
    cdef Py_ssize_t i, n = len(out), size
    cdef bint from_end = False
    cdef int length = 0
    cdef list table
    cdef bytes wanted = None
    cdef str column = column_of(attribute)
    name, bracket, key = attribute.partition("[")
    ids = treebank.ids(column)
    if not bracket and name[:3] not in ("pre", "suf"):
        hashes = treebank.hashes(column)
        for i in range(n):
            out[i] = fold(hashes[ids[i]])
        return 0
    if bracket:
        wanted = key.rstrip("]").encode()
    else:
        from_end = name[:3] == "suf"
        length = int(name[3:])
    table = strings_of(treebank, column, ids)
    size = len(table)
    if size > n:            # a few sentences of a large treebank
        for i in range(n):
            out[i] = part(table[ids[i]], wanted, length, from_end)
        return 0
    entries = np.empty(size, dtype=np.uint32)
    for i in range(size):
        entries[i] = part(table[i], wanted, length, from_end)
    for i in range(n):
        out[i] = entries[ids[i]]
    return 0


cdef inline uint32_t part(str text, bytes wanted, int length, bint from_end):
    cdef bytes raw = text.encode("utf-8")
    return affix(raw, length, from_end) if wanted is None else field(raw, wanted)


def word_values(str attribute, treebank) -> np.ndarray:
    """The attribute's value for each word, uint32: what templates are made of."""
    values = np.empty(treebank.n_words, dtype=np.uint32)
    fill(values, attribute, treebank)
    return values


cdef inline uint32_t fuse(uint32_t value, uint32_t other) noexcept nogil:
    cdef uint64_t x = (<uint64_t>value * <uint64_t>0x9E3779B97F4A7C15ULL) ^ other
    x = (x ^ (x >> 29)) * <uint64_t>0xBF58476D1CE4E5B9ULL
    return <uint32_t>(x >> 32)


cdef class Values:
    """The rows of all sentences of a treebank under a model's attributes."""

    def __init__(self, treebank, list attributes, list counted, bint tags_joined):
        """Args: attributes, tuples of names (fused where several); counted, UPOS tags to count between words."""
        cdef const int64_t[::1] offsets = np.ascontiguousarray(treebank.offsets, dtype=np.int64)
        cdef Py_ssize_t n_words = treebank.n_words, n_sentences = len(offsets) - 1
        cdef Py_ssize_t width = len(attributes), a, i, s, at, row
        cdef list names = sorted({name for fused in attributes for name in fused})
        cdef dict place = {name: i for i, name in enumerate(names)}
        self.width = width
        self.n_counted = len(counted)
        # A row per name, a last one for what joins them.
        cdef uint32_t[:, ::1] single = np.empty((len(names) + 1, max(n_words, 1)), dtype=np.uint32)
        cdef uint32_t[::1] one, other
        cdef uint32_t[:, ::1] rows
        cdef uint8_t[:, ::1] counts
        cdef const int32_t[::1] upos
        cdef uint8_t[::1] wanted
        row = len(names)
        other = single[row, :n_words]
        for row, name in enumerate(names):
            one = single[row, :n_words]
            fill(one, name, treebank)
            if name == "tag" and tags_joined:
                fill(other, "xpos", treebank)
                for i in range(n_words):
                    one[i] = one[i] * <uint32_t>0x9E3779B1 ^ other[i]
        self.rows_owner = np.empty((n_words + 2 * n_sentences, max(width, 1)), dtype=np.uint32)
        rows = self.rows_owner
        for a in range(width):
            row = place[attributes[a][0]]
            one = single[row, :n_words]
            if len(attributes[a]) > 1:
                other[:] = one
                for name in attributes[a][1:]:
                    row = place[name]
                    one = single[row, :n_words]
                    for i in range(n_words):
                        other[i] = fuse(other[i], one[i])
                one = other
            with nogil:
                at = 0
                for s in range(n_sentences):
                    rows[at, a] = 1         # no word
                    rows[at + 1, a] = 2     # the root
                    at += 2
                    for i in range(offsets[s], offsets[s + 1]):
                        rows[at, a] = one[i]
                        at += 1
        self.rows = &rows[0, 0] if rows.shape[0] else NULL
        self.between_owner = np.zeros((n_words + n_sentences, max(self.n_counted, 1)), dtype=np.uint8)
        counts = self.between_owner
        if self.n_counted and n_words:
            upos = treebank.ids("upos")
            for a in range(self.n_counted):
                wanted = bytearray([t == counted[a] for t in strings_of(treebank, "upos", upos)])
                with nogil:
                    at = 0
                    for s in range(n_sentences):
                        counts[at, a] = 0
                        at += 1
                        for i in range(offsets[s], offsets[s + 1]):
                            counts[at, a] = <uint8_t>(counts[at - 1, a] + wanted[upos[i]])
                            at += 1
        self.between = &counts[0, 0] if counts.shape[0] else NULL

    def plant(self, heads, deprels) -> Values:
        """These rows with the trees beside which graphs are built: an int32 per word each, labels as ids."""
        cdef const int32_t[::1] head_view = np.ascontiguousarray(heads, np.int32)
        cdef const int32_t[::1] deprel_view = np.ascontiguousarray(deprels, np.int32)
        if not head_view.shape[0] == deprel_view.shape[0]:
            raise ValueError(f"{head_view.shape[0]} heads and {deprel_view.shape[0]} labels")
        if head_view.shape[0]:
            self.heads_owner, self.deprels_owner = head_view.base, deprel_view.base
            self.heads, self.deprels = &head_view[0], &deprel_view[0]
        return self


# ── sentences read from the right ──

cdef void mirror_close(Mirror* m) noexcept nogil:
    free(m.values)
    free(m.between)
    memset(m, 0, sizeof(Mirror))


cdef int mirror(Mirror* m, const SentenceRows* s, SentenceRows* mirrored) noexcept nogil:
    cdef size_t values = <size_t>(s.n + 2) * s.n_attributes, between = <size_t>(s.n + 1) * s.n_counted
    cdef uint32_t* new_values = m.values
    cdef uint8_t* new_between = m.between
    if values > m.values_room:
        new_values = <uint32_t*>realloc(m.values, values * sizeof(uint32_t))
        if new_values == NULL:
            return -1
        m.values, m.values_room = new_values, values
    if between > m.between_room:
        new_between = <uint8_t*>realloc(m.between, between)
        if new_between == NULL:
            return -1
        m.between, m.between_room = new_between, between
    fill_mirror(s, m.values, m.between)
    mirrored[0] = s[0]
    mirrored.values = m.values + s.n_attributes
    mirrored.between = m.between
    return 0


cdef void fill_mirror(const SentenceRows* s, uint32_t* values, uint8_t* between) noexcept nogil:
    """The rows of no word, the root and all words, and the counts of words up to each."""
    cdef int32_t w, k, width = s.n_attributes
    cdef size_t row = width * sizeof(uint32_t)
    cdef const uint8_t* whole = s.between + <size_t>s.n * s.n_counted
    memcpy(values, s.values - width, 2 * row)
    for w in range(1, s.n + 1):
        memcpy(values + <size_t>(w + 1) * width, s.values + <size_t>(s.n + 1 - w) * width, row)
    for w in range(s.n + 1):
        for k in range(s.n_counted):
            between[<size_t>w * s.n_counted + k] = <uint8_t>(
                whole[k] - s.between[<size_t>(s.n - w) * s.n_counted + k])


def mirrored_values(Values values, offsets):
    """The values of the same sentences, each from right to left."""
    cdef const int64_t[::1] bounds = np.ascontiguousarray(offsets, dtype=np.int64)
    cdef Values made = Values.__new__(Values)
    cdef uint32_t[:, ::1] rows = np.empty_like(values.rows_owner)
    cdef uint8_t[:, ::1] between = np.empty_like(values.between_owner)
    cdef SentenceRows s, mirrored
    cdef Py_ssize_t i
    made.width, made.n_counted = values.width, values.n_counted
    made.rows_owner, made.between_owner = np.asarray(rows), np.asarray(between)
    made.rows = &rows[0, 0] if rows.shape[0] else NULL
    made.between = &between[0, 0] if between.shape[0] else NULL
    for i in range(bounds.shape[0] - 1):
        sentence_of(values, &bounds[0], i, &s)
        sentence_of(made, &bounds[0], i, &mirrored)
        fill_mirror(&s, <uint32_t*>mirrored.values - s.n_attributes, <uint8_t*>mirrored.between)
    return made
