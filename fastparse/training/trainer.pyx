"""One pass of the perceptron over a treebank: structured with a beam, or greedy with an oracle."""

import numpy as np

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc

from fastparse.features.attributes cimport Values, sentence_of
from fastparse.features.plan cimport D, H, N_POSITIONS, Sentence, empty_positions, extract, locate, nothing
from fastparse.model.learning cimport LearningTable
from fastparse.oracles.dynamic cimport best_moves_t, dynamic_oracle
from fastparse.search.beam cimport Beam, Lesson, beam_close, beam_open, compare_beam
from fastparse.search.engine cimport Engine
from fastparse.search.greedy cimport legal_moves
from fastparse.search.scorer cimport FORBIDDEN, Scorer, Scratch, score_labels, score_moves, scratch_close, scratch_open
from fastparse.transition_systems.arena cimport arena_close, arena_open, arena_start, state_start
from fastparse.transition_systems.spec cimport Spec
from fastparse.transition_systems.state cimport Arena, Cell, NO_LABEL, NONE, State


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
    cdef int32_t* path
    cdef int32_t path_room
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
        scratch_open(&self.w, engine.scorer.n_labels)
        beam_open(&self.beam, beam)
        arena_open(&self.arena)
        arena_open(&self.replay)

    def __dealloc__(self):
        beam_close(&self.beam)
        arena_close(&self.arena)
        arena_close(&self.replay)
        scratch_close(&self.w)
        free(self.path)

    def learn_structured(self, const int64_t[::1] order, const int32_t[::1] heads, const int32_t[::1] labels,
                         bint max_violation, int32_t margin) -> None:
        """Beam search with early or max-violation updates over the sentences in order.

        Args:
            heads, labels: the gold trees.
            margin: lead the oracle's derivation must have over another, per wrong arc or label in that one.
        """
        cdef Py_ssize_t k
        cdef int64_t i
        cdef Sentence s
        cdef Lesson lesson
        cdef Scorer* scorer = &self.engine.scorer
        lesson.max_violation = max_violation
        lesson.margin = margin
        scorer.sharing = True
        for k in range(len(order)):
            i = order[k]
            sentence_of(self.values, &self.offsets[0], i, &s)
            lesson.length = <int32_t>(self.starts[i + 1] - self.starts[i])
            self.clock += 1
            if lesson.length == 0:
                continue
            lesson.heads = &heads[self.offsets[i]]
            lesson.deprels = &labels[self.offsets[i]]
            lesson.moves = &self.moves[self.starts[i]]
            lesson.labels = &self.labels[self.starts[i]]
            with nogil:
                if compare_beam(scorer, &self.w, &self.beam, &self.arena, &s, &lesson) < 0:
                    with gil:
                        raise MemoryError
            if lesson.steps:
                self.n_updates += 1
                self.learn_from(&s, &lesson)

    cdef int learn_from(self, const Sentence* s, const Lesson* lesson) except -1:
        cdef int32_t n = 0, entry = lesson.history, k, same = 0, gold
        cdef int64_t touched
        while entry >= 0:
            n += 1
            entry = self.arena.history[entry].previous
        if n + 1 > self.path_room:
            self.path_room = 2 * n + 64
            self.path = <int32_t*>realloc(self.path, self.path_room * 2 * sizeof(int32_t))
            if self.path == NULL:
                raise MemoryError
        entry = lesson.history
        for k in range(n - 1, -1, -1):
            self.path[2 * k] = self.arena.history[entry].move
            self.path[2 * k + 1] = self.arena.history[entry].label
            entry = self.arena.history[entry].previous
        gold = min(lesson.steps, lesson.length)
        while (same < n and same < gold and self.path[2 * same] == lesson.moves[same]
               and self.path[2 * same + 1] == lesson.labels[same]):
            same += 1
        touched = <int64_t>(n + gold - 2 * same) * (
            self.engine.scorer.moves_flat.n_templates + self.engine.scorer.labels.n_templates)
        self.move_table.grow_for(touched)
        self.label_table.grow_for(touched)
        self.engine.refresh()
        self.walk(s, NULL, NULL, self.path, same, n, -1)
        self.walk(s, lesson.moves, lesson.labels, NULL, same, gold, 1)
        return 0

    cdef int walk(self, const Sentence* s, const uint8_t* moves, const uint16_t* labels, const int32_t* path,
                  int32_t first, int32_t last, int32_t delta) except -1:
        """Replays a derivation and adds delta to the weights of its steps first..last-1."""
        cdef const Spec* spec = self.engine.scorer.spec
        cdef State c
        cdef int32_t k, move, label
        if arena_start(&self.replay, spec, s.n, True) < 0:
            raise MemoryError
        state_start(&c, spec, &self.replay)
        for k in range(last):
            move = moves[k] if moves != NULL else path[2 * k]
            label = labels[k] if moves != NULL else path[2 * k + 1]
            if k >= first:
                self.reward(s, &c, move, label, delta)
            spec.apply(spec, &self.replay, &c, move, label)
        return 0

    cdef void reward(self, const Sentence* s, const State* c, int32_t move, int32_t label, int32_t delta) noexcept nogil:
        """Adds delta to the weights of one move in one state of the replay arena."""
        cdef const Spec* spec = self.engine.scorer.spec
        cdef const Cell* at[N_POSITIONS]
        cdef int32_t n, g, head = NONE, dependent = NONE
        cdef uint32_t absent
        locate(spec, &self.replay, c, self.engine.scorer.moves.positions, at)
        at[H] = at[D] = nothing()
        absent = empty_positions(at)
        for g in range(self.engine.scorer.moves_flat.n_groups):
            if not self.engine.scorer.moves_flat.groups[g].required & absent:
                n = extract(&self.engine.scorer.moves_flat.groups[g], s, at, self.w.keys)
                self.move_table.update(self.w.keys, n, move, delta, self.clock)
        if spec.labelled >> move & 1 and self.engine.scorer.labels.n_groups:
            spec.arc(spec, &self.replay, c, move, &head, &dependent)
            at[H] = &self.replay.cells[head]
            at[D] = &self.replay.cells[dependent]
            n = extract(&self.engine.scorer.labels.groups[0], s, at, self.w.keys)
            self.label_table.update(self.w.keys, n, label, delta, self.clock)

    def learn_greedy(self, const int64_t[::1] order, const int32_t[::1] heads, const int32_t[::1] labels,
                     double explore, uint64_t seed, int32_t margin) -> None:
        """Move by move. With a dynamic oracle, follows the parser's own moves with probability `explore`.

        Args:
            heads, labels: the gold trees.
            margin: by how much the best correct move must win.
        """
        cdef Py_ssize_t k
        cdef int64_t i
        cdef Sentence s
        cdef best_moves_t oracle = dynamic_oracle(self.engine.system.name) if explore > 0 else NULL
        cdef uint64_t random = seed * <uint64_t>0x9E3779B97F4A7C15ULL + 1
        cdef uint64_t threshold = <uint64_t>(explore * 4294967296.0)
        self.engine.scorer.sharing = False
        for k in range(len(order)):
            i = order[k]
            self.clock += 1
            if self.starts[i + 1] == self.starts[i]:
                continue
            sentence_of(self.values, &self.offsets[0], i, &s)
            if s.n + 1 > self.path_room:
                self.path_room = 2 * s.n + 64
                self.path = <int32_t*>realloc(self.path, self.path_room * 2 * sizeof(int32_t))
                if self.path == NULL:
                    raise MemoryError
            self.learn_sentence(&s, i, &heads[self.offsets[i]], &labels[self.offsets[i]], oracle, &random, threshold,
                                margin)

    cdef int learn_sentence(self, const Sentence* s, int64_t i, const int32_t* heads, const int32_t* labels,
                            best_moves_t oracle, uint64_t* random, uint64_t threshold, int32_t margin) except -1:
        cdef Scorer* scorer = &self.engine.scorer
        cdef const Spec* spec = scorer.spec
        cdef State c
        cdef int32_t word, m, l, step = 0, total, label
        cdef int32_t right, right_label, right_score, wrong, wrong_label, wrong_score
        cdef int32_t head = NONE, dependent = NONE, h, d
        cdef bint gold_arc
        cdef uint32_t legal, best
        cdef const int32_t* row
        cdef int32_t* gold = self.path
        gold[0] = NONE
        for word in range(1, s.n + 1):
            gold[word] = heads[word - 1]
        self.move_table.grow_for(2 * scorer.moves_flat.n_templates * 4 * (s.n + 2))
        self.label_table.grow_for(2 * scorer.labels.n_templates * 4 * (s.n + 2))
        self.engine.refresh()
        if arena_start(&self.replay, spec, s.n, True) < 0:
            raise MemoryError
        state_start(&c, spec, &self.replay)
        self.w.salt += 1
        while not spec.is_final(spec, &self.replay, &c):
            legal = legal_moves(scorer, &self.replay, &c)
            if oracle != NULL:
                best = oracle(spec, &self.replay, &c, gold, legal)
            else:
                best = <uint32_t>1 << self.moves[self.starts[i] + step]
                legal |= best
            if legal == 0:
                break
            score_moves(scorer, &self.w, &self.replay, &c, s)
            right = wrong = NONE
            right_label = wrong_label = right_score = wrong_score = 0
            for m in range(spec.n_moves):
                if not legal >> m & 1:
                    continue
                total = self.w.sums[m]
                if not spec.labelled >> m & 1:
                    if best >> m & 1:
                        if right < 0 or total > right_score:
                            right, right_label, right_score = m, 0, total
                    elif wrong < 0 or total > wrong_score:
                        wrong, wrong_label, wrong_score = m, 0, total
                    continue
                spec.arc(spec, &self.replay, &c, m, &head, &dependent)
                row = score_labels(scorer, &self.w, s, &self.replay.cells[head], &self.replay.cells[dependent])
                h, d = self.replay.cells[head].word, self.replay.cells[dependent].word
                label = row[1]
                if oracle == NULL:
                    gold_arc = best >> m & 1
                    l = self.labels[self.starts[i] + step]
                else:
                    gold_arc = d > 0 and gold[d] == h
                    l = labels[d - 1] if d > 0 else 0
                if best >> m & 1:
                    if gold_arc:
                        # The same arc under the best other label is a wrong choice.
                        if label == l:
                            label = second(row, scorer.n_labels, l)
                        if label >= 0 and (wrong < 0 or total + row[16 + label] > wrong_score):
                            wrong, wrong_label, wrong_score = m, label, total + row[16 + label]
                        label = l
                    if right < 0 or total + row[16 + label] > right_score:
                        right, right_label, right_score = m, label, total + row[16 + label]
                elif wrong < 0 or total + row[0] > wrong_score:
                    wrong, wrong_label, wrong_score = m, row[1], total + row[0]
            self.n_steps += 1
            if right >= 0 and wrong >= 0 and wrong_score + margin >= right_score:
                self.n_updates += 1
                if right != wrong or right_label != wrong_label:
                    self.reward(s, &c, right, right_label, 1)
                    self.reward(s, &c, wrong, wrong_label, -1)
            random[0] ^= random[0] << 13
            random[0] ^= random[0] >> 7
            random[0] ^= random[0] << 17
            if oracle != NULL and wrong >= 0 and wrong_score > right_score and (random[0] >> 32) < threshold:
                right, right_label = wrong, wrong_label
            if right < 0:
                break
            spec.apply(spec, &self.replay, &c, right, right_label)
            step += 1
        return 0


cdef int32_t second(const int32_t* row, int32_t n_labels, int32_t best) noexcept nogil:
    """The best label other than `best`; NONE if there is none."""
    cdef int32_t l, found = NONE
    for l in range(n_labels):
        if l != best and (found < 0 or row[16 + l] > row[16 + found]):
            found = l
    return found
