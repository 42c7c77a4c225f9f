"""Greedy learning, move by move, with an oracle."""

from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t
from libc.stdlib cimport free

from fastparse.features.attributes cimport sentence_of
from fastparse.features.plan cimport SentenceRows
from fastparse.machine.arena cimport arena_start, state_start
from fastparse.machine.spec cimport Spec
from fastparse.machine.state cimport NONE, State
from fastparse.transition_systems.oracle cimport Dynamic, dynamic_oracle, scratch_room
from fastparse.weights.perceptron cimport Chance, chance, happens
from fastparse.search.beam cimport legal_moves
from fastparse.search.scorer cimport LabelRow, Scorer, score_labels, score_moves, scores_in
from fastparse.learning.trainers.labels cimport best_other
from fastparse.learning.trainers.room cimport make_room
from fastparse.learning.trainers.trainer cimport Trainer


cdef struct Rivals:
    # The best right move and the best wrong one, each with its label.
    int32_t right
    int32_t right_label
    int32_t right_score
    int32_t wrong
    int32_t wrong_label
    int32_t wrong_score


cdef inline void weigh(Rivals* found, bint is_right, int32_t move, int32_t label, int32_t score) noexcept nogil:
    """Takes a move in that is better than what has been found; the first in a tie."""
    if is_right and (found.right < 0 or score > found.right_score):
        found.right, found.right_label, found.right_score = move, label, score
    elif not is_right and (found.wrong < 0 or score > found.wrong_score):
        found.wrong, found.wrong_label, found.wrong_score = move, label, score


cdef class GreedyTrainer(Trainer):
    """Learns from the moves of one state after the other."""
    cdef int32_t* path          # the gold tree and, behind it, an oracle's scratch
    cdef int32_t path_room      # in numbers

    def __dealloc__(self):
        free(self.path)

    def learn(self, const int64_t[::1] order, const int32_t[::1] heads, const int32_t[::1] labels, double explore,
              uint64_t seed, int32_t margin, bint static) -> None:
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
            with nogil:
                self.learn_sentence(&s, i, &heads[self.offsets[i]], &labels[self.offsets[i]], &oracle, &follow, margin)

    cdef int learn_sentence(self, const SentenceRows* s, int64_t i, const int32_t* heads, const int32_t* labels,
                            const Dynamic* oracle, Chance* follow, int32_t margin) except -1 nogil:
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
            with gil:
                raise MemoryError
        state_start(&c, spec, &self.replay)
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
            label = 0
            if scorer.labels_with_moves:
                move = self.learn_labelled_move(s, &c, legal, best, labels, gold, oracle.best_moves == NULL, follow,
                                                margin, &label)
            else:
                move = self.learn_move(s, &c, legal, best, oracle.best_moves == NULL, follow, margin)
                if spec.labelled >> move & 1:
                    label = self.learn_label(s, &c, move, labels, gold, oracle.best_moves == NULL, follow, margin)
            spec.apply(spec, &self.replay, &c, move, label)
            step += 1
        return 0

    cdef int take_notes(self, const SentenceRows* s, int64_t i, const Dynamic* oracle) except -1 nogil:
        """Shows the static derivation of a sentence to the oracle, whose scratch lies behind the gold tree."""
        cdef const Spec* spec = self.engine.scorer.spec
        cdef int32_t* scratch = self.path + s.n + 1
        cdef State c
        cdef int64_t k
        for k in range(5 * (s.n + 1)):
            scratch[k] = NONE
        if arena_start(&self.replay, spec, s.n, True) < 0:
            with gil:
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
            self.reward_move(&self.replay, self.w.keys, s, c, right, 1, self.clock)
            self.reward_move(&self.replay, self.w.keys, s, c, wrong, -1, self.clock)
        return wrong if mistaken and happens(follow) and not static else right

    cdef int32_t learn_labelled_move(self, const SentenceRows* s, const State* c, uint32_t legal, uint32_t best,
                                     const int32_t* labels, const int32_t* gold, bint static, Chance* follow,
                                     int32_t margin, int32_t* label) noexcept nogil:
        """The same where labels are parts of moves: an arc of the tree is right with its label alone, any other arc
        that costs nothing with its best one."""
        cdef const Scorer* scorer = &self.engine.scorer
        cdef const LabelRow* row
        cdef Rivals found = Rivals(NONE, 0, 0, NONE, 0, 0)
        cdef int32_t m, word, wanted, other, head = NONE, dependent = NONE
        cdef bint mistaken
        cdef const int32_t* sums = score_moves(scorer, &self.w, &self.replay, c, s)
        for m in range(scorer.spec.n_moves):
            if not legal >> m & 1:
                continue
            if not scorer.spec.labelled >> m & 1:
                weigh(&found, best >> m & 1, m, 0, sums[m])
                continue
            scorer.spec.arc(scorer.spec, &self.replay, c, m, &head, &dependent)
            row = score_labels(scorer, &self.w, s, &self.replay.cells[head], &self.replay.cells[dependent])
            word = self.replay.cells[dependent].word
            if best >> m & 1 and gold[word] == self.replay.cells[head].word:
                wanted = labels[word - 1]
                other = best_other(row, scorer.n_labels, wanted)
                weigh(&found, True, m, wanted, sums[m] + scores_in(row)[wanted])
                if other >= 0:
                    weigh(&found, False, m, other, sums[m] + scores_in(row)[other])
            else:
                weigh(&found, best >> m & 1, m, row.best, sums[m] + row.score)
        self.n_steps += 1
        label[0] = found.right_label
        if found.wrong < 0:
            return found.right
        mistaken = found.wrong_score > found.right_score
        if found.wrong_score + margin >= found.right_score:
            self.n_updates += 1
            self.reward_labelled_move(&self.replay, self.w.keys, s, c, found.right, found.right_label, 1, self.clock)
            self.reward_labelled_move(&self.replay, self.w.keys, s, c, found.wrong, found.wrong_label, -1, self.clock)
        # A wrong label is followed with a static oracle too: the configuration has the same moves.
        if mistaken and (found.wrong == found.right or not static) and happens(follow):
            label[0] = found.wrong_label
            return found.wrong
        return found.right

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
            self.reward_label(&self.replay, self.w.keys, s, head, dependent, label, 1, self.clock)
            self.reward_label(&self.replay, self.w.keys, s, head, dependent, other, -1, self.clock)
        return other if mistaken and happens(follow) else label
