"""Labels of a row of scores, as score_labels leaves them."""

from libc.stdint cimport int32_t

from fastparse.machine.state cimport NONE
from fastparse.search.scorer cimport LabelRow, scores_in


cdef inline int32_t best_other(const LabelRow* row, int32_t n_labels, int32_t label) noexcept nogil:
    """The best label other than `label`; NONE if there is none."""
    cdef const int32_t* scores = scores_in(row)
    cdef int32_t l, found = NONE
    if row.best != label:
        return row.best
    for l in range(n_labels):
        if l != label and (found < 0 or scores[l] > scores[found]):
            found = l
    return found
