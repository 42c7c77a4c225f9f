"""Labels of a row of scores, as score_labels leaves them."""

from libc.stdint cimport int32_t

from fastparse.machine.state cimport NONE


cdef inline int32_t second(const int32_t* row, int32_t n_labels, int32_t best) noexcept nogil:
    """The best label other than `best`; NONE if there is none."""
    cdef int32_t l, found = NONE
    for l in range(n_labels):
        if l != best and (found < 0 or row[16 + l] > row[16 + found]):
            found = l
    return found
