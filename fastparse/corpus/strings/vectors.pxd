"""C arrays that grow, and the Python object that owns one afterwards and shows it to numpy without a copy."""

from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport free, realloc

cdef struct Array:
    char* data                  # owned by whoever holds the struct until a Vector adopts it
    int64_t size                # items in use
    int64_t capacity            # items allocated

cdef inline int reserve(Array* array, int64_t capacity, size_t itemsize) noexcept nogil:
    """Room for `capacity` items: 0, or -1 without memory. Grows by halves; a large realloc moves pages, not bytes."""
    cdef char* moved
    if capacity <= array.capacity:
        return 0
    if capacity < array.capacity + (array.capacity >> 1):
        capacity = array.capacity + (array.capacity >> 1)
    if capacity < 16:
        capacity = 16
    moved = <char*>realloc(array.data, <size_t>capacity * itemsize)
    if moved == NULL:
        return -1
    array.data = moved
    array.capacity = capacity
    return 0

cdef inline int append(Array* array, int64_t value) noexcept nogil:
    """Append to an array of int64: 0, or -1 without memory."""
    if array.size == array.capacity and reserve(array, array.size + 1, sizeof(int64_t)):
        return -1
    (<int64_t*>array.data)[array.size] = value
    array.size += 1
    return 0

cdef inline void discard(Array* array) noexcept nogil:
    free(array.data)
    array.data = NULL
    array.size = array.capacity = 0

cdef class Vector:
    cdef char* data             # owned; freed in __dealloc__
    cdef int64_t size           # items
    cdef Py_ssize_t itemsize
    cdef bytes code             # buffer format of an item: b"i", b"q" or b"Q"
    cdef Py_ssize_t shape[1]
    cdef Py_ssize_t strides[1]

    @staticmethod
    cdef Vector adopt(Array* array, bytes code)

    @staticmethod
    cdef Vector zeros(int64_t n, bytes code)
