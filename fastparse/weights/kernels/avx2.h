/* The parts of a form with AVX2: four keys at a time. */
#ifndef FASTPARSE_MODEL_AVX2_H
#define FASTPARSE_MODEL_AVX2_H

#include <immintrin.h>
#include "fastparse/weights/kernels/plain.h"

#define FP_AVX2 __attribute__((target("avx2,bmi,bmi2,popcnt")))
#define FP_AVX2_INLINE static inline __attribute__((always_inline, target("avx2,bmi,bmi2,popcnt")))

FP_AVX2_INLINE void fp_avx2_places(const FpCompiled *t, const uint64_t *keys, int32_t n, uint32_t *places) {
    const uint8_t *const displacements = t->displacements, *const slots = t->slots;
    const __m256i buckets = _mm256_set1_epi64x((long long)t->buckets);
    const __m256i n_places = _mm256_set1_epi64x((long long)t->places);
    const __m256i spread = _mm256_set1_epi64x((long long)FP_SPREAD);
    const uint64_t slot_bytes = (uint64_t)t->slot_bytes;
    int32_t i = 0;
    for (; i + 4 <= n; i += 4) {
        const __m256i key = _mm256_loadu_si256((const __m256i *)(keys + i)), upper = _mm256_srli_epi64(key, 32);
        const __m256i bucket = _mm256_srli_epi64(_mm256_mul_epu32(upper, buckets), 32);
        const __m256i displacement = _mm256_setr_epi64x(
            displacements[_mm256_extract_epi64(bucket, 0)], displacements[_mm256_extract_epi64(bucket, 1)],
            displacements[_mm256_extract_epi64(bucket, 2)], displacements[_mm256_extract_epi64(bucket, 3)]);
        const __m256i sum = _mm256_add_epi64(_mm256_mul_epu32(upper, spread), _mm256_mul_epu32(key, displacement));
        const __m256i place = _mm256_srli_epi64(_mm256_mul_epu32(sum, n_places), 32);
        _mm_storeu_si128((__m128i *)(places + i), _mm256_castsi256_si128(_mm256_permutevar8x32_epi32(
            place, _mm256_setr_epi32(0, 2, 4, 6, 0, 0, 0, 0))));
        for (int32_t j = i; j < i + 4; j++) FP_FETCH(slots + places[j] * slot_bytes);
    }
    if (i < n) fp_plain_places(t, keys + i, n - i, places + i);
}

/* Four slots; `theirs` has all bits of those that belong to their keys. */
FP_AVX2_INLINE __m256i fp_avx2_slots(const FpCompiled *t, const uint64_t *keys, const uint32_t *places,
                                     __m256i *theirs) {
    const uint8_t *const s = t->slots;
    const __m256i slots = _mm256_setr_epi64x(
        (long long)fp_load64(s + 8 * (uint64_t)places[0]), (long long)fp_load64(s + 8 * (uint64_t)places[1]),
        (long long)fp_load64(s + 8 * (uint64_t)places[2]), (long long)fp_load64(s + 8 * (uint64_t)places[3]));
    const __m256i differs = _mm256_and_si256(
        _mm256_xor_si256(slots, _mm256_loadu_si256((const __m256i *)keys)), _mm256_set1_epi64x(0xFFFFFFFCLL));
    *theirs = _mm256_cmpeq_epi64(differs, _mm256_setzero_si256());
    return slots;
}

