"""The owner of a C array behind a numpy view."""

from libc.stdint cimport int64_t
from libc.stdlib cimport calloc, free, realloc
from libc.string cimport memcpy

import numpy

cdef dict SIZES = {b"i": 4, b"q": 8, b"Q": 8}


cdef class Vector:
    """Items of one C type; `numpy.asarray` of it is a writable view that keeps it alive."""

    def __init__(self):
        raise TypeError("a Vector is made by the module that filled it")

    def __dealloc__(self):
        free(self.data)

    @staticmethod
    cdef Vector adopt(Array* array, bytes code):
        """Take the memory over, and give back what is not in use."""
        cdef Vector self = Vector.__new__(Vector)
        cdef int64_t wanted = array.size if array.size > 0 else 1
        cdef char* moved
        self.code = code
        self.itemsize = SIZES[code]
        if wanted != array.capacity:
            moved = <char*>realloc(array.data, <size_t>wanted * <size_t>self.itemsize)
            if moved == NULL and wanted > array.capacity:
                raise MemoryError(f"cannot allocate {wanted * self.itemsize} bytes")
            if moved != NULL:  # or it stays as large as it is: an error would leak what callers give next
                array.data = moved
        self.data = array.data
        self.size = array.size
        array.data = NULL
        array.size = array.capacity = 0
        return self

    @staticmethod
    cdef Vector zeros(int64_t n, bytes code):
        """So many zeros."""
        cdef Vector self = Vector.__new__(Vector)
        self.code = code
        self.itemsize = SIZES[code]
        self.data = <char*>calloc(<size_t>(n if n > 0 else 1), <size_t>self.itemsize)
        if self.data == NULL:
            raise MemoryError(f"cannot allocate {n * self.itemsize} bytes")
        self.size = n
        return self

    def __reduce__(self):
        """Its items travel, never the pointer."""
        return restored, (self.code, numpy.asarray(self).tobytes())

    def array(self):
        """The items as a numpy array, without a copy."""
        return numpy.asarray(self)

    def frozen(self):
        """The same, in an array that nobody can write to."""
        return numpy.asarray(memoryview(self).toreadonly())

    def __getbuffer__(self, Py_buffer* view, int flags):
        self.shape[0] = self.size
        self.strides[0] = self.itemsize
        view.buf = self.data
        view.obj = self
        view.len = self.size * self.itemsize
        view.readonly = 0
        view.itemsize = self.itemsize
        view.format = <char*>self.code
        view.ndim = 1
        view.shape = self.shape
        view.strides = self.strides
        view.suboffsets = NULL
        view.internal = NULL


def restored(bytes code not None, bytes items not None) -> Vector:
    """The vector of these items, as pickles ask for it."""
    cdef Array array = Array(NULL, 0, 0)
    cdef int64_t itemsize, n
    if code not in SIZES or len(items) % SIZES[code]:
        raise ValueError(f"{len(items)} bytes are no items of the kind {code!r}")
    itemsize = SIZES[code]
    n = len(items) // itemsize
    if reserve(&array, n if n > 0 else 1, itemsize):
        raise MemoryError(f"cannot allocate {len(items)} bytes")
    memcpy(array.data, <const char*>items, <size_t>(n * itemsize))
    array.size = n
    return Vector.adopt(&array, code)
