"""Choosing a script for a form by the sum of weights, and by whether its lemma is known."""

from libc.stdint cimport int16_t, int32_t, uint16_t, uint64_t

from fastparse.corpus.strings.index cimport Index

cdef class Scripts:
    """All scripts, by id."""

    cdef readonly list all      # of Script
    cdef readonly int32_t n
    cdef list before            # str per script
    cdef list after
    cdef int32_t[::1] cases
    cdef int32_t[::1] strips    # two per script: characters to strip before, after

    cdef str lemma(self, int32_t script, str form, str lowered)


cdef class Sums:
    """The scores of the scripts that any key of a form speaks for."""

    cdef int32_t* scores        # [n]  owned; UNTOUCHED for all others
    cdef int32_t* touched       # [n]  owned; those scripts
    cdef int32_t n_touched
    cdef int32_t n

    cdef void add(self, int32_t script, int32_t weight) noexcept nogil
    cdef void add_row(self, const uint16_t* scripts, const int16_t* weights, int32_t size) noexcept nogil
    cdef void clear(self) noexcept nogil
    cdef int best(self, int32_t* chosen) noexcept nogil


cdef struct Choice:
    int32_t script              # -1: no script fits
    int32_t known               # whether its lemma is known


cdef str choose(
    Sums sums, Scripts scripts, str form, str lowered, uint64_t upos, Index known, int32_t bonus, uint64_t own,
    Choice* choice
)
