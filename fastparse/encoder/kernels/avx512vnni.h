/* AVX-512 with VNNI: 64 products of bytes per instruction. */
#ifndef FASTPARSE_ENCODER_AVX512VNNI_H
#define FASTPARSE_ENCODER_AVX512VNNI_H

#include <immintrin.h>
#include "fastparse/encoder/kernels/rows.h"

#define FP_FORM avx512vnni
#define FP_TITLE "avx512vnni"
#define FP_TARGET __attribute__((target("avx2,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni")))
#define FP_V __m512i
#define FP_WIDE 16
#define FP_QUADS 1
#define FP_ROWS_2 8
#define FP_ROWS_3 8
#define FP_ROWS_4 6
#define FP_START(p) _mm512_load_si512(p)
#define FP_WEIGHTS_2(p) const __m512i w0 = _mm512_load_si512(p), w1 = _mm512_load_si512(p + 64);
#define FP_WEIGHTS_3(p) FP_WEIGHTS_2(p) const __m512i w2 = _mm512_load_si512(p + 128);
#define FP_WEIGHTS_4(p) FP_WEIGHTS_3(p) const __m512i w3 = _mm512_load_si512(p + 192);
#define FP_INPUT(i, p) const __m512i a = _mm512_set1_epi32(*(const fp_quad *)(p));
/* In assembler, for GCC 12 copies and spills the sums of the intrinsic. */
#define FP_MULTIPLY(i, v, nv, p) __asm__("vpdpbusd %2, %1, %0" : "+v"(c##i##_##v) : "v"(a), "v"(w##v));
#define FP_SUM(c) (c)
#define FP_MAX(a, b) _mm512_max_epi32(a, b)
#define FP_NARROW(a, shift, limit) fp_narrow_avx512vnni(a, shift, limit)
#define FP_PUT_HALF(p, h) _mm256_storeu_si256((__m256i *)(p), h)
#define FP_CROSSED 1
#define FP_PUT_PAIR(i, v, u)                                                \
    _mm512_storeu_si512((int16_t *)t->out + i * t->stride + 16 * v,         \
                        fp_narrow_two_avx512vnni(c##i##_##v, c##i##_##u, t->shift, t->limit));
#define FP_PUT(p, a) _mm512_storeu_si512(p, a)
#define FP_F __m512
#define FP_FLOATS(p) _mm512_cvtepi32_ps(_mm512_cvtepi16_epi32(_mm256_loadu_si256((const __m256i *)(p))))
#define FP_SET_F(x) _mm512_set1_ps(x)
#define FP_LOAD_F(p) _mm512_loadu_ps(p)
#define FP_STORE_F(p, x) _mm512_storeu_ps(p, x)
#define FP_ADD_F(a, b) _mm512_add_ps(a, b)
#define FP_SUB_F(a, b) _mm512_sub_ps(a, b)
#define FP_MUL_F(a, b) _mm512_mul_ps(a, b)
#define FP_PUT_BYTES(p, x) _mm_storeu_si128((__m128i *)(p), fp_bytes_avx512vnni(x))

FP_TARGET FP_INLINE __m256i fp_narrow_avx512vnni(__m512i a, int32_t shift, int32_t limit) {
    const __m256i h = _mm512_cvtsepi32_epi16(_mm512_sra_epi32(a, _mm_cvtsi32_si128(shift)));
    return _mm256_max_epi16(_mm256_min_epi16(h, _mm256_set1_epi16((short)limit)), _mm256_set1_epi16((short)-limit));
}

FP_TARGET FP_INLINE __m512i fp_narrow_two_avx512vnni(__m512i a, __m512i b, int32_t shift, int32_t limit) {
    const __m128i count = _mm_cvtsi32_si128(shift);
    const __m512i h = _mm512_packs_epi32(_mm512_sra_epi32(a, count), _mm512_sra_epi32(b, count));
    return _mm512_max_epi16(_mm512_min_epi16(h, _mm512_set1_epi16((short)limit)), _mm512_set1_epi16((short)-limit));
}

FP_TARGET FP_INLINE __m256i fp_byte_avx512vnni(__m512i a, __m512i b, __m128i shift) {
    const __m512i h = _mm512_sra_epi16(_mm512_max_epi16(a, b), shift);
    return _mm512_cvtepi16_epi8(
        _mm512_min_epi16(_mm512_max_epi16(h, _mm512_setzero_si512()), _mm512_set1_epi16(FP_LARGEST_BYTE)));
}

FP_TARGET static void fp_hidden_avx512vnni(const int16_t *const *rows, int32_t n, int32_t hidden, int32_t shift,
                                           uint8_t *out) {
    const __m128i count = _mm_cvtsi32_si128(shift);
    int32_t j = 0;
    for (; j + 64 <= hidden; j += 64) {
        __m512i a0 = _mm512_setzero_si512(), a1 = a0, b0 = a0, b1 = a0;
        for (int32_t i = 0; i < n; i++) {
            const int16_t *const row = rows[i] + j;
            a0 = _mm512_add_epi16(a0, _mm512_loadu_si512(row));
            a1 = _mm512_add_epi16(a1, _mm512_loadu_si512(row + 32));
            b0 = _mm512_add_epi16(b0, _mm512_loadu_si512(row + hidden));
            b1 = _mm512_add_epi16(b1, _mm512_loadu_si512(row + hidden + 32));
        }
        _mm256_storeu_si256((__m256i *)(out + j), fp_byte_avx512vnni(a0, b0, count));
        _mm256_storeu_si256((__m256i *)(out + j + 32), fp_byte_avx512vnni(a1, b1, count));
    }
    for (; j < hidden; j += 16) {
        __m256i a = _mm256_setzero_si256(), b = a;
        for (int32_t i = 0; i < n; i++) {
            a = _mm256_add_epi16(a, _mm256_loadu_si256((const __m256i *)(rows[i] + j)));
            b = _mm256_add_epi16(b, _mm256_loadu_si256((const __m256i *)(rows[i] + j + hidden)));
        }
        _mm_storeu_si128((__m128i *)(out + j), _mm256_castsi256_si128(fp_byte_avx512vnni(
                                                   _mm512_castsi256_si512(a), _mm512_castsi256_si512(b), count)));
    }
}

FP_TARGET static int32_t fp_dot_avx512vnni(const uint8_t *bytes, const int8_t *weights, int32_t n) {
    __m512i sum = _mm512_setzero_si512();
    int32_t i = 0;
    for (; i + 64 <= n; i += 64)
        sum = _mm512_dpbusd_epi32(sum, _mm512_loadu_si512(bytes + i), _mm512_loadu_si512(weights + i));
    if (i < n) {
        const __mmask64 rest = ((__mmask64)1 << (n - i)) - 1;
        sum = _mm512_dpbusd_epi32(sum, _mm512_maskz_loadu_epi8(rest, bytes + i),
                                  _mm512_maskz_loadu_epi8(rest, weights + i));
    }
    return _mm512_reduce_add_epi32(sum);
}

FP_TARGET FP_INLINE __m128i fp_bytes_avx512vnni(__m512 x) {
    const __m512i byte = _mm512_add_epi32(_mm512_cvtps_epi32(x), _mm512_set1_epi32(FP_ZERO_POINT));
    return _mm_min_epu8(_mm512_cvtusepi32_epi8(_mm512_max_epi32(byte, _mm512_setzero_si512())),
                        _mm_set1_epi8(FP_LARGEST_BYTE));
}

FP_TARGET FP_INLINE void fp_row_sums_avx512vnni(const int16_t *row, int32_t width, int32_t *sum, uint64_t *squares) {
    const __m512i ones = _mm512_set1_epi16(1), low = _mm512_set1_epi64(0xFFFFFFFF);
    __m512i s = _mm512_setzero_si512(), q = s;
    for (int32_t i = 0; i < width; i += 32) {
        const __mmask32 lanes = width - i < 32 ? 0xFFFF : 0xFFFFFFFF;
        const __m512i m = _mm512_maskz_loadu_epi16(lanes, row + i);
        s = _mm512_add_epi32(s, _mm512_madd_epi16(m, ones));
        q = _mm512_add_epi32(q, _mm512_madd_epi16(m, m));
    }
    *sum = _mm512_reduce_add_epi32(s);
    *squares = (uint64_t)_mm512_reduce_add_epi64(_mm512_add_epi64(_mm512_and_si512(q, low), _mm512_srli_epi64(q, 32)));
}

#define FP_ADD_PRODUCTS(c, input, weights)                                           \
    __asm__("vpdpbusd %2, %1, %0"                                                    \
            : "+v"(c)                                                                \
            : "v"(_mm512_set1_epi32(*(const fp_quad *)(input))), "v"(_mm512_load_si512(weights)));

/* One row: four sums of each vector, since each instruction waits for the one before it. */
#define FP_OWN_OUTPUT
FP_TARGET static void fp_output_avx512vnni(const FpDense *d, const uint8_t *row, int32_t *out) {
    const int8_t *w = (const int8_t *)d->weights;
    for (int32_t p = 0; p < d->panels; p++, out += 32) {
        __m512i a0 = _mm512_load_si512(d->bias + 32 * p), b0 = _mm512_load_si512(d->bias + 32 * p + 16);
        __m512i a1 = _mm512_setzero_si512(), a2 = a1, a3 = a1, b1 = a1, b2 = a1, b3 = a1;
        for (int32_t k = 0; k < d->width; k += 16, w += 512) {
            FP_ADD_PRODUCTS(a0, row + k, w)
            FP_ADD_PRODUCTS(b0, row + k, w + 64)
            FP_ADD_PRODUCTS(a1, row + k + 4, w + 128)
            FP_ADD_PRODUCTS(b1, row + k + 4, w + 192)
            FP_ADD_PRODUCTS(a2, row + k + 8, w + 256)
            FP_ADD_PRODUCTS(b2, row + k + 8, w + 320)
            FP_ADD_PRODUCTS(a3, row + k + 12, w + 384)
            FP_ADD_PRODUCTS(b3, row + k + 12, w + 448)
        }
        _mm512_storeu_si512(out, _mm512_add_epi32(_mm512_add_epi32(a0, a1), _mm512_add_epi32(a2, a3)));
        _mm512_storeu_si512(out + 16, _mm512_add_epi32(_mm512_add_epi32(b0, b1), _mm512_add_epi32(b2, b3)));
    }
}

#define FP_OWN_LARGEST
FP_TARGET static int32_t fp_largest_avx512vnni(const int32_t *x, int32_t n) {
    __m512i a = _mm512_set1_epi32(x[0]), b = a;
    int32_t i = 0;
    for (; i + 32 <= n; i += 32) {
        a = _mm512_max_epi32(a, _mm512_loadu_si512(x + i));
        b = _mm512_max_epi32(b, _mm512_loadu_si512(x + i + 16));
    }
    for (; i < n; i += 16) {
        const __mmask16 lanes = n - i < 16 ? (__mmask16)((1 << (n - i)) - 1) : (__mmask16)0xFFFF;
        a = _mm512_mask_max_epi32(a, lanes, a, _mm512_maskz_loadu_epi32(lanes, x + i));
    }
    a = _mm512_set1_epi32(_mm512_reduce_max_epi32(_mm512_max_epi32(a, b)));
    for (i = 0;; i += 16) {
        const __mmask16 lanes = n - i < 16 ? (__mmask16)((1 << (n - i)) - 1) : (__mmask16)0xFFFF;
        const __mmask16 hits = _mm512_mask_cmpeq_epi32_mask(lanes, a, _mm512_maskz_loadu_epi32(lanes, x + i));
        if (hits) return i + __builtin_ctz(hits);
    }
}

FP_TARGET static inline void fp_add_avx512vnni(const int8_t *row, int16_t *sums) {
    const __m256i added = _mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *)row));
    _mm256_storeu_si256((__m256i *)sums, _mm256_add_epi16(_mm256_loadu_si256((const __m256i *)sums), added));
}

#include "fastparse/encoder/kernels/tile.h"
#endif
