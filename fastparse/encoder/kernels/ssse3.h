/* SSSE3: as AVX2, four sums at a time. */
#ifndef FASTPARSE_ENCODER_SSSE3_H
#define FASTPARSE_ENCODER_SSSE3_H

#include <immintrin.h>
#include "fastparse/encoder/kernels/rows.h"

#define FP_FORM ssse3
#define FP_TITLE "ssse3"
#define FP_TARGET __attribute__((target("ssse3")))
#define FP_V __m128i
#define FP_WIDE 4
#define FP_QUADS 2
#define FP_ROWS_2 5
#define FP_ROWS_3 3
#define FP_ROWS_4 3
#define FP_START(p) _mm_load_si128((const __m128i *)(p))
#define FP_WEIGHTS_2(p)
#define FP_WEIGHTS_3(p)
#define FP_WEIGHTS_4(p)
#define FP_INPUT(i, p)                                                                      \
    const __m128i q = _mm_loadl_epi64((const __m128i *)(p)), a = _mm_shuffle_epi32(q, 0x00), \
                  b = _mm_shuffle_epi32(q, 0x55);
#define FP_MULTIPLY(i, v, nv, p) c##i##_##v = fp_multiply_ssse3(c##i##_##v, a, b, p + 64 * v, p + 64 * (nv + v));
#define FP_SUM(c) (c)
#define FP_MAX(a, b) fp_max_ssse3(a, b)
#define FP_NARROW(a, shift, limit) fp_narrow_ssse3(a, shift, limit)
#define FP_PUT_HALF(p, h) _mm_storel_epi64((__m128i *)(p), h)
#define FP_PUT(p, a) _mm_storeu_si128((__m128i *)(p), a)
#define FP_F __m128
#define FP_FLOATS(p) _mm_cvtepi32_ps(fp_widen_ssse3(p))
#define FP_SET_F(x) _mm_set1_ps(x)
#define FP_LOAD_F(p) _mm_loadu_ps(p)
#define FP_STORE_F(p, x) _mm_storeu_ps(p, x)
#define FP_ADD_F(a, b) _mm_add_ps(a, b)
#define FP_SUB_F(a, b) _mm_sub_ps(a, b)
#define FP_MUL_F(a, b) _mm_mul_ps(a, b)
#define FP_PUT_BYTES(p, x) *(fp_quad *)(p) = fp_bytes_ssse3(x);

FP_TARGET FP_INLINE __m128i fp_multiply_ssse3(__m128i sum, __m128i a, __m128i b, const int8_t *v, const int8_t *w) {
    const __m128i pairs = _mm_add_epi16(_mm_maddubs_epi16(a, _mm_load_si128((const __m128i *)v)),
                                        _mm_maddubs_epi16(b, _mm_load_si128((const __m128i *)w)));
    return _mm_add_epi32(sum, _mm_madd_epi16(pairs, _mm_set1_epi16(1)));
}

FP_TARGET FP_INLINE __m128i fp_max_ssse3(__m128i a, __m128i b) {
    const __m128i larger = _mm_cmpgt_epi32(a, b);
    return _mm_or_si128(_mm_and_si128(larger, a), _mm_andnot_si128(larger, b));
}

FP_TARGET FP_INLINE __m128i fp_narrow_ssse3(__m128i a, int32_t shift, int32_t limit) {
    const __m128i s = _mm_sra_epi32(a, _mm_cvtsi32_si128(shift)), h = _mm_packs_epi32(s, s);
    return _mm_max_epi16(_mm_min_epi16(h, _mm_set1_epi16((short)limit)), _mm_set1_epi16((short)-limit));
}

