"""Weights as search asks for them: the sum of the rows of some features.

Compiled tables are quantised to bytes, pruned, laid out for the cache, and read only.
"""

from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t

from fastparse.features.plan cimport PlanC, SentenceRows, Walk, next_keys, walk_over
from fastparse.machine.state cimport Cell

cdef extern from "fastparse/weights/kernels/kernels.h" nogil:
    ctypedef struct FpCompiled:
        const uint8_t* displacements
        const uint8_t* slots
        const uint8_t* pool
        uint32_t buckets
        uint32_t places
        uint32_t pieces
        int32_t slot_bytes
        int32_t width
    ctypedef struct FpSums:
        void (*add)(const void* table, const uint64_t* keys, int32_t n, int32_t* out) noexcept nogil
        void (*add_jobs)(const void* table, const uint64_t* keys, const int32_t* ends, int32_t n_jobs, int32_t* out,
                         int32_t stride) noexcept nogil
    FpSums fp_choose(bint for_moves, int32_t slot_bytes, int level)
    int fp_level()
    uint32_t fp_bucket(uint64_t key, uint32_t buckets)
    uint32_t fp_place(uint64_t key, uint32_t displacement, uint32_t places)
    const uint8_t* fp_slot(const FpCompiled* t, uint64_t key)
    uint32_t fp_check(uint64_t key)
    int32_t fp_slot_bytes(bint for_moves, int32_t width)
    int32_t fp_row_bytes(int32_t width)
    int32_t fp_sums(bint for_moves, int32_t width)
    bint fp_byte_labels(int32_t width)
    enum:
        CHECK_BYTES "FP_CHECK_BYTES"
        LANES "FP_LANES"
        MOST_MOVES "FP_MOST_MOVES"
        PIECE "FP_PIECE"
        MOST_PIECES "FP_MOST_PIECES"
        # Kinds of rows of labels.
        INLINE_ROW "FP_INLINE_ROW"
        DENSE_ROW "FP_DENSE_ROW"
        SPARSE_ROW "FP_SPARSE_ROW"
        LONG_ROW "FP_LONG_ROW"

cdef struct Table:
    int32_t width               # classes
    int32_t room                # sums that are written to: at least `width`, those behind it mean nothing
    void* data
    # out[class] += weight, for each feature key, at most MAX_KEYS, and each class the feature scores
    void (*add)(const void* data, const uint64_t* keys, int32_t n, int32_t* out) noexcept nogil
    # The same for many looks: sets out[i * stride ..] to the sums of the keys from ends[i - 1] to ends[i], at most
    # MAX_KEYS
    void (*add_jobs)(const void* data, const uint64_t* keys, const int32_t* ends, int32_t n_jobs, int32_t* out,
                     int32_t stride) noexcept nogil

cdef class BaseTable:
    cdef readonly int width         # classes
    # Stays true while the table grows.
    cdef Table table(self) except *

cdef class CompiledTable(BaseTable):
    cdef FpCompiled c
    cdef readonly bint for_moves
    cdef readonly int level              # of vector instructions: see kernels/kernels.h
    cdef readonly object displacements   # uint8 arrays
    cdef readonly object slots
    cdef readonly object pool


cdef inline int32_t add_all(const Table* table, const PlanC* plan, const SentenceRows* sentence, const Cell* const* at,
                            uint64_t* keys, int32_t* out) noexcept nogil:
    """Adds the weights of all templates of a plan that have something to say; returns their number.

    `keys` has room for MAX_KEYS.
    """
    cdef Walk walk = walk_over(plan, sentence, at)
    cdef int32_t scored = 0, n = next_keys(&walk, keys)
    while n >= 0:
        table.add(table.data, keys, n, out)
        scored += n
        n = next_keys(&walk, keys)
    return scored
