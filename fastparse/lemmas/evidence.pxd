"""What speaks for a script: 64-bit keys of the ends, the beginning and the shape of a form, with its tags."""

from libc.stdint cimport uint64_t

from fastparse.corpus.strings.hashing cimport fold

cdef enum:
    LONGEST_SUFFIX = 6
    LONGEST_PREFIX = 4
    MAX_KEYS = 4 + 2 * LONGEST_SUFFIX + LONGEST_PREFIX + 1

cdef uint64_t hash_text(str text) except? 0

cdef inline uint64_t triple_key(uint64_t form, uint64_t upos, uint64_t feats) noexcept nogil:
    """The key of a form with its tags, of the hashes of the three."""
    return fold(fold(fold(1, form), upos), feats)

cdef inline uint64_t lemma_key(uint64_t lemma, uint64_t upos) noexcept nogil:
    """The key of a lemma that is known with a UPOS tag."""
    return fold(fold(2, lemma), upos)

cdef inline uint64_t known_key(uint64_t upos) noexcept nogil:
    """The key of the weight that a known lemma has."""
    return fold(3, upos)

cdef int form_keys(str form, str lowered, uint64_t upos, uint64_t feats, uint64_t* keys)
