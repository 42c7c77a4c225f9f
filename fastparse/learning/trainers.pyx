"""What changes the weights of features: a trainer for each kind of search."""

from concurrent.futures import ThreadPoolExecutor, wait

import numpy as np

from libc.stddef cimport size_t
from libc.stdint cimport int32_t, int64_t, uint16_t, uint32_t, uint64_t, uint8_t
from libc.stdlib cimport calloc, free, realloc

from fastparse.features.attributes cimport Values, sentence_of
from fastparse.features.plan cimport D, H, N_POSITIONS, PlanC, SentenceRows, locate
from fastparse.features.plan cimport Walk, next_keys, walk_over
from fastparse.machine.arena cimport arena_close, arena_open, arena_start, state_start
from fastparse.machine.spec cimport GRAPH, Spec
from fastparse.machine.state cimport NONE, NO_LABEL, Arena, Cell, State
from fastparse.transition_systems.oracle cimport Dynamic, dynamic_oracle, scratch_room
from fastparse.search.beam cimport Beam, Lesson, beam_close, beam_open, begin, compare_beam
from fastparse.search.easy_first cimport BEFORE, BEHIND, OUT, first_touched, legal_at, locate_place, score_place
from fastparse.search.engine cimport Engine
from fastparse.search.beam cimport legal_moves
from fastparse.search.scorer cimport (
    LabelRow, Scorer, Scratch, label_row, score_labels, score_moves, scores_in, scratch_close, scratch_open)
from fastparse.search.three_step cimport (
    Desk, Pass, PassEngine, answer, desk_close, desk_open, desk_start, next_question, score as score_question,
    waiting_label)
from fastparse.transition_systems.easy_first cimport ATTACH_LEFT, ATTACH_RIGHT, pending_attach, pending_start
from fastparse.weights.perceptron cimport Chance, chance, happens
from fastparse.weights.learning cimport LearningTable


# ── features, labels and buffers ──


cdef inline void reward(LearningTable table, const PlanC* plan, const SentenceRows* s, const Cell* const* at,
                        uint64_t* keys, int32_t cls, int32_t delta, int64_t clock) noexcept nogil:
    """Adds delta to the weight that each feature has for a class."""
    cdef Walk walk = walk_over(plan, s, at)
    cdef int32_t n = next_keys(&walk, keys)
    while n >= 0:
        table.update(keys, n, cls, delta, clock)
        n = next_keys(&walk, keys)


cdef inline void count(LearningTable table, const PlanC* plan, const SentenceRows* s, const Cell* const* at,
                       uint64_t* keys) noexcept nogil:
    """Counts an occurrence of each feature."""
    cdef Walk walk = walk_over(plan, s, at)
    cdef int32_t n = next_keys(&walk, keys)
    while n >= 0:
        table.count(keys, n)
        n = next_keys(&walk, keys)


cdef inline int32_t best_other(const LabelRow* row, int32_t n_labels, int32_t label) noexcept nogil:
    """The best label other than `label`; NONE if there is none."""
    cdef const int32_t* scores = scores_in(row)
    cdef int32_t l, found = NONE
    if row.best != label:
        return row.best
    for l in range(n_labels):
        if l != label and (found < 0 or scores[l] > scores[found]):
            found = l
    return found


cdef inline void* room_for(void* buffer, int32_t* room, int32_t needed, size_t item) noexcept nogil:
    """The buffer, or a larger one with its content in its place; NULL when memory is short: both stay as they are."""
    cdef void* larger
    if buffer != NULL and needed <= room[0]:
        return buffer
    larger = realloc(buffer, (2 * <size_t>needed + 64) * item)
    if larger != NULL:
        room[0] = 2 * needed + 64
    return larger


cdef inline void* make_room(void* buffer, int32_t* room, int32_t needed, size_t item) except NULL:
    """The same, with an error when memory is short."""
    cdef void* found = room_for(buffer, room, needed, item)
    if found == NULL:
        raise MemoryError
    return found


# ── derivations ──


cdef class Trainer:
    """Has the weights of an engine, whose tables are LearningTables."""
    cdef Engine engine
    cdef LearningTable move_table, label_table
    cdef Values values
    cdef const int64_t[::1] offsets
    cdef const uint8_t[::1] moves       # the oracle's derivations
    cdef const uint16_t[::1] labels
    cdef const int64_t[::1] starts
    cdef Scratch w
    cdef Arena replay
    cdef public int64_t clock
    cdef public int64_t n_updates
    cdef public int64_t n_steps

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
            if begin(&self.replay, spec, &s, True) < 0:
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

    # What these write to besides the table is in their arguments: two threads may use one table each.

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


