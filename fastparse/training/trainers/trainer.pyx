"""One pass of the perceptron over a treebank: structured with a beam, or greedy with an oracle."""

import numpy as np

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport free

from fastparse.features.attributes cimport Values, sentence_of
from fastparse.features.plan cimport D, H, N_POSITIONS, SentenceRows, locate
from fastparse.machine.arena cimport arena_close, arena_open, arena_start, state_start
from fastparse.machine.spec cimport Spec
from fastparse.machine.state cimport Arena, Cell, NO_LABEL, NONE, State
from fastparse.model.learning cimport LearningTable
from fastparse.oracles.dynamic_oracle cimport Dynamic, dynamic_oracle, scratch_room
from fastparse.search.strategies.beam cimport Beam, Lesson, beam_close, beam_open, compare_beam
from fastparse.search.decoder cimport legal_moves
from fastparse.search.scoring.engine cimport Engine
from fastparse.search.scoring.scorer cimport (
    LabelRow, Scorer, Scratch, score_labels, score_moves, scores_in, scratch_close, scratch_open)
from fastparse.perceptron.chance cimport Chance, chance, happens
from fastparse.training.trainers.features cimport count, reward
from fastparse.training.trainers.labels cimport best_other
from fastparse.training.trainers.room cimport make_room


cdef class Trainer:
    """Learns the weights of an engine whose tables are LearningTables."""
    cdef Engine engine
    cdef LearningTable move_table, label_table
    cdef Values values
    cdef const int64_t[::1] offsets
    cdef const uint8_t[::1] moves
    cdef const uint16_t[::1] labels
    cdef const int64_t[::1] starts
    cdef Scratch w
    cdef Beam beam
    cdef Arena arena, replay
    # Pairs of a move and a label; in greedy learning `path` is the gold tree and, behind it, an oracle's scratch.
    cdef int32_t* path
    cdef int32_t* right_path
    cdef int32_t path_room, right_room      # in numbers
    cdef public int64_t clock
    cdef public int64_t n_updates
    cdef public int64_t n_steps

    def __init__(self, Engine engine, Values values, offsets, moves, labels, starts, int beam):
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
        beam_open(&self.beam, beam)
        arena_open(&self.arena)
        arena_open(&self.replay)

    def __dealloc__(self):
        beam_close(&self.beam)
        arena_close(&self.arena)
        arena_close(&self.replay)
        scratch_close(&self.w)
        free(self.path)
        free(self.right_path)

    def learn_structured(self, const int64_t[::1] order, const int32_t[::1] heads, bint max_violation,
                         int32_t margin) -> None:
        """Beam search with early or max-violation updates over the sentences in order.

        Args:
            heads: of the gold trees.
            margin: lead the oracle's derivation must have over another, per wrong arc in that one; lead of a right
                label.
        """
        cdef Py_ssize_t k
        cdef int64_t i
        cdef SentenceRows s
        cdef Lesson lesson
        cdef const Scorer* scorer = &self.engine.scorer
        lesson.max_violation = max_violation
        lesson.margin = margin
        self.w.sharing = True
        for k in range(len(order)):
            i = order[k]
            sentence_of(self.values, &self.offsets[0], i, &s)
            lesson.length = <int32_t>(self.starts[i + 1] - self.starts[i])
            self.clock += 1
            if lesson.length == 0:
                continue
            lesson.heads = &heads[self.offsets[i]]
            lesson.moves = &self.moves[self.starts[i]]
            lesson.labels = &self.labels[self.starts[i]]
            with nogil:
                if compare_beam(scorer, &self.w, &self.beam, &self.arena, &s, &lesson) < 0:
                    with gil:
                        raise MemoryError
            if lesson.steps:
                self.n_updates += 1
                self.learn_from(&s, &lesson)
            self.learn_labels(&s, &lesson)

    cdef int32_t unwind(self, int32_t entry, int32_t** path, int32_t* room) except -1:
        """Writes the moves and labels that lead to an entry of the arena's history; returns their number."""
        cdef int32_t n = 0, k, at = entry
        while at >= 0:
            n += 1
            at = self.arena.history[at].previous
        path[0] = <int32_t*>make_room(path[0], room, 2 * n, sizeof(int32_t))
        for k in range(n - 1, -1, -1):
            path[0][2 * k] = self.arena.history[entry].move
            path[0][2 * k + 1] = self.arena.history[entry].label
            entry = self.arena.history[entry].previous
        return n

    cdef int learn_from(self, const SentenceRows* s, const Lesson* lesson) except -1:
        """Rewards the right prefix and punishes the wrong one from where they part."""
        cdef int32_t wrong = self.unwind(lesson.wrong, &self.path, &self.path_room)
        cdef int32_t right = self.unwind(lesson.right, &self.right_path, &self.right_room)
        cdef int32_t same = 0
        cdef int64_t touched
        while (same < wrong and same < right and self.path[2 * same] == self.right_path[2 * same]
               and self.path[2 * same + 1] == self.right_path[2 * same + 1]):
            same += 1
        touched = <int64_t>(wrong + right - 2 * same)
        self.move_table.grow_for(touched * self.engine.scorer.moves_flat.n_templates)
        self.walk(s, self.path, same, wrong, -1)
        self.walk(s, self.right_path, same, right, 1)
        return 0

    cdef int walk(self, const SentenceRows* s, const int32_t* path, int32_t first, int32_t last,
                  int32_t delta) except -1:
        """Replays a derivation and adds delta to the weights of its steps first..last-1."""
        cdef const Spec* spec = self.engine.scorer.spec
        cdef State c
        cdef int32_t k
        if arena_start(&self.replay, spec, s.n, True) < 0:
            raise MemoryError
        state_start(&c, spec, &self.replay)
        for k in range(last):
            if k >= first:
                self.reward_move(s, &c, path[2 * k], delta)
            spec.apply(spec, &self.replay, &c, path[2 * k], path[2 * k + 1])
        return 0

    cdef int learn_labels(self, const SentenceRows* s, const Lesson* lesson) except -1:
        """Learns the label of each arc of the oracle's derivation, the labels before being the parser's own."""
        cdef const Spec* spec = self.engine.scorer.spec
        cdef int32_t n = self.unwind(lesson.end, &self.right_path, &self.right_room)
        cdef int32_t k, move, label, other, head = NONE, dependent = NONE
        cdef const LabelRow* row
        cdef const int32_t* scores
        cdef State c
        self.label_table.grow_for(2 * (s.n + 1) * self.engine.scorer.labels_flat.n_templates)
        if arena_start(&self.replay, spec, s.n, True) < 0:
            raise MemoryError
        state_start(&c, spec, &self.replay)
        self.w.salt += 1
        for k in range(n):
            move = self.right_path[2 * k]
            if spec.labelled >> move & 1:
                spec.arc(spec, &self.replay, &c, move, &head, &dependent)
                row = score_labels(&self.engine.scorer, &self.w, s, &self.replay.cells[head],
                                   &self.replay.cells[dependent])
                scores = scores_in(row)
                label = lesson.labels[k]
                other = best_other(row, self.engine.scorer.n_labels, label)
                if other >= 0 and scores[other] + lesson.margin >= scores[label]:
                    self.reward_label(s, head, dependent, label, 1)
                    self.reward_label(s, head, dependent, other, -1)
                    self.w.salt += 1        # sums kept from before are out of date
            spec.apply(spec, &self.replay, &c, move, self.right_path[2 * k + 1])
        return 0

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

    cdef void reward_move(self, const SentenceRows* s, const State* c, int32_t move, int32_t delta) noexcept nogil:
        cdef const Cell* at[N_POSITIONS]
        cdef const Scorer* scorer = &self.engine.scorer
        locate(scorer.spec, &self.replay, c, at)
        reward(self.move_table, scorer.moves_flat, s, at, self.w.keys, move, delta, self.clock)

    cdef void reward_label(self, const SentenceRows* s, int32_t head, int32_t dependent, int32_t label,
                           int32_t delta) noexcept nogil:
        cdef const Cell* at[N_POSITIONS]
        at[H] = &self.replay.cells[head]
        at[D] = &self.replay.cells[dependent]
        reward(self.label_table, self.engine.scorer.labels_flat, s, at, self.w.keys, label, delta, self.clock)

    def learn_greedy(self, const int64_t[::1] order, const int32_t[::1] heads, const int32_t[::1] labels,
                     double explore, uint64_t seed, int32_t margin, bint static) -> None:
        """Move by move. With a dynamic oracle, follows the parser's own wrong moves with probability `explore`.

        Args:
            heads, labels: the gold trees.
            margin: by how much the best correct move must win.
            static: learn from the derivations alone, even where there is a dynamic oracle.
        """
        cdef Py_ssize_t k
        cdef int64_t i
        cdef SentenceRows s
        cdef Dynamic oracle = Dynamic(NULL, NULL) if static else dynamic_oracle(self.engine.system.name)
        cdef Chance follow = chance(explore, seed)      # a mistake
        self.w.sharing = False
        for k in range(len(order)):
            i = order[k]
            self.clock += 1
            if self.starts[i + 1] == self.starts[i]:
                continue
            sentence_of(self.values, &self.offsets[0], i, &s)
            self.path = <int32_t*>make_room(self.path, &self.path_room, s.n + 1 + scratch_room(s.n), sizeof(int32_t))
            self.learn_sentence(&s, i, &heads[self.offsets[i]], &labels[self.offsets[i]], &oracle, &follow, margin)

    cdef int learn_sentence(self, const SentenceRows* s, int64_t i, const int32_t* heads, const int32_t* labels,
                            const Dynamic* oracle, Chance* follow, int32_t margin) except -1:
        cdef const Scorer* scorer = &self.engine.scorer
        cdef const Spec* spec = scorer.spec
        cdef State c
        cdef int32_t word, move, label, step = 0
        cdef uint32_t legal, best
        cdef int32_t* gold = self.path
        gold[0] = NONE
        for word in range(1, s.n + 1):
            gold[word] = heads[word - 1]
        if oracle.note != NULL:
            self.take_notes(s, i, oracle)
        if arena_start(&self.replay, spec, s.n, True) < 0:
            raise MemoryError
        state_start(&c, spec, &self.replay)
        self.w.salt += 1
        while not spec.is_final(spec, &self.replay, &c):
            if step % (4 * (s.n + 2)) == 0:
                # A step makes two new entries at most for each feature; Covington's steps are not linear in n.
                self.move_table.grow_for(8 * <int64_t>(s.n + 2) * scorer.moves_flat.n_templates)
                self.label_table.grow_for(8 * <int64_t>(s.n + 2) * scorer.labels_flat.n_templates)
            legal = legal_moves(scorer, &self.replay, &c)
            if oracle.best_moves != NULL:
                best = oracle.best_moves(spec, &self.replay, &c, gold, gold + s.n + 1, legal)
            else:
                best = <uint32_t>1 << self.moves[self.starts[i] + step]
                legal |= best
            if best == 0:
                break
            move = self.learn_move(s, &c, legal, best, oracle.best_moves == NULL, follow, margin)
            label = 0
            if spec.labelled >> move & 1:
                label = self.learn_label(s, &c, move, labels, gold, oracle.best_moves == NULL, follow, margin)
            spec.apply(spec, &self.replay, &c, move, label)
            step += 1
        return 0

    cdef int take_notes(self, const SentenceRows* s, int64_t i, const Dynamic* oracle) except -1:
        """Shows the static derivation of a sentence to the oracle, whose scratch lies behind the gold tree."""
        cdef const Spec* spec = self.engine.scorer.spec
        cdef int32_t* scratch = self.path + s.n + 1
        cdef State c
        cdef int64_t k
        for k in range(5 * (s.n + 1)):
            scratch[k] = NONE
        if arena_start(&self.replay, spec, s.n, True) < 0:
            raise MemoryError
        state_start(&c, spec, &self.replay)
        for k in range(self.starts[i], self.starts[i + 1]):
            oracle.note(spec, &self.replay, &c, self.moves[k], self.path, scratch)
            spec.apply(spec, &self.replay, &c, self.moves[k], self.labels[k])
        return 0

    cdef int32_t learn_move(self, const SentenceRows* s, const State* c, uint32_t legal, uint32_t best, bint static,
                            Chance* follow, int32_t margin) noexcept nogil:
        """Learns from the best right and the best wrong move; returns the one to make."""
        cdef int32_t m, right = NONE, wrong = NONE
        cdef bint mistaken
        cdef const int32_t* sums = score_moves(&self.engine.scorer, &self.w, &self.replay, c, s)
        for m in range(self.engine.scorer.spec.n_moves):
            if legal >> m & 1:
                if best >> m & 1:
                    if right < 0 or sums[m] > sums[right]:
                        right = m
                elif wrong < 0 or sums[m] > sums[wrong]:
                    wrong = m
        self.n_steps += 1
        if wrong < 0:
            return right
        mistaken = sums[wrong] > sums[right]
        if sums[wrong] + margin >= sums[right]:
            self.n_updates += 1
            self.reward_move(s, c, right, 1)
            self.reward_move(s, c, wrong, -1)
        return wrong if mistaken and happens(follow) and not static else right

    cdef int32_t learn_label(self, const SentenceRows* s, const State* c, int32_t move, const int32_t* labels,
                             const int32_t* gold, bint static, Chance* follow, int32_t margin) noexcept nogil:
        """Learns the label of the arc a move draws, if it is in the tree; returns the one to draw it with."""
        cdef int32_t head = NONE, dependent = NONE, word, label, other
        cdef const LabelRow* row
        cdef const int32_t* scores
        cdef bint mistaken
        self.engine.scorer.spec.arc(self.engine.scorer.spec, &self.replay, c, move, &head, &dependent)
        row = score_labels(&self.engine.scorer, &self.w, s, &self.replay.cells[head], &self.replay.cells[dependent])
        word = self.replay.cells[dependent].word
        if not static and gold[word] != self.replay.cells[head].word:
            return row.best
        scores = scores_in(row)
        label = labels[word - 1]
        other = best_other(row, self.engine.scorer.n_labels, label)
        mistaken = other >= 0 and scores[other] > scores[label]
        if other >= 0 and scores[other] + margin >= scores[label]:
            self.reward_label(s, head, dependent, label, 1)
            self.reward_label(s, head, dependent, other, -1)
        return other if mistaken and happens(follow) else label
