"""Learning the weights of a yes-or-no decision: an averaged perceptron with a margin, over recorded cases."""

import numpy as np

from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t

from fastparse.weights.perceptron cimport average, change, next_random


def learn(const int32_t[:, ::1] rows, const uint8_t[::1] answers, int32_t n_features, *, int passes, int margin,
          uint64_t seed):
    """Averaged weights, float64 by feature, and the bias.

    A case is learnt from whenever its sum is not beyond the margin on the right side. The bias is one more feature
    that every case has. Cases come in a new order in every pass, which the seed decides.
    """
    cdef int64_t n = rows.shape[0], width = rows.shape[1], i, j, at, clock = 1, sum
    cdef uint64_t random = seed * 2 + 1
    cdef int32_t delta
    cdef int _
    order = np.arange(n, dtype=np.int64)
    weights, drift = np.zeros(n_features + 1, np.int32), np.zeros(n_features + 1, np.int64)
    averages = np.zeros(n_features)
    cdef int32_t[::1] w = weights
    cdef int64_t[::1] o = order, d = drift
    cdef double[::1] found = averages
    with nogil:
        for _ in range(passes):
            for i in range(n - 1, 0, -1):
                at = <int64_t>(next_random(&random) % <uint64_t>(i + 1))
                o[i], o[at] = o[at], o[i]
            for i in range(n):
                at = o[i]
                sum = w[n_features]
                for j in range(width):
                    sum += w[rows[at, j]]
                delta = 1 if answers[at] else -1
                if sum * delta <= margin:
                    for j in range(width):
                        change(&w[rows[at, j]], &d[rows[at, j]], delta, clock)
                    change(&w[n_features], &d[n_features], delta, clock)
                clock += 1
        for i in range(n_features):
            found[i] = average(w[i], d[i], clock)
    return averages, average(w[n_features], d[n_features], clock)
