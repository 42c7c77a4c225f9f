"""What speaks for a script, as 64-bit keys, and a table that finds them."""

import numpy

from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

from fastparse.corpus.strings.hashing cimport hash_bytes

cdef enum:
    MOST_STEPS = 32             # on average, for a key to find its slot; there are not even two by chance

cdef enum:
    # What a key is of; model files hold the keys, so these never change.
    TAGS = 16, SHAPE, SHAPE_AND_TAGS, FIRST, SHORT, SUFFIX, SUFFIX_AND_TAGS, PREFIX


cdef uint64_t hash_text(str text) except? 0:
    """`hash_bytes` of a text in UTF-8."""
    cdef bytes data = text.encode("utf-8", "surrogatepass")
    return hash_bytes(<const unsigned char*>data, len(data))


cdef int form_keys(str form, str lowered, uint64_t upos, uint64_t feats, uint64_t* keys):
    """Fill in the keys of a form with the hashes of its tags; their number, at most MAX_KEYS."""
    cdef uint64_t tags = mix(upos, feats), h = 0, suffix_2 = 0
    cdef Py_ssize_t size = len(lowered), i
    cdef uint64_t shape = shape_of(form)
    cdef int n = 4
    keys[0] = mix(TAGS, tags)
    keys[1] = mix(mix(SHAPE, upos), shape)
    keys[2] = mix(mix(SHAPE_AND_TAGS, tags), shape & 7)
    keys[3] = mix(mix(FIRST, upos), form[0] if len(form) else 0)
    for i in range(min(size, LONGEST_SUFFIX)):
        h = mix(h + 1, lowered[size - 1 - i])
        if i == 1:
            suffix_2 = h
        keys[n] = mix(mix(SUFFIX, upos), h)
        keys[n + 1] = mix(mix(SUFFIX_AND_TAGS, tags), h)
        n += 2
    h = 0
    for i in range(min(size, LONGEST_PREFIX)):
        h = mix(h + 1, lowered[i])
        keys[n] = mix(mix(PREFIX, upos), h)
        n += 1
    # Short words are often irregular.
    if size < 5:
        keys[n] = mix(mix(mix(SHORT, tags), <uint64_t>size), suffix_2)
        n += 1
    return n


cdef uint64_t shape_of(str form):
    """Bits: begins with a capital, goes on with one, is all capitals; has a digit, a hyphen."""
    cdef uint64_t shape = form.isupper() << 2
    cdef Py_UCS4 character
    cdef Py_ssize_t i, size = len(form)
    for i in range(size):
        character = form[i]
        if i < 2 and character.isupper():
            shape |= 1 << i
        if character.isdigit():
            shape |= 8
        elif character == u"-":
            shape |= 16
    return shape


cdef class Index:
    def __cinit__(self, const uint64_t[::1] keys not None, const int32_t[::1] values=None):
        """Keys are distinct; without values each is its place."""
        cdef uint64_t size = 16, at
        cdef int64_t i, n = keys.shape[0], n_steps = 0
        if values is not None and values.shape[0] != n:
            raise ValueError(f"{values.shape[0]} values for {n} keys")
        while size < 2 * <uint64_t>n:
            size *= 2
        self.mask = size - 1
        self.slots = <Slot*>malloc(size * sizeof(Slot))
        if self.slots == NULL:
            raise MemoryError(f"cannot allocate a table of {size} keys")
        memset(self.slots, 0xFF, size * sizeof(Slot))
        for i in range(n):
            at = mix(0, keys[i]) & self.mask
            while self.slots[at].value >= 0:
                at = (at + 1) & self.mask
                n_steps += 1
            if n_steps > MOST_STEPS * (n + 16):
                raise ValueError(f"the {n} keys are made to collide")
            self.slots[at].key = keys[i]
            self.slots[at].value = <int32_t>i if values is None else values[i]

    def __dealloc__(self):
        free(self.slots)

    cdef int32_t get(self, uint64_t key) noexcept nogil:
        """The value of a key, or -1."""
        cdef uint64_t at = mix(0, key) & self.mask
        while self.slots[at].value >= 0:
            if self.slots[at].key == key:
                return self.slots[at].value
            at = (at + 1) & self.mask
        return -1


def triple_keys(
    const uint64_t[::1] forms not None, const uint64_t[::1] upos not None, const uint64_t[::1] feats not None
):
    """`triple_key` of columns of hashes."""
    cdef int64_t i, n = forms.shape[0]
    if upos.shape[0] != n or feats.shape[0] != n:
        raise ValueError(f"columns of {n}, {upos.shape[0]} and {feats.shape[0]} hashes")
    keys_ = numpy.empty(n, numpy.uint64)
    cdef uint64_t[::1] keys = keys_
    for i in range(n):
        keys[i] = triple_key(forms[i], upos[i], feats[i])
    return keys_