FP_TARGET static void fp_hidden_ssse3(const int16_t *const *rows, int32_t n, int32_t hidden, int32_t shift,
                                      uint8_t *out) {
    const __m128i count = _mm_cvtsi32_si128(shift);
    for (int32_t j = 0; j < hidden; j += 16) {
        __m128i a0 = _mm_setzero_si128(), a1 = a0, b0 = a0, b1 = a0;
        for (int32_t i = 0; i < n; i++) {
            const __m128i *const a = (const __m128i *)(rows[i] + j), *const b = (const __m128i *)(rows[i] + j + hidden);
            a0 = _mm_add_epi16(a0, _mm_loadu_si128(a));
            a1 = _mm_add_epi16(a1, _mm_loadu_si128(a + 1));
            b0 = _mm_add_epi16(b0, _mm_loadu_si128(b));
            b1 = _mm_add_epi16(b1, _mm_loadu_si128(b + 1));
        }
        a0 = _mm_sra_epi16(_mm_max_epi16(a0, b0), count);
        a1 = _mm_sra_epi16(_mm_max_epi16(a1, b1), count);
        a0 = _mm_min_epu8(_mm_packus_epi16(a0, a1), _mm_set1_epi8(FP_LARGEST_BYTE));
        _mm_storeu_si128((__m128i *)(out + j), a0);
    }
}

FP_TARGET static int32_t fp_dot_ssse3(const uint8_t *bytes, const int8_t *weights, int32_t n) {
    __m128i sum = _mm_setzero_si128();
    for (int32_t i = 0; i < n; i += 16)
        sum = _mm_add_epi32(sum, _mm_madd_epi16(_mm_maddubs_epi16(_mm_loadu_si128((const __m128i *)(bytes + i)),
                                                                  _mm_loadu_si128((const __m128i *)(weights + i))),
                                                _mm_set1_epi16(1)));
    sum = _mm_add_epi32(sum, _mm_shuffle_epi32(sum, 0x4E));
    return _mm_cvtsi128_si32(_mm_add_epi32(sum, _mm_shuffle_epi32(sum, 0xB1)));
}

FP_TARGET FP_INLINE __m128i fp_widen_ssse3(const int16_t *p) {
    const __m128i half = _mm_loadl_epi64((const __m128i *)p);
    return _mm_srai_epi32(_mm_unpacklo_epi16(half, half), 16);
}

FP_TARGET FP_INLINE int32_t fp_bytes_ssse3(__m128 x) {
    const __m128i whole = _mm_cvtps_epi32(x);
    const __m128i half = _mm_adds_epi16(_mm_packs_epi32(whole, whole), _mm_set1_epi16(FP_ZERO_POINT));
    return _mm_cvtsi128_si32(_mm_min_epu8(_mm_packus_epi16(half, half), _mm_set1_epi8(FP_LARGEST_BYTE)));
}

FP_TARGET FP_INLINE void fp_row_sums_ssse3(const int16_t *row, int32_t width, int32_t *sum, uint64_t *squares) {
    const __m128i ones = _mm_set1_epi16(1);
    __m128i s = _mm_setzero_si128(), q = s;
    for (int32_t i = 0; i < width; i += 8) {
        const __m128i m = _mm_loadu_si128((const __m128i *)(row + i));
        s = _mm_add_epi32(s, _mm_madd_epi16(m, ones));
        q = _mm_add_epi32(q, _mm_madd_epi16(m, m));
    }
    s = _mm_add_epi32(s, _mm_shuffle_epi32(s, 0x4E));
    *sum = _mm_cvtsi128_si32(_mm_add_epi32(s, _mm_shuffle_epi32(s, 0xB1)));
    q = _mm_add_epi64(_mm_and_si128(q, _mm_set_epi32(0, -1, 0, -1)), _mm_srli_epi64(q, 32));
    *squares = (uint64_t)_mm_cvtsi128_si64(_mm_add_epi64(q, _mm_unpackhi_epi64(q, q)));
}

FP_TARGET static inline void fp_add_ssse3(const int8_t *row, int16_t *sums) {
    const __m128i bytes = _mm_loadu_si128((const __m128i *)row), sign = _mm_cmpgt_epi8(_mm_setzero_si128(), bytes);
    __m128i *const s = (__m128i *)sums;
    _mm_storeu_si128(s, _mm_add_epi16(_mm_loadu_si128(s), _mm_unpacklo_epi8(bytes, sign)));
    _mm_storeu_si128(s + 1, _mm_add_epi16(_mm_loadu_si128(s + 1), _mm_unpackhi_epi8(bytes, sign)));
}

#include "fastparse/encoder/kernels/tile.h"
#endif
