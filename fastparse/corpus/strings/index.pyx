"""A table of keys that is built once. Whoever made the keys, building it takes time in proportion to their number."""

from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

from fastparse.corpus.strings.hashing cimport fold

cdef enum:
    MOST_STEPS = 32             # on average, for a key to find its slot; there are not even two by chance


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
            at = fold(0, keys[i]) & self.mask
            while self.slots[at].value >= 0:
                at = (at + 1) & self.mask
                n_steps += 1
            if n_steps > MOST_STEPS * (i + 16):
                raise ValueError(f"the {n} keys are made to collide")
            self.slots[at].key = keys[i]
            self.slots[at].value = <int32_t>i if values is None else values[i]

    def __dealloc__(self):
        free(self.slots)

    cdef int32_t get(self, uint64_t key) noexcept nogil:
        """The value of a key, or -1."""
        cdef uint64_t at = fold(0, key) & self.mask
        while self.slots[at].value >= 0:
            if self.slots[at].key == key:
                return self.slots[at].value
            at = (at + 1) & self.mask
        return -1
