/* AVX2: two products of bytes 0..127 and weights within +-63 are at most 16002, so the sum of two such pairs fits into
 * int16, and nothing saturates. */
#ifndef FASTPARSE_ENCODER_AVX2_H
#define FASTPARSE_ENCODER_AVX2_H

#include <immintrin.h>
#include "fastparse/encoder/kernels/rows.h"

#define FP_FORM avx2
#define FP_TITLE "avx2"
#define FP_TARGET __attribute__((target("avx2")))
#define FP_V __m256i
#define FP_WIDE 8
#define FP_QUADS 2
#define FP_ROWS_2 5
#define FP_ROWS_3 3
#define FP_ROWS_4 3
#define FP_START(p) _mm256_load_si256((const __m256i *)(p))
#define FP_WEIGHTS_2(p)
#define FP_WEIGHTS_3(p)
#define FP_WEIGHTS_4(p)
#define FP_INPUT(i, p) \
    const __m256i a = _mm256_set1_epi32(*(const fp_quad *)(p)), b = _mm256_set1_epi32(*(const fp_quad *)(p + 4));
#define FP_MULTIPLY(i, v, nv, p) c##i##_##v = fp_multiply_avx2(c##i##_##v, a, b, p + 64 * v, p + 64 * (nv + v));
#define FP_SUM(c) (c)
#define FP_MAX(a, b) _mm256_max_epi32(a, b)
#define FP_NARROW(a, shift, limit) fp_narrow_avx2(a, shift, limit)
#define FP_PUT_HALF(p, h) _mm_storeu_si128((__m128i *)(p), h)
#define FP_PUT(p, a) _mm256_storeu_si256((__m256i *)(p), a)
#define FP_F __m256
#define FP_FLOATS(p) _mm256_cvtepi32_ps(_mm256_cvtepi16_epi32(_mm_loadu_si128((const __m128i *)(p))))
#define FP_SET_F(x) _mm256_set1_ps(x)
#define FP_LOAD_F(p) _mm256_loadu_ps(p)
#define FP_STORE_F(p, x) _mm256_storeu_ps(p, x)
#define FP_ADD_F(a, b) _mm256_add_ps(a, b)
#define FP_SUB_F(a, b) _mm256_sub_ps(a, b)
#define FP_MUL_F(a, b) _mm256_mul_ps(a, b)
#define FP_PUT_BYTES(p, x) _mm_storel_epi64((__m128i *)(p), fp_bytes_avx2(x))

