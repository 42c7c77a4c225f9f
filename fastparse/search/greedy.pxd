from libc.stdint cimport int32_t, int64_t, uint32_t

from fastparse.features.plan cimport Sentence
from fastparse.machine.state cimport Arena, State
from fastparse.search.scorer cimport Scorer, Scratch

# The best legal move of a state and its label; NONE in a dead end. Ties go to the lower move, then the lower label.
cdef int32_t choose(const Scorer* scorer, Scratch* w, const Arena* a, const State* c, const Sentence* s,
                    int32_t* label) noexcept nogil
# Parses one sentence; heads and labels of words 1..n. -1 when memory is short.
cdef int parse_greedy(const Scorer* scorer, Scratch* w, Arena* a, const Sentence* s,
                      int32_t* heads, int32_t* labels, int32_t* transitions) noexcept nogil
# Gives headless words their heads (see completion in docs/architecture.md) and reads the tree off an exclusive arena.
cdef void complete(const Scorer* scorer, Scratch* w, Arena* a, const State* c, const Sentence* s,
                   int32_t* heads, int32_t* labels) noexcept nogil
cdef uint32_t legal_moves(const Scorer* scorer, const Arena* a, const State* c) noexcept nogil
