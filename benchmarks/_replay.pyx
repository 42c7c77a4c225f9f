"""Looks into a search: counts states, records the rows of weights it reads, and reads them again without the search.

Compiled by benchmarks/search.py when that is run; no part of the package.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, realloc
from libc.string cimport memset

from fastparse.weights.table cimport FpCompiled, MOST_MOVES, fp_slot
from fastparse.weights.table cimport Table
from fastparse.search.engine cimport Engine
from fastparse.machine.spec cimport Spec
from fastparse.machine.state cimport Arena, State


cdef extern from * nogil:
    """
    #include "fastparse/weights/kernels/kernels.h"
    #define REPLAY_AHEAD 12

    /* Rows of moves: a check of four bytes whose low bits are the shift, then a byte per move. */
    static void replay_moves(const uint8_t *const *slots, int64_t n, int32_t width, int32_t *sums) {
        for (int64_t i = 0; i < n; i++) {
            if (i + REPLAY_AHEAD < n) FP_FETCH(slots[i + REPLAY_AHEAD]);
            fp_add_bytes((const int8_t *)slots[i] + FP_CHECK_BYTES, width, 1 << 2 * (fp_load32(slots[i]) & 3), sums);
        }
    }

    /* Rows of labels, wherever the slots say that they are. */
    static void replay_labels(const FpCompiled *t, const uint8_t *const *slots, int64_t n, int32_t *sums) {
        uint64_t found[FP_MAX_KEYS];
        for (int64_t first = 0; first < n; first += FP_MAX_KEYS) {
            const int32_t here = n - first < FP_MAX_KEYS ? (int32_t)(n - first) : FP_MAX_KEYS;
            for (int32_t i = 0; i < here; i++) FP_FETCH(slots[first + i]);
            for (int32_t i = 0; i < here; i++) found[i] = fp_load64(slots[first + i]);
            fp_fetch_rows(t, found, here);
            fp_add_found(t, found, here, sums, fp_plain_dense);
        }
    }
    """
    void replay_moves(const uint8_t** slots, int64_t n, int32_t width, int32_t* sums)
    void replay_labels(const FpCompiled* t, const uint8_t** slots, int64_t n, int32_t* sums)

cdef struct Recording:
    const FpCompiled* table
    void (*add)(const void*, const uint64_t*, int32_t, int32_t*) noexcept nogil
    void (*add_jobs)(const void*, const uint64_t*, const int32_t*, int32_t, int32_t*, int32_t) noexcept nogil
    int64_t keys
    int64_t n
    int64_t room
    const uint8_t** slots

cdef int64_t STATES = 0
cdef uint32_t (*LEGAL)(const Spec*, const Arena*, const State*) noexcept nogil


cdef uint32_t counting(const Spec* spec, const Arena* a, const State* c) noexcept nogil:
    global STATES
    STATES += 1
    return LEGAL(spec, a, c)


cdef void recording(const void* data, const uint64_t* keys, int32_t n, int32_t* out) noexcept nogil:
    cdef Recording* r = <Recording*>data
    r.add(r.table, keys, n, out)
    record(r, keys, n)


cdef void recording_jobs(const void* data, const uint64_t* keys, const int32_t* ends, int32_t n_jobs, int32_t* out,
                         int32_t stride) noexcept nogil:
    cdef Recording* r = <Recording*>data
    r.add_jobs(r.table, keys, ends, n_jobs, out, stride)
    if n_jobs:
        record(r, keys, ends[n_jobs - 1])


cdef void record(Recording* r, const uint64_t* keys, int32_t n) noexcept nogil:
    cdef int32_t i
    cdef const uint8_t* slot
    cdef void* larger
    r.keys += n
    if r.n + n > r.room:
        larger = realloc(r.slots, (2 * r.room + n + 1024) * sizeof(void*))
        if larger == NULL:
            return
        r.slots = <const uint8_t**>larger
        r.room = 2 * r.room + n + 1024
    for i in range(n):
        slot = fp_slot(r.table, keys[i])
        if ((<const uint32_t*>slot)[0] ^ <uint32_t>keys[i]) <= 3:
            r.slots[r.n] = slot
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
        open_recording(&self.moves, &moves)
        open_recording(&self.labels, &labels)
        engine.scorer.move_table = Table(width=moves.width, room=moves.room, data=&self.moves, add=recording,
                                         add_jobs=recording_jobs)
        engine.scorer.label_table = Table(width=labels.width, room=labels.room, data=&self.labels, add=recording,
                                          add_jobs=recording_jobs)
        try:
            parse()
        finally:
            engine.scorer.move_table = moves
            engine.scorer.label_table = labels

    def __dealloc__(self):
        free(self.moves.slots)
        free(self.labels.slots)

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
        cdef int slot = self.moves.table.slot_bytes
        memset(sums, 0, sizeof(sums))
        best = float("inf")
        for _ in range(repeats):
            begun = clock()
            replay_moves(self.moves.slots, self.moves.n, 4 if slot == 8 else 12 if slot == 16 else MOST_MOVES, sums)
            replay_labels(self.labels.table, self.labels.slots, self.labels.n, sums)
            best = min(best, clock() - begun)
        if sums[0] == 0x7FFFFFF1:
            print("unlikely")  # the sums are used, so that they are made
        return best


cdef void open_recording(Recording* r, const Table* table) noexcept:
    memset(r, 0, sizeof(Recording))
    r.table = <const FpCompiled*>table.data
    r.add = table.add
    r.add_jobs = table.add_jobs
