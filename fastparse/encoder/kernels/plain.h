/* The plain form: C without vector types, for any compiler and machine. Weights are int16 in rows, so that compilers
 * find the products of int16 added up in int32 that every vector unit has. */
#ifndef FASTPARSE_ENCODER_PLAIN_H
#define FASTPARSE_ENCODER_PLAIN_H

#include "fastparse/encoder/kernels/rows.h"

#define FP_PLAIN_ROWS 4         /* words at a time */

FP_INLINE int16_t fp_narrow(int32_t sum, int32_t shift, int32_t limit) {
    sum >>= shift;
    return (int16_t)(sum > limit ? limit : sum < -limit ? -limit : sum);
}

/* The inputs of up to four words as int16, one word after the other in `into`. */
FP_INLINE void fp_plain_gather(const FpDense *d, const uint8_t *const *rows, int32_t n, int16_t *into) {
    for (int32_t i = 0; i < n; i++, into += FP_MOST_INPUTS)
        for (int32_t t = 0; t < d->taps; t++) {
            const uint8_t *FP_RESTRICT row = rows[i * d->taps + t];
            int16_t *FP_RESTRICT x = into + t * d->width;
            for (int32_t k = 0; k < d->width; k++) x[k] = row[k];
        }
}

FP_INLINE void fp_plain_dots(const int16_t *x, const int16_t *FP_RESTRICT w, int32_t n_inputs, int32_t bias, int32_t n,
                             int32_t *out) {
    const int32_t inputs = n_inputs & ~15;
    if (n == FP_PLAIN_ROWS) {
        const int16_t *FP_RESTRICT x0 = x, *FP_RESTRICT x1 = x + FP_MOST_INPUTS, *FP_RESTRICT x2 = x1 + FP_MOST_INPUTS;
        const int16_t *FP_RESTRICT x3 = x2 + FP_MOST_INPUTS;
        int32_t a0 = 0, a1 = 0, a2 = 0, a3 = 0;
        for (int32_t k = 0; k < inputs; k++) {
            a0 += x0[k] * w[k];
            a1 += x1[k] * w[k];
            a2 += x2[k] * w[k];
            a3 += x3[k] * w[k];
        }
        out[0] = bias + a0, out[1] = bias + a1, out[2] = bias + a2, out[3] = bias + a3;
        return;
    }
    for (int32_t i = 0; i < n; i++, x += FP_MOST_INPUTS) {
        int32_t a = 0;
        for (int32_t k = 0; k < inputs; k++) a += x[k] * w[k];
        out[i] = bias + a;
    }
}

FP_INLINE int32_t fp_plain_tile(int32_t n, int32_t at) { return n - at < FP_PLAIN_ROWS ? n - at : FP_PLAIN_ROWS; }

static void fp_maxout_plain(const FpDense *d, const uint8_t *const *rows, int32_t n, int16_t *out, int64_t stride) {
    FP_ALIGNED(int16_t, x, FP_PLAIN_ROWS * FP_MOST_INPUTS);
    const int32_t inputs = d->taps * d->width, outputs = d->vectors * FP_LANES;
    for (int32_t p = 0; p < d->panels; p++) {
        const int16_t *const w = (const int16_t *)d->weights + (int64_t)p * outputs * inputs;
        for (int32_t r = 0; r < n; r += FP_PLAIN_ROWS) {
            const int32_t tile = fp_plain_tile(n, r);
            fp_plain_gather(d, rows + (int64_t)r * d->taps, tile, x);
            for (int32_t j = 0; j < FP_LANES; j++) {
                int32_t best[FP_PLAIN_ROWS], sum[FP_PLAIN_ROWS];
                for (int32_t v = 0; v < d->vectors; v++) {
                    const int32_t o = v * FP_LANES + j;
                    fp_plain_dots(x, w + (int64_t)o * inputs, inputs, d->bias[p * outputs + o], tile, v ? sum : best);
                    for (int32_t i = 0; v && i < tile; i++) best[i] = sum[i] > best[i] ? sum[i] : best[i];
                }
                for (int32_t i = 0; i < tile; i++)
                    out[(r + i) * stride + p * FP_LANES + j] = fp_narrow(best[i], d->shift, d->limit);
            }
        }
    }
}

/* The sums of one panel for a tile of words, [output][word]. */
FP_INLINE void fp_plain_panel(const FpDense *d, const int16_t *x, int32_t p, int32_t tile, int32_t *sums) {
    const int32_t inputs = d->taps * d->width, outputs = d->vectors * FP_LANES;
    const int16_t *const w = (const int16_t *)d->weights + (int64_t)p * outputs * inputs;
    for (int32_t o = 0; o < outputs; o++)
        fp_plain_dots(x, w + (int64_t)o * inputs, inputs, d->bias[p * outputs + o], tile, sums + o * FP_PLAIN_ROWS);
}

