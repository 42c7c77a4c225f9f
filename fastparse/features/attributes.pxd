from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t

from fastparse.features.plan cimport SentenceRows

cdef class Values:
    cdef int32_t width
    cdef int32_t n_counted
    cdef uint32_t* rows                 # of word -1 of the first sentence
    cdef uint8_t* between
    cdef object rows_owner
    cdef object between_owner
    cdef const int32_t* heads           # of the first word: trees beside which graphs are built, or NULL
    cdef const int32_t* deprels
    cdef object heads_owner
    cdef object deprels_owner

cdef inline void sentence_of(Values values, const int64_t* offsets, Py_ssize_t s,
                             SentenceRows* sentence) noexcept nogil:
    """Fills in what templates read of sentence s."""
    sentence.n = <int32_t>(offsets[s + 1] - offsets[s])
    sentence.n_attributes = values.width
    sentence.values = values.rows + (offsets[s] + 2 * s + 1) * values.width
    sentence.n_counted = values.n_counted
    sentence.between = values.between + (offsets[s] + s) * values.n_counted
    sentence.heads = values.heads + offsets[s] if values.heads != NULL else NULL
    sentence.deprels = values.deprels + offsets[s] if values.heads != NULL else NULL

cdef struct Mirror:
    # Rows of one sentence from right to left, see fastparse.trees.mirroring; zeros are an empty one.
    size_t values_room          # in numbers
    size_t between_room
    uint32_t* values
    uint8_t* between

cdef void mirror_close(Mirror* m) noexcept nogil
# Fills in what templates read of the sentence from right to left, which the mirror owns; -1 when memory is short.
cdef int mirror(Mirror* m, const SentenceRows* s, SentenceRows* mirrored) noexcept nogil
