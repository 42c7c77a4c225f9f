"""The loop of every decoder over the sentences of a treebank, without the GIL."""

from libc.stdint cimport int32_t, int64_t

from fastparse.features.attributes cimport Values
from fastparse.features.plan cimport SentenceRows
from fastparse.search.rules cimport Parsed

# Parses one sentence of a word or more with the worker's memory; -1 when memory is short.
ctypedef int (*ParseOne)(void* worker, const SentenceRows* s, Parsed* parsed) noexcept nogil

# Sentences first..last-1. All arrays are indexed as the offsets are; nanoseconds and by_move may be None, and by_move
# has a column for each of n_moves moves.
cdef int parse_each(Values values, const int64_t[::1] offsets, Py_ssize_t first, Py_ssize_t last, int32_t[::1] heads,
                    int32_t[::1] labels, int32_t[::1] transitions, int64_t[::1] nanoseconds, int32_t[:, ::1] by_move,
                    int n_moves, ParseOne parse, void* worker, int32_t[:, ::1] steps=*) except -1
# Sets steps and room of what is to be parsed; None for none.
cdef int note_steps(Parsed* parsed, int32_t[:, ::1] steps) except -1