static void fp_project_plain(const FpDense *d, const uint8_t *const *rows, int32_t n, int16_t *out, int64_t stride,
                             int32_t panels, int64_t block_stride) {
    FP_ALIGNED(int16_t, x, FP_PLAIN_ROWS * FP_MOST_INPUTS);
    int32_t sums[4 * FP_LANES * FP_PLAIN_ROWS];
    for (int32_t p = 0; p < d->panels; p++) {
        int16_t *const to = out + (p / panels) * block_stride + (p % panels) * 4 * FP_LANES;
        for (int32_t r = 0; r < n; r += FP_PLAIN_ROWS) {
            const int32_t tile = fp_plain_tile(n, r);
            fp_plain_gather(d, rows + r, tile, x);
            fp_plain_panel(d, x, p, tile, sums);
            for (int32_t i = 0; i < tile; i++)
                for (int32_t o = 0; o < 4 * FP_LANES; o++)
                    to[(r + i) * stride + o] = fp_narrow(sums[o * FP_PLAIN_ROWS + i], d->shift, d->limit);
        }
    }
}

static void fp_sums_plain(const FpDense *d, const uint8_t *const *rows, int32_t n, int32_t *out, int64_t stride) {
    FP_ALIGNED(int16_t, x, FP_PLAIN_ROWS * FP_MOST_INPUTS);
    int32_t sums[2 * FP_LANES * FP_PLAIN_ROWS];
    for (int32_t r = 0; r < n; r += FP_PLAIN_ROWS) {
        const int32_t tile = fp_plain_tile(n, r);
        fp_plain_gather(d, rows + r, tile, x);
        for (int32_t p = 0; p < d->panels; p++) {
            fp_plain_panel(d, x, p, tile, sums);
            for (int32_t i = 0; i < tile; i++)
                for (int32_t o = 0; o < 2 * FP_LANES; o++)
                    out[(r + i) * stride + p * 2 * FP_LANES + o] = sums[o * FP_PLAIN_ROWS + i];
        }
    }
}

static void fp_output_plain(const FpDense *d, const uint8_t *row, int32_t *out) { fp_sums_plain(d, &row, 1, out, 0); }

static void fp_hidden_plain(const int16_t *const *rows, int32_t n, int32_t hidden, int32_t shift, uint8_t *out) {
    FP_ALIGNED(int16_t, sum, FP_MOST_INPUTS);
    const int32_t size = 2 * hidden & ~31;
    memcpy(sum, rows[0], (size_t)size * sizeof sum[0]);
    for (int32_t i = 1; i < n; i++) {
        const int16_t *FP_RESTRICT row = rows[i];
        for (int32_t j = 0; j < size; j++) sum[j] = (int16_t)(sum[j] + row[j]);
    }
    for (int32_t j = 0; j < hidden; j++) {
        int16_t h = sum[j] > sum[hidden + j] ? sum[j] : sum[hidden + j];
        h = (int16_t)(h >> shift);
        out[j] = (uint8_t)(h < 0 ? 0 : h > FP_LARGEST_BYTE ? FP_LARGEST_BYTE : h);
    }
}

static int32_t fp_dot_plain(const uint8_t *bytes, const int8_t *weights, int32_t n) {
    int32_t sum = 0;
    for (int32_t i = 0; i < n; i++) sum += bytes[i] * weights[i];
    return sum;
}

static inline void fp_add_plain(const int8_t *FP_RESTRICT row, int16_t *FP_RESTRICT sums) {
    for (int32_t l = 0; l < 16; l++) sums[l] = (int16_t)(sums[l] + row[l]);
}

static void fp_embed_plain(const FpSegment *segments, int32_t n_segments, const int32_t *ids, const int32_t *ends,
                           int32_t begin, int32_t n, uint8_t *out, int32_t width) {
    fp_embed_rows(segments, n_segments, ids, ends, begin, n, out, width, fp_add_plain);
}

/* Adding 1.5 * 2**23 to a float below 2**22 rounds it to an integer, halves to even, and leaves that integer in the low
 * bits. */
static void fp_norm_plain(const FpNorm *norm, const int16_t *sums, int32_t n, int32_t width,
                          float *FP_RESTRICT values, uint8_t *FP_RESTRICT bytes) {
    const float *FP_RESTRICT gain = norm->gain, *FP_RESTRICT offset = norm->offset;
    const float scale = norm->scale;
    const int32_t wide = width & ~15;
    for (int32_t w = 0; w < n; w++, sums += wide, values += wide, bytes += wide) {
        const int16_t *FP_RESTRICT m = sums;
        int32_t sum = 0;
        uint64_t squares = 0;
        float mean, inverse;
        for (int32_t i = 0; i < wide; i++) sum += m[i];
        for (int32_t i = 0; i < wide; i++) squares += (uint32_t)(m[i] * m[i]);
        fp_moments(sum, squares, wide, norm->epsilon, &mean, &inverse);
        for (int32_t i = 0; i < wide; i++) {
            const float y = ((float)m[i] - mean) * inverse;
            const float z = y * gain[i];
            const float x = z + offset[i];
            values[i] = norm->residual ? values[i] + x : x;
        }
        for (int32_t i = 0; i < wide; i++) {
            const float shifted = values[i] * scale + 12582912.0f;
            int32_t byte;
            memcpy(&byte, &shifted, 4);
            byte -= 0x4B400000 - FP_ZERO_POINT;
            byte = byte < 0 ? 0 : byte;
            byte = byte > FP_LARGEST_BYTE ? FP_LARGEST_BYTE : byte;
            bytes[i] = (uint8_t)byte;
        }
    }
}

static const FpForm fp_form_plain = {
    "plain",         1,              0,             fp_maxout_plain, fp_project_plain, fp_sums_plain,
    fp_output_plain, fp_embed_plain, fp_norm_plain, fp_hidden_plain, fp_dot_plain,     fp_largest_place,
};
#endif
