/* NEON, as every 64-bit ARM has it, and with the dot products that most have. Bytes 0..127 are int8 as they stand. Four
 * products of them and of weights within +-63 are at most 32004, so their sum fits into int16. */
#ifndef FASTPARSE_ENCODER_NEON_H
#define FASTPARSE_ENCODER_NEON_H

#include <arm_neon.h>
#if defined(__linux__)
#include <sys/auxv.h>
#endif
#include "fastparse/encoder/kernels/rows.h"

static int fp_has_dot_products(void) {
#if defined(__ARM_FEATURE_DOTPROD) || defined(__APPLE__)
    return 1;
#elif defined(__linux__)
    return (getauxval(AT_HWCAP) >> 20 & 1) != 0;
#else
    return 0;
#endif
}

FP_INLINE int16x4_t fp_narrow_neon(int32x4_t a, int32_t shift, int32_t limit) {
    const int16x4_t h = vqmovn_s32(vshlq_s32(a, vdupq_n_s32(-shift)));
    return vmax_s16(vmin_s16(h, vdup_n_s16((int16_t)limit)), vdup_n_s16((int16_t)-limit));
}

FP_INLINE void fp_put_bytes_neon(uint8_t *out, float32x4_t x) {
    const int16x4_t half = vqadd_s16(vqmovn_s32(vcvtnq_s32_f32(x)), vdup_n_s16(FP_ZERO_POINT));
    const uint8x8_t byte = vmin_u8(vqmovun_s16(vcombine_s16(half, half)), vdup_n_u8(FP_LARGEST_BYTE));
    const uint32_t four = vget_lane_u32(vreinterpret_u32_u8(byte), 0);
    memcpy(out, &four, 4);
}

static void fp_hidden_neon(const int16_t *const *rows, int32_t n, int32_t hidden, int32_t shift, uint8_t *out) {
    const int16x8_t count = vdupq_n_s16((int16_t)-shift);
    for (int32_t j = 0; j < hidden; j += 16) {
        int16x8_t a0 = vdupq_n_s16(0), a1 = a0, b0 = a0, b1 = a0;
        for (int32_t i = 0; i < n; i++) {
            const int16_t *const a = rows[i] + j, *const b = a + hidden;
            a0 = vaddq_s16(a0, vld1q_s16(a));
            a1 = vaddq_s16(a1, vld1q_s16(a + 8));
            b0 = vaddq_s16(b0, vld1q_s16(b));
            b1 = vaddq_s16(b1, vld1q_s16(b + 8));
        }
        a0 = vshlq_s16(vmaxq_s16(a0, b0), count);
        a1 = vshlq_s16(vmaxq_s16(a1, b1), count);
        vst1q_u8(out + j, vminq_u8(vcombine_u8(vqmovun_s16(a0), vqmovun_s16(a1)), vdupq_n_u8(FP_LARGEST_BYTE)));
    }
}

static int32_t fp_dot_neon(const uint8_t *bytes, const int8_t *weights, int32_t n) {
    int32x4_t sum = vdupq_n_s32(0);
    for (int32_t i = 0; i < n; i += 16) {
        const int8x16_t x = vreinterpretq_s8_u8(vld1q_u8(bytes + i)), w = vld1q_s8(weights + i);
        sum = vpadalq_s16(sum, vmlal_s8(vmull_s8(vget_low_s8(x), vget_low_s8(w)), vget_high_s8(x), vget_high_s8(w)));
    }
    return vaddvq_s32(sum);
}

static inline void fp_add_neon(const int8_t *row, int16_t *sums) {
    const int8x16_t bytes = vld1q_s8(row);
    vst1q_s16(sums, vaddw_s8(vld1q_s16(sums), vget_low_s8(bytes)));
    vst1q_s16(sums + 8, vaddw_s8(vld1q_s16(sums + 8), vget_high_s8(bytes)));
}

FP_INLINE void fp_row_sums_neon(const int16_t *row, int32_t width, int32_t *sum, uint64_t *squares) {
    int32x4_t s = vdupq_n_s32(0);
    uint64x2_t q = vdupq_n_u64(0);
    for (int32_t i = 0; i < width; i += 8) {
        const int16x8_t m = vld1q_s16(row + i);
        int32x4_t square = vmull_s16(vget_low_s16(m), vget_low_s16(m));
        s = vpadalq_s16(s, m);
        square = vmlal_s16(square, vget_high_s16(m), vget_high_s16(m));
        q = vpadalq_u32(q, vreinterpretq_u32_s32(square));
    }
    *sum = vaddvq_s32(s);
    *squares = vaddvq_u64(q);
}

