"""Buffers that grow with the longest sentence so far."""

from libc.stddef cimport size_t
from libc.stdint cimport int32_t
from libc.stdlib cimport realloc


cdef inline void* room_for(void* buffer, int32_t* room, int32_t needed, size_t item) noexcept nogil:
    """The buffer, or a larger one with its content in its place; NULL when memory is short: both stay as they are."""
    cdef void* larger
    if buffer != NULL and needed <= room[0]:
        return buffer
    larger = realloc(buffer, (2 * <size_t>needed + 64) * item)
    if larger != NULL:
        room[0] = 2 * needed + 64
    return larger


cdef inline void* make_room(void* buffer, int32_t* room, int32_t needed, size_t item) except NULL:
    """The same, with an error when memory is short."""
    cdef void* found = room_for(buffer, room, needed, item)
    if found == NULL:
        raise MemoryError
    return found
