"""What must hold of bytes from outside before compiled code walks through them."""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t

from fastparse.corpus.strings.hashing cimport hash_bytes
from fastparse.weights.compiled cimport (
    CHECK_BYTES, CompiledTable, DENSE_ROW, FpCompiled, INLINE_ROW, MOST_MOVES, PIECE, SPARSE_ROW, fp_byte_labels,
    fp_row_bytes, fp_slot_bytes)


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
