"""Word attributes of a treebank as 32-bit values, one row per word: what templates read."""

import numpy as np

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t

from fastparse.corpus.hashing cimport hash_bytes

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


def entry_values(attribute: str, treebank) -> np.ndarray:
    """The attribute's value for each entry of its column's table, uint32."""
    cdef uint32_t[::1] values
    cdef Py_ssize_t i
    cdef bint from_end
    cdef int length
    column = column_of(attribute)
    name, bracket, key = attribute.partition("[")
    if not bracket and name[:3] not in ("pre", "suf"):
        hashes = np.asarray(treebank.hashes(column), dtype=np.uint64)
        folded = (hashes ^ (hashes >> np.uint64(32))).astype(np.uint32)
        return folded + np.uint32(16) * (folded <= 15)
    table = treebank.table(column)
    result = np.empty(len(table), dtype=np.uint32)
    values = result
    if bracket:
        wanted = key.rstrip("]").encode()
        for i in range(len(table)):
            values[i] = field(table[i].encode("utf-8"), wanted)
    else:
        from_end = name[:3] == "suf"
        length = int(name[3:])
        for i in range(len(table)):
            values[i] = affix(table[i].encode("utf-8"), length, from_end)
    return result


cdef class Values:
    """The rows of all sentences of a treebank under a model's attributes."""

    def __init__(self, treebank, list attributes, list counted, bint tags_joined):
        """Args: attributes, tuples of names (fused where several); counted, UPOS tags to count between words."""
        cdef int64_t[::1] offsets = np.ascontiguousarray(treebank.offsets, dtype=np.int64)
        cdef Py_ssize_t n_words = len(treebank.heads), n_sentences = len(offsets) - 1
        cdef Py_ssize_t width = len(attributes), a, i, s, at
        cdef uint32_t[:, ::1] rows
        cdef uint32_t[::1] one
        cdef uint8_t[:, ::1] counts
        cdef list names = sorted({name for fused in attributes for name in fused})
        cdef dict single = {}
        self.width = width
        self.n_counted = len(counted)
        for name in names:
            ids = np.asarray(treebank.ids(column_of(name)))
            single[name] = entry_values(name, treebank)[ids]
            if name == "tag" and tags_joined:
                xpos = entry_values("xpos", treebank)[np.asarray(treebank.ids("xpos"))]
                single[name] = single[name] * np.uint32(0x9E3779B1) ^ xpos
        self.rows_owner = np.empty((n_words + 2 * n_sentences, max(width, 1)), dtype=np.uint32)
        rows = self.rows_owner
        for a in range(width):
            fused = single[attributes[a][0]]
            for name in attributes[a][1:]:
                fused = (fused.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)) ^ single[name]
                fused = (fused ^ (fused >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)
                fused = (fused >> np.uint64(32)).astype(np.uint32)
            one = np.ascontiguousarray(fused, dtype=np.uint32)
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
        if self.n_counted:
            table = treebank.table("upos")
            upos = np.asarray(treebank.ids("upos"))
            for a in range(self.n_counted):
                one = (np.array([t == counted[a] for t in table], dtype=np.uint32)[upos]
                       if len(table) else np.zeros(0, dtype=np.uint32))
                with nogil:
                    at = 0
                    for s in range(n_sentences):
                        counts[at, a] = 0
                        at += 1
                        for i in range(offsets[s], offsets[s + 1]):
                            counts[at, a] = <uint8_t>(counts[at - 1, a] + one[i])
                            at += 1
        self.between = &counts[0, 0] if counts.shape[0] else NULL
