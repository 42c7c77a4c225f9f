/* The functions of a NEON form: what the two forms have alike, beside the products that the including file defines. */
#define FP_WIDE 4
#define FP_QUADS 4
#define FP_WEIGHTS_2(p)
#define FP_WEIGHTS_3(p)
#define FP_WEIGHTS_4(p)
#define FP_MAX(a, b) vmaxq_s32(a, b)
#define FP_PUT_HALF(p, h) vst1_s16(p, h)
#define FP_PUT(p, a) vst1q_s32(p, a)
#define FP_NARROW(a, shift, limit) fp_narrow_neon(a, shift, limit)
#define FP_F float32x4_t
#define FP_FLOATS(p) vcvtq_f32_s32(vmovl_s16(vld1_s16(p)))
#define FP_SET_F(x) vdupq_n_f32(x)
#define FP_LOAD_F(p) vld1q_f32(p)
#define FP_STORE_F(p, x) vst1q_f32(p, x)
#define FP_ADD_F(a, b) vaddq_f32(a, b)
#define FP_SUB_F(a, b) vsubq_f32(a, b)
#define FP_MUL_F(a, b) vmulq_f32(a, b)
#define FP_PUT_BYTES(p, x) fp_put_bytes_neon(p, x)
#include "fastparse/encoder/kernels/tile.h"
