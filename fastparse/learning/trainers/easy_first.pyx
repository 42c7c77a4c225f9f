"""Learning the scores of easy-first: a right move must beat every wrong one, in the whole list.

A move is right if it draws a gold arc whose dependent has all its own dependents (Goldberg and Elhadad, 2010). When a
wrong one is ahead, the weights move from it to the best right one, which is then made.
"""

import numpy as np

from libc.stdint cimport int32_t, int64_t, uint32_t
from libc.stdlib cimport free

from fastparse.features.attributes cimport Values, sentence_of
from fastparse.features.plan cimport D, H, N_POSITIONS, SentenceRows
from fastparse.machine.arena cimport arena_close, arena_open, arena_start, state_start
from fastparse.machine.state cimport Arena, Cell, State
from fastparse.weights.learning cimport LearningTable
from fastparse.search.easy_first cimport (
    BEFORE, BEHIND, OUT, first_touched, legal_at, locate_place, score_place)
from fastparse.search.engine cimport Engine
from fastparse.search.scorer cimport (
    LabelRow, Scorer, Scratch, score_labels, scores_in, scratch_close, scratch_open)
from fastparse.learning.trainers.features cimport reward
from fastparse.learning.trainers.labels cimport best_other
from fastparse.learning.trainers.room cimport make_room
from fastparse.transition_systems.easy_first cimport ATTACH_LEFT, ATTACH_RIGHT, pending_attach, pending_start

cdef struct Choice:
    int32_t score               # OUT: there is none
    int32_t left
    int32_t move
    int32_t label

cdef struct Place:
    Choice right
    Choice wrong
    int32_t awaited             # dependents the word has not got yet


