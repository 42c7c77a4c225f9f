"""A clock that only goes forward, read without the GIL."""

from libc.stdint cimport int64_t

cdef extern from * nogil:
    """
    #include <stdint.h>
    #if defined(_WIN32)
    #include <windows.h>
    static int64_t fp_now(void) {
        LARGE_INTEGER t, f;
        QueryPerformanceCounter(&t);
        QueryPerformanceFrequency(&f);
        return (int64_t)((double)t.QuadPart * 1e9 / (double)f.QuadPart);
    }
    #else
    #include <time.h>
    static int64_t fp_now(void) {
        struct timespec t;
        clock_gettime(CLOCK_MONOTONIC, &t);
        return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
    }
    #endif
    """
    # Nanoseconds since some moment.
    int64_t now "fp_now"()
