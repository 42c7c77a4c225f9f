/* The parts of a form with AVX-512: eight keys at a time. */
#ifndef FASTPARSE_MODEL_AVX512_H
#define FASTPARSE_MODEL_AVX512_H

#include "fastparse/weights/kernels/avx2.h"

#define FP_AVX512_SET "avx2,bmi,bmi2,popcnt,avx512f,avx512bw,avx512vl,avx512dq"
#define FP_AVX512 __attribute__((target(FP_AVX512_SET)))
#define FP_AVX512_INLINE static inline __attribute__((always_inline, target(FP_AVX512_SET)))

/* Those of eight keys that there are. */
FP_AVX512_INLINE __mmask8 fp_avx512_left(int32_t left) { return (__mmask8)(left < 8 ? (1 << left) - 1 : 255); }

/* Writes whole eights of places, and one more: whoever reads eight of them finds places there. */
FP_AVX512_INLINE void fp_avx512_places(const FpCompiled *t, const uint64_t *keys, int32_t n, uint32_t *places) {
    const uint8_t *const displacements = t->displacements, *const slots = t->slots;
    const __m512i buckets = _mm512_set1_epi64((long long)t->buckets);
    const __m512i n_places = _mm512_set1_epi64((long long)t->places);
    const __m512i spread = _mm512_set1_epi64((long long)FP_SPREAD);
    const uint64_t slot_bytes = (uint64_t)t->slot_bytes;
    for (int32_t i = 0; i < n; i += 8) {
        const __m512i key = _mm512_maskz_loadu_epi64(fp_avx512_left(n - i), keys + i);
        const __m512i upper = _mm512_srli_epi64(key, 32);
        uint32_t bucket[8];
        uint8_t found[8];
        __m512i sum;
        _mm256_storeu_si256((__m256i *)bucket,
                            _mm512_cvtepi64_epi32(_mm512_srli_epi64(_mm512_mul_epu32(upper, buckets), 32)));
        for (int32_t j = 0; j < 8; j++) found[j] = displacements[bucket[j]];
        sum = _mm512_mul_epu32(key, _mm512_cvtepu8_epi64(_mm_loadl_epi64((const __m128i *)found)));
        sum = _mm512_add_epi64(sum, _mm512_mul_epu32(upper, spread));
        _mm256_storeu_si256((__m256i *)(places + i),
                            _mm512_cvtepi64_epi32(_mm512_srli_epi64(_mm512_mul_epu32(sum, n_places), 32)));
        for (int32_t j = i; j < i + 8; j++) FP_FETCH(slots + places[j] * slot_bytes);
    }
    _mm256_storeu_si256((__m256i *)(places + (n + 7) / 8 * 8), _mm256_setzero_si256());
}

/* Eight slots; `theirs` has a bit for each that belongs to its key. */
FP_AVX512_INLINE __m512i fp_avx512_slots(const FpCompiled *t, const uint64_t *keys, const uint32_t *places,
                                         int32_t left, __mmask8 *theirs) {
    const uint8_t *const s = t->slots;
    const __mmask8 there = fp_avx512_left(left);
    const __m256i low = _mm256_setr_epi64x(
        (long long)fp_load64(s + 8 * (uint64_t)places[0]), (long long)fp_load64(s + 8 * (uint64_t)places[1]),
        (long long)fp_load64(s + 8 * (uint64_t)places[2]), (long long)fp_load64(s + 8 * (uint64_t)places[3]));
    const __m256i high = _mm256_setr_epi64x(
        (long long)fp_load64(s + 8 * (uint64_t)places[4]), (long long)fp_load64(s + 8 * (uint64_t)places[5]),
        (long long)fp_load64(s + 8 * (uint64_t)places[6]), (long long)fp_load64(s + 8 * (uint64_t)places[7]));
    const __m512i slots = _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
    *theirs = _mm512_mask_testn_epi64_mask(there, _mm512_xor_si512(slots, _mm512_maskz_loadu_epi64(there, keys)),
                                           _mm512_set1_epi64(0xFFFFFFFCLL));
    return slots;
}

