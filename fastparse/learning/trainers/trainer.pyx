"""The weights of a treebank's derivations, and what changes them."""

import numpy as np

from libc.stdint cimport int32_t, int64_t, uint64_t

from fastparse.features.attributes cimport sentence_of
from fastparse.features.plan cimport D, H, N_POSITIONS, locate
from fastparse.machine.arena cimport arena_close, arena_open, arena_start, state_start
from fastparse.machine.spec cimport Spec
from fastparse.machine.state cimport Cell, NO_LABEL, NONE
from fastparse.search.scorer cimport Scorer, scratch_close, scratch_open
from fastparse.learning.trainers.features cimport count, reward


cdef class Trainer:
    """Has the weights of an engine, whose tables are LearningTables."""

    def __init__(self, Engine engine, Values values, offsets, moves, labels, starts):
        """Args: moves, labels, starts: the oracle's derivations; sentence i has moves[starts[i]:starts[i + 1]]."""
        self.engine = engine
        self.move_table, self.label_table = engine.move_table, engine.label_table
        self.values = values
        self.offsets = np.ascontiguousarray(offsets, dtype=np.int64)
        self.moves = np.ascontiguousarray(moves, dtype=np.uint8)
        # Search gives moves without a label the label 0.
        labels = np.asarray(labels, dtype=np.uint16)
        self.labels = np.ascontiguousarray(np.where(labels == NO_LABEL, 0, labels), dtype=np.uint16)
        self.starts = np.ascontiguousarray(starts, dtype=np.int64)
        self.clock = 1
        scratch_open(&self.w, &engine.scorer, True)
        arena_open(&self.replay)

    def __dealloc__(self):
        arena_close(&self.replay)
        scratch_close(&self.w)

    def count_features(self) -> None:
        """Count how often each feature occurs in the oracle's derivations."""
        cdef const Spec* spec = self.engine.scorer.spec
        cdef const Cell* at[N_POSITIONS]
        cdef SentenceRows s
        cdef State c
        cdef int64_t i, k
        cdef int32_t head = NONE, dependent = NONE
        cdef const Scorer* scorer = &self.engine.scorer
        self.move_table.begin_counting()
        self.label_table.begin_counting()
        for i in range(len(self.starts) - 1):
            if self.starts[i + 1] == self.starts[i]:
                continue
            sentence_of(self.values, &self.offsets[0], i, &s)
            if arena_start(&self.replay, spec, s.n, True) < 0:
                raise MemoryError
            state_start(&c, spec, &self.replay)
            for k in range(self.starts[i], self.starts[i + 1]):
                locate(spec, &self.replay, &c, at)
                count(self.move_table, scorer.moves_flat, &s, at, self.w.keys)
                if spec.labelled >> self.moves[k] & 1:
                    spec.arc(spec, &self.replay, &c, self.moves[k], &head, &dependent)
                    at[H] = &self.replay.cells[head]
                    at[D] = &self.replay.cells[dependent]
                    count(self.label_table, scorer.labels_flat, &s, at, self.w.keys)
                spec.apply(spec, &self.replay, &c, self.moves[k], self.labels[k])

    cdef void reward_move(self, const Arena* a, uint64_t* keys, const SentenceRows* s, const State* c, int32_t move,
                          int32_t delta, int64_t clock) noexcept nogil:
        cdef const Cell* at[N_POSITIONS]
        cdef const Scorer* scorer = &self.engine.scorer
        locate(scorer.spec, a, c, at)
        reward(self.move_table, scorer.moves_flat, s, at, keys, move, delta, clock)

    cdef void reward_label(self, const Arena* a, uint64_t* keys, const SentenceRows* s, int32_t head,
                           int32_t dependent, int32_t label, int32_t delta, int64_t clock) noexcept nogil:
        cdef const Cell* at[N_POSITIONS]
        at[H] = &a.cells[head]
        at[D] = &a.cells[dependent]
        reward(self.label_table, self.engine.scorer.labels_flat, s, at, keys, label, delta, clock)

    cdef void reward_labelled_move(self, const Arena* a, uint64_t* keys, const SentenceRows* s, const State* c,
                                   int32_t move, int32_t label, int32_t delta, int64_t clock) noexcept nogil:
        cdef const Spec* spec = self.engine.scorer.spec
        cdef int32_t head = NONE, dependent = NONE
        self.reward_move(a, keys, s, c, move, delta, clock)
        if spec.labelled >> move & 1:
            spec.arc(spec, a, c, move, &head, &dependent)
            self.reward_label(a, keys, s, head, dependent, label, delta, clock)
