/* Adding up rows of sums, and the best of them: loops over whole vectors, for what the machine has. */
#ifndef FASTPARSE_SEARCH_BEST_H
#define FASTPARSE_SEARCH_BEST_H

#include <stdint.h>
#include <string.h>
#include "fastparse/features/vectors.h"

#define FP_BEST_LANES 16

/* Sets `width` sums, a multiple of 4, to those of all rows. */
static inline void fp_add_rows(const int32_t *const *rows, int32_t n, int32_t width, int32_t *out) {
    memset(out, 0, (size_t)width * sizeof(int32_t));
    for (int32_t i = 0; i < n; i++)
        for (int32_t k = 0; k < width; k += 4)
            for (int32_t j = k; j < k + 4; j++) out[j] += rows[i][j];
}

#if FP_VECTORS
typedef int32_t fp_scores __attribute__((vector_size(4 * FP_BEST_LANES), aligned(4)));

FP_INLINE int32_t fp_best_body(const int32_t *const *rows, int32_t n, const int32_t *first, int32_t width) {
    fp_scores best, at = {0};
    int32_t lane = 0;
    for (int32_t k = 0; k < width; k += FP_BEST_LANES) {
        fp_scores sum = *(const fp_scores *)(first + k);
        for (int32_t i = 0; i < n; i++) sum += *(const fp_scores *)(rows[i] + k);
        if (k == 0) {
            best = sum;
        } else {
            const fp_scores more = sum > best;
            best = (sum & more) | (best & ~more);
            at = ((at * 0 + k) & more) | (at & ~more);
        }
    }
    for (int32_t j = 1; j < FP_BEST_LANES; j++)
        if (best[j] > best[lane] || (best[j] == best[lane] && at[j] + j < at[lane] + lane)) lane = j;
    return at[lane] + lane;
}
#else
FP_INLINE int32_t fp_best_body(const int32_t *const *rows, int32_t n, const int32_t *first, int32_t width) {
    int32_t best = 0, top = 0;
    for (int32_t k = 0; k < width; k++) {
        int32_t sum = first[k];
        for (int32_t i = 0; i < n; i++) sum += rows[i][k];
        if (k == 0 || sum > top) best = k, top = sum;
    }
    return best;
}
#endif

#if FP_VECTORS && defined(__x86_64__)
__attribute__((target("avx2"))) static int32_t fp_best_avx2(const int32_t *const *rows, int32_t n, const int32_t *first,
                                                            int32_t width) {
    return fp_best_body(rows, n, first, width);
}

__attribute__((target("avx512f"))) static int32_t fp_best_avx512(const int32_t *const *rows, int32_t n,
                                                                 const int32_t *first, int32_t width) {
    return fp_best_body(rows, n, first, width);
}
#endif

/* The place of the largest of `width` sums of `first` and all rows, the lower one in a tie; `width` is a multiple of
 * FP_BEST_LANES. */
static inline int32_t fp_best(const int32_t *const *rows, int32_t n, const int32_t *first, int32_t width) {
#if FP_VECTORS && defined(__x86_64__)
    if (fp_level() == FP_WITH_AVX512) return fp_best_avx512(rows, n, first, width);
    if (fp_level() == FP_WITH_AVX2) return fp_best_avx2(rows, n, first, width);
#endif
    return fp_best_body(rows, n, first, width);
}
#endif
