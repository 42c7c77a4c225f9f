/* What is done row by row besides matrix products: embeddings, layer norm. Plain C that compilers turn into the vector
 * instructions of each form; integers and single operations on floats in a stated order, so that all forms agree. */
#ifndef FASTPARSE_ENCODER_ROWS_H
#define FASTPARSE_ENCODER_ROWS_H

#include <math.h>
#include <string.h>
#include "fastparse/encoder/kernels/form.h"

#if defined(__GNUC__) || defined(__clang__)
#define FP_INLINE static inline __attribute__((always_inline))
#define FP_FETCH(address) __builtin_prefetch(address)
#define FP_RESTRICT __restrict__
#define FP_ALIGNED(type, name, size) type name[size] __attribute__((aligned(64)))
#else
#define FP_INLINE static inline
#define FP_FETCH(address) ((void)0)
#define FP_RESTRICT
#define FP_ALIGNED(type, name, size) type name[size]
#endif

/* The rows of the next word are asked for while this one's are added up. Ids outside the table are no rows. */
FP_INLINE void fp_fetch_rows(const FpSegment *s, const int32_t *ids, int32_t from, int32_t to) {
    for (int32_t i = from; i < to; i++) {
        if ((uint32_t)ids[i] >= (uint32_t)s->n) continue;
        for (int32_t at = 0; at < s->width; at += 64) FP_FETCH(s->rows + (int64_t)ids[i] * s->width + at);
    }
}

/* Sixteen values of a row are added to sums; how, the forms say. */
typedef void (*FpAdd)(const int8_t *row, int16_t *sums);

/* Sixteen sums, at most 255 * 128 and the rounding. */
FP_INLINE void fp_bytes_of_sums(const int16_t *FP_RESTRICT sums, int32_t shift, uint8_t *FP_RESTRICT bytes) {
    const int16_t half = (int16_t)(shift ? 1 << (shift - 1) : 0);
    for (int32_t l = 0; l < 16; l++) {
        int16_t value = (int16_t)((int16_t)(sums[l] + half) >> shift);
        value = value < -FP_ZERO_POINT ? -FP_ZERO_POINT : value;
        value = value > FP_LARGEST_BYTE - FP_ZERO_POINT ? FP_LARGEST_BYTE - FP_ZERO_POINT : value;
        bytes[l] = (uint8_t)(value + FP_ZERO_POINT);
    }
}

FP_INLINE void fp_embed_rows(const FpSegment *segments, int32_t n_segments, const int32_t *ids, const int32_t *ends,
                             int32_t begin, int32_t n, uint8_t *out, int32_t width, FpAdd add) {
    FP_ALIGNED(int16_t, sum, FP_MOST_INPUTS);
    for (int32_t w = 0; w < n; w++, ends += n_segments, out += width) {
        uint8_t *bytes = out;
        if (w + 1 < n)
            for (int32_t s = 0, from = ends[n_segments - 1]; s < n_segments; from = ends[n_segments + s], s++)
                fp_fetch_rows(&segments[s], ids, from, ends[n_segments + s]);
        for (int32_t s = 0; s < n_segments; s++) {
            const FpSegment *const segment = &segments[s];
            const int32_t wide = segment->width, shift = segment->shift;
            const int32_t end = ends[s] - begin > FP_MOST_IDS ? begin + FP_MOST_IDS : ends[s];
            memset(sum, 0, (size_t)wide * sizeof sum[0]);
            for (int32_t i = begin; i < end; i++) {
                const int8_t *FP_RESTRICT row = segment->rows;
                if ((uint32_t)ids[i] >= (uint32_t)segment->n) continue;
                row += (int64_t)ids[i] * wide;
                for (int32_t j = 0; j < wide; j += 16) add(row + j, sum + j);
            }
            for (int32_t j = 0; j < wide; j += 16) fp_bytes_of_sums(sum + j, shift, bytes + j);
            bytes += wide;
            begin = ends[s];
        }
    }
}

/* Sixteen largest at a time; then the first place that holds the largest of all. */
FP_INLINE int32_t fp_largest_place(const int32_t *FP_RESTRICT x, int32_t n) {
    int32_t lanes[16], largest = x[0], i = 0;
    for (int32_t l = 0; l < 16; l++) lanes[l] = largest;
    for (; i + 16 <= n; i += 16)
        for (int32_t l = 0; l < 16; l++) lanes[l] = x[i + l] > lanes[l] ? x[i + l] : lanes[l];
    for (; i < n; i++) largest = x[i] > largest ? x[i] : largest;
    for (int32_t l = 0; l < 16; l++) largest = lanes[l] > largest ? lanes[l] : largest;
    for (i = 0; i + 16 <= n; i += 16) {
        int32_t hits = 0;
        for (int32_t l = 0; l < 16; l++) hits += x[i + l] == largest;
        if (hits) break;
    }
    while (x[i] != largest) i++;
    return i;
}

/* Mean and inverse deviation of a row from its exact sums: |sum| < 2**21, squares < 2**34, so the integers are exact in
 * double. */
FP_INLINE void fp_moments(int32_t sum, uint64_t squares, int32_t width, double epsilon, float *mean, float *inverse) {
    const int64_t spread = width * (int64_t)squares - (int64_t)sum * sum;
    *mean = (float)((double)sum / (double)width);
    *inverse = (float)(1.0 / sqrt((double)spread / ((double)width * (double)width) + epsilon));
}
#endif