# ── greedy ──
#
# Greedy learning, move by move, with an oracle.


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
        if begin(&self.replay, spec, s, True) < 0:
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
        if begin(&self.replay, spec, s, True) < 0:
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


# ── with a beam ──
#
# Structured learning: what a beam has lost or was ahead with, a few sentences at a time.
#
# The sentences of a minibatch are searched with the same weights, on all threads; then the weights are changed,
# sentence by sentence in their order: those of moves on one thread, those of labels on another. What a search has found
# counts only if it still holds with the weights of now, so that no mistake is mended twice and every update is one of
# the perceptron. The weights depend on the size of a minibatch, but not on the number of threads.


cdef struct Searcher:
    # What one thread searches with.
    Scratch w
    Beam beam
    Arena arena

cdef struct Path:
    # Pairs of a move and a label.
    int32_t* steps
    int32_t room                # in numbers
    int32_t n                   # pairs

cdef struct Case:
    # A sentence of a minibatch, and what its search has found.
    SentenceRows s
    Lesson lesson
    int64_t clock
    int32_t thread              # that searches it
    Path wrong                  # the prefix to be punished
    Path right                  # as much of the oracle's derivation as was followed
    int32_t n_rewarded          # pairs of it that are the prefix to be rewarded


cdef class StructuredTrainer(Trainer):
    """Learns from beam search with early or max-violation updates."""
    cdef int minibatch, n_threads
    cdef Searcher* searchers    # [n_threads]
    cdef Case* cases            # [minibatch]
    cdef int n_cases
    cdef Arena label_replay     # `replay` is that of moves, `w` that of labels
    cdef Scratch move_scratch   # keeps no sums: weights change
    cdef object pool

    def __init__(self, Engine engine, Values values, offsets, moves, labels, starts, int beam, int minibatch,
                 int threads=1):
        """Args: minibatch: sentences that are searched with the same weights."""
        cdef int k
        super().__init__(engine, values, offsets, moves, labels, starts)
        self.minibatch, self.n_threads = minibatch, threads
        self.searchers = <Searcher*>calloc(threads, sizeof(Searcher))
        self.cases = <Case*>calloc(minibatch, sizeof(Case))
        if self.searchers == NULL or self.cases == NULL:
            raise MemoryError
        arena_open(&self.label_replay)
        scratch_open(&self.move_scratch, &engine.scorer, False)
        for k in range(threads):
            arena_open(&self.searchers[k].arena)
            beam_open(&self.searchers[k].beam, beam)
            scratch_open(&self.searchers[k].w, &engine.scorer, True)
        self.pool = ThreadPoolExecutor(threads - 1) if threads > 1 else None

    def __dealloc__(self):
        cdef int k
        if self.searchers != NULL:
            for k in range(self.n_threads):
                beam_close(&self.searchers[k].beam)
                scratch_close(&self.searchers[k].w)
                arena_close(&self.searchers[k].arena)
        if self.cases != NULL:
            for k in range(self.minibatch):
                free(self.cases[k].wrong.steps)
                free(self.cases[k].right.steps)
        arena_close(&self.label_replay)
        scratch_close(&self.move_scratch)
        free(self.searchers)
        free(self.cases)

    def learn(self, const int64_t[::1] order, const int32_t[::1] heads, const int32_t[::1] labels, bint max_violation,
              int32_t margin) -> None:
        """One pass over the sentences, minibatch by minibatch.

        Args:
            heads, labels: the gold trees.
            margin: lead the oracle's derivation must have over another, per wrong arc in that one; lead of a right
                label.
        """
        cdef Py_ssize_t first, k
        cdef int64_t i
        cdef Case* case
        for first in range(0, len(order), self.minibatch):
            self.n_cases = 0
            for k in range(first, min(first + self.minibatch, len(order))):
                i = order[k]
                self.clock += 1
                if self.starts[i + 1] == self.starts[i]:
                    continue
                case = &self.cases[self.n_cases]
                self.n_cases += 1
                sentence_of(self.values, &self.offsets[0], i, &case.s)
                case.clock = self.clock
                case.lesson = Lesson(
                    moves=&self.moves[self.starts[i]], labels=&self.labels[self.starts[i]],
                    length=<int32_t>(self.starts[i + 1] - self.starts[i]), heads=&heads[self.offsets[i]],
                    arc_labels=&labels[self.offsets[i]],
                    margin=margin, max_violation=max_violation, steps=0, wrong=NONE, right=NONE, end=NONE)
            self.share()
            self.together(self.search)
            self.together(self.change)

    cdef void share(self):
        """Deals the cases out: the longest that is left to the thread that has least to do."""
        cdef int k, _, longest, least
        cdef int64_t words
        cdef list load = [0] * self.n_threads
        for k in range(self.n_cases):
            self.cases[k].thread = NONE
        for _ in range(self.n_cases):
            longest = NONE
            for k in range(self.n_cases):
                if self.cases[k].thread < 0 and (longest < 0 or self.cases[k].s.n > self.cases[longest].s.n):
                    longest = k
            least = load.index(min(load))
            self.cases[longest].thread = least
            words = load[least]
            load[least] = words + self.cases[longest].s.n

    cdef together(self, work):
        """Has every thread do its share of some work, this one being the first."""
        cdef int k
        if self.pool is None:
            work(0)
            return
        others = [self.pool.submit(work, k) for k in range(1, self.n_threads)]
        try:
            work(0)
        finally:
            wait(others)        # nobody else changes what they work on
        for other in others:
            other.result()

    def search(self, int thread) -> None:
        """Find what to learn from in the cases of a thread."""
        cdef int k, found = 0
        with nogil:
            for k in range(self.n_cases):
                if self.cases[k].thread == thread:
                    found |= self.look_into(&self.searchers[thread], &self.cases[k])
        if found < 0:
            raise MemoryError

    cdef int look_into(self, Searcher* searcher, Case* case) noexcept nogil:
        """0, or -1 when memory is short."""
        cdef Lesson* lesson = &case.lesson
        cdef int32_t at = NONE
        if compare_beam(&self.engine.scorer, &searcher.w, &searcher.beam, &searcher.arena, &case.s, lesson) < 0:
            return -1
        if unwind(&searcher.arena, lesson.end, &case.right) < 0:
            return -1
        if lesson.steps:
            if unwind(&searcher.arena, lesson.wrong, &case.wrong) < 0:
                return -1
            case.n_rewarded = 0
            at = lesson.right   # an entry on the way to the end
        while at >= 0:
            case.n_rewarded += 1
            at = searcher.arena.history[at].previous
        return 0

    def change(self, int thread) -> None:
        """Change the weights of moves (the first thread) or those of labels (the second, or the only one).

        Where labels are parts of moves, the first thread changes both.
        """
        cdef int k
        cdef int64_t before = self.n_updates
        with nogil:
            if thread == 0:
                for k in range(self.n_cases):
                    if self.cases[k].lesson.steps and self.learn_moves(&self.cases[k], before != self.n_updates):
                        self.n_updates += 1
            if (thread == 1 or self.n_threads == 1) and not self.engine.scorer.labels_with_moves:
                for k in range(self.n_cases):
                    self.learn_labels(&self.cases[k])

    cdef int learn_moves(self, const Case* case, bint changed) except -1 nogil:
        """Rewards the right prefix and punishes the wrong one from where they part; returns whether it does.

        Where weights have changed since the search, the wrong one may have lost its lead: nothing is learnt then.
        """
        cdef const int32_t* wrong = case.wrong.steps
        cdef const int32_t* right = case.right.steps
        cdef int32_t same = 0
        cdef int64_t lead = 0, behind = 0
        while (same < case.wrong.n and same < case.n_rewarded and wrong[2 * same] == right[2 * same]
               and wrong[2 * same + 1] == right[2 * same + 1]):
            same += 1
        if changed:
            self.walk(case, wrong, same, case.wrong.n, 0, case.lesson.margin, &lead)
            self.walk(case, right, same, case.n_rewarded, 0, 0, &behind)
            if lead < behind:
                return False
        self.move_table.grow_for(
            <int64_t>(case.wrong.n + case.n_rewarded - 2 * same) * self.engine.scorer.moves_flat.n_templates)
        if self.engine.scorer.labels_with_moves:
            self.label_table.grow_for(
                <int64_t>(case.wrong.n + case.n_rewarded - 2 * same) * self.engine.scorer.labels_flat.n_templates)
        self.walk(case, wrong, same, case.wrong.n, -1, 0, NULL)
        self.walk(case, right, same, case.n_rewarded, 1, 0, NULL)
        return True

    cdef int walk(self, const Case* case, const int32_t* path, int32_t first, int32_t last, int32_t delta,
                  int32_t margin, int64_t* score) except -1 nogil:
        """Replays a derivation and adds delta to the weights of its steps first..last-1.

        Given a score, it adds up those of the steps instead, with the margin for each wrong arc.
        """
        cdef const Spec* spec = self.engine.scorer.spec
        cdef const Scorer* scorer = &self.engine.scorer
        cdef bint with_label
        cdef Arena* a = &self.replay
        cdef State c
        cdef int32_t k, move, label, head = NONE, dependent = NONE
        if begin(a, spec, &case.s, True) < 0:
            with gil:
                raise MemoryError
        state_start(&c, spec, a)
        for k in range(last):
            move, label = path[2 * k], path[2 * k + 1]
            with_label = scorer.labels_with_moves and spec.labelled >> move & 1
            if k >= first and score == NULL:
                if with_label:
                    self.reward_labelled_move(a, self.move_scratch.keys, &case.s, &c, move, label, delta, case.clock)
                else:
                    self.reward_move(a, self.move_scratch.keys, &case.s, &c, move, delta, case.clock)
            elif k >= first:
                score[0] += score_moves(scorer, &self.move_scratch, a, &c, &case.s)[move]
                if with_label:
                    score[0] += scores_in(label_row(scorer, &self.move_scratch, a, &c, &case.s, move))[label]
                if margin and spec.drawing >> move & 1 and not spec.traits & GRAPH:
                    spec.arc(spec, a, &c, move, &head, &dependent)
                    dependent = a.cells[dependent].word
                    if (case.lesson.heads[dependent - 1] != a.cells[head].word
                            or with_label and case.lesson.arc_labels[dependent - 1] != label):
                        score[0] += margin
            spec.apply(spec, a, &c, move, label)
        return 0

    cdef int learn_labels(self, const Case* case) except -1 nogil:
        """Learns the label of each arc of the oracle's derivation, the labels before being the parser's own."""
        cdef const Spec* spec = self.engine.scorer.spec
        cdef const int32_t* path = case.right.steps
        cdef Arena* a = &self.label_replay
        cdef int32_t k, move, label, other, head = NONE, dependent = NONE
        cdef const LabelRow* row
        cdef const int32_t* scores
        cdef State c
        # The arcs of a graph may be more than its words.
        self.label_table.grow_for(2 * max(case.s.n + 1, case.right.n) * self.engine.scorer.labels_flat.n_templates)
        if begin(a, spec, &case.s, True) < 0:
            with gil:
                raise MemoryError
        state_start(&c, spec, a)
        self.w.salt += 1
        for k in range(case.right.n):
            move = path[2 * k]
            if spec.labelled >> move & 1:
                spec.arc(spec, a, &c, move, &head, &dependent)
                row = score_labels(&self.engine.scorer, &self.w, &case.s, &a.cells[head], &a.cells[dependent])
                scores = scores_in(row)
                label = case.lesson.labels[k]
                other = best_other(row, self.engine.scorer.n_labels, label)
                if other >= 0 and scores[other] + case.lesson.margin >= scores[label]:
                    self.reward_label(a, self.w.keys, &case.s, head, dependent, label, 1, case.clock)
                    self.reward_label(a, self.w.keys, &case.s, head, dependent, other, -1, case.clock)
                    self.w.salt += 1        # sums kept from before are out of date
            spec.apply(spec, a, &c, move, path[2 * k + 1])
        return 0


