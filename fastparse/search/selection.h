/* The best of some numbers that are all different. */
#ifndef FASTPARSE_SEARCH_SELECTION_H
#define FASTPARSE_SEARCH_SELECTION_H

#include <stdint.h>
#include "fastparse/features/vectors.h"

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
