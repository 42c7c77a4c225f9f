"""The table for sums of probabilities."""

import math

import numpy as np

from fastparse.encoder.encoder cimport LOG_TABLE, LOG_UNIT as UNIT, Encoder

LOG_UNIT = UNIT                 # of logarithms: so many are 1

cdef int32_t TABLE[LOG_TABLE]
TABLE[:] = [round(UNIT * math.log1p(math.exp(-d / UNIT))) for d in range(LOG_TABLE)]


cdef const int32_t* log_table() noexcept nogil:
    return TABLE


def table() -> np.ndarray:
    """What is added to the larger of two logarithms, by how far they are apart."""
    return np.array(TABLE, np.int32)


def of_moves(Encoder encoder, scores, uint32_t legal) -> np.ndarray:
    """Logarithms of the probabilities of legal moves, by their scores [n_moves]; 0 for the others."""
    cdef const int32_t[::1] s = np.ascontiguousarray(scores, np.int32)
    if len(s) != encoder.c.moves.n_outputs or len(s) == 0:
        raise ValueError(f"{len(s)} scores for {encoder.c.moves.n_outputs} moves")
    out = np.zeros(len(s), np.int32)
    cdef int32_t[::1] o = out
    log_probabilities(&encoder.c.moves, &s[0], legal, &o[0])
    return out


def of_best_label(Encoder encoder, scores, allowed) -> tuple:
    """The best of the labels allowed (uint8, by label), and the logarithm of its probability among them."""
    cdef const int32_t[::1] s = np.ascontiguousarray(scores, np.int32)
    cdef const uint8_t[::1] a = np.ascontiguousarray(allowed, np.uint8)
    cdef int32_t best, log
    if len(s) != encoder.c.labels.n_outputs or len(s) == 0 or len(a) != len(s):
        raise ValueError(f"{len(s)} scores for {encoder.c.labels.n_outputs} labels")
    best = best_among(&encoder.c, &encoder.c.labels, &s[0], &a[0])
    log = log_of(&encoder.c.labels, &s[0], &a[0], best) if best >= 0 else 0
    return best, log
