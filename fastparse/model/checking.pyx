"""What must hold of bytes from outside before compiled code walks through them."""

import numpy as np

from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t

from fastparse.corpus.strings.hashing cimport hash_bytes
from fastparse.model.compiled cimport CompiledTable, DENSE, GROUP, LANES

cdef enum:
    LARGEST_ROW = 28            # move weights that fit the widest slot

# Fuller tables would be slow, a full one endless to search in.
FULLEST = 0.95


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


def table_fault(CompiledTable table) -> str | None:
    """What is wrong with a compiled table, or None: afterwards no key can lead a kernel outside its arrays.

    Rows of the pool must follow one another without gaps, so that one walk checks every count and label; slots must
    point at the beginning of a row. Behind rows that may be read in vectors there are zeros. A group that is not full
    ends a search; slots fill in order, so that the last tag of a group tells.
    """
    cdef const uint8_t* slots = table.c.slots
    cdef const uint8_t* tags = table.c.tags
    cdef int64_t capacity = table.c.groups * GROUP, n_slots_bytes = len(table.slots), i, n_used = 0, n_full = 0
    cdef int64_t n_items, count, end
    cdef int32_t slot_bytes = table.c.slot_bytes, item_bytes = table.c.item_bytes
    cdef const uint8_t* pool = table.c.pool
    cdef uint32_t start
    cdef int32_t label
    cdef int64_t fault = -1
    cdef int kind = 0, width = table.width
    cdef bytearray begins
    cdef uint8_t[::1] begins_row
    if capacity < 1 or capacity >= <int64_t>1 << 32 or capacity * (slot_bytes + 1) != n_slots_bytes:
        return f"{n_slots_bytes} bytes of slots are not a number of groups of {GROUP} slots of {slot_bytes} bytes each"
    if table.for_moves:
        if width > LARGEST_ROW:
            return f"{width} moves are more than the {LARGEST_ROW} a slot can hold"
        if len(table.pool):
            return "a table of moves has no pool"
        with nogil:
            for i in range(capacity):
                n_used += tags[i] != 0
                n_full += i % GROUP == GROUP - 1 and tags[i] != 0
    else:
        if len(table.pool) % item_bytes:
            return f"{len(table.pool)} bytes of pool are not a number of items of {item_bytes} bytes each"
        n_items = len(table.pool) // item_bytes
        if item_bytes == 2:
            n_items -= LANES // 2
            if n_items < 0 or np.asarray(table.pool)[-LANES:].any():
                return f"the pool does not end with {LANES} zeros"
        begins = bytearray(n_items + 1)
        begins_row = begins
        with nogil:
            i = 0
            while i < n_items and kind == 0:
                begins_row[i] = 1
                count = pool[i * item_bytes]
                if item_bytes == 4:
                    count |= <int64_t>pool[i * 4 + 1] << 8
                elif count == DENSE:
                    i += 1 + (width + 1) // 2
                    if i > n_items:
                        kind, fault = 1, i - 1 - (width + 1) // 2
                    continue
                end = i + 1 + count
                if end > n_items:
                    kind, fault = 1, i
                    break
                i += 1
                while i < end:
                    label = pool[i * item_bytes]
                    if item_bytes == 4:
                        label |= <int32_t>pool[i * 4 + 1] << 8
                    if label >= width:
                        kind, fault = 2, i
                        break
                    i += 1
            if not kind:
                for i in range(capacity):
                    if tags[i] != 0:
                        n_used += 1
                        n_full += i % GROUP == GROUP - 1
                        start = load32(slots + i * 8 + 4)
                        if start >= n_items or not begins_row[start]:
                            kind, fault = 3, i
                            break
        if kind == 1:
            return f"the row at item {fault} of the pool runs beyond its end"
        if kind == 2:
            return f"item {fault} of the pool has a label that is not one of {width}"
        if kind == 3:
            return f"slot {fault} does not point at a row of the pool"
    if n_used > FULLEST * capacity:
        return f"{n_used} of {capacity} slots are in use, more than {FULLEST:.0%}"
    if n_full == <int64_t>table.c.groups:
        return "every group of slots is full"
    return None