FP_TARGET FP_INLINE __m256i fp_multiply_avx2(__m256i sum, __m256i a, __m256i b, const int8_t *v, const int8_t *w) {
    const __m256i pairs = _mm256_add_epi16(_mm256_maddubs_epi16(a, _mm256_load_si256((const __m256i *)v)),
                                           _mm256_maddubs_epi16(b, _mm256_load_si256((const __m256i *)w)));
    return _mm256_add_epi32(sum, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
}

FP_TARGET FP_INLINE __m128i fp_narrow_avx2(__m256i a, int32_t shift, int32_t limit) {
    const __m256i s = _mm256_sra_epi32(a, _mm_cvtsi32_si128(shift));
    const __m128i h = _mm_packs_epi32(_mm256_castsi256_si128(s), _mm256_extracti128_si256(s, 1));
    return _mm_max_epi16(_mm_min_epi16(h, _mm_set1_epi16((short)limit)), _mm_set1_epi16((short)-limit));
}

FP_TARGET static void fp_hidden_avx2(const int16_t *const *rows, int32_t n, int32_t hidden, int32_t shift,
                                     uint8_t *out) {
    const __m128i count = _mm_cvtsi32_si128(shift);
    int32_t j = 0;
    for (; j + 32 <= hidden; j += 32) {
        __m256i a0 = _mm256_setzero_si256(), a1 = a0, b0 = a0, b1 = a0;
        for (int32_t i = 0; i < n; i++) {
            const __m256i *const a = (const __m256i *)(rows[i] + j), *const b = (const __m256i *)(rows[i] + j + hidden);
            a0 = _mm256_add_epi16(a0, _mm256_loadu_si256(a));
            a1 = _mm256_add_epi16(a1, _mm256_loadu_si256(a + 1));
            b0 = _mm256_add_epi16(b0, _mm256_loadu_si256(b));
            b1 = _mm256_add_epi16(b1, _mm256_loadu_si256(b + 1));
        }
        a0 = _mm256_sra_epi16(_mm256_max_epi16(a0, b0), count);
        a1 = _mm256_sra_epi16(_mm256_max_epi16(a1, b1), count);
        a0 = _mm256_permute4x64_epi64(_mm256_packus_epi16(a0, a1), 0xD8);
        _mm256_storeu_si256((__m256i *)(out + j), _mm256_min_epu8(a0, _mm256_set1_epi8(FP_LARGEST_BYTE)));
    }
    for (; j < hidden; j += 16) {
        __m256i a = _mm256_setzero_si256(), b = a;
        for (int32_t i = 0; i < n; i++) {
            a = _mm256_add_epi16(a, _mm256_loadu_si256((const __m256i *)(rows[i] + j)));
            b = _mm256_add_epi16(b, _mm256_loadu_si256((const __m256i *)(rows[i] + j + hidden)));
        }
        a = _mm256_sra_epi16(_mm256_max_epi16(a, b), count);
        _mm_storeu_si128((__m128i *)(out + j),
                         _mm_min_epu8(_mm_packus_epi16(_mm256_castsi256_si128(a), _mm256_extracti128_si256(a, 1)),
                                      _mm_set1_epi8(FP_LARGEST_BYTE)));
    }
}

FP_TARGET static int32_t fp_dot_avx2(const uint8_t *bytes, const int8_t *weights, int32_t n) {
    const __m128i ones = _mm_set1_epi16(1);
    __m128i sum = _mm_setzero_si128();
    for (int32_t i = 0; i < n; i += 16)
        sum = _mm_add_epi32(sum, _mm_madd_epi16(_mm_maddubs_epi16(_mm_loadu_si128((const __m128i *)(bytes + i)),
                                                                  _mm_loadu_si128((const __m128i *)(weights + i))),
                                                ones));
    sum = _mm_add_epi32(sum, _mm_shuffle_epi32(sum, 0x4E));
    return _mm_cvtsi128_si32(_mm_add_epi32(sum, _mm_shuffle_epi32(sum, 0xB1)));
}

FP_TARGET FP_INLINE __m128i fp_bytes_avx2(__m256 x) {
    const __m256i whole = _mm256_cvtps_epi32(x);
    __m128i half = _mm_packs_epi32(_mm256_castsi256_si128(whole), _mm256_extracti128_si256(whole, 1));
    half = _mm_adds_epi16(half, _mm_set1_epi16(FP_ZERO_POINT));
    return _mm_min_epu8(_mm_packus_epi16(half, half), _mm_set1_epi8(FP_LARGEST_BYTE));
}

FP_TARGET FP_INLINE void fp_row_sums_avx2(const int16_t *row, int32_t width, int32_t *sum, uint64_t *squares) {
    const __m256i ones = _mm256_set1_epi16(1), low = _mm256_set1_epi64x(0xFFFFFFFF);
    __m256i s = _mm256_setzero_si256(), q = s;
    __m128i a, b;
    for (int32_t i = 0; i < width; i += 16) {
        const __m256i m = _mm256_loadu_si256((const __m256i *)(row + i));
        s = _mm256_add_epi32(s, _mm256_madd_epi16(m, ones));
        q = _mm256_add_epi32(q, _mm256_madd_epi16(m, m));
    }
    a = _mm_add_epi32(_mm256_castsi256_si128(s), _mm256_extracti128_si256(s, 1));
    a = _mm_add_epi32(a, _mm_shuffle_epi32(a, 0x4E));
    *sum = _mm_cvtsi128_si32(_mm_add_epi32(a, _mm_shuffle_epi32(a, 0xB1)));
    q = _mm256_add_epi64(_mm256_and_si256(q, low), _mm256_srli_epi64(q, 32));
    b = _mm_add_epi64(_mm256_castsi256_si128(q), _mm256_extracti128_si256(q, 1));
    *squares = (uint64_t)_mm_cvtsi128_si64(_mm_add_epi64(b, _mm_unpackhi_epi64(b, b)));
}

FP_TARGET static inline void fp_add_avx2(const int8_t *row, int16_t *sums) {
    const __m256i added = _mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *)row));
    _mm256_storeu_si256((__m256i *)sums, _mm256_add_epi16(_mm256_loadu_si256((const __m256i *)sums), added));
}

#include "fastparse/encoder/kernels/tile.h"
#endif
