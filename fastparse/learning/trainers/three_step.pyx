"""Learning what the passes of the three-step system decide: whether a word waits, and whether it has found its head;
where PUT has a label of its own, also which.

Any configuration tells which decisions are right: a word waits if its gold arc is not projective and goes in the
direction of the pass, and its head takes it if it still waits. So learning may follow the parser's own decisions.
"""

import numpy as np

from libc.stdint cimport int32_t, int64_t, uint64_t

from fastparse.features.attributes cimport Values, sentence_of
from fastparse.features.plan cimport N_POSITIONS, PlanC, SentenceRows
from fastparse.machine.state cimport NONE, Cell
from fastparse.weights.learning cimport LearningTable
from fastparse.search.three_step cimport (
    Desk, Pass, PassEngine, answer, desk_close, desk_open, desk_start, next_question, score, waiting_label)
from fastparse.weights.perceptron cimport Chance, chance, happens
from fastparse.learning.trainers.features cimport reward


cdef class PassTrainer:
    """Learns the weights of a pass whose tables are LearningTables."""
    cdef PassEngine engine
    cdef LearningTable put_table, dist_table, label_table
    cdef Values values
    cdef const int64_t[::1] offsets
    cdef Desk desk
    cdef Chance chance          # that a wrong decision is followed
    cdef int32_t margin
    cdef public int64_t clock
    cdef public int64_t n_updates

    def __init__(self, PassEngine engine, Values values, offsets, int n_labels):
        self.engine = engine
        self.put_table, self.dist_table, self.label_table = engine.put_table, engine.dist_table, engine.label_table
        self.values = values
        self.offsets = np.ascontiguousarray(offsets, dtype=np.int64)
        self.clock = 1
        desk_open(&self.desk, n_labels, engine.c.label_table.room)

    def __dealloc__(self):
        desk_close(&self.desk)

    def learn(self, const int64_t[::1] order, const int32_t[::1] anchors, const int32_t[::1] labels,
              const int32_t[::1] heads, const int32_t[::1] wanted, const int32_t[::1] under, double explore,
              uint64_t seed, int32_t margin) -> None:
        """The sentences in order.

        Args:
            anchors, labels: the trees the pass starts from.
            heads: of the gold trees.
            wanted: the head a word has to wait for in this pass, or -1.
            under: the label it has to wait under, if PUT chooses it.
            explore: how often a wrong decision is followed.
            margin: by how much a score has to be on the right side of zero, and the right label's above the others.
        """
        cdef Py_ssize_t k
        cdef int64_t i, at
        cdef SentenceRows s
        self.chance = chance(explore, seed)
        self.margin = margin
        for k in range(len(order)):
            i, at = order[k], self.offsets[order[k]]
            self.clock += 1
            sentence_of(self.values, &self.offsets[0], i, &s)
            if s.n:
                self.learn_sentence(&s, &anchors[at], &labels[at], &heads[at], &wanted[at], &under[at])

    cdef int learn_sentence(self, const SentenceRows* s, const int32_t* anchors, const int32_t* labels,
                            const int32_t* heads, const int32_t* wanted, const int32_t* under) except -1:
        cdef const Pass* p = &self.engine.c
        cdef Desk* desk = &self.desk
        cdef const Cell* at[N_POSITIONS]
        cdef bint yes
        cdef int32_t label = 0
        if desk_start(desk, p, s.n, anchors, labels) < 0:
            raise MemoryError
        while next_question(p, desk, at):
            if desk.waiting >= 0:
                yes = self.decide(p.dist, self.dist_table, s, at, heads[desk.waiting - 1] == desk.focus)
            else:
                yes = self.decide(p.put, self.put_table, s, at, wanted[desk.focus - 1] >= 0)
                if yes:
                    label = waiting_label(p, desk, s, at)
                    if p.labelled and wanted[desk.focus - 1] >= 0:
                        label = self.choose(s, at, label, under[desk.focus - 1])
            answer(p, desk, yes, label)
        return 0

    cdef int32_t choose(self, const SentenceRows* s, const Cell* const* at, int32_t found, int32_t right) except -1:
        """Learns the label a word waits under, when waiting_label has found one, and says which one to follow."""
        cdef const PlanC* plan = self.engine.c.put
        cdef const int32_t* sums = self.desk.label_sums
        cdef int32_t label, other = found if found != right else NONE
        if other < 0:
            for label in range(self.desk.theta.n_labels):
                if label != right and (other < 0 or sums[label] > sums[other]):
                    other = label
        if other >= 0 and sums[other] + self.margin >= sums[right]:
            self.n_updates += 1
            self.label_table.grow_for(2 * plan.n_templates)
            reward(self.label_table, plan, s, at, self.desk.keys, right, 1, self.clock)
            reward(self.label_table, plan, s, at, self.desk.keys, other, -1, self.clock)
        return found if found != right and happens(&self.chance) else right

    cdef bint decide(self, const PlanC* plan, LearningTable table, const SentenceRows* s, const Cell* const* at,
                     bint right) except -1:
        """Learns a decision and says which one to follow."""
        cdef bint is_put = plan == self.engine.c.put
        cdef int32_t found = score(plan, &self.engine.c.put_table if is_put else &self.engine.c.dist_table,
                                   &self.desk, s, at)
        if (found <= self.margin) if right else (found > -self.margin):
            self.n_updates += 1
            table.grow_for(plan.n_templates)
            reward(table, plan, s, at, self.desk.keys, 0, 1 if right else -1, self.clock)
        if (found > 0) == right:
            return right
        return (not right) if happens(&self.chance) else right