cdef int unwind(const Arena* a, int32_t entry, Path* path) noexcept nogil:
    """Writes the moves and labels that lead to an entry of the arena's history: 0, or -1 when memory is short."""
    cdef int32_t at = entry, k
    cdef void* room
    path.n = 0
    while at >= 0:
        path.n += 1
        at = a.history[at].previous
    room = room_for(path.steps, &path.room, 2 * path.n, sizeof(int32_t))
    if room == NULL:
        return -1
    path.steps = <int32_t*>room
    for k in range(path.n - 1, -1, -1):
        path.steps[2 * k] = a.history[entry].move
        path.steps[2 * k + 1] = a.history[entry].label
        entry = a.history[entry].previous
    return 0


# ── easy-first ──
#
# Learning the scores of easy-first: a right move must beat every wrong one, in the whole list.
#
# A move is right if it draws a gold arc whose dependent has all its own dependents (Goldberg and Elhadad, 2010). When a
# wrong one is ahead, the weights move from it to the best right one, which is then made.


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


# ── the passes of the three-step system ──
#
# Learning what the passes of the three-step system decide: whether a word waits, and whether it has found its head;
# where PUT has a label of its own, also which.
#
# Any configuration tells which decisions are right: a word waits if its gold arc is not projective and goes in the
# direction of the pass, and its head takes it if it still waits. So learning may follow the parser's own decisions.


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
        cdef int32_t found = score_question(
            plan, &self.engine.c.put_table if is_put else &self.engine.c.dist_table, &self.desk, s, at
        )
        if (found <= self.margin) if right else (found > -self.margin):
            self.n_updates += 1
            table.grow_for(plan.n_templates)
            reward(table, plan, s, at, self.desk.keys, 0, 1 if right else -1, self.clock)
        if (found > 0) == right:
            return right
        return (not right) if happens(&self.chance) else right
