"""A weight that is learnt, and its average over all steps.

Nothing is done at the steps in between: beside a weight stands its *drift*, the sum of all changes, each times the
number of the step it was made at.
"""

from libc.stdint cimport int32_t, int64_t


cdef inline void change(int32_t* weight, int64_t* drift, int32_t by, int64_t step) noexcept nogil:
    """Change a weight at a step."""
    weight[0] += by
    drift[0] += by * step


cdef inline double average(int32_t weight, int64_t drift, int64_t steps) noexcept nogil:
    """The mean of a weight over all steps; at least one."""
    return weight - drift / <double>steps
