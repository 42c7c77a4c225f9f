"""States scored by the words at their places: the network's last layers, which change with every transition.

A state's hidden units are the larger of two sums over the rows of the words at its places (which the network has
computed once per word and place), of the labels of children and heads there, and of distances. Moves have an output
each, and those that draw an arc a product of two short vectors besides, one of its head, one of its dependent.
"""

import numpy as np

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from fastparse.encoder.encoder cimport bucket
from fastparse.learning.networks.numbers cimport add_scaled, add_to, bits_at, dot, threshold_of
from fastparse.machine.arena cimport arena_close, arena_open
from fastparse.machine.state cimport Arena, Cell, NONE, State
from fastparse.machine.system cimport System

from fastparse.learning.networks.places import located, position_number

cdef enum:
    DROPPED = 2

N_BUCKETS = BUCKETS


def buckets_of(const int32_t[::1] distances):
    """The numbers of distances: rows of arrays of `N_BUCKETS`."""
    found = np.empty(len(distances), np.int32)
    cdef int32_t[::1] at = found
    cdef Py_ssize_t i
    for i in range(len(distances)):
        at[i] = bucket(distances[i])
    return found


cdef class States:
    """The layers over states of one network and one system; scratch of one thread."""

    def __cinit__(self):
        arena_open(&self.arena)

    def __dealloc__(self):
        arena_close(&self.arena)

    def __init__(self, System system, tuple places, tuple pairs, int hidden, int rank, root_label, inner_label,
                 bint single_root):
        """Args: root_label, inner_label: per label, whether an arc from the root, or another arc, may carry it."""
        cdef int k
        if len(places) > MAX_PLACES or len(pairs) > MAX_PAIRS or hidden > MAX_HIDDEN or hidden % 8 or rank % 8:
            raise ValueError(f"{len(places)} places, {len(pairs)} distances, {hidden} hidden units, rank {rank}: "
                             f"at most {MAX_PLACES}, {MAX_PAIRS}, {MAX_HIDDEN}, in multiples of 8")
        self.system, self.places, self.pairs, self.hidden, self.rank = system, places, pairs, hidden, rank
        self.spec = &system.spec
        self.n_places, self.n_pairs = len(places), len(pairs)
        for k, place in enumerate(places):
            self.place[k].position, self.place[k].word, self.place[k].label = located(place)
        for k, (left, right) in enumerate(pairs):
            self.pair[2 * k], self.pair[2 * k + 1] = position_number(left), position_number(right)
        self.root_label = np.ascontiguousarray(root_label, dtype=np.uint8)
        self.inner_label = np.ascontiguousarray(inner_label, dtype=np.uint8)
        self.n_labels = len(root_label)
        self.single_root = single_root

    def bind(self, dict values, dict gradients=None):
        """Use these arrays, named as in `fastparse.learning.networks.shapes`."""
        self.owners = (values, gradients)
        fill(&self.value, values)
        fill(&self.gradient, values if gradients is None else gradients)

    def use_rows(self, float[:, ::1] rows, float[:, ::1] arcs=None, float[:, ::1] d_rows=None,
                 float[:, ::1] d_arcs=None):
        """The rows of a batch's words, and those of their gradients; arcs only where the rank is not 0."""
        cdef bint learning = d_rows is not None
        if rows.shape[1] != (self.n_places + 2) * 2 * self.hidden:
            raise ValueError(f"rows of {rows.shape[1]} numbers for {self.n_places} places of 2 x {self.hidden}")
        self.row_owners = (rows, arcs, d_rows, d_arcs)
        self.value.rows = &rows[0, 0]
        self.gradient.rows = &d_rows[0, 0] if learning else self.value.rows
        if self.rank:
            if arcs is None or arcs.shape[1] != 2 * self.rank:
                raise ValueError(f"a network of rank {self.rank} needs rows of {2 * self.rank} numbers for arcs")
            self.value.arcs = &arcs[0, 0]
            self.gradient.arcs = &d_arcs[0, 0] if learning else self.value.arcs

    # ── labels of given arcs ──

    def label_hidden(self, const int32_t[::1] heads, float[:, ::1] hidden, uint8_t[:, ::1] which, uint64_t seed,
                     double rate):
        """Hidden units for the label of each row's arc.

        Args:
            heads: row of each row's head; negative: there is no arc.
            which: what won, for backward.
        """
        cdef Py_ssize_t i
        cdef int k, n = self.hidden, least = threshold_of(rate)
        cdef float scale = <float>(256.0 / (256 - least))
        cdef float sums[2 * MAX_HIDDEN]
        cdef uint64_t bits = 0
        with nogil:
            for i in range(heads.shape[0]):
                if heads[i] < 0:
                    memset(&hidden[i, 0], 0, n * sizeof(float))
                    continue
                self.add_label_rows(heads[i], <int32_t>i, sums)
                for k in range(n):
                    if k & 7 == 0:
                        bits = bits_at(seed, i * n + k)
                    which[i, k] = sums[n + k] > sums[k]
                    hidden[i, k] = sums[n + k] if which[i, k] else sums[k]
                    if least:
                        if <int>(bits & 255) < least:
                            which[i, k] = DROPPED
                            hidden[i, k] = 0
                        else:
                            hidden[i, k] *= scale
                    bits >>= 8

    cdef void add_label_rows(self, int64_t head, int64_t dependent, float* sums) noexcept nogil:
        cdef int n = 2 * self.hidden
        cdef int64_t width = <int64_t>(self.n_places + 2) * n
        memcpy(sums, self.value.label_bias, n * sizeof(float))
        add_to(sums, self.value.rows + head * width + self.n_places * n, n)
        add_to(sums, self.value.rows + dependent * width + (self.n_places + 1) * n, n)
        add_to(sums, self.value.label_distances + bucket(<int32_t>(dependent - head)) * n, n)

    def label_hidden_backward(self, const int32_t[::1] heads, const float[:, ::1] d_hidden,
                              const uint8_t[:, ::1] which, double rate):
        cdef Py_ssize_t i
        cdef int k, n = self.hidden, least = threshold_of(rate)
        cdef float scale = <float>(256.0 / (256 - least))
        cdef int64_t width = <int64_t>(self.n_places + 2) * 2 * n
        cdef float sums[2 * MAX_HIDDEN]
        with nogil:
            for i in range(heads.shape[0]):
                if heads[i] < 0:
                    continue
                memset(sums, 0, 2 * n * sizeof(float))
                for k in range(n):
                    if which[i, k] != DROPPED:
                        sums[which[i, k] * n + k] = d_hidden[i, k] * scale
                add_to(self.gradient.label_bias, sums, 2 * n)
                add_to(self.gradient.rows + heads[i] * width + self.n_places * 2 * n, sums, 2 * n)
                add_to(self.gradient.rows + i * width + (self.n_places + 1) * 2 * n, sums, 2 * n)
                add_to(self.gradient.label_distances + bucket(<int32_t>i - heads[i]) * 2 * n, sums, 2 * n)

    cdef int32_t best_label(self, int64_t base, int32_t head, int32_t dependent) noexcept nogil:
        """The best label of an arc that the decoder's rules allow."""
        cdef float sums[2 * MAX_HIDDEN]
        cdef int32_t l, k, n = self.hidden, best = 0
        cdef double top = -1e30, score
        self.add_label_rows(base + head, base + dependent, sums)
        for k in range(n):
            if sums[n + k] > sums[k]:
                sums[k] = sums[n + k]
        for l in range(self.n_labels):
            if self.root_label[l] if head == 0 else self.inner_label[l]:
                score = dot(self.value.label_weight + l * n, sums, n) + self.value.label_offset[l]
                if score > top:
                    best, top = l, score
        return best

    # ── states ──

    cdef void score(self, const Arena* a, int64_t base, const Cell* const* at, uint32_t legal, const State* c,
                    uint64_t seed, int least, Scores* s) noexcept nogil:
        """Scores of the legal moves. at: the cells at the state's positions; least: threshold of dropout, 0: none."""
        cdef int32_t k, m, word, label, n = self.hidden, row = 2 * n, head = NONE, dependent = NONE
        cdef int64_t place, width = <int64_t>(self.n_places + 2) * row
        cdef const unsigned char* cell
        cdef float sums[2 * MAX_HIDDEN]
        cdef float scale = <float>(256.0 / (256 - least))
        cdef uint64_t bits = 0
        s.n_sources = 0
        for k in range(self.n_places):
            cell = <const unsigned char*>at[self.place[k].position]
            word = (<const int32_t*>(cell + self.place[k].word))[0]
            if word >= 0:
                place = (base + word) * width + k * row
                remember(s, self.value.rows + place, self.gradient.rows + place)
            else:
                remember(s, self.value.absent + k * row, self.gradient.absent + k * row)
            if self.place[k].label >= 0:
                label = (<const uint16_t*>(cell + self.place[k].label))[0]
                place = (k * (self.n_labels + 1) + min(label, self.n_labels)) * row
                remember(s, self.value.child_labels + place, self.gradient.child_labels + place)
        for k in range(self.n_pairs):
            word, label = at[self.pair[2 * k]].word, at[self.pair[2 * k + 1]].word
            place = (k * BUCKETS + (bucket(label - word) if word >= 0 and label >= 0 else 0)) * row
            remember(s, self.value.distances + place, self.gradient.distances + place)
        remember(s, self.value.bias, self.gradient.bias)
        memcpy(sums, s.source[0], row * sizeof(float))
        for k in range(1, s.n_sources):
            add_to(sums, s.source[k], row)
        for k in range(n):
            s.which[k] = sums[n + k] > sums[k]
            s.hidden[k] = sums[n + k] if s.which[k] else sums[k]
        if least:
            for k in range(n):
                if k & 7 == 0:
                    bits = bits_at(seed, k)
                if <int>(bits & 255) < least:
                    s.which[k] = DROPPED
                    s.hidden[k] = 0
                else:
                    s.hidden[k] *= scale
                bits >>= 8
        for m in range(self.spec.n_moves):
            s.head[m] = NONE
            if not legal >> m & 1:
                continue
            s.move[m] = dot(self.value.weight + m * n, s.hidden, n) + self.value.offset[m]
            if self.rank and self.spec.drawing >> m & 1:
                self.spec.arc(self.spec, a, c, m, &head, &dependent)
                s.head[m], s.dependent[m] = a.cells[head].word, a.cells[dependent].word
                s.move[m] += dot(self.value.arcs + (base + s.head[m]) * 2 * self.rank,
                                 self.value.arcs + (base + s.dependent[m]) * 2 * self.rank + self.rank, self.rank)

    cdef void describe(self, int64_t base, const Cell* const* at, int32_t* words, int32_t* labels,
                       int32_t* buckets) noexcept nogil:
        """What score reads of a state: rows of words or -1, labels + 1 or 0 for none, buckets of distances."""
        cdef int32_t k, word, other, n = 0
        cdef const unsigned char* cell
        for k in range(self.n_places):
            cell = <const unsigned char*>at[self.place[k].position]
            word = (<const int32_t*>(cell + self.place[k].word))[0]
            words[k] = <int32_t>base + word if word >= 0 else -1
            if self.place[k].label >= 0:
                labels[n] = (min((<const uint16_t*>(cell + self.place[k].label))[0], self.n_labels) + 1) % (
                    self.n_labels + 1)
                n += 1
        for k in range(self.n_pairs):
            word, other = at[self.pair[2 * k]].word, at[self.pair[2 * k + 1]].word
            buckets[k] = bucket(other - word) if word >= 0 and other >= 0 else 0

    cdef void learn_state(self, int64_t base, Scores* s, const float* wrong, int least) noexcept nogil:
        """Adds a state's gradients. wrong: of the loss by each move's score; 0: none."""
        cdef int32_t k, m, n = self.hidden
        cdef float scale = <float>(256.0 / (256 - least))
        cdef float d_hidden[MAX_HIDDEN]
        cdef float sums[2 * MAX_HIDDEN]
        cdef int64_t h, d
        memset(d_hidden, 0, n * sizeof(float))
        for m in range(self.spec.n_moves):
            if wrong[m] == 0:
                continue
            self.gradient.offset[m] += wrong[m]
            add_scaled(self.gradient.weight + m * n, wrong[m], s.hidden, n)
            add_scaled(d_hidden, wrong[m], self.value.weight + m * n, n)
            if s.head[m] >= 0:
                h = (base + s.head[m]) * 2 * self.rank
                d = (base + s.dependent[m]) * 2 * self.rank + self.rank
                add_scaled(self.gradient.arcs + h, wrong[m], self.value.arcs + d, self.rank)
                add_scaled(self.gradient.arcs + d, wrong[m], self.value.arcs + h, self.rank)
        memset(sums, 0, 2 * n * sizeof(float))
        for k in range(n):
            if s.which[k] != DROPPED:
                sums[s.which[k] * n + k] = d_hidden[k] * scale
        for k in range(s.n_sources):
            add_to(s.target[k], sums, 2 * n)

    cdef void read_tree(self, const Arena* a, const State* c, int64_t base, int32_t* heads,
                        int32_t* labels) noexcept nogil:
        """The tree of an exclusive arena; words without a head get theirs as in search/strategies/greedy.pyx."""
        cdef int32_t root = c.root_child, word
        for word in range(1, a.n + 1):
            heads[word - 1], labels[word - 1] = a.cells[word].head, a.cells[word].label
            if heads[word - 1] < 0:
                heads[word - 1] = 0
                if self.single_root:
                    if root >= 0:
                        heads[word - 1] = root
                    else:
                        root = word
                labels[word - 1] = self.best_label(base, heads[word - 1], word)


cdef inline void remember(Scores* s, const float* source, float* target) noexcept nogil:
    s.source[s.n_sources] = source
    s.target[s.n_sources] = target
    s.n_sources += 1


cdef float* start_of(dict arrays, str name) except NULL:
    cdef float[::1] flat = arrays[name].reshape(-1)
    return &flat[0]


cdef int fill(Numbers* numbers, dict arrays) except -1:
    numbers.absent = start_of(arrays, "moves.absent")
    numbers.child_labels = start_of(arrays, "moves.labels")
    numbers.distances = start_of(arrays, "moves.distances")
    numbers.bias = start_of(arrays, "moves.bias")
    numbers.weight = start_of(arrays, "moves.weight")
    numbers.offset = start_of(arrays, "moves.offset")
    numbers.label_distances = start_of(arrays, "labels.distances")
    numbers.label_bias = start_of(arrays, "labels.bias")
    numbers.label_weight = start_of(arrays, "labels.weight")
    numbers.label_offset = start_of(arrays, "labels.offset")
    return 0
