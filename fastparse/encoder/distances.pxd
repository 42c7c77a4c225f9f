"""How far two words lie apart, as an encoder learns and as search asks it."""

from libc.stdint cimport int32_t

cdef inline int32_t bucket(int32_t d) noexcept nogil:
    """Of a distance: 0 is kept for a missing word; 1, 2, 3, 4, 5-6, 7-10, 11-20, more are 1..8, to the left 9..16."""
    cdef int32_t far = d if d >= 0 else -d, b
    b = far if far <= 4 else (5 if far <= 6 else (6 if far <= 10 else (7 if far <= 20 else 8)))
    return b if d >= 0 else b + 8
