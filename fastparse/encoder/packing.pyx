"""Tables of embeddings in fewer bytes: pieces of rows by the number of the nearest one of 256.

A table of `d` numbers a row is cut into pieces of `size` numbers. Each place in a row has 256 pieces of its own, and a
row is a byte per piece: the number of the piece that stands for it. So `size` bytes take one. Pieces are chosen so that
the squared error over all words of the training is small: what is read often counts more. All of it is integers, so
that the same table gives the same bytes on every machine.
"""

import numpy as np

from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t
from libc.string cimport memcpy

cdef enum:
    PIECES = 256                # of each place: a byte numbers them
    MOST = 8                    # numbers of a piece
    ROUNDS = 10                 # in which pieces move to the middle of what they stand for
    FAR = 0x7FFFFFFF


def packed(rows, counts, int32_t size):
    """A table in pieces.

    Args:
        rows: int8 [n, d], where `size` divides d.
        counts: how often each row is read, int64 [n].
        size: 2, 4 or 8 numbers of a piece.

    Returns:
        The number of each piece of each row, uint8 [n, d / size]; and the pieces, int8 [d / size, 256, size].
    """
    cdef const int8_t[:, ::1] r = np.ascontiguousarray(rows, np.int8)
    cdef Py_ssize_t n = r.shape[0], places = r.shape[1] // size, place
    if size not in (2, 4, MOST) or r.shape[1] % size:
        raise ValueError(f"rows of {r.shape[1]} numbers have no pieces of {size}")
    if len(counts) != n:
        raise ValueError(f"{len(counts)} counts of {n} rows")
    # By their roots: what is rare counts less than what is frequent, but not as little as it occurs.
    weights_ = np.floor(np.sqrt(16.0 * np.asarray(counts) + 4.0)).astype(np.int64)
    codes_, pieces_ = np.zeros((n, places), np.uint8), np.zeros((places, PIECES, size), np.int8)
    cdef const int64_t[::1] weights = weights_
    cdef uint8_t[:, ::1] codes = codes_
    cdef int8_t[:, :, ::1] pieces = pieces_
    for place in range(places):
        first_ = first_pieces(np.asarray(r)[:, place * size:(place + 1) * size], weights_)
        pieces_[place] = first_
        with nogil:
            learn(r, weights, place, size, codes, pieces)
    return codes_, pieces_


cdef first_pieces(rows, weights):
    """256 rows to begin with: those at equal shares of the weights, one number after the other sorted by the last."""
    order = np.lexsort(rows.T)
    shares = np.cumsum(weights[order])
    at = np.searchsorted(shares, (np.arange(PIECES) + 0.5) * (shares[-1] / PIECES))
    return rows[order[np.minimum(at, len(order) - 1)]]


cdef void learn(const int8_t[:, ::1] rows, const int64_t[::1] weights, Py_ssize_t place, int32_t size,
                uint8_t[:, ::1] codes, int8_t[:, :, ::1] pieces) noexcept nogil:
    cdef int32_t turned[MOST][PIECES]
    cdef int64_t sums[PIECES][MOST]
    cdef int64_t filled[PIECES]
    cdef int32_t round, k, j, code
    cdef Py_ssize_t i, n = rows.shape[0]
    cdef const int8_t* row
    for round in range(ROUNDS + 1):
        for k in range(PIECES):
            filled[k] = 0
            for j in range(size):
                turned[j][k] = pieces[place, k, j]
                sums[k][j] = 0
        for i in range(n):
            row = &rows[i, place * size]
            code = nearest(row, turned, size)
            codes[i, place] = <uint8_t>code
            filled[code] += weights[i]
            for j in range(size):
                sums[code][j] += weights[i] * row[j]
        if round < ROUNDS:
            for k in range(PIECES):
                for j in range(size):
                    if filled[k]:
                        pieces[place, k, j] = <int8_t>rounded(sums[k][j], filled[k])


cdef inline int64_t rounded(int64_t a, int64_t b) noexcept nogil:
    """a / b, halves away from zero."""
    return (2 * a + b) // (2 * b) if a >= 0 else -((b - 2 * a) // (2 * b))


cdef int32_t nearest(const int8_t* row, int32_t[MOST][PIECES] turned, int32_t size) noexcept nogil:
    """The piece with the least squared difference, the first of equals."""
    cdef int32_t far[PIECES]
    cdef int32_t k, j, value, difference, least = FAR
    for k in range(PIECES):
        far[k] = 0
    for j in range(size):
        value = row[j]
        for k in range(PIECES):
            difference = value - turned[j][k]
            far[k] += difference * difference
    for k in range(PIECES):             # the number of the piece is in the lowest byte
        far[k] = (far[k] << 8) | k
    for k in range(PIECES):
        least = far[k] if far[k] < least else least
    return least & (PIECES - 1)


def unpacked(codes, pieces):
    """The table, int8 [n, d]: the inverse of `packed`, but for what the pieces do not say."""
    cdef const uint8_t[:, ::1] c = codes
    cdef const int8_t[:, :, ::1] p = pieces
    rows = np.empty((c.shape[0], c.shape[1] * p.shape[2]), np.int8)
    cdef int8_t[:, ::1] out = rows
    if c.shape[1] != p.shape[0] or p.shape[1] != PIECES:
        raise ValueError(f"codes of {c.shape[1]} places, pieces of {p.shape[0]} with {p.shape[1]} each")
    if rows.size:
        with nogil:
            unpack(&c[0, 0], c.shape[0], c.shape[1], &p[0, 0, 0], <int32_t>p.shape[2], &out[0, 0])
    return rows


cdef void unpack(const uint8_t* codes, int64_t n, int64_t places, const int8_t* pieces, int32_t size,
                 int8_t* rows) noexcept nogil:
    cdef int64_t _, place
    cdef const int8_t* own
    for _ in range(n):
        own = pieces
        if size == 2:
            for place in range(places):
                memcpy(rows, own + 2 * codes[place], 2)
                rows += 2
                own += 2 * PIECES
        elif size == 4:
            for place in range(places):
                memcpy(rows, own + 4 * codes[place], 4)
                rows += 4
                own += 4 * PIECES
        else:
            for place in range(places):
                memcpy(rows, own + size * codes[place], size)
                rows += size
                own += size * PIECES
        codes += places
