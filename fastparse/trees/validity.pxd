"""Whether heads make a tree: the one test of it."""

from libc.stdint cimport int32_t

cdef enum:
    # What find_defect returns; the names stand in validity.DEFECTS.
    TREE = 0
    HEADLESS = 1            # a head is -1
    OUT_OF_RANGE = 2        # a head lies outside 0..n
    CYCLE = 3               # a word is its own ancestor

# The first defect of heads[0..n-1], the heads of words 1..n, and the word it shows at: O(n). `mark` has room for n + 1
# numbers; `word` is set where there is a defect.
cdef int find_defect(const int32_t* heads, int32_t n, int32_t* mark, int32_t* word) noexcept nogil
