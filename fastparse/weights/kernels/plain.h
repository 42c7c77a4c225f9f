/* What a form consists of, for any machine; vectors, where a compiler has them, are those that it finds suitable. */
#ifndef FASTPARSE_MODEL_PLAIN_H
#define FASTPARSE_MODEL_PLAIN_H

#include "fastparse/weights/kernels/layout.h"

#if FP_VECTORS && defined(__SSE2__)
#include <emmintrin.h>
#endif

#if FP_VECTORS
typedef int8_t fp_i8x4 __attribute__((vector_size(4)));
typedef int32_t fp_i32x4 __attribute__((vector_size(16)));
typedef int8_t fp_i8x16 __attribute__((vector_size(16)));
typedef int16_t fp_i16x16 __attribute__((vector_size(32)));
typedef int32_t fp_i32x16 __attribute__((vector_size(64)));
#endif

/* Where keys lead to. Memory is asked for before it is looked at. */
FP_INLINE void fp_plain_places(const FpCompiled *t, const uint64_t *keys, int32_t n, uint32_t *places) {
    const uint8_t *const displacements = t->displacements, *const slots = t->slots;
    const uint32_t buckets = t->buckets, n_places = t->places;
    const uint64_t slot_bytes = (uint64_t)t->slot_bytes;
    for (int32_t i = 0; i < n; i++) {
        places[i] = fp_place(keys[i], displacements[fp_bucket(keys[i], buckets)], n_places);
        FP_FETCH(slots + places[i] * slot_bytes);
    }
}

/* Adds four moves. */
FP_INLINE void fp_plain_moves4(const FpCompiled *t, const uint64_t *keys, const uint32_t *places, int32_t n,
                               int32_t *out) {
    const uint8_t *const slots = t->slots;
#if FP_VECTORS && defined(__SSE2__)
    __m128i sum = _mm_loadu_si128((const __m128i *)out);
    for (int32_t i = 0; i < n; i++) {
        const uint64_t slot = fp_load64(slots + 8 * (uint64_t)places[i]);
        const uint32_t differs = ((uint32_t)slot ^ (uint32_t)keys[i]) & ~(uint32_t)3;
        const uint32_t weights = (uint32_t)(slot >> 32) & ((uint32_t)(differs != 0) - 1);
        const __m128i row = _mm_unpacklo_epi16(
            _mm_setzero_si128(), _mm_unpacklo_epi8(_mm_setzero_si128(), _mm_cvtsi32_si128((int)weights)));
        sum = _mm_add_epi32(sum, _mm_sra_epi32(row, _mm_cvtsi32_si128(24 - 2 * (int)(slot & 3))));
    }
    _mm_storeu_si128((__m128i *)out, sum);
#else
    for (int32_t i = 0; i < n; i++) {
        const uint8_t *slot = slots + 8 * (uint64_t)places[i];
        const uint32_t check = fp_load32(slot);
        if ((check ^ (uint32_t)keys[i]) <= 3)
            fp_add_bytes((const int8_t *)slot + FP_CHECK_BYTES, 4, 1 << 2 * (check & 3), out);
    }
#endif
}

/* Adds the moves of wider slots. */
FP_INLINE void fp_plain_moves(const FpCompiled *t, const uint64_t *keys, const uint32_t *places, int32_t n,
                              int32_t slot_bytes, int32_t *out) {
    for (int32_t i = 0; i < n; i++) {
        const uint8_t *slot = t->slots + (uint64_t)slot_bytes * places[i];
        const uint32_t check = fp_load32(slot);
        if ((check ^ (uint32_t)keys[i]) <= 3)
            fp_add_bytes((const int8_t *)slot + FP_CHECK_BYTES, slot_bytes - FP_CHECK_BYTES, 1 << 2 * (check & 3), out);
    }
}

