"""Weights compiled for parsing: quantised to bytes, pruned, laid out for the cache, read only."""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t

from fastparse.model.table cimport Table

cdef extern from "fastparse/model/kernels.h" nogil:
    ctypedef struct FpCompiled:
        const uint8_t* tags
        const uint8_t* slots
        const uint8_t* pool
        uint64_t groups
        int32_t slot_bytes
        int32_t item_bytes
        int32_t width
    ctypedef void (*FpAdd)(const void* table, const uint64_t* keys, int32_t n, int32_t* out) noexcept nogil
    FpAdd fp_choose(bint for_moves, int32_t slot_bytes, int level)
    int fp_level()
    uint64_t fp_group(uint64_t key, uint64_t groups)
    uint8_t fp_tag(uint64_t key)
    uint32_t fp_check(uint64_t key)
    int32_t fp_slot_bytes(bint for_moves, int32_t width)
    int32_t fp_sums(bint for_moves, int32_t width)
    enum:
        CHECK_BYTES "FP_CHECK_BYTES"
        GROUP "FP_GROUP"
        DENSE "FP_DENSE"
        LANES "FP_LANES"
        MOST_MOVES "FP_MOST_MOVES"

cdef class CompiledTable:
    cdef FpCompiled c
    cdef readonly bint for_moves
    cdef readonly int width
    cdef readonly int level              # of vector instructions: see kernels.h
    cdef readonly object slots           # uint8 array: the tags, then the slots
    cdef readonly object pool            # uint8 array
    cdef Table table(self) noexcept
