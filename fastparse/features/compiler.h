/* What compilers differ in, and what is checked while compiling.
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
#endif
