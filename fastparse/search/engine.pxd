"""Loops over the sentences of a treebank, where what they find goes, and what one thread needs for them."""

from libc.stdint cimport int32_t, int64_t

from fastparse.corpus.strings.vectors cimport Vector
from fastparse.encoder.encoder cimport Encoder
from fastparse.features.attributes cimport Values
from fastparse.features.plan cimport Plan, SentenceRows
from fastparse.machine.state cimport Arena
from fastparse.machine.system cimport System
from fastparse.search.beam cimport Beam, Parsed
from fastparse.search.scorer cimport Scorer, Scratch

cdef struct Request:
    # How to parse.
    int beam                    # 1: greedy
    int32_t threshold           # states that score less than the best of a beam by more than this leave it; 0: none
    bint sharing                # whether beam search keeps partial sums; the result is the same
    int32_t room                # if above 0, of the arena before it is compacted; the result is the same

cdef class Outcome:
    cdef object owner           # whose memory `begins` is
    cdef Vector heads_, labels_, transitions_, nanoseconds_, by_move_, logs_, steps_    # of all parts
    cdef int64_t first_word, first_sentence     # of the part in that memory
    cdef readonly object tree_heads, tree_labels, tree_scores
    cdef readonly int64_t n_words
    cdef readonly Py_ssize_t n  # sentences
    cdef Py_ssize_t n_moves     # columns of by_move
    cdef of_words(self, Vector items)
    cdef of_sentences(self, Vector items)
    cdef const int64_t* begins  # [n + 1]
    cdef int64_t* times         # [n] or NULL
    cdef Parsed first           # where the first sentence goes

# Where sentence i goes.
cdef void place(Outcome out, Py_ssize_t i, Parsed* parsed) noexcept nogil

cdef struct Worker:
    # Greedy search or a beam, in one thread.
    const Scorer* scorer
    Scratch scratch
    Beam beam                   # of size 1 for greedy search
    Arena arena
    Arena replay

cdef class Seat:
    cdef Worker worker
    cdef object words           # an encoder's Scratch
    cdef int32_t key            # of the beam, and whether sums are shared

cdef class Loop:
    cdef dict idle              # lists of Seat by key: the memory of calls, which the next ones take again
    cdef Seat take(self, const Scorer* scorer, const Request* request, bint sharing)
    cdef void give_back(self, Seat seat)
    cdef int64_t run(self, values, Outcome out, Py_ssize_t first, Py_ssize_t last, const Request* request) except -1

# Raises an error if moves are counted, but not so many kinds of them.
cdef int require_moves(Outcome out, Py_ssize_t n_moves) except -1
# Parses one sentence of a word or more with the worker's memory; -1 when memory is short.
ctypedef int (*ParseOne)(void* worker, const SentenceRows* s, Parsed* parsed) noexcept nogil
# Sentences first..last-1, without the GIL.
cdef int parse_each(Values values, Outcome out, Py_ssize_t first, Py_ssize_t last, ParseOne parse,
                    void* worker) except -1
# See ParseOne; of a Worker.
cdef int parse_sentence(void* worker, const SentenceRows* s, Parsed* parsed) noexcept nogil

cdef class Engine(Loop):
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

cdef class GraphEngine(Engine):
    pass

cdef class EncoderEngine(Loop):
    cdef Scorer scorer
    cdef readonly System system
    cdef readonly Encoder encoder
    cdef readonly object root_label     # uint8 per label
    cdef readonly object inner_label