/* Collects the slots that belong to the keys; returns their number. `found` has room for one more. */
FP_INLINE int32_t fp_plain_found(const FpCompiled *t, const uint64_t *keys, const uint32_t *places, int32_t n,
                                 uint64_t *found) {
    int32_t n_found = 0;
    for (int32_t i = 0; i < n; i++) {
        const uint8_t *at = t->slots + 8 * (uint64_t)places[i];
        const uint64_t slot = (uint64_t)fp_load32(at + FP_CHECK_BYTES) << 32 | fp_load32(at);
        found[n_found] = slot;
        n_found += ((uint32_t)slot ^ (uint32_t)keys[i]) <= 3;
    }
    return n_found;
}

/* Adds dense rows, at most 256 of them: their sums fit 16 bits. */
FP_INLINE void fp_plain_dense(const uint8_t *const *rows, int32_t n, int32_t width, int32_t *out) {
#if FP_VECTORS
    for (int32_t first = 0; first < width; first += FP_LANES) {
        fp_i16x16 sum = {0};
        fp_i32x16 wide;
        for (int32_t i = 0; i < n; i++) {
            fp_i8x16 row;
            memcpy(&row, rows[i] + first, FP_LANES);
            sum += __builtin_convertvector(row, fp_i16x16);
        }
        memcpy(&wide, out + first, sizeof wide);
        wide += __builtin_convertvector(sum, fp_i32x16);
        memcpy(out + first, &wide, sizeof wide);
    }
#else
    for (int32_t i = 0; i < n; i++) fp_add_bytes((const int8_t *)rows[i], width, 1, out);
#endif
}

/* Asks for the rows of slots. */
FP_INLINE void fp_fetch_rows(const FpCompiled *t, const uint64_t *found, int32_t n) {
    for (int32_t i = 0; i < n; i++) {
        const uint32_t code = (uint32_t)(found[i] >> 32), kind = (uint32_t)found[i] & 3;
        /* The code of a row that lies in its slot would lead outside the pool. */
        const uint32_t piece = kind == FP_SPARSE_ROW ? code >> 4 : kind == FP_INLINE_ROW ? 0 : code;
        FP_FETCH(t->pool + (uint64_t)piece * FP_PIECE);
    }
}

typedef void (*FpAddRows)(const uint8_t *const *, int32_t, int32_t, int32_t *);

/* Adds the rows of slots that have been found. */
FP_INLINE void fp_add_found(const FpCompiled *t, const uint64_t *found, int32_t n, int32_t *out, FpAddRows add_dense) {
    const uint8_t *dense[FP_MAX_KEYS + 1];
    uint32_t inside[FP_MAX_KEYS + 1], sparse[FP_MAX_KEYS + 1], distant[FP_MAX_KEYS + 1];
    int32_t n_dense = 0, n_inside = 0, n_sparse = 0, n_distant = 0;
    const int byte_labels = fp_byte_labels(t->width);
    /* Which row is of which kind is hard to foretell: they are set apart without a branch. */
    for (int32_t i = 0; i < n; i++) {
        const uint32_t code = (uint32_t)(found[i] >> 32), kind = (uint32_t)found[i] & 3;
        dense[n_dense] = t->pool + (uint64_t)(kind == FP_DENSE_ROW ? code : 0) * FP_PIECE;
        inside[n_inside] = sparse[n_sparse] = distant[n_distant] = code;
        n_dense += kind == FP_DENSE_ROW;
        n_inside += kind == FP_INLINE_ROW;
        n_sparse += kind == FP_SPARSE_ROW;
        n_distant += kind == FP_LONG_ROW;
    }
    for (int32_t i = 0; i < n_dense; i += 256)
        add_dense(dense + i, n_dense - i < 256 ? n_dense - i : 256, t->width, out);
    for (int32_t i = 0; i < n_inside; i++) fp_add_inline(inside[i], byte_labels, out);
    for (int32_t i = 0; i < n_sparse; i++) {
        const uint8_t *const piece = t->pool + (uint64_t)(sparse[i] >> 4) * FP_PIECE;
        if (byte_labels && (sparse[i] & 15) == 0)
            fp_add_items(piece, 1, 1, 1, out);
        else
            fp_add_items(piece, (sparse[i] & 15) + 1, byte_labels, 1, out);
    }
    for (int32_t i = 0; i < n_distant; i++) fp_add_long(t, distant[i], out);
}
#endif
