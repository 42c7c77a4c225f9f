"""Looks into a search: counts states, records the rows of weights it reads, and reads them again without the search.

Compiled by benchmarks/search.py when that is run; no part of the package.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, realloc
from libc.string cimport memset

from fastparse.model.compiled cimport CHECK_BYTES, FpCompiled, MOST_MOVES
from fastparse.model.table cimport Table
from fastparse.search.scoring.engine cimport Engine
from fastparse.machine.spec cimport Spec
from fastparse.machine.state cimport Arena, State


cdef extern from "fastparse/model/kernels.h" nogil:
    const uint8_t* fp_find_from(const FpCompiled* t, uint64_t key, uint64_t group)
    uint64_t fp_group(uint64_t key, uint64_t groups)

cdef extern from * nogil:
    """
    #include <stdint.h>
    #include <string.h>
    #include "fastparse/model/kernels.h"
    #define REPLAY_AHEAD 12

    /* Rows of moves: a check of four bytes whose low bits are the shift, then a byte per move. */
    static int64_t replay_moves(const uint8_t *const *rows, int64_t n, int32_t width, int32_t *sums) {
        for (int64_t i = 0; i < n; i++) {
            if (i + REPLAY_AHEAD < n) FP_FETCH(rows[i + REPLAY_AHEAD]);
            uint32_t check;
            memcpy(&check, rows[i], 4);
            const int32_t factor = 1 << 2 * (int)(check & 3);
            const int8_t *row = (const int8_t *)rows[i] + FP_CHECK_BYTES;
            for (int32_t m = 0; m < width; m++) sums[m] += row[m] * factor;
        }
        return n;
    }

    static int64_t replay_moves4(const uint8_t *const *rows, int64_t n, int32_t *sums) {
        return replay_moves(rows, n, 4, sums);
    }

    static int64_t replay_moves12(const uint8_t *const *rows, int64_t n, int32_t *sums) {
        return replay_moves(rows, n, 12, sums);
    }

    /* Rows of labels: a count, then pairs of a label and a weight, of 2 or 4 bytes; or FP_DENSE and a byte each. */
    static int64_t replay_labels(const uint8_t *const *rows, int64_t n, int32_t item, int32_t width, int32_t *sums) {
        int64_t read = 0;
        for (int64_t i = 0; i < n; i++) {
            if (i + REPLAY_AHEAD < n) FP_FETCH(rows[i + REPLAY_AHEAD]);
            const uint8_t *row = rows[i];
            if (item == 2 && row[0] == FP_DENSE) {
                const int8_t *weights = (const int8_t *)row + 2;
                for (int32_t l = 0; l < width; l++) sums[l] += weights[l];
                read += width;
            } else if (item == 2) {
                const uint8_t *end = row + 2 + 2 * (uint32_t)row[0];
                for (row += 2; row != end; row += 2) sums[row[0]] += (int8_t)row[1];
                read += row[0];
            } else {
                const uint8_t *end = row + 4 + 4 * ((uint32_t)row[0] | (uint32_t)row[1] << 8);
                for (row += 4; row != end; row += 4)
                    sums[(uint32_t)row[0] | (uint32_t)row[1] << 8] += (int8_t)row[2];
            }
        }
        return read;
    }
    """
    int64_t replay_moves(const uint8_t** rows, int64_t n, int32_t width, int32_t* sums)
    int64_t replay_moves4(const uint8_t** rows, int64_t n, int32_t* sums)
    int64_t replay_moves12(const uint8_t** rows, int64_t n, int32_t* sums)
    int64_t replay_labels(const uint8_t** rows, int64_t n, int32_t item, int32_t width, int32_t* sums)

cdef struct Recording:
    const FpCompiled* table
    void (*add)(const void*, const uint64_t*, int32_t, int32_t*) noexcept nogil
    bint moves
    int64_t keys
    int64_t n
    int64_t room
    const uint8_t** rows

cdef int64_t STATES = 0
cdef uint32_t (*LEGAL)(const Spec*, const Arena*, const State*) noexcept nogil


cdef uint32_t counting(const Spec* spec, const Arena* a, const State* c) noexcept nogil:
    global STATES
    STATES += 1
    return LEGAL(spec, a, c)


cdef void recording(const void* data, const uint64_t* keys, int32_t n, int32_t* out) noexcept nogil:
    cdef Recording* r = <Recording*>data
    cdef int32_t i
    cdef const uint8_t* slot
    cdef uint32_t start
    cdef void* larger
    r.add(r.table, keys, n, out)
    r.keys += n
    if r.n + n > r.room:
        larger = realloc(r.rows, (2 * r.room + n + 1024) * sizeof(void*))
        if larger == NULL:
            return
        r.rows = <const uint8_t**>larger
        r.room = 2 * r.room + n + 1024
    for i in range(n):
        slot = fp_find_from(r.table, keys[i], fp_group(keys[i], r.table.groups))
        if slot != NULL:
            if not r.moves:
                start = (<const uint32_t*>(slot + CHECK_BYTES))[0]
                slot = r.table.pool + <uint64_t>start * r.table.item_bytes
            r.rows[r.n] = slot
            r.n += 1


def states_of(Engine engine, parse):
    """Run `parse` and say how many states it asked for their legal moves: once per state and step."""
    global STATES, LEGAL
    cdef const Spec* spec = engine.scorer.spec
    cdef Spec copy = spec[0]
    LEGAL = spec.legal
    STATES = 0
    copy.legal = counting
    engine.scorer.spec = &copy
    try:
        parse()
    finally:
        engine.scorer.spec = spec
    return STATES


cdef class Replay:
    """The rows that one run of `parse` reads, in their order; rows of moves and of labels apart."""
    cdef Recording moves
    cdef Recording labels
    cdef Engine engine

    def __init__(self, Engine engine, parse):
        self.engine = engine
        cdef Table moves = engine.scorer.move_table, labels = engine.scorer.label_table
        open_recording(&self.moves, &moves, True)
        open_recording(&self.labels, &labels, False)
        engine.scorer.move_table = Table(width=moves.width, room=moves.room, data=&self.moves, add=recording)
        engine.scorer.label_table = Table(width=labels.width, room=labels.room, data=&self.labels, add=recording)
        try:
            parse()
        finally:
            engine.scorer.move_table = moves
            engine.scorer.label_table = labels

    def __dealloc__(self):
        free(self.moves.rows)
        free(self.labels.rows)

    @property
    def templates(self):
        """Features looked up."""
        return self.moves.keys + self.labels.keys

    @property
    def rows(self):
        """Features found, hence rows read."""
        return self.moves.n + self.labels.n

    def seconds(self, int repeats, clock):
        """The best time, by that clock, of reading and adding all rows, with their addresses known."""
        cdef int32_t sums[65536]
        cdef int item = self.labels.table.item_bytes, slot = self.moves.table.slot_bytes
        memset(sums, 0, sizeof(sums))
        best = float("inf")
        for _ in range(repeats):
            begun = clock()
            if slot == 8:
                replay_moves4(self.moves.rows, self.moves.n, sums)
            elif slot == 16:
                replay_moves12(self.moves.rows, self.moves.n, sums)
            else:
                replay_moves(self.moves.rows, self.moves.n, MOST_MOVES, sums)
            replay_labels(self.labels.rows, self.labels.n, item, self.labels.table.width, sums)
            best = min(best, clock() - begun)
        if sums[0] == 0x7FFFFFF1:
            print("unlikely")  # the sums are used, so that they are made
        return best


cdef void open_recording(Recording* r, const Table* table, bint moves) noexcept:
    memset(r, 0, sizeof(Recording))
    r.table = <const FpCompiled*>table.data
    r.add = table.add
    r.moves = moves
