"""Laying out compiled tables: a slot of its own for every key, and rows where one read finds them.

And what must hold of bytes from outside before compiled code walks through them.
"""

import numpy as np

from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy

from fastparse.corpus.strings.hashing cimport hash_bytes
from fastparse.weights.table cimport (
    CHECK_BYTES, DENSE_ROW, INLINE_ROW, LONG_ROW, MOST_MOVES, MOST_PIECES, PIECE, SPARSE_ROW, CompiledTable, FpCompiled,
    fp_bucket, fp_byte_labels, fp_check, fp_place, fp_row_bytes, fp_slot_bytes)

from fastparse.errors import Error

LOAD = 0.8              # of the slots in use
KEYS_PER_BUCKET = 3.0
LARGEST_WEIGHT = 127 * 64

cdef enum:
    DISPLACEMENTS = 256
    LINE = 64           # bytes of a cache line


def table_of(int width, bint for_moves, keys, starts, classes, weights) -> CompiledTable:
    """The table of some rows (see LearningTable.averages), whatever their order.

    A row with weights beyond a byte keeps fewer low bits of all.
    """
    require_moves(width, for_moves)
    order = np.argsort(keys, kind="stable")
    starts = np.asarray(starts, np.int64)
    first, last = starts[: len(starts) - 1][order], starts[1:][order]
    weights = np.ascontiguousarray(np.clip(weights, -LARGEST_WEIGHT, LARGEST_WEIGHT), np.int32)
    sorted_keys = np.ascontiguousarray(np.asarray(keys, np.uint64)[order])
    displacements, places, n_slots = places_of(sorted_keys)
    slots = aligned(n_slots * fp_slot_bytes(for_moves, width))
    shifts = shifts_of(weights, starts)[order]
    classes = np.ascontiguousarray(classes, np.int32)
    if for_moves:
        write_moves(slots, fp_slot_bytes(for_moves, width), sorted_keys, places, first, last, shifts, classes, weights)
        return CompiledTable(width, True, displacements, slots, np.zeros(0, np.uint8))
    kinds, dense, sizes = forms_of(width, last - first, shifts)
    at, n_pieces = pieces_of(kinds, sizes)
    pool = aligned(n_pieces * PIECE)
    write_labels(
        slots, pool, width, sorted_keys, places, first, last, shifts, classes, weights, kinds, dense, at, sizes)
    return CompiledTable(width, False, displacements, slots, pool)


def bytes_of(int width, bint for_moves, starts, weights) -> int:
    """The size of the table of some rows, unless their keys are unusually hard to place."""
    n_slots, n_buckets = room_for(len(starts) - 1)
    size = n_slots * fp_slot_bytes(for_moves, width) + n_buckets
    if for_moves:
        return size
    starts = np.asarray(starts, np.int64)
    clipped = np.clip(weights, -LARGEST_WEIGHT, LARGEST_WEIGHT)
    kinds, _, sizes = forms_of(width, np.diff(starts), shifts_of(clipped, starts))
    return size + pieces_of(kinds, sizes)[1] * PIECE


def require_moves(int width, bint for_moves):
    if for_moves and width > MOST_MOVES:
        raise ValueError(f"{width} moves are more than the {MOST_MOVES} a slot can hold")


def aligned(n):
    """Zeros that begin with a cache line."""
    room = np.zeros(n + LINE, np.uint8)
    start = -room.ctypes.data % LINE
    return room[start : start + n]


# ── keys ──

def room_for(n):
    """Slots and buckets for so many keys."""
    return int(n / LOAD) + 1, int(n / KEYS_PER_BUCKET) + 1


def places_of(const uint64_t[::1] keys):
    """Displacements of the buckets, the slot of each of the sorted keys, and the number of slots."""
    if len(keys) > 1 and (np.diff(keys) == 0).any():
        raise ValueError("a key occurs twice")
    n_slots, n_buckets = room_for(len(keys))
    while n_slots < 1 << 31:
        found = placed(keys, n_buckets, n_slots)
        if found is not None:
            return *found, n_slots
        n_slots += n_slots // 32 + 1
        n_buckets += n_buckets // 32 + 1
    raise Error(f"{len(keys)} features find no places in a table")


cdef placed(const uint64_t[::1] keys, uint32_t n_buckets, uint32_t n_slots):
    """None if some bucket finds no displacement. The largest buckets go first, where there is most room."""
    cdef Py_ssize_t n = keys.shape[0], i
    buckets = np.zeros(n_buckets + 1, np.int64)
    cdef int64_t[::1] begin = buckets
    for i in range(n):
        begin[fp_bucket(keys[i], n_buckets) + 1] += 1
    cdef int64_t[::1] by_size = np.argsort(-buckets[1:], kind="stable")
    np.cumsum(buckets, out=buckets)
    displacements, places = np.zeros(n_buckets, np.uint8), np.zeros(n, np.uint32)
    cdef uint8_t[::1] d = displacements
    cdef uint32_t[::1] at = places
    cdef uint8_t[::1] used = np.zeros(n_slots, np.uint8)
    cdef int64_t first, last, j, k
    cdef int32_t tried
    cdef bint fits = True
    with nogil:
        for i in range(n_buckets):
            first, last = begin[by_size[i]], begin[by_size[i] + 1]
            if first == last:
                break
            for tried in range(DISPLACEMENTS):
                j = first
                while j < last:
                    at[j] = fp_place(keys[j], tried, n_slots)
                    if used[at[j]]:
                        break
                    used[at[j]] = 1
                    j += 1
                if j == last:
                    break
                for k in range(first, j):
                    used[at[k]] = 0
            else:
                fits = False
                break
            d[by_size[i]] = tried
    return (displacements, places) if fits else None