FP_AVX2_INLINE void fp_avx2_moves4(const FpCompiled *t, const uint64_t *keys, const uint32_t *places, int32_t n,
                                   int32_t *out) {
    __m256i sums = _mm256_setzero_si256();      /* of 16 bits: four moves of each key of four; at most 128 bytes each */
    __m128i total = _mm_loadu_si128((const __m128i *)out);
    int32_t i = 0;
    for (; i + 4 <= n; i += 4) {
        __m256i theirs, slots = fp_avx2_slots(t, keys + i, places + i, &theirs), shifted;
        slots = _mm256_and_si256(slots, theirs);
        shifted = _mm256_and_si256(slots, _mm256_set1_epi64x(3));
        if (FP_RARELY(!_mm256_testz_si256(shifted, shifted))) {
            fp_plain_moves4(t, keys + i, places + i, 4, (int32_t *)&total);
            continue;
        }
        sums = _mm256_add_epi16(sums, _mm256_cvtepi8_epi16(_mm256_castsi256_si128(
            _mm256_permutevar8x32_epi32(slots, _mm256_setr_epi32(1, 3, 5, 7, 1, 1, 1, 1)))));
    }
    {
        const __m256i wide = _mm256_add_epi32(_mm256_cvtepi16_epi32(_mm256_castsi256_si128(sums)),
                                              _mm256_cvtepi16_epi32(_mm256_extracti128_si256(sums, 1)));
        total = _mm_add_epi32(total, _mm_add_epi32(_mm256_castsi256_si128(wide), _mm256_extracti128_si256(wide, 1)));
    }
    _mm_storeu_si128((__m128i *)out, total);
    if (i < n) fp_plain_moves4(t, keys + i, places + i, n - i, out);
}

FP_AVX2_INLINE void fp_avx2_moves(const FpCompiled *t, const uint64_t *keys, const uint32_t *places, int32_t n,
                                  int32_t slot_bytes, int32_t *out) {
    if (slot_bytes == 16) {
        __m256i *const sums = (__m256i *)out;
        __m256i low = _mm256_loadu_si256(sums);
        __m128i high = _mm_loadu_si128((const __m128i *)(out + 8));
        for (int32_t i = 0; i < n; i++) {
            const uint8_t *slot = t->slots + 16 * (uint64_t)places[i];
            const uint32_t check = fp_load32(slot);
            const __m128i mine = _mm_set1_epi32(-(int)((check ^ (uint32_t)keys[i]) <= 3));
            const __m128i row = _mm_and_si128(_mm_loadu_si128((const __m128i *)slot), mine);
            const __m128i shift = _mm_cvtsi32_si128(2 * (int)(check & 3));
            low = _mm256_add_epi32(low, _mm256_sll_epi32(_mm256_cvtepi8_epi32(_mm_srli_si128(row, 4)), shift));
            high = _mm_add_epi32(high, _mm_sll_epi32(_mm_cvtepi8_epi32(_mm_srli_si128(row, 12)), shift));
        }
        _mm256_storeu_si256(sums, low);
        _mm_storeu_si128((__m128i *)(out + 8), high);
    } else {
        fp_plain_moves(t, keys, places, n, slot_bytes, out);
    }
}

FP_AVX2_INLINE int32_t fp_avx2_found(const FpCompiled *t, const uint64_t *keys, const uint32_t *places, int32_t n,
                                     uint64_t *found) {
    return fp_plain_found(t, keys, places, n, found);
}

FP_AVX2_INLINE void fp_avx2_dense(const uint8_t *const *rows, int32_t n, int32_t width, int32_t *out) {
    for (int32_t first = 0; first < width; first += FP_WHOLE) {
        __m256i low = _mm256_setzero_si256(), high = low, *const sums = (__m256i *)(out + first);
        for (int32_t i = 0; i < n; i++) {
            const __m256i row = _mm256_loadu_si256((const __m256i *)(rows[i] + first));
            low = _mm256_add_epi16(low, _mm256_cvtepi8_epi16(_mm256_castsi256_si128(row)));
            high = _mm256_add_epi16(high, _mm256_cvtepi8_epi16(_mm256_extracti128_si256(row, 1)));
        }
        for (int32_t k = 0; k < 4; k++) {
            const __m256i half = k < 2 ? low : high;
            const __m256i wide = _mm256_cvtepi16_epi32(
                k & 1 ? _mm256_extracti128_si256(half, 1) : _mm256_castsi256_si128(half));
            _mm256_storeu_si256(sums + k, _mm256_add_epi32(_mm256_loadu_si256(sums + k), wide));
        }
    }
}
#endif
