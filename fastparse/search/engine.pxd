"""A system with its plans and weights, and what one thread needs to parse with them."""

from libc.stdint cimport int32_t

from fastparse.features.attributes cimport Values
from fastparse.features.plan cimport Plan, SentenceRows
from fastparse.machine.state cimport Arena
from fastparse.machine.system cimport System
from fastparse.weights.table cimport Table
from fastparse.search.beam cimport Beam
from fastparse.search.rules cimport Parsed
from fastparse.search.scorer cimport Scorer, Scratch

cdef struct Worker:
    # Greedy search or a beam, in one thread.
    const Scorer* scorer
    Scratch scratch
    Beam beam                   # of size 1 for greedy search
    Arena arena
    Arena replay

# `room`, if above 0, is that of the arena before it is compacted.
cdef int worker_open(Worker* worker, const Scorer* scorer, int beam, int32_t threshold, bint sharing,
                     int32_t room) except -1
cdef void worker_close(Worker* worker) noexcept nogil
# See ParseOne.
cdef int parse_sentence(void* worker, const SentenceRows* s, Parsed* parsed) noexcept nogil

# What search asks of a CompiledTable or a LearningTable. It stays true while the table grows.
cdef Table table_of(table)

cdef class Engine:
    cdef Scorer scorer
    cdef readonly System system
    cdef readonly Plan moves
    cdef readonly Plan moves_flat
    cdef readonly Plan labels
    cdef readonly Plan labels_flat
    cdef readonly object move_table
    cdef readonly object label_table
    cdef readonly object root_label      # uint8 per label
    cdef readonly object inner_label