# ── rows ──

cdef inline int32_t rounded(int32_t weight, uint32_t shift) noexcept nogil:
    """weight / 2**shift, to the nearest integer, halves away from zero."""
    cdef int32_t half = (1 << shift) >> 1
    return (weight + half) >> shift if weight >= 0 else -((half - weight) >> shift)


cdef shifts_of(weights, starts):
    """By how many pairs of bits each row is shifted, so that its weights are bytes."""
    if len(starts) < 2:
        return np.zeros(0, np.uint8)
    if (np.diff(starts) <= 0).any():
        raise ValueError("a row without weights")
    largest = np.maximum.reduceat(np.abs(weights), starts[: len(starts) - 1])
    return sum((largest + (1 << shift >> 1) >> shift > 127 for shift in (0, 2, 4)), np.zeros(len(largest), np.uint8))


cdef forms_of(int width, counts, shifts):
    """What kind of row each is, whether it is dense, and its pieces in the pool."""
    cdef int32_t row_bytes = fp_row_bytes(width)
    small = fp_byte_labels(width)
    items = 8 if small else 4
    pieces = -(-counts // items)
    dense = (counts > max(items, row_bytes // 8)) & small
    kinds = np.where(dense, DENSE_ROW, SPARSE_ROW)
    kinds[(shifts > 0) | ~dense & (pieces > MOST_PIECES)] = LONG_ROW
    kinds[(shifts == 0) & (counts <= (2 if small else 1))] = INLINE_ROW
    sizes = np.where(dense, row_bytes // PIECE, pieces) + (kinds == LONG_ROW)
    sizes[kinds == INLINE_ROW] = 0
    return kinds.astype(np.uint8), dense.astype(np.uint8), sizes.astype(np.int64)


cdef pieces_of(kinds, sizes):
    """Where rows begin, and the number of all pieces: dense rows come first, so that they are aligned."""
    order = np.concatenate([np.flatnonzero(kinds == kind) for kind in (DENSE_ROW, SPARSE_ROW, LONG_ROW)])
    at = np.zeros(len(kinds), np.int64)
    ends = np.cumsum(sizes[order])
    at[order] = ends - sizes[order]
    return at, int(sizes[order].sum())


cdef write_moves(uint8_t[::1] slots, int32_t slot_bytes, const uint64_t[::1] keys, const uint32_t[::1] places,
                 const int64_t[::1] first, const int64_t[::1] last, const uint8_t[::1] shifts,
                 const int32_t[::1] classes, const int32_t[::1] weights):
    cdef Py_ssize_t i, j
    cdef uint32_t check
    cdef int64_t slot
    for i in range(len(keys)):
        slot = <int64_t>places[i] * slot_bytes
        check = fp_check(keys[i]) | shifts[i]
        memcpy(&slots[slot], &check, CHECK_BYTES)
        for j in range(first[i], last[i]):
            slots[slot + CHECK_BYTES + classes[j]] = <uint8_t>rounded(weights[j], 2 * shifts[i])


cdef write_labels(uint8_t[::1] slots, uint8_t[::1] pool, int32_t width, const uint64_t[::1] keys,
                  const uint32_t[::1] places, const int64_t[::1] first, const int64_t[::1] last,
                  const uint8_t[::1] shifts, const int32_t[::1] classes, const int32_t[::1] weights,
                  const uint8_t[::1] kinds, const uint8_t[::1] dense, const int64_t[::1] at, const int64_t[::1] sizes):
    cdef Py_ssize_t i, j
    cdef uint32_t check, code, item, n_pieces, label_bits = 8 if fp_byte_labels(width) else 16
    cdef uint8_t* row
    for i in range(len(keys)):
        check = fp_check(keys[i]) | kinds[i]
        code = <uint32_t>at[i]
        n_pieces = <uint32_t>sizes[i]
        if kinds[i] == INLINE_ROW:
            code = 0
            for j in range(first[i], last[i]):
                item = classes[j] | <uint32_t>(<uint8_t>weights[j]) << label_bits
                code |= item << (label_bits + 8) * (j - first[i])
        else:
            row = &pool[at[i] * PIECE]
            if kinds[i] == SPARSE_ROW:
                code = code << 4 | (n_pieces - 1)
            elif kinds[i] == LONG_ROW:
                n_pieces -= 1
                row[0] = 2 * shifts[i]
                row[1] = dense[i]
                memcpy(row + 4, &n_pieces, 4)
                row += PIECE
            write_row(row, width, dense[i], first[i], last[i], 2 * shifts[i], classes, weights)
        memcpy(&slots[<int64_t>places[i] * 8], &check, CHECK_BYTES)
        memcpy(&slots[<int64_t>places[i] * 8 + CHECK_BYTES], &code, 4)


cdef void write_row(uint8_t* row, int32_t width, bint dense, int64_t first, int64_t last, int32_t shift,
                    const int32_t[::1] classes, const int32_t[::1] weights) noexcept:
    cdef int64_t j
    for j in range(first, last):
        if dense:
            row[classes[j]] = <uint8_t>rounded(weights[j], shift)
            continue
        row[0] = <uint8_t>classes[j]
        if fp_byte_labels(width):
            row[1] = <uint8_t>rounded(weights[j], shift)
            row += 2
        else:
            row[1] = <uint8_t>(classes[j] >> 8)
            row[2] = <uint8_t>rounded(weights[j], shift)
            row += 4


# ── checks ──

def checksum(const uint8_t[::1] data) -> int:
    """The 64-bit hash of bytes (``fastparse.corpus.strings.hashing``), without a copy."""
    cdef uint64_t h
    if len(data) == 0:
        return hash_bytes(NULL, 0)
    with nogil:
        h = hash_bytes(&data[0], data.shape[0])
    return h


cdef inline uint32_t load32(const uint8_t* p) noexcept nogil:
    return p[0] | <uint32_t>p[1] << 8 | <uint32_t>p[2] << 16 | <uint32_t>p[3] << 24


def size_fault(int width, bint for_moves, int64_t n_displacements, int64_t n_slots_bytes, int64_t n_pool) -> str | None:
    """Why arrays of these sizes cannot be a compiled table, or None."""
    cdef int32_t slot_bytes = fp_slot_bytes(for_moves, width)
    if for_moves and width > MOST_MOVES:
        return f"{width} moves are more than the {MOST_MOVES} a slot can hold"
    if not 1 <= n_displacements <= <int64_t>0xFFFFFFFF:
        return f"{n_displacements} displacements are not 1 to {0xFFFFFFFF}"
    if n_slots_bytes < slot_bytes or n_slots_bytes % slot_bytes or n_slots_bytes // slot_bytes > <int64_t>0xFFFFFFFF:
        return f"{n_slots_bytes} bytes of slots are not a number of slots of {slot_bytes} bytes each"
    if for_moves and n_pool:
        return "a table of moves has no pool"
    if n_pool % PIECE or n_pool // PIECE > <int64_t>0xFFFFFFFF:
        return f"{n_pool} bytes of pool are not a number of pieces of {PIECE} bytes each"
    return None


def table_fault(CompiledTable table) -> str | None:
    """What is wrong with a compiled table, or None: afterwards no key can lead a kernel outside its arrays.

    Every key leads to some slot, whatever the displacements are; so what remains is where the codes of the slots of
    labels lead, and which labels are named there.
    """
    cdef int64_t i, fault = -1
    sizes = size_fault(table.width, table.for_moves, len(table.displacements), len(table.slots), len(table.pool))
    if sizes or table.for_moves:
        return sizes
    with nogil:
        for i in range(table.c.places):
            if not sound(&table.c, table.c.slots + i * 8):
                fault = i
                break
    return None if fault < 0 else f"slot {fault} does not lead to a row of labels below {table.width}"


cdef bint sound(const FpCompiled* t, const uint8_t* slot) noexcept nogil:
    """Whether what a slot of labels leads to can be added."""
    cdef uint32_t kind = slot[0] & 3, code = load32(slot + CHECK_BYTES)
    cdef int64_t row_pieces = fp_row_bytes(t.width) // PIECE, n_pieces = 1
    cdef int64_t first = code
    cdef const uint8_t* row
    if kind == INLINE_ROW:
        return labels_fit(slot + CHECK_BYTES, 4, t.width)
    if kind == DENSE_ROW:
        return fp_byte_labels(t.width) and first + row_pieces <= t.pieces
    if kind == SPARSE_ROW:
        first, n_pieces = code >> 4, (code & 15) + 1
    else:
        if first >= t.pieces:
            return False
        row = t.pool + first * PIECE
        if row[0] > 6:
            return False
        if row[1]:
            return fp_byte_labels(t.width) and first + 1 + row_pieces <= t.pieces
        first, n_pieces = first + 1, load32(row + 4)
    return first + n_pieces <= t.pieces and labels_fit(t.pool + first * PIECE, n_pieces * PIECE, t.width)


cdef bint labels_fit(const uint8_t* items, int64_t n_bytes, int32_t width) noexcept nogil:
    """Whether all items name labels."""
    cdef int64_t i
    if fp_byte_labels(width):
        for i in range(0, n_bytes, 2):
            if items[i] >= width:
                return False
        return True
    for i in range(0, n_bytes, 4):
        if (items[i] | <int32_t>items[i + 1] << 8) >= width:
            return False
    return True