/* One quad of inputs for two outputs: eight int8. */
#define FP_QUAD(x, q) vreinterpret_s8_s32(vdup_laneq_s32(vreinterpretq_s32_s8(x), q))

/* Lanes 0 and 1 of each half are for one output, 2 and 3 for the next. */
FP_INLINE int32x4x2_t fp_start_neon(const int32_t *bias) { return vzipq_s32(vld1q_s32(bias), vdupq_n_s32(0)); }

FP_INLINE int32x4x2_t fp_multiply_neon(int32x4x2_t c, int8x8_t a0, int8x8_t a1, int8x8_t a2, int8x8_t a3,
                                       const int8_t *w, int64_t apart) {
    const int8x16_t w0 = vld1q_s8(w), w1 = vld1q_s8(w + apart), w2 = vld1q_s8(w + 2 * apart);
    const int8x16_t w3 = vld1q_s8(w + 3 * apart);
    int16x8_t low = vmull_s8(a0, vget_low_s8(w0)), high = vmull_s8(a0, vget_high_s8(w0));
    low = vmlal_s8(low, a1, vget_low_s8(w1)), high = vmlal_s8(high, a1, vget_high_s8(w1));
    low = vmlal_s8(low, a2, vget_low_s8(w2)), high = vmlal_s8(high, a2, vget_high_s8(w2));
    low = vmlal_s8(low, a3, vget_low_s8(w3)), high = vmlal_s8(high, a3, vget_high_s8(w3));
    c.val[0] = vpadalq_s16(c.val[0], low);
    c.val[1] = vpadalq_s16(c.val[1], high);
    return c;
}

#define FP_FORM neon
#define FP_TITLE "neon"
#define FP_TARGET
#define FP_V int32x4x2_t
#define FP_ROWS_2 4
#define FP_ROWS_3 3
#define FP_ROWS_4 2
#define FP_START(p) fp_start_neon(p)
#define FP_INPUT(i, p)                                                                                       \
    const int8x16_t x = vreinterpretq_s8_u8(vld1q_u8(p));                                                    \
    const int8x8_t a0 = FP_QUAD(x, 0), a1 = FP_QUAD(x, 1), a2 = FP_QUAD(x, 2), a3 = FP_QUAD(x, 3);
#define FP_MULTIPLY(i, v, nv, p) c##i##_##v = fp_multiply_neon(c##i##_##v, a0, a1, a2, a3, p + 64 * v, 64 * nv);
#define FP_SUM(c) vpaddq_s32(c.val[0], c.val[1])
#include "fastparse/encoder/kernels/neon_tile.h"

#define FP_FORM neondot
#define FP_TITLE "neondot"
#if defined(__clang__)
#define FP_TARGET __attribute__((target("dotprod")))
#else
#define FP_TARGET __attribute__((target("arch=armv8.2-a+dotprod")))
#endif
#define FP_V int32x4_t
#define FP_ROWS_2 8
#define FP_ROWS_3 6
#define FP_ROWS_4 4
#define FP_START(p) vld1q_s32(p)
#define FP_INPUT(i, p) const int8x16_t x = vreinterpretq_s8_u8(vld1q_u8(p));
#define FP_MULTIPLY(i, v, nv, p)                                                     \
    c##i##_##v = vdotq_laneq_s32(c##i##_##v, vld1q_s8(p + 64 * v), x, 0);            \
    c##i##_##v = vdotq_laneq_s32(c##i##_##v, vld1q_s8(p + 64 * (nv + v)), x, 1);     \
    c##i##_##v = vdotq_laneq_s32(c##i##_##v, vld1q_s8(p + 64 * (2 * nv + v)), x, 2); \
    c##i##_##v = vdotq_laneq_s32(c##i##_##v, vld1q_s8(p + 64 * (3 * nv + v)), x, 3);
#define FP_SUM(c) (c)
#define fp_hidden_neondot fp_hidden_neon
#define fp_dot_neondot fp_dot_neon
#define fp_add_neondot fp_add_neon
#define fp_row_sums_neondot fp_row_sums_neon
#include "fastparse/encoder/kernels/neon_tile.h"
#endif
