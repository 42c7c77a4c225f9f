"""The owner of a C array behind a numpy view."""

from libc.stdint cimport int64_t
from libc.stdlib cimport free, realloc

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
            if moved == NULL:
                raise MemoryError(f"cannot allocate {wanted * self.itemsize} bytes")
            array.data = moved
        self.data = array.data
        self.size = array.size
        array.data = NULL
        array.size = array.capacity = 0
        return self

    def array(self):
        """The items as a numpy array, without a copy."""
        return numpy.asarray(self)

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
