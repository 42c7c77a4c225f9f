"""Scores of given states, for tests and benchmarks: cells come as arrays of integers."""

import numpy as np

from libc.stdint cimport int32_t, uint8_t, uint32_t
from libc.string cimport memset

from fastparse.encoder.encoder cimport BUCKETS, LOG_TABLE, Choice, Encoder, EncoderC, MAX_ROWS, log_table, room
from fastparse.encoder.scoring cimport (
    arc_score, best_among, log_of, log_probabilities, score_labels, score_moves, score_rows)
from fastparse.encoder.scratch cimport LINE, Scratch, ScratchC, SlotRows, enter, fill
from fastparse.features.plan cimport D, H, N_POSITIONS
from fastparse.machine.state cimport Cell

cdef enum:
    N_FIELDS = 11               # word, head, left, left, right, right, label, and the labels of the children


cdef void as_cell(const int32_t* fields, Cell* cell) noexcept nogil:
    cdef int32_t i
    memset(cell, 0, sizeof(Cell))
    cell.word, cell.head, cell.label = fields[0], fields[1], fields[6]
    for i in range(2):
        cell.left[i], cell.right[i] = fields[2 + i], fields[4 + i]
        cell.left_label[i], cell.right_label[i] = fields[7 + i], fields[9 + i]


def scores(Scratch scratch, str choice, int first, int n, states, int repeats=1) -> np.ndarray:
    """Scores of states of the sentence of `n` words whose root is row `first` of the batch.

    Args:
        choice: "moves" or "labels" (which reads the cells at H and D).
        states: int32 [states, positions, 11]: word, head, l1, l2, r1, r2 (-1: none), label, and the children's labels
            (65535: none).
        repeats: for benchmarks.
    """
    cdef const int32_t[:, :, ::1] s = np.ascontiguousarray(states, np.int32)
    cdef const EncoderC* e = &scratch.encoder.c
    cdef ScratchC* w = &scratch.c
    cdef const Cell* at[N_POSITIONS]
    cdef const int32_t* row
    cdef bint moves = choice == "moves"
    cdef int32_t i, j, p, _, n_outputs = e.moves.n_outputs if moves else e.labels.n_outputs
    if (s.shape[1] != N_POSITIONS or s.shape[2] != N_FIELDS or n_outputs == 0
            or first < 0 or n < 0 or first + n >= w.n_rows):
        raise ValueError("these are no states of this encoder's batch")
    out = np.empty((s.shape[0], n_outputs), np.int32)
    cdef int32_t[:, ::1] o = out
    cdef list owned = []
    cdef Cell* cells = <Cell*>room(owned, s.shape[0] * N_POSITIONS * sizeof(Cell))
    for i in range(s.shape[0]):
        for p in range(N_POSITIONS):
            as_cell(&s[i, p, 0], &cells[i * N_POSITIONS + p])
    with nogil:
        enter(w, first, n)
        for _ in range(repeats):
            for i in range(s.shape[0]):
                for p in range(N_POSITIONS):
                    at[p] = &cells[i * N_POSITIONS + p]
                row = score_moves(e, w, at) if moves else score_labels(e, w, at[H], at[D])
                for j in range(n_outputs):
                    o[i, j] = row[j]
    return out


def row_scores(Scratch scratch, str choice, words, labels, buckets) -> np.ndarray:
    """Scores of states given by what is read of them.

    Args:
        words: [states, slots] rows of the batch, -1 where there is none.
        labels: [states, places] 0 for none, label + 1 otherwise.
        buckets: [states, pairs] of distances.
    """
    cdef const int32_t[:, ::1] w = np.ascontiguousarray(words, np.int32)
    cdef const int32_t[:, ::1] l = np.ascontiguousarray(labels, np.int32)
    cdef const int32_t[:, ::1] b = np.ascontiguousarray(buckets, np.int32)
    cdef bint moves = choice == "moves"
    cdef const EncoderC* e = &scratch.encoder.c
    cdef const Choice* c = &e.moves if moves else &e.labels
    cdef SlotRows* slots = &scratch.c.moves if moves else &scratch.c.labels
    cdef int32_t* found = scratch.c.move_scores if moves else scratch.c.label_scores
    cdef int32_t own_words[MAX_ROWS]
    cdef int32_t own_labels[MAX_ROWS]
    cdef int32_t own_buckets[MAX_ROWS]
    cdef int32_t i, j, n = <int32_t>w.shape[0]
    for array, columns, most in (
            (words, c.n_slots, scratch.c.n_rows), (labels, c.n_labels, c.n_label_rows), (buckets, c.n_pairs, BUCKETS)):
        if np.shape(array) != (n, columns) or (n * columns and (np.max(array) >= most or np.min(array) < -1)):
            raise ValueError("these are no states of this encoder's batch")
    out = np.empty((n, c.n_outputs), np.int32)
    cdef int32_t[:, ::1] o = out
    for i in range(n):
        for j in range(c.n_slots):
            own_words[j] = w[i, c.slots[j].number]
        for j in range(c.n_labels):
            own_labels[j] = l[i, j] if l[i, j] >= 0 else 0
        for j in range(c.n_pairs):
            own_buckets[j] = b[i, j] if b[i, j] >= 0 else 0
        score_rows(e, &scratch.c, c, slots, own_words, own_labels, own_buckets, found)
        for j in range(c.n_outputs):
            o[i, j] = found[j]
    return out


def arc_scores(Scratch scratch, int first, int n, heads, dependents) -> np.ndarray:
    """Scores of arcs between words of a sentence."""
    cdef const int32_t[::1] h = np.ascontiguousarray(heads, np.int32)
    cdef const int32_t[::1] d = np.ascontiguousarray(dependents, np.int32)
    cdef Py_ssize_t i
    if scratch.encoder.c.arc_size == 0 or first < 0 or n < 0 or first + n >= scratch.c.n_rows:
        raise ValueError("this encoder's batch has no such arcs")
    if len(h) != len(d) or (len(h) and not (0 <= min(np.min(h), np.min(d)) and max(np.max(h), np.max(d)) <= n)):
        raise ValueError(f"heads and dependents are words 0 to {n}")
    out = np.empty(len(h), np.int32)
    cdef int32_t[::1] o = out
    enter(&scratch.c, first, n)
    for i in range(len(h)):
        o[i] = arc_score(&scratch.encoder.c, &scratch.c, h[i], d[i])
    return out


def project_all(Scratch scratch) -> None:
    """Make the slot rows of all words of the batch, as a search that goes through it does."""
    cdef const EncoderC* e = &scratch.encoder.c
    cdef ScratchC* w = &scratch.c
    cdef int32_t line = 0
    with nogil:
        while line * LINE < w.n_rows:
            if line >= w.moves.frontier:
                fill(e, w, &e.moves, &w.moves, line)
                fill(e, w, &e.labels, &w.labels, line)
            line += 1


# ── logarithms of probabilities ──

def table() -> np.ndarray:
    """What is added to the larger of two logarithms, by how far they are apart."""
    return np.array([log_table()[i] for i in range(LOG_TABLE)], np.int32)


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
