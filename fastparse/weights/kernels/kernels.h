/* Sums of rows of compiled weights: the innermost loops of parsing, in the forms that the compiler knows.
 *
 * The sums of all forms are the same. A form adds the rows of the keys of one look (`add`), or sets a row of sums for
 * each of many looks (`add_jobs`), whose slots are all asked for before the first of them is read.
 */
#ifndef FASTPARSE_MODEL_KERNELS_H
#define FASTPARSE_MODEL_KERNELS_H

#include "fastparse/features/compiler.h"
#include "fastparse/weights/kernels/plain.h"
#if FP_VECTORS && defined(__x86_64__)
#define FP_LEVELS 3
#include "fastparse/weights/kernels/avx2.h"
#include "fastparse/weights/kernels/avx512.h"
#else
#define FP_LEVELS 1
#endif

#define FP_AT_ONCE 384      /* keys of several looks whose slots are asked for together */
#define FP_ROOM (FP_AT_ONCE + FP_MAX_KEYS + 16)

typedef void (*FpAdd)(const void *table, const uint64_t *keys, int32_t n, int32_t *out);
typedef void (*FpAddJobs)(const void *table, const uint64_t *keys, const int32_t *ends, int32_t n_jobs, int32_t *out,
                          int32_t stride);

typedef struct {
    FpAdd add;
    FpAddJobs add_jobs;
} FpSums;

/* The jobs from `first` on whose slots are asked for together; `base` is where the keys of the first of them begin. */
FP_INLINE int32_t fp_together(const int32_t *ends, int32_t first, int32_t base, int32_t n_jobs) {
    int32_t last = first + 1;
    while (last < n_jobs && ends[last] - base <= FP_AT_ONCE) last++;
    return last;
}

#define FP_SUMMING(name, target, form, summing, sums)                                                                 \
    target static void name##_add(const void *table, const uint64_t *keys, int32_t n, int32_t *out) {                 \
        const FpCompiled *const t = (const FpCompiled *)table;                                                        \
        uint32_t places[FP_ROOM];                                                                                     \
        form##_places(t, keys, n, places);                                                                            \
        summing(t, keys, places, n, out);                                                                             \
    }                                                                                                                 \
    target static void name##_add_jobs(const void *table, const uint64_t *keys, const int32_t *ends, int32_t n_jobs,  \
                                       int32_t *out, int32_t stride) {                                                \
        const FpCompiled *const t = (const FpCompiled *)table;                                                        \
        uint32_t places[FP_ROOM];                                                                                     \
        for (int32_t first = 0, base = 0, last; first < n_jobs; base = ends[last - 1], first = last) {                \
            last = fp_together(ends, first, base, n_jobs);                                                            \
            form##_places(t, keys + base, ends[last - 1] - base, places);                                             \
            for (int32_t job = first, at = base; job < last; at = ends[job++]) {                                      \
                int32_t *const row = out + (int64_t)job * stride;                                                     \
                memset(row, 0, (sums) * sizeof(int32_t));                                                             \
                summing(t, keys + at, places + (at - base), ends[job] - at, row);                                     \
            }                                                                                                         \
        }                                                                                                             \
    }

/* `target`: what functions of the form are compiled for. */
#define FP_FORM(form, target)                                                                                         \
    target static inline void form##_moves12(const FpCompiled *t, const uint64_t *keys, const uint32_t *places,       \
                                             int32_t n, int32_t *out) {                                               \
        form##_moves(t, keys, places, n, 16, out);                                                                    \
    }                                                                                                                 \
    target static inline void form##_moves28(const FpCompiled *t, const uint64_t *keys, const uint32_t *places,       \
                                             int32_t n, int32_t *out) {                                               \
        form##_moves(t, keys, places, n, 32, out);                                                                    \
    }                                                                                                                 \
    FP_SUMMING(form##_with4, target, form, form##_moves4, 4)                                                          \
    FP_SUMMING(form##_with12, target, form, form##_moves12, 12)                                                       \
    FP_SUMMING(form##_with28, target, form, form##_moves28, 28)                                                       \
    target static void form##_labels_add(const void *table, const uint64_t *keys, int32_t n, int32_t *out) {          \
        const FpCompiled *const t = (const FpCompiled *)table;                                                        \
        uint32_t places[FP_ROOM];                                                                                     \
        uint64_t found[FP_ROOM];                                                                                      \
        form##_places(t, keys, n, places);                                                                            \
        n = form##_found(t, keys, places, n, found);                                                                  \
        fp_fetch_rows(t, found, n);                                                                                   \
        fp_add_found(t, found, n, out, form##_dense);                                                                 \
    }                                                                                                                 \
    target static void form##_labels_add_jobs(const void *table, const uint64_t *keys, const int32_t *ends,           \
                                              int32_t n_jobs, int32_t *out, int32_t stride) {                         \
        const FpCompiled *const t = (const FpCompiled *)table;                                                        \
        const size_t bytes = (size_t)fp_sums(0, t->width) * sizeof(int32_t);                                          \
        uint32_t places[FP_ROOM];                                                                                     \
        uint64_t found[FP_ROOM];                                                                                      \
        int32_t found_ends[FP_ROOM];                                                                                  \
        for (int32_t first = 0, base = 0, last; first < n_jobs; base = ends[last - 1], first = last) {                \
            int32_t n_found = 0;                                                                                      \
            last = fp_together(ends, first, base, n_jobs);                                                            \
            last = last - first < FP_AT_ONCE ? last : first + FP_AT_ONCE;                                             \
            form##_places(t, keys + base, ends[last - 1] - base, places);                                             \
            for (int32_t job = first, at = base; job < last; at = ends[job++]) {                                      \
                n_found += form##_found(t, keys + at, places + (at - base), ends[job] - at, found + n_found);         \
                found_ends[job - first] = n_found;                                                                    \
            }                                                                                                         \
            fp_fetch_rows(t, found, n_found);                                                                         \
            for (int32_t job = first, at = 0; job < last; at = found_ends[job++ - first]) {                           \
                int32_t *const row = out + (int64_t)job * stride;                                                     \
                memset(row, 0, bytes);                                                                                \
                fp_add_found(t, found + at, found_ends[job - first] - at, row, form##_dense);                         \
            }                                                                                                         \
        }                                                                                                             \
    }                                                                                                                 \
    static const FpSums form##_forms[4] = {                                                                           \
        {form##_with4_add, form##_with4_add_jobs},                                                                    \
        {form##_with12_add, form##_with12_add_jobs},                                                                  \
        {form##_with28_add, form##_with28_add_jobs},                                                                  \
        {form##_labels_add, form##_labels_add_jobs},                                                                  \
    };

#define FP_ANY_TARGET
FP_FORM(fp_plain, FP_ANY_TARGET)
#if FP_LEVELS == 3
FP_FORM(fp_avx2, FP_AVX2)
FP_FORM(fp_avx512, FP_AVX512)
#endif

/* The form for the slots of a table; `level` must be one that fp_level() allows. */
static inline FpSums fp_choose(int for_moves, int32_t slot_bytes, int level) {
#if FP_LEVELS == 3
    static const FpSums *const all[FP_LEVELS] = {fp_plain_forms, fp_avx2_forms, fp_avx512_forms};
#else
    static const FpSums *const all[FP_LEVELS] = {fp_plain_forms};
#endif
    return all[level][!for_moves ? 3 : slot_bytes == 8 ? 0 : slot_bytes == 16 ? 1 : 2];
}
#endif
