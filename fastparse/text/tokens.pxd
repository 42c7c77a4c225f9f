"""From the characters of a unit to its tokens."""

from fastparse.text.model cimport Model
from fastparse.text.unit cimport Unit

cdef void split_tokens(const Model* m, Unit* u) noexcept nogil
cdef void split_at_spaces(const Model* m, Unit* u) noexcept nogil
