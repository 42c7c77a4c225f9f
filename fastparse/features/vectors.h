/* Which vector instructions tables, templates and selection use: the best of the machine, or as the variable
 * FASTPARSE_KERNEL says, by the names that encoders give to theirs. Results are the same. */
#ifndef FASTPARSE_VECTORS_H
#define FASTPARSE_VECTORS_H

#include "fastparse/features/compiler.h"

enum { FP_NO_VECTORS, FP_WITH_AVX2, FP_WITH_AVX512 };

#if FP_VECTORS && defined(__x86_64__)
#include <stdlib.h>
#include <string.h>

static int fp_machine_level(void) {
    const char *wanted = getenv("FASTPARSE_KERNEL");
    __builtin_cpu_init();
    if (!(__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
          __builtin_cpu_supports("popcnt")))
        return FP_NO_VECTORS;
    if (wanted && (strcmp(wanted, "plain") == 0 || strcmp(wanted, "ssse3") == 0)) return FP_NO_VECTORS;
    if (wanted && strcmp(wanted, "avx2") == 0) return FP_WITH_AVX2;
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512dq"))
        return FP_WITH_AVX512;
    return FP_WITH_AVX2;
}

/* Asks once: what the variable says later does not count. */
static inline int fp_level(void) {
    static int asked = -1;
    int level = __atomic_load_n(&asked, __ATOMIC_RELAXED);
    if (FP_RARELY(level < 0)) {
        level = fp_machine_level();
        __atomic_store_n(&asked, level, __ATOMIC_RELAXED);
    }
    return level;
}
#else
static inline int fp_level(void) { return FP_NO_VECTORS; }
#endif
#endif
