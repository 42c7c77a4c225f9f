"""How a network learns along the states of sentences, and parses greedily.

Loss: -log of the total probability of the moves of least cost, as a dynamic oracle tells them; of the static
derivation's move where a system has no such oracle.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport free, realloc
from libc.string cimport memcpy, memset

from fastparse.encoder.reals cimport exp, log
from fastparse.features.plan cimport N_POSITIONS, locate
from fastparse.learning.networks.numbers cimport bits_at, threshold_of
from fastparse.learning.networks.states cimport Scores, States
from fastparse.transition_systems.oracle cimport dynamic_oracle, scratch_room
from fastparse.search.beam cimport legal_moves
from fastparse.machine.arena cimport arena_start, state_start
from fastparse.machine.spec cimport Spec
from fastparse.machine.state cimport Cell, NONE, State
from fastparse.machine.system cimport System


cdef class Transitions(States):
    """The layers over states of one network and one system, learning or parsing; scratch of one thread."""

    def __dealloc__(self):
        free(self.gold)

    def __init__(self, System system, *sizes):
        """Args: as of States."""
        super().__init__(system, *sizes)
        self.oracle = dynamic_oracle(system.name)
        self.rules.spec, self.rules.single_root = self.spec, self.single_root

    def learn(self, const int64_t[::1] sentences, const int64_t[::1] bases, const int64_t[::1] offsets,
              const int32_t[::1] heads, const int32_t[::1] labels, const int32_t[::1] own_labels,
              const uint8_t[::1] moves, const uint16_t[::1] move_labels, const int64_t[::1] starts, double weight,
              double explore, uint64_t seed, double rate):
        """Learns along the states of some sentences: loss -log of the probability of the moves of least cost.

        Args:
            sentences: their numbers in the treebank, to which offsets, heads and starts belong.
            bases: the row of each one's root in the batch.
            labels, own_labels: of each row of the batch: the tree's, and the one the network gives to the tree's arc.
            moves, move_labels, starts: the static derivations.
            weight: of the loss of a state in the gradients.
            explore: how often the network's own move is made where it is wrong (systems with a dynamic oracle), and
                its own label given.
            rate: of dropout.
        Returns:
            The loss without its weight, the states scored, and those in which the best move is right.
        """
        cdef Py_ssize_t j
        cdef double loss = 0
        cdef int64_t counts[2]
        cdef int32_t n
        cdef int least = threshold_of(rate)
        cdef uint64_t threshold = <uint64_t>(explore * 4294967296.0)
        counts[0] = counts[1] = 0
        for j in range(len(sentences)):
            n = <int32_t>(offsets[sentences[j] + 1] - offsets[sentences[j]])
            self.make_room(n)
            if arena_start(&self.arena, self.spec, n, True) < 0:
                raise MemoryError
            with nogil:
                self.gold[0] = NONE
                if n:
                    memcpy(self.gold + 1, &heads[offsets[sentences[j]]], n * sizeof(int32_t))
                if self.oracle.note != NULL:
                    self.take_notes(n, &moves[0], &move_labels[0], starts[sentences[j]], starts[sentences[j] + 1])
                loss += self.learn_sentence(bases[j], &labels[bases[j]], &own_labels[bases[j]], &moves[0],
                                            starts[sentences[j]], starts[sentences[j] + 1], weight, threshold,
                                            bits_at(seed, sentences[j]), least, counts)
        return loss, counts[0], counts[1]

    cdef int make_room(self, int32_t n) except -1:
        cdef int32_t room = 2 * n + 64
        cdef void* larger
        if n >= self.room:
            larger = realloc(self.gold, (<size_t>room + scratch_room(room)) * sizeof(int32_t))
            if larger == NULL:
                raise MemoryError       # pointer and room stay as they are
            self.gold, self.room = <int32_t*>larger, room
        return 0

    cdef void take_notes(self, int32_t n, const uint8_t* moves, const uint16_t* labels, int64_t first,
                         int64_t last) noexcept nogil:
        """Shows the static derivation to the oracle, and makes the arena as it was before."""
        cdef State c
        cdef int64_t k
        for k in range(5 * (n + 1)):
            self.gold[n + 1 + k] = NONE
        state_start(&c, self.spec, &self.arena)
        for k in range(first, last):
            self.oracle.note(self.spec, &self.arena, &c, moves[k], self.gold, self.gold + n + 1)
            self.spec.apply(self.spec, &self.arena, &c, moves[k], labels[k])
        arena_start(&self.arena, self.spec, n, True)

    cdef double learn_sentence(self, int64_t base, const int32_t* labels, const int32_t* own_labels,
                               const uint8_t* moves, int64_t first, int64_t last, double weight, uint64_t threshold,
                               uint64_t seed, int least, int64_t* counts) noexcept nogil:
        cdef const Spec* spec = self.spec
        cdef const Cell* at[N_POSITIONS]
        cdef bint static = self.oracle.best_moves == NULL
        cdef int32_t move, label, head = NONE, dependent = NONE, step = 0, n = self.arena.n
        cdef uint32_t legal, best
        cdef uint64_t draws
        cdef double loss = 0
        cdef State c
        cdef Scores s
        state_start(&c, spec, &self.arena)
        while not spec.is_final(spec, &self.arena, &c):
            legal = legal_moves(&self.rules, &self.arena, &c)
            if static:
                if first + step >= last:
                    break
                best = <uint32_t>1 << moves[first + step]
                legal |= best
            else:
                best = self.oracle.best_moves(spec, &self.arena, &c, self.gold, self.gold + n + 1, legal)
            if best == 0:
                break
            draws = bits_at(seed, 2 * step + 1)
            if legal & (legal - 1):
                locate(spec, &self.arena, &c, at)
                self.score(&self.arena, base, at, legal, &c, bits_at(seed, 2 * step), least, &s)
                move = self.learn_moves(base, at, &c, legal, best, weight, not static and draws >> 32 < threshold,
                                        least, &s, &loss, counts)
            else:
                move = lowest(best)
            label = 0
            if spec.labelled >> move & 1:
                spec.arc(spec, &self.arena, &c, move, &head, &dependent)
                head, dependent = self.arena.cells[head].word, self.arena.cells[dependent].word
                if self.gold[dependent] != head:
                    label = self.best_label(base, head, dependent)
                else:
                    label = own_labels[dependent] if <uint64_t><uint32_t>draws < threshold else labels[dependent]
            spec.apply(spec, &self.arena, &c, move, label)
            step += 1
        return loss

    cdef int32_t learn_moves(self, int64_t base, const Cell* const* at, const State* c, uint32_t legal, uint32_t best,
                             double weight, bint own, int least, Scores* s, double* loss,
                             int64_t* counts) noexcept nogil:
        """Learns a state; returns the move to make: the best one, or the best right one."""
        cdef int32_t m, n = self.spec.n_moves, top = best_of(s, n, legal), right = best_of(s, n, best)
        cdef double sum_all, sum_best = 0, share = 0
        cdef double[32] power, shares
        cdef float wrong[32]
        sum_all = powers_of(s, n, legal, top, power)
        # The right moves apart: where all of them are unlikely their own sum must not vanish.
        for m in range(self.spec.n_moves):
            if best >> m & 1:
                sum_best += exp(s.move[m] - s.move[right])
        counts[0] += 1
        counts[1] += top == right
        memset(shares, 0, sizeof(shares))
        if self.teacher is not None:
            share = self.share
            self.teacher.add_shares(&self.arena, base, at, legal, c, share / self.n_teachers, shares)
        loss[0] += log(sum_all) + s.move[top] - (1 - share) * (log(sum_best) + s.move[right])
        if best != legal or share > 0:
            for m in range(self.spec.n_moves):
                wrong[m] = <float>(weight * power[m] / sum_all - weight * shares[m])
                if best >> m & 1:
                    wrong[m] -= <float>((1 - share) * weight * exp(s.move[m] - s.move[right]) / sum_best)
                if legal >> m & 1:
                    loss[0] -= shares[m] * s.move[m]
            self.learn_state(base, s, wrong, least)
        return top if own else right

    cdef void add_shares(self, const Arena* a, int64_t base, const Cell* const* at, uint32_t legal, const State* c,
                         double part, double* shares) noexcept nogil:
        """Adds the probabilities that this network and its own teachers give the legal moves. part: factor."""
        cdef int32_t m, n = self.spec.n_moves
        cdef double sum_all
        cdef double[32] power
        cdef Scores s
        self.score(a, base, at, legal, c, 0, 0, &s)
        sum_all = powers_of(&s, n, legal, best_of(&s, n, legal), power)
        for m in range(n):
            shares[m] += part * power[m] / sum_all
        if self.teacher is not None:
            self.teacher.add_shares(a, base, at, legal, c, part, shares)

    def learn_from(self, list teachers, double share):
        """Learn from the mean of the probabilities these give the moves, too. share: of the loss."""
        cdef Transitions last = self, teacher
        for teacher in teachers:
            last.teacher = teacher
            last = teacher
        self.share, self.n_teachers = share, len(teachers)

    # ── parsing ──

    def parse(self, const int64_t[::1] offsets, const int64_t[::1] bases, int32_t[::1] heads, int32_t[::1] labels,
              record=None) -> int:
        """Greedily. Sentence j has the words offsets[j].. of heads and labels, and its root in row bases[j].

        Args:
            record: three int32 arrays to be filled with the states that are scored, a row each until they are full:
                rows of words by place, -1 for none; labels by place that has one, from 1, 0 for none; distances.
        Returns:
            States recorded.
        """
        cdef Py_ssize_t j
        cdef int32_t n
        cdef int32_t[:, ::1] part
        self.record_room = self.recorded = 0
        if record is not None:
            part = record[0]
            self.record_words, self.record_room = &part[0, 0], <int32_t>part.shape[0]
            part = record[1]
            self.record_labels, self.n_labelled = &part[0, 0], <int32_t>part.shape[1]
            part = record[2]
            self.record_buckets = &part[0, 0]
        for j in range(len(bases)):
            n = <int32_t>(offsets[j + 1] - offsets[j])
            if arena_start(&self.arena, self.spec, n, True) < 0:
                raise MemoryError
            if n:
                with nogil:
                    self.parse_sentence(bases[j], &heads[offsets[j]], &labels[offsets[j]])
        self.record_room = 0
        return self.recorded

    cdef void parse_sentence(self, int64_t base, int32_t* heads, int32_t* labels) noexcept nogil:
        cdef const Spec* spec = self.spec
        cdef const Cell* at[N_POSITIONS]
        cdef int32_t move, label, head = NONE, dependent = NONE
        cdef uint32_t legal
        cdef State c
        cdef Scores s
        state_start(&c, spec, &self.arena)
        while not spec.is_final(spec, &self.arena, &c):
            legal = legal_moves(&self.rules, &self.arena, &c)
            if legal == 0:
                break
            move = lowest(legal)
            if legal & (legal - 1):
                locate(spec, &self.arena, &c, at)
                if self.recorded < self.record_room:
                    self.describe(base, at, self.record_words + self.recorded * self.n_places,
                                  self.record_labels + self.recorded * self.n_labelled,
                                  self.record_buckets + self.recorded * self.n_pairs)
                    self.recorded += 1
                self.score(&self.arena, base, at, legal, &c, 0, 0, &s)
                move = best_of(&s, spec.n_moves, legal)
            label = 0
            if spec.labelled >> move & 1:
                spec.arc(spec, &self.arena, &c, move, &head, &dependent)
                label = self.best_label(base, self.arena.cells[head].word, self.arena.cells[dependent].word)
            spec.apply(spec, &self.arena, &c, move, label)
        self.read_tree(&self.arena, &c, base, heads, labels)


cdef inline double powers_of(const Scores* s, int32_t n_moves, uint32_t legal, int32_t top,
                             double* power) noexcept nogil:
    """exp of what the legal moves score more than the best one, 0 of the others; returns their sum."""
    cdef int32_t m
    cdef double total = 0
    for m in range(n_moves):
        power[m] = exp(s.move[m] - s.move[top]) if legal >> m & 1 else 0
        total += power[m]
    return total


cdef inline int32_t lowest(uint32_t moves) noexcept nogil:
    cdef int32_t m = 0
    while not moves >> m & 1:
        m += 1
    return m
