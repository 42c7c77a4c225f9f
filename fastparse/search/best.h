/* The best of some numbers: of rows of sums, of candidates. Loops over whole vectors, for what the machine has. */
#ifndef FASTPARSE_SEARCH_BEST_H
#define FASTPARSE_SEARCH_BEST_H

#include <stdint.h>
#include <string.h>
#include "fastparse/features/compiler.h"

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

/* ── the best of numbers that are all different ── */

#define FP_MOST_RANKED 256  /* numbers whose ranks are counted, by comparing all with all */

/* Keeps the numbers from `least` up, in their order; returns how many these are. */
static inline int32_t fp_within(int64_t *items, int32_t n, int64_t least) {
    int32_t kept = 0;
    for (int32_t i = 0; i < n; i++) {
        items[kept] = items[i];
        kept += items[i] >= least;
    }
    return kept;
}

/* Puts every number at its rank, if that is among the first `size`. */
FP_INLINE void fp_rank_body(const int64_t *items, int32_t n, int32_t size, int64_t *best) {
    for (int32_t i = 0; i < n; i++) {
        const int64_t item = items[i];
        int64_t rank = 0;
        for (int32_t j = 0; j < n; j++) rank += items[j] > item;
        if (rank < size) best[rank] = item;
    }
}

#if FP_VECTORS && defined(__x86_64__)
__attribute__((target("avx2"))) static void fp_rank_avx2(const int64_t *items, int32_t n, int32_t size, int64_t *best) {
    fp_rank_body(items, n, size, best);
}

__attribute__((target("avx512f,avx512dq,avx512vl,prefer-vector-width=512")))
static void fp_rank_avx512(const int64_t *items, int32_t n, int32_t size, int64_t *best) {
    fp_rank_body(items, n, size, best);
}
#endif

static void fp_sink(int64_t *heap, int32_t n, int32_t i, int64_t item) {
    for (int32_t child = 2 * i + 1; child < n; child = 2 * i + 1) {
        child += child + 1 < n && heap[child + 1] < heap[child];
        if (heap[child] >= item) break;
        heap[i] = heap[child];
        i = child;
    }
    heap[i] = item;
}

/* The same with a heap of the best so far, the least of them on top. */
static void fp_sort_best(const int64_t *items, int32_t n, int32_t size, int64_t *best) {
    int32_t kept = n < size ? n : size;
    for (int32_t i = 0; i < kept; i++) best[i] = items[i];
    for (int32_t i = kept / 2 - 1; i >= 0; i--) fp_sink(best, kept, i, best[i]);
    for (int32_t i = kept; i < n; i++)
        if (items[i] > best[0]) fp_sink(best, kept, 0, items[i]);
    while (kept > 1) {
        const int64_t item = best[--kept];
        best[kept] = best[0];
        fp_sink(best, kept, 0, item);
    }
}

/* The `size` largest numbers, or all, in descending order; returns how many these are. */
static inline int32_t fp_best_of(const int64_t *items, int32_t n, int32_t size, int64_t *best) {
    const int32_t kept = n < size ? n : size;
    if (n <= 12) {
        fp_rank_body(items, n, size, best);
        return kept;
    }
#if FP_VECTORS && defined(__x86_64__)
    if (n <= FP_MOST_RANKED && fp_level() == FP_WITH_AVX512) {
        fp_rank_avx512(items, n, size, best);
        return kept;
    }
    if (n <= FP_MOST_RANKED / 2 && fp_level() >= FP_WITH_AVX2) {
        fp_rank_avx2(items, n, size, best);
        return kept;
    }
#endif
    fp_sort_best(items, n, size, best);
    return kept;
}

static void fp_sink_smaller(int64_t *heap, int32_t n, int32_t i, int64_t item) {
    for (int32_t child = 2 * i + 1; child < n; child = 2 * i + 1) {
        child += child + 1 < n && heap[child + 1] > heap[child];
        if (heap[child] <= item) break;
        heap[i] = heap[child];
        i = child;
    }
    heap[i] = item;
}

/* The same of numbers that are at most what the items say: `exactly` tells what one is, and is asked as seldom as may be.
 * If `threshold` is not 0, only those whose part above the lowest `bits` is at most so much below the best one's. */
static inline int32_t fp_best_of_bounds(int64_t *items, int32_t n, int32_t size, int64_t threshold, int32_t bits,
                                        int64_t (*exactly)(void *, int64_t), void *of, int64_t *best) {
    int32_t kept = 0;
    for (int32_t i = n / 2 - 1; i >= 0; i--) fp_sink_smaller(items, n, i, items[i]);
    while (n && !(kept == size && items[0] < best[kept - 1]) &&
           !(kept && threshold && (items[0] >> bits) < (best[0] >> bits) - threshold)) {
        const int64_t item = exactly(of, items[0]);
        n--;
        fp_sink_smaller(items, n, 0, items[n]);
        if (kept == size && item < best[kept - 1]) continue;
        kept += kept < size;
        int32_t place = kept - 1;
        for (; place && best[place - 1] < item; place--) best[place] = best[place - 1];
        best[place] = item;
    }
    while (kept && threshold && (best[kept - 1] >> bits) < (best[0] >> bits) - threshold) kept--;
    return kept;
}
#endif
