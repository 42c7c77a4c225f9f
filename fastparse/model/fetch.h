/* Ask for the memory behind a pointer before it is looked at. */
#ifndef FASTPARSE_FETCH_H
#define FASTPARSE_FETCH_H
#if defined(__GNUC__) || defined(__clang__)
#define FP_FETCH(p) __builtin_prefetch(p)
#else
#define FP_FETCH(p) ((void)(p))
#endif
#endif