cdef class EasyFirstTrainer:
    """Learns the weights of an engine whose tables are LearningTables."""
    cdef Engine engine
    cdef LearningTable move_table, label_table
    cdef Values values
    cdef const int64_t[::1] offsets
    cdef Scratch w
    cdef Arena arena
    cdef Place* places          # [room]  of words 0..n
    cdef int32_t room
    cdef public int64_t clock
    cdef public int64_t n_updates
    cdef public int64_t n_steps

    def __init__(self, Engine engine, Values values, offsets):
        self.engine = engine
        self.move_table, self.label_table = engine.move_table, engine.label_table
        self.values = values
        self.offsets = np.ascontiguousarray(offsets, dtype=np.int64)
        self.clock = 1
        scratch_open(&self.w, &engine.scorer, True)     # most pairs look as they did
        arena_open(&self.arena)

    def __dealloc__(self):
        arena_close(&self.arena)
        scratch_close(&self.w)
        free(self.places)

    def learn(self, const int64_t[::1] order, const int32_t[::1] heads, const int32_t[::1] labels,
              int32_t margin) -> None:
        """One pass over the sentences in order.

        Args:
            heads, labels: the gold trees, projective.
            margin: by how much the best right move must win.
        """
        cdef Py_ssize_t k
        cdef int64_t i
        cdef SentenceRows s
        for k in range(len(order)):
            i = order[k]
            self.clock += 1
            sentence_of(self.values, &self.offsets[0], i, &s)
            self.places = <Place*>make_room(self.places, &self.room, s.n + 1, sizeof(Place))
            self.learn_sentence(&s, &heads[self.offsets[i]], &labels[self.offsets[i]], margin)

    cdef int learn_sentence(self, const SentenceRows* s, const int32_t* heads, const int32_t* labels,
                            int32_t margin) except -1:
        cdef Arena* a = &self.arena
        cdef State c
        cdef int32_t k, cell, left, right, touched
        cdef Choice good, bad
        if arena_start(a, self.engine.scorer.spec, s.n, True) < 0:
            raise MemoryError
        state_start(&c, self.engine.scorer.spec, a)
        pending_start(a, &c)
        self.w.salt += 1
        for k in range(s.n + 1):
            self.places[k].awaited = 0
        for k in range(s.n):
            self.places[heads[k]].awaited += 1
        touched = 0
        self.look_from(s, 0, s.n + 1, heads, labels)
        while a.cells[0].below >= 0:
            good.score = bad.score = OUT
            cell = 0
            while a.cells[cell].below >= 0:
                if self.places[cell].right.score > good.score:
                    good = self.places[cell].right
                if self.places[cell].wrong.score > bad.score:
                    bad = self.places[cell].wrong
                cell = a.cells[cell].below
            if good.score == OUT:
                break
            self.n_steps += 1
            if bad.score != OUT and bad.score + margin >= good.score:
                self.n_updates += 1
                touched = 2 * (self.engine.scorer.moves_flat.n_templates + self.engine.scorer.labels_flat.n_templates)
                self.move_table.grow_for(touched)
                self.label_table.grow_for(touched)
                self.reward_choice(s, &good, 1)
                self.reward_choice(s, &bad, -1)
                self.w.salt += 1        # what is kept of labels is out of date
            left, right = good.left, a.cells[good.left].below
            pending_attach(a, &c, left, good.move == ATTACH_LEFT, good.label)
            cell = left if good.move == ATTACH_LEFT else right
            self.places[cell].awaited -= 1
            if touched:
                self.look_from(s, 0, s.n + 1, heads, labels)
                touched = 0
            else:
                self.look_from(s, first_touched(a, cell), BEFORE + BEHIND + 1, heads, labels)
        return 0

    cdef void look_from(self, const SentenceRows* s, int32_t cell, int32_t n, const int32_t* heads,
                        const int32_t* labels) noexcept nogil:
        """Renews n places from a cell on."""
        while n > 0 and cell >= 0:
            self.look(s, cell, heads, labels)
            cell = self.arena.cells[cell].below
            n -= 1

    cdef void look(self, const SentenceRows* s, int32_t left, const int32_t* heads,
                   const int32_t* labels) noexcept nogil:
        """The best right and the best wrong choice at a place."""
        cdef Scorer* scorer = &self.engine.scorer
        cdef Arena* a = &self.arena
        cdef Place* place = &self.places[left]
        cdef uint32_t mask = legal_at(scorer, a, left)
        cdef int32_t right = a.cells[left].below, move, head, dependent, label, l
        cdef bint is_right
        cdef const LabelRow* row
        cdef const int32_t* scores
        place.right.score = place.wrong.score = OUT
        if right < 0:
            return
        if mask == 0:
            return
        score_place(scorer, &self.w, a, left, s)
        for move in range(ATTACH_LEFT, ATTACH_RIGHT + 1):
            if not mask >> move & 1:
                continue
            head = left if move == ATTACH_LEFT else right
            dependent = right if move == ATTACH_LEFT else left
            row = score_labels(scorer, &self.w, s, &a.cells[head], &a.cells[dependent])
            scores = scores_in(row)
            is_right = heads[dependent - 1] == head and self.places[dependent].awaited == 0
            label = row.best
            if is_right:
                l = labels[dependent - 1]
                place.right = Choice(self.w.sums[move] + scores[l], left, move, l)
                label = best_other(row, scorer.n_labels, l)
            if label >= 0 and self.w.sums[move] + scores[label] > place.wrong.score:
                place.wrong = Choice(self.w.sums[move] + scores[label], left, move, label)

    cdef void reward_choice(self, const SentenceRows* s, const Choice* choice, int32_t delta) noexcept nogil:
        """Adds delta to the weights of a move at its place, and of its label."""
        cdef Scorer* scorer = &self.engine.scorer
        cdef Arena* a = &self.arena
        cdef const Cell* at[N_POSITIONS]
        cdef int32_t right = a.cells[choice.left].below
        locate_place(a, choice.left, at)
        reward(self.move_table, scorer.moves_flat, s, at, self.w.keys, choice.move, delta, self.clock)
        at[H] = &a.cells[choice.left if choice.move == ATTACH_LEFT else right]
        at[D] = &a.cells[right if choice.move == ATTACH_LEFT else choice.left]
        reward(self.label_table, scorer.labels_flat, s, at, self.w.keys, choice.label, delta, self.clock)
