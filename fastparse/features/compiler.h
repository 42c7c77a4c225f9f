/* What compilers and machines differ in, what is checked while compiling, and the bounds of templates.
 *
 * FASTPARSE_PORTABLE leaves out vector instructions: what other compilers and processors get.
 */
#ifndef FASTPARSE_COMPILER_H
#define FASTPARSE_COMPILER_H

#if defined(__GNUC__) || defined(__clang__)
#define FP_FETCH(p) __builtin_prefetch(p)   /* ask for the memory behind a pointer before it is looked at */
#define FP_RARELY(x) __builtin_expect(!!(x), 0)
/* What only inlines into its callers, so that it is compiled for their instructions. */
#define FP_INLINE static inline __attribute__((always_inline))
#else
#define FP_FETCH(p) ((void)(p))
#define FP_RARELY(x) (x)
#define FP_INLINE static inline
#endif

#if (defined(__GNUC__) || defined(__clang__)) && !defined(FASTPARSE_PORTABLE)
#define FP_VECTORS 1
#else
#define FP_VECTORS 0
#endif

/* A statement that does not compile unless a constant holds: for bounds that Cython states. */
#define FP_MUST_HOLD(constant) do { _Static_assert(constant, #constant); } while (0)

/* ── bounds of templates that memory depends on, in C and in Cython (plan.pxd) ── */

#define FP_MAX_KEYS 512     /* templates of a group, hence keys that are looked up at once */
#define FP_MAX_ATOMS 256    /* different values that the templates of a group read */
#define FP_MAX_PARTS 6      /* values that a template reads */

/* ── which vector instructions tables, templates and selection use ──
 *
 * The best of the machine, or as the variable FASTPARSE_KERNEL says, by the names that encoders give to theirs. Results
 * are the same. */

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