FP_AVX512_INLINE void fp_avx512_moves4(const FpCompiled *t, const uint64_t *keys, const uint32_t *places, int32_t n,
                                       int32_t *out) {
    __m512i sums = _mm512_setzero_si512();      /* of 16 bits: four moves of each key of eight; at most 64 bytes each */
    __m128i total = _mm_loadu_si128((const __m128i *)out);
    for (int32_t i = 0; i < n; i += 8) {
        __mmask8 theirs;
        const __m512i slots = fp_avx512_slots(t, keys + i, places + i, n - i, &theirs);
        const __mmask8 shifted = _mm512_mask_test_epi64_mask(theirs, slots, _mm512_set1_epi64(3));
        if (FP_RARELY(shifted != 0)) {
            const int32_t here = n - i < 8 ? n - i : 8;
            for (int32_t j = 0; j < here; j++)
                if (shifted >> j & 1) fp_plain_moves4(t, keys + i + j, places + i + j, 1, (int32_t *)&total);
            theirs = (__mmask8)(theirs & ~shifted);
        }
        sums = _mm512_add_epi16(
            sums, _mm512_cvtepi8_epi16(_mm512_cvtepi64_epi32(_mm512_maskz_srli_epi64(theirs, slots, 32))));
    }
    {
        const __m512i wide = _mm512_add_epi32(_mm512_cvtepi16_epi32(_mm512_castsi512_si256(sums)),
                                              _mm512_cvtepi16_epi32(_mm512_extracti64x4_epi64(sums, 1)));
        const __m256i half = _mm256_add_epi32(_mm512_castsi512_si256(wide), _mm512_extracti64x4_epi64(wide, 1));
        total = _mm_add_epi32(total, _mm_add_epi32(_mm256_castsi256_si128(half), _mm256_extracti128_si256(half, 1)));
    }
    _mm_storeu_si128((__m128i *)out, total);
}

FP_AVX512_INLINE void fp_avx512_moves(const FpCompiled *t, const uint64_t *keys, const uint32_t *places, int32_t n,
                                      int32_t slot_bytes, int32_t *out) {
    fp_avx2_moves(t, keys, places, n, slot_bytes, out);
}

FP_AVX512_INLINE int32_t fp_avx512_found(const FpCompiled *t, const uint64_t *keys, const uint32_t *places, int32_t n,
                                         uint64_t *found) {
    int32_t n_found = 0;
    for (int32_t i = 0; i < n; i += 8) {
        __mmask8 theirs;
        const __m512i slots = fp_avx512_slots(t, keys + i, places + i, n - i, &theirs);
        _mm512_storeu_si512(found + n_found, _mm512_maskz_compress_epi64(theirs, slots));
        n_found += __builtin_popcount(theirs);
    }
    return n_found;
}

FP_AVX512_INLINE void fp_avx512_dense(const uint8_t *const *rows, int32_t n, int32_t width, int32_t *out) {
    int32_t first = 0;
    for (; first + FP_WHOLE < width; first += 2 * FP_WHOLE) {
        __m512i low = _mm512_setzero_si512(), high = low, *const sums = (__m512i *)(out + first);
        for (int32_t i = 0; i < n; i++) {
            const __m256i *const row = (const __m256i *)(rows[i] + first);
            low = _mm512_add_epi16(low, _mm512_cvtepi8_epi16(_mm256_loadu_si256(row)));
            high = _mm512_add_epi16(high, _mm512_cvtepi8_epi16(_mm256_loadu_si256(row + 1)));
        }
        for (int32_t k = 0; k < 4; k++) {
            const __m512i half = k < 2 ? low : high;
            const __m512i wide = _mm512_cvtepi16_epi32(
                k & 1 ? _mm512_extracti64x4_epi64(half, 1) : _mm512_castsi512_si256(half));
            _mm512_storeu_si512(sums + k, _mm512_add_epi32(_mm512_loadu_si512(sums + k), wide));
        }
    }
    if (first < width) {
        const uint8_t *rest[FP_MAX_KEYS + 1];
        for (int32_t i = 0; i < n; i++) rest[i] = rows[i] + first;
        fp_avx2_dense(rest, n, width - first, out + first);
    }
}
#endif
