/* A step of Adam with decoupled decay, in blocks: compilers make vectors of all loops but that of the roots, since
 * sqrtf sets errno. Every operation is rounded by itself, so that vectors of any width give the same bytes. */
#ifndef FASTPARSE_NETWORKS_ADAM_H
#define FASTPARSE_NETWORKS_ADAM_H

#include <math.h>
#include <stddef.h>
#if defined(__SSE2__) || defined(_M_X64)
#include <emmintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

#define FP_ADAM_BLOCK 1024

typedef struct {
    float factor;               /* of the gradient */
    float keep_first;           /* share of the running means that a step leaves */
    float keep_second;
    float size;                 /* of the step */
    float spread;               /* makes up for the first steps of the second running mean */
    float shrink;               /* what decay leaves of a number */
} FpAdam;

static inline void fp_square_roots(float *x, ptrdiff_t n)
{
    ptrdiff_t i = 0;
#if defined(__SSE2__) || defined(_M_X64)
    for (; i + 4 <= n; i += 4)
        _mm_storeu_ps(x + i, _mm_sqrt_ps(_mm_loadu_ps(x + i)));
#elif defined(__aarch64__)
    for (; i + 4 <= n; i += 4)
        vst1q_f32(x + i, vsqrtq_f32(vld1q_f32(x + i)));
#endif
    for (; i < n; i++)
        x[i] = sqrtf(x[i]);
}

static inline void fp_adam_block(const FpAdam *a, ptrdiff_t n, float *x, const float *gradient, float *first,
                                 float *second)
{
    const float b1 = a->keep_first, b2 = a->keep_second, f = a->factor;
    const float size = a->size, spread = a->spread, shrink = a->shrink;
    float root[FP_ADAM_BLOCK];
    for (ptrdiff_t i = 0; i < n; i++) {
        const float g = gradient[i] * f;
        first[i] = b1 * first[i] + (1 - b1) * g;
        second[i] = b2 * second[i] + (1 - b2) * g * g;
        root[i] = second[i] * spread;
    }
    fp_square_roots(root, n);
    for (ptrdiff_t i = 0; i < n; i++)
        x[i] = x[i] * shrink - size * first[i] / (root[i] + 1e-8f);
}

static inline void fp_adam(const FpAdam *a, ptrdiff_t n, float *x, const float *gradient, float *first, float *second)
{
    for (ptrdiff_t at = 0; at < n; at += FP_ADAM_BLOCK)
        fp_adam_block(a, n - at < FP_ADAM_BLOCK ? n - at : FP_ADAM_BLOCK, x + at, gradient + at, first + at,
                      second + at);
}

#endif
