/* All forms of the byte arithmetic that the compiler knows, which of them this machine can run, and packing. */
#ifndef FASTPARSE_ENCODER_KERNELS_H
#define FASTPARSE_ENCODER_KERNELS_H

#include <stddef.h>
#include <string.h>
#include "fastparse/encoder/kernels/plain.h"

#if (defined(__GNUC__) || defined(__clang__)) && !defined(FASTPARSE_PLAIN)
typedef int32_t fp_quad __attribute__((may_alias, aligned(1)));
#if defined(__x86_64__)
#define FP_X86 1
#include "fastparse/encoder/kernels/ssse3.h"
#include "fastparse/encoder/kernels/avx2.h"
#include "fastparse/encoder/kernels/avx512vnni.h"
#elif defined(__aarch64__)
#define FP_ARM 1
#include "fastparse/encoder/kernels/neon.h"
#endif
#endif

#define FP_MOST_FORMS 4

/* The forms that this machine can run, slowest first; returns their number. */
static int32_t fp_forms(const FpForm **forms) {
    int32_t n = 0;
    forms[n++] = &fp_form_plain;
#ifdef FP_X86
    __builtin_cpu_init();
    if (__builtin_cpu_supports("ssse3")) forms[n++] = &fp_form_ssse3;
    if (__builtin_cpu_supports("avx2")) forms[n++] = &fp_form_avx2;
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vnni"))
        forms[n++] = &fp_form_avx512vnni;
#endif
#ifdef FP_ARM
    forms[n++] = &fp_form_neon;
    if (fp_has_dot_products()) forms[n++] = &fp_form_neondot;
#endif
    return n;
}

/* Bytes of the packed weights of a layer. */
static int64_t fp_packed_size(const FpForm *form, const FpDense *d) {
    return (int64_t)d->panels * d->vectors * FP_LANES * d->taps * d->width * (form->plain ? 2 : 1);
}

/* The output of lane j of vector v of a panel whose vectors 0 and 1, 2 and 3 are narrowed together. */
static int32_t fp_crossed(int32_t v, int32_t j) { return 32 * (v / 2) + 8 * (j / 4) + 4 * (v % 2) + j % 4; }

/* Packs weights [outputs][inputs] and their bias. Output v * step + p * (vectors * 16 if step is 16, else 16) + j is
 * lane j of vector v of panel p; outputs beyond the last one are zeros. Both targets are written whole. */
static void fp_pack(const FpForm *form, const FpDense *d, const int8_t *weights, const int32_t *bias, int32_t outputs,
                    int32_t step, void *packed_weights, int32_t *packed_bias) {
    const int32_t inputs = d->taps * d->width, apart = step == FP_LANES ? d->vectors * FP_LANES : FP_LANES;
    memset(packed_weights, 0, (size_t)fp_packed_size(form, d));
    for (int32_t p = 0; p < d->panels; p++)
        for (int32_t v = 0; v < d->vectors; v++)
            for (int32_t j = 0; j < FP_LANES; j++) {
                const int32_t in_panel = form->crossed && d->vectors == 4 ? fp_crossed(v, j) : v * step + j;
                const int32_t o = p * apart + in_panel;
                const int64_t place = (int64_t)(p * d->vectors + v) * FP_LANES + j;
                int32_t sum = 0;
                packed_bias[place] = 0;
                if (o >= outputs) continue;
                for (int32_t k = 0; k < inputs; k++) {
                    const int8_t w = weights[(int64_t)o * inputs + k];
                    sum += w;
                    if (form->plain)
                        ((int16_t *)packed_weights)[place * inputs + k] = w;
                    else
                        ((int8_t *)packed_weights)[(((int64_t)p * (inputs / 4) + k / 4) * d->vectors + v) * 64 + 4 * j +
                                                   k % 4] = w;
                }
                packed_bias[place] = bias[o] - FP_ZERO_POINT * sum + (d->shift ? 1 << (d->shift - 1) : 0);
            }
}
#endif
