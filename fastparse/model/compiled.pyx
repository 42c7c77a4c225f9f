"""Building compiled tables and giving them to search."""

import numpy as np

from libc.string cimport memcpy

LOAD = 0.65


def levels() -> int:
    """How many sets of vector instructions this machine has code for: 1 is what every machine of its kind can run."""
    return fp_level() + 1


cdef class CompiledTable:
    """A read-only table over two byte arrays (which may be a mapped file)."""

    def __init__(self, int width, bint for_moves, slots, pool, level=None):
        """Args: level, below levels(), by default the best; the sums are the same."""
        if level is not None and not 0 <= level <= fp_level():
            raise ValueError(f"level {level}; this machine has 0 to {fp_level()}")
        cdef const uint8_t[::1] s = slots
        cdef const uint8_t[::1] p = pool
        self.level = fp_level() if level is None else level
        self.width = width
        self.for_moves = for_moves
        self.slots = slots
        self.pool = pool
        self.c.width = width
        self.c.slot_bytes = fp_slot_bytes(for_moves, width)
        self.c.item_bytes = 2 if width <= 255 else 4
        self.c.groups = len(slots) // (GROUP * (self.c.slot_bytes + 1))
        self.c.tags = &s[0]
        self.c.slots = &s[0] + self.c.groups * GROUP
        self.c.pool = &p[0] if len(pool) else NULL

    cdef Table table(self) noexcept:
        return Table(width=self.width, room=fp_sums(self.for_moves, self.width), data=&self.c,
                     add=fp_choose(self.for_moves, self.c.slot_bytes, self.level))

    @property
    def bytes(self) -> int:
        return len(self.slots) + len(self.pool)

    @staticmethod
    def build(int width, bint for_moves, keys, starts, classes, weights) :
        """Lay out rows (see LearningTable.averages); a row with weights beyond a byte keeps fewer low bits of all."""
        if for_moves and width > MOST_MOVES:
            raise ValueError(f"{width} moves are more than the {MOST_MOVES} a slot can hold")
        order = np.argsort(keys, kind="stable")
        cdef uint64_t[::1] k = np.ascontiguousarray(np.asarray(keys)[order])
        cdef int64_t[::1] first = np.ascontiguousarray(np.asarray(starts)[0:len(starts) - 1][order])
        cdef int64_t[::1] last = np.ascontiguousarray(np.asarray(starts)[1:len(starts)][order])
        cdef int32_t[::1] cls = np.ascontiguousarray(classes, dtype=np.int32)
        cdef int32_t[::1] value = np.ascontiguousarray(np.clip(weights, -127 * 64, 127 * 64), dtype=np.int32)
        cdef Py_ssize_t n = len(k), i, j
        cdef int32_t bytes_ = fp_slot_bytes(for_moves, width)
        cdef int32_t item = 2 if width <= 255 else 4
        cdef uint64_t groups = <uint64_t>(n / (LOAD * GROUP)) + 1, at, slot, first_slot = groups * GROUP
        cdef uint32_t check, start, code
        cdef int32_t largest, dense_from = dense_rows_from(width), bytes_of_row = (width + 1) // 2 * 2
        cdef Py_ssize_t used = 0
        slots = np.zeros(first_slot * (bytes_ + 1), dtype=np.uint8)
        counts = np.diff(starts)
        n_dense = int((counts >= dense_from).sum())
        pool = np.zeros(
            0 if for_moves else (int(counts[counts < dense_from].sum()) + n) * item + n_dense * bytes_of_row
            + (LANES if item == 2 else 0), dtype=np.uint8)
        cdef uint8_t[::1] s = slots
        cdef uint8_t[::1] p = pool
        for i in range(n):
            at = fp_group(k[i], groups) * GROUP
            while s[at]:
                at = at + 1 if at + 1 < first_slot else 0
            s[at] = fp_tag(k[i])
            slot = first_slot + at * bytes_
            check = fp_check(k[i])
            largest = 0
            for j in range(first[i], last[i]):
                largest = max(largest, abs(value[j]))
            code = 0
            while rounded(largest, 2 * code) > 127:
                code += 1
            check |= code
            memcpy(&s[slot], &check, CHECK_BYTES)
            if for_moves:
                for j in range(first[i], last[i]):
                    s[slot + CHECK_BYTES + cls[j]] = <uint8_t>rounded(value[j], 2 * code)
                continue
            start = <uint32_t>(used // item)
            memcpy(&s[slot + CHECK_BYTES], &start, 4)
            if last[i] - first[i] >= dense_from:
                p[used] = DENSE
                used += item
                for j in range(first[i], last[i]):
                    p[used + cls[j]] = <uint8_t>rounded(value[j], 2 * code)
                used += bytes_of_row
                continue
            p[used] = <uint8_t>(last[i] - first[i])
            if item == 4:
                p[used + 1] = <uint8_t>((last[i] - first[i]) >> 8)
            used += item
            for j in range(first[i], last[i]):
                p[used] = <uint8_t>cls[j]
                if item == 4:
                    p[used + 1] = <uint8_t>(cls[j] >> 8)
                    p[used + 2] = <uint8_t>rounded(value[j], 2 * code)
                else:
                    p[used + 1] = <uint8_t>rounded(value[j], 2 * code)
                used += item
        return CompiledTable(width, for_moves, slots, pool)


cdef int32_t dense_rows_from(int32_t width) noexcept:
    """Rows of so many labels take a byte for every label: adding whole vectors is faster than adding items."""
    if width > 255:
        return 0x7FFFFFFF
    return max(6, width // 8)


cdef inline int32_t rounded(int32_t weight, uint32_t shift) noexcept:
    """weight / 2**shift, to the nearest integer, halves away from zero."""
    cdef int32_t half = (1 << shift) >> 1
    return (weight + half) >> shift if weight >= 0 else -((half - weight) >> shift)
