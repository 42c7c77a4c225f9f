"""Configurations as Python objects, one arena each, in the exclusive regime."""

from fastparse.machine.state cimport Arena, State, int32_t, uint16_t, uint32_t
from fastparse.machine.system cimport System

cdef class CellConfiguration:
    cdef readonly System system
    cdef Arena arena
    cdef State state
    cdef dict label_ids                  # label -> id
    cdef list label_names                # id -> label
    cdef list made                       # the moves that were applied, as apply takes them

    cdef uint32_t mask(self) noexcept
    cdef int32_t label_id(self, str label) except -1
    cdef int make(self, int32_t move, int32_t label) except -1
    cdef int refuse_again(self, int32_t number, str move, str label) except -1
    cdef int take(self, CellConfiguration other) except -1
    cdef list chain(self, int32_t cell)
    cdef list stack_words(self, int32_t k)
