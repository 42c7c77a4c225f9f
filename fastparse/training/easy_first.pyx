"""Learning the scores of easy-first: a right move must beat every wrong one, in the whole list.

A move is right if it draws a gold arc whose dependent has all its own dependents (Goldberg and Elhadad, 2010). When a
wrong one is ahead, the weights move from it to the best right one, which is then made.
"""

import numpy as np

from libc.stdint cimport int32_t, int64_t, uint32_t
from libc.stdlib cimport free, realloc

from fastparse.features.attributes cimport Values, sentence_of
from fastparse.features.plan cimport D, H, N_POSITIONS, Sentence, empty_positions, extract
from fastparse.machine.arena cimport arena_close, arena_open, arena_start, state_start
from fastparse.machine.state cimport Arena, Cell, State
from fastparse.model.learning cimport LearningTable
from fastparse.search.easy_first cimport BEFORE, BEHIND, first_touched, legal_at, locate_place, score_place
from fastparse.search.engine cimport Engine
from fastparse.search.scorer cimport Scorer, Scratch, score_labels, scratch_close, scratch_open
from fastparse.training.labels cimport second
from fastparse.transition_systems.projective.easy_first cimport ATTACH_LEFT, ATTACH_RIGHT, pending_attach, pending_start

cdef enum:
    OUT = -0x7FFFFFFF

cdef struct Choice:
    int32_t score               # OUT: there is none
    int32_t left
    int32_t move
    int32_t label

cdef struct Place:
    Choice right
    Choice wrong


cdef class EasyFirstTrainer:
    """Learns the weights of an engine whose tables are LearningTables."""
    cdef Engine engine
    cdef LearningTable move_table, label_table
    cdef Values values
    cdef const int64_t[::1] offsets
    cdef Scratch w
    cdef Arena arena
    cdef Place* places          # [room]
    cdef int32_t* awaited       # [room]  dependents a word has not got yet
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
        scratch_open(&self.w, engine.scorer.spec.n_moves, engine.scorer.n_labels, True)
        arena_open(&self.arena)

    def __dealloc__(self):
        arena_close(&self.arena)
        scratch_close(&self.w)
        free(self.places)
        free(self.awaited)

    def learn(self, const int64_t[::1] order, const int32_t[::1] heads, const int32_t[::1] labels,
              int32_t margin) -> None:
        """One pass over the sentences in order.

        Args:
            heads, labels: the gold trees, projective.
            margin: by how much the best right move must win.
        """
        cdef Py_ssize_t k
        cdef int64_t i
        cdef Sentence s
        self.engine.scorer.sharing = True
        for k in range(len(order)):
            i = order[k]
            self.clock += 1
            sentence_of(self.values, &self.offsets[0], i, &s)
            if s.n + 1 > self.room:
                self.room = 2 * s.n + 64
                self.places = <Place*>realloc(self.places, self.room * sizeof(Place))
                self.awaited = <int32_t*>realloc(self.awaited, self.room * sizeof(int32_t))
                if self.places == NULL or self.awaited == NULL:
                    raise MemoryError
            self.learn_sentence(&s, &heads[self.offsets[i]], &labels[self.offsets[i]], margin)

    cdef int learn_sentence(self, const Sentence* s, const int32_t* heads, const int32_t* labels,
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
            self.awaited[k] = 0
        for k in range(s.n):
            self.awaited[heads[k]] += 1
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
                self.engine.refresh()
                self.reward(s, &good, 1)
                self.reward(s, &bad, -1)
                self.w.salt += 1        # what is kept of labels is out of date
            left, right = good.left, a.cells[good.left].below
            pending_attach(a, &c, left, good.move == ATTACH_LEFT, good.label)
            cell = left if good.move == ATTACH_LEFT else right
            self.awaited[cell] -= 1
            if touched:
                self.look_from(s, 0, s.n + 1, heads, labels)
                touched = 0
            else:
                self.look_from(s, first_touched(a, cell), BEFORE + BEHIND + 1, heads, labels)
        return 0

    cdef void look_from(self, const Sentence* s, int32_t cell, int32_t n, const int32_t* heads,
                        const int32_t* labels) noexcept nogil:
        """Renews n places from a cell on."""
        while n > 0 and cell >= 0:
            self.look(s, cell, heads, labels)
            cell = self.arena.cells[cell].below
            n -= 1

    cdef void look(self, const Sentence* s, int32_t left, const int32_t* heads, const int32_t* labels) noexcept nogil:
        """The best right and the best wrong choice at a place."""
        cdef Scorer* scorer = &self.engine.scorer
        cdef Arena* a = &self.arena
        cdef Place* place = &self.places[left]
        cdef uint32_t mask = legal_at(scorer, a, left)
        cdef int32_t right = a.cells[left].below, move, head, dependent, label, l
        cdef bint is_right
        cdef const int32_t* row
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
            is_right = heads[dependent - 1] == head and self.awaited[dependent] == 0
            label = row[1]
            if is_right:
                l = labels[dependent - 1]
                place.right = Choice(self.w.sums[move] + row[16 + l], left, move, l)
                if label == l:
                    label = second(row, scorer.n_labels, l)
            if label >= 0 and self.w.sums[move] + row[16 + label] > place.wrong.score:
                place.wrong = Choice(self.w.sums[move] + row[16 + label], left, move, label)

    cdef void reward(self, const Sentence* s, const Choice* choice, int32_t delta) noexcept nogil:
        """Adds delta to the weights of a move at its place."""
        cdef Scorer* scorer = &self.engine.scorer
        cdef Arena* a = &self.arena
        cdef const Cell* at[N_POSITIONS]
        cdef int32_t g, n, right = a.cells[choice.left].below
        cdef uint32_t absent
        locate_place(a, choice.left, at)
        absent = empty_positions(at)
        for g in range(scorer.moves_flat.n_groups):
            if not scorer.moves_flat.groups[g].required & absent:
                n = extract(&scorer.moves_flat.groups[g], s, at, self.w.keys)
                self.move_table.update(self.w.keys, n, choice.move, delta, self.clock)
        if scorer.labels_flat.n_groups:
            at[H] = &a.cells[choice.left if choice.move == ATTACH_LEFT else right]
            at[D] = &a.cells[right if choice.move == ATTACH_LEFT else choice.left]
            n = extract(&scorer.labels_flat.groups[0], s, at, self.w.keys)
            self.label_table.update(self.w.keys, n, choice.label, delta, self.clock)
