"""Buffers that grow with the longest sentence so far."""

from libc.stddef cimport size_t
from libc.stdint cimport int32_t
from libc.stdlib cimport realloc


cdef inline void* make_room(void* buffer, int32_t* room, int32_t needed, size_t item) except NULL:
    """The buffer, or a larger one with its content in its place; when memory is short, both stay as they are."""
    cdef void* larger
    if buffer != NULL and needed <= room[0]:
        return buffer
    larger = realloc(buffer, (2 * <size_t>needed + 64) * item)
    if larger == NULL:
        raise MemoryError
    room[0] = 2 * needed + 64
    return larger
