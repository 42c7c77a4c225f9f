"""What speaks for a script: 64-bit keys of the ends, the beginning and the shape of a form, with its tags."""

from libc.stdint cimport int32_t, uint64_t

cdef enum:
    LONGEST_SUFFIX = 6
    LONGEST_PREFIX = 4
    MAX_KEYS = 4 + 2 * LONGEST_SUFFIX + LONGEST_PREFIX + 1

cdef inline uint64_t mix(uint64_t h, uint64_t value) noexcept nogil:
    h = (h ^ value) * <uint64_t>0xD6E8FEB86659FD93
    return h ^ (h >> 32)

cdef uint64_t hash_text(str text) except? 0

cdef inline uint64_t triple_key(uint64_t form, uint64_t upos, uint64_t feats) noexcept nogil:
    """The key of a form with its tags, of the hashes of the three."""
    return mix(mix(mix(1, form), upos), feats)

cdef inline uint64_t lemma_key(uint64_t lemma, uint64_t upos) noexcept nogil:
    """The key of a lemma that is known with a UPOS tag."""
    return mix(mix(2, lemma), upos)

cdef inline uint64_t known_key(uint64_t upos) noexcept nogil:
    """The key of the weight that a known lemma has."""
    return mix(3, upos)

cdef int form_keys(str form, str lowered, uint64_t upos, uint64_t feats, uint64_t* keys)


cdef struct Slot:
    uint64_t key
    int32_t value               # -1: the slot is free

cdef class Index:
    """From 64-bit keys to integers, by open addressing."""

    cdef Slot* slots            # [mask + 1]  owned; at most half of them are in use
    cdef uint64_t mask

    cdef int32_t get(self, uint64_t key) noexcept nogil
