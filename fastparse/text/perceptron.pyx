"""Learning the weights of a yes-or-no decision: an averaged perceptron with a margin, over recorded cases."""

import numpy as np

from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t

from fastparse.weights.averaging cimport average, change
from fastparse.weights.chance cimport next_random


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

    A case is learnt from whenever its sum is not beyond the margin on the right side. The bias is one more feature
    that every case has, and the last.

    Args:
        weights, drift: by feature, see `fastparse.weights.averaging`.
        clock: cases that have been gone through, and 1.
    """
    cdef int64_t n = rows.shape[0], width = rows.shape[1], n_features = weights.shape[0] - 1, i, j, at, sum
    cdef int32_t delta
    with nogil:
        for i in range(n):
            at = order[i]
            sum = weights[n_features]
            for j in range(width):
                sum += weights[rows[at, j]]
            delta = 1 if answers[at] else -1
            if sum * delta <= margin:
                for j in range(width):
                    change(&weights[rows[at, j]], &drift[rows[at, j]], delta, clock)
                change(&weights[n_features], &drift[n_features], delta, clock)
            clock += 1


def averages(const int32_t[::1] weights, const int64_t[::1] drift, int64_t clock):
    """Averaged weights, float64 by feature."""
    cdef int64_t i
    found = np.zeros(len(weights))
    cdef double[::1] into = found
    for i in range(len(weights)):
        into[i] = average(weights[i], drift[i], clock)
    return found
