from libc.stdint cimport int32_t

from fastparse.features.plan cimport SentenceRows
from fastparse.machine.state cimport Arena, State
from fastparse.search.rules cimport Parsed
from fastparse.search.scorer cimport Scorer, Scratch

# The best legal move of a state and its label; NONE in a dead end. Ties go to the lower move, then the lower label.
cdef int32_t choose(const Scorer* scorer, Scratch* w, const Arena* a, const State* c, const SentenceRows* s,
                    int32_t* label) noexcept nogil
# Parses one sentence; -1 when memory is short.
cdef int parse_greedy(const Scorer* scorer, Scratch* w, Arena* a, const SentenceRows* s, Parsed* parsed) noexcept nogil
