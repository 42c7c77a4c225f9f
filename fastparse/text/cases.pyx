"""Recording cases, and learning the weights of a yes-or-no decision from them: an averaged perceptron with a margin."""

import numpy as np

from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy

from fastparse.corpus.strings.vectors cimport discard, reserve
from fastparse.weights.perceptron cimport average, change
from fastparse.weights.perceptron cimport next_random


DECISIONS = ("gap", "end", "words")


cdef bint grow(Recorder* r) noexcept nogil:
    cdef uint64_t size = (r.mask + 1) * 2, i, at
    cdef uint64_t* keys = <uint64_t*>calloc(size, sizeof(uint64_t))
    cdef int32_t* numbers = <int32_t*>calloc(size, sizeof(int32_t))
    if keys == NULL or numbers == NULL:
        free(keys)
        free(numbers)
        return False
    for i in range(r.mask + 1):
        if r.keys[i] != 0:
            at = r.keys[i] & (size - 1)
            while keys[at] != 0:
                at = (at + 1) & (size - 1)
            keys[at] = r.keys[i]
            numbers[at] = r.numbers[i]
    free(r.keys)
    free(r.numbers)
    r.keys = keys
    r.numbers = numbers
    r.mask = size - 1
    return True


cdef void record(Recorder* r, const uint64_t* keys, int32_t n, bint answer) noexcept nogil:
    """Add a case; the first decides how many features all of them have."""
    cdef uint64_t key, at
    cdef int32_t i
    cdef int32_t* row
    if r.failed:
        return
    r.width = n
    if (r.n_keys + n) * 2 > <int64_t>r.mask and not grow(r):
        r.failed = True
        return
    if reserve(&r.rows, r.rows.size + n, sizeof(int32_t)) or reserve(&r.answers, r.answers.size + 1, 1):
        r.failed = True
        return
    row = <int32_t*>r.rows.data + r.rows.size
    for i in range(n):
        key = keys[i] if keys[i] != 0 else 1
        at = key & r.mask
        while r.keys[at] != key:
            if r.keys[at] == 0:
                r.keys[at] = key
                r.numbers[at] = r.n_keys
                r.n_keys += 1
                break
            at = (at + 1) & r.mask
        row[i] = r.numbers[at]
    r.rows.size += n
    (<uint8_t*>r.answers.data)[r.answers.size] = answer
    r.answers.size += 1


cdef class Cases:
    """The recorders of the three decisions; filled by `Engine.record`."""

    def __cinit__(self):
        cdef int i
        for i in range(3):
            self.r[i].mask = (1 << 12) - 1
            self.r[i].keys = <uint64_t*>calloc(1 << 12, sizeof(uint64_t))
            self.r[i].numbers = <int32_t*>calloc(1 << 12, sizeof(int32_t))
            if self.r[i].keys == NULL or self.r[i].numbers == NULL:
                raise MemoryError

    def __dealloc__(self):
        cdef int i
        for i in range(3):
            free(self.r[i].keys)
            free(self.r[i].numbers)
            discard(&self.r[i].rows)
            discard(&self.r[i].answers)

    def arrays(self, str decision):
        """The cases of a decision: rows (int32, cases x features), answers (uint8), keys (uint64 by number)."""
        cdef Recorder* r = &self.r[DECISIONS.index(decision)]
        cdef uint64_t i
        if r.failed:
            raise MemoryError("no memory for so many cases; train on a part of the treebank")
        keys = np.zeros(r.n_keys, np.uint64)
        cdef uint64_t[::1] k = keys
        for i in range(r.mask + 1):
            if r.keys[i] != 0:
                k[r.numbers[i]] = r.keys[i]
        rows = np.zeros(r.rows.size, np.int32)
        answers = np.zeros(r.answers.size, np.uint8)
        cdef int32_t[::1] to_rows = rows
        cdef uint8_t[::1] to_answers = answers
        if r.answers.size:
            memcpy(&to_rows[0], r.rows.data, r.rows.size * sizeof(int32_t))
            memcpy(&to_answers[0], r.answers.data, r.answers.size)
        return rows.reshape(r.answers.size, r.width), answers, keys


def shuffle(int64_t[::1] order, uint64_t[::1] random):
    """Bring cases into another order; the random number changes."""
    cdef int64_t i, at
    cdef uint64_t now = random[0]
    with nogil:
        for i in range(len(order) - 1, 0, -1):
            at = <int64_t>(next_random(&now) % <uint64_t>(i + 1))
            order[i], order[at] = order[at], order[i]
    random[0] = now


def learn(const int32_t[:, ::1] rows, const uint8_t[::1] answers, const int64_t[::1] order, int32_t[::1] weights,
          int64_t[::1] drift, int64_t clock, int margin):
    """Go through all cases once, in an order.

    A case is learnt from whenever its sum is not beyond the margin on the right side. The last two features are what
    stands for all that are too rare to be learnt, whose weight stays 0, and the bias, which every case has.

    Args:
        weights, drift: by feature, see `fastparse.weights.perceptron`.
        clock: cases that have been gone through, and 1.
    """
    cdef int64_t n = rows.shape[0], width = rows.shape[1], bias = weights.shape[0] - 1, i, j, at, sum
    cdef int32_t delta
    with nogil:
        for i in range(n):
            at = order[i]
            sum = weights[bias]
            for j in range(width):
                sum += weights[rows[at, j]]
            delta = 1 if answers[at] else -1
            if sum * delta <= margin:
                for j in range(width):
                    change(&weights[rows[at, j]], &drift[rows[at, j]], delta, clock)
                change(&weights[bias], &drift[bias], delta, clock)
                weights[bias - 1] = 0
            clock += 1


def averages(const int32_t[::1] weights, const int64_t[::1] drift, int64_t clock):
    """Averaged weights, float64 by feature."""
    cdef int64_t i
    found = np.zeros(len(weights))
    cdef double[::1] into = found
    for i in range(len(weights)):
        into[i] = average(weights[i], drift[i], clock)
    return found
