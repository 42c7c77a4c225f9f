"""Search with the scores of an encoder, and what one thread needs for it."""

from fastparse.encoder.encoder cimport Encoder
from fastparse.machine.system cimport System
from fastparse.search.scorer cimport Scorer

cdef class EncoderEngine:
    cdef Scorer scorer
    cdef readonly System system
    cdef readonly Encoder encoder
    cdef list idle                  # of Scratch: the memory of batches, which the next ones take again
    cdef readonly object root_label     # uint8 per label
    cdef readonly object inner_label
