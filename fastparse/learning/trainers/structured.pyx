"""Structured learning: what a beam has lost or was ahead with, a few sentences at a time.

The sentences of a minibatch are searched with the same weights, on all threads; then the weights are changed, sentence
by sentence in their order: those of moves on one thread, those of labels on another. What a search has found counts
only if it still holds with the weights of now, so that no mistake is mended twice and every update is one of the
perceptron.
The weights depend on the size of a minibatch, but not on the number of threads.
"""

from concurrent.futures import ThreadPoolExecutor, wait

from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport calloc, free

from fastparse.features.attributes cimport Values, sentence_of
from fastparse.features.plan cimport SentenceRows
from fastparse.machine.arena cimport arena_close, arena_open, arena_start, state_start
from fastparse.machine.spec cimport Spec
from fastparse.machine.state cimport Arena, NONE, State
from fastparse.search.engine cimport Engine
from fastparse.search.scorer cimport (
    LabelRow, Scorer, Scratch, label_row, score_labels, score_moves, scores_in, scratch_close, scratch_open)
from fastparse.search.beam cimport Beam, Lesson, beam_close, beam_open, compare_beam
from fastparse.learning.trainers.labels cimport best_other
from fastparse.learning.trainers.room cimport room_for
from fastparse.learning.trainers.trainer cimport Trainer

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
        if arena_start(a, spec, case.s.n, True) < 0:
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
                if margin and spec.drawing >> move & 1:
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
        self.label_table.grow_for(2 * (case.s.n + 1) * self.engine.scorer.labels_flat.n_templates)
        if arena_start(a, spec, case.s.n, True) < 0:
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
