"""Arithmetic of floats that has the same bytes on every machine, whatever libraries there are.

numpy leaves products of matrices to a library that adds up in another order on each kind of processor, and has
exponentials and logarithms of its own for some processors.
"""

import numpy as np

from libc.math cimport fabs, sqrt

from fastparse.encoder.encoder import kernel

cdef extern from "fastparse/encoder/kernels/reals.h" nogil:
    ctypedef struct FpMatrix:
        const float* at
        Py_ssize_t row, column
    ctypedef struct FpProducts:
        const char* name
    const FpProducts* fp_products_known
    int fp_products_here()
    bint fp_product(const FpProducts* p, FpMatrix a, FpMatrix b, Py_ssize_t rows, Py_ssize_t columns, Py_ssize_t deep,
                    float* out, Py_ssize_t stride, bint add)

cdef enum:
    SIZE = 4                    # of a number
    MOST_SWEEPS = 50

cdef int CHOSEN = -1


def forms() -> tuple:
    """What this machine can multiply with, slowest first; all give the same bytes."""
    cdef int i
    return tuple([fp_products_known[i].name.decode("ascii") for i in range(fp_products_here())])


def use(str form=""):
    """Multiply with this form from now on; by default with that of the kernel that encoders use, see `kernel`."""
    global CHOSEN
    known = forms()
    if not form:
        form = {"plain": "plain", "ssse3": "plain", "avx2": "avx2"}.get(kernel(), known[len(known) - 1])
    CHOSEN = known.index(form) if form in known else 0


def product(const float[:, :] a, const float[:, :] b, float[:, ::1] out=None, bint add=False):
    """The product a @ b of two matrices, which may be views of any kind.

    Args:
        out: gets the product; None: a new array.
        add: whether it is added to what `out` holds.
    """
    cdef FpMatrix left, right
    cdef bint done
    cdef Py_ssize_t rows = a.shape[0], columns = b.shape[1], deep = a.shape[1]
    if CHOSEN < 0:
        use()
    found = None
    if out is None:
        found = np.zeros((rows, columns), np.float32)
        out = found
    if deep != b.shape[0] or out.shape[0] != rows or out.shape[1] != columns:
        raise ValueError(
            f"{rows} x {deep} numbers times {b.shape[0]} x {columns} are not {out.shape[0]} x {out.shape[1]} numbers")
    if rows == 0 or columns == 0:
        return found
    if deep == 0:
        if not add:
            out[:, :] = 0
        return found
    left.at, left.row, left.column = &a[0, 0], a.strides[0] // SIZE, a.strides[1] // SIZE
    right.at, right.row, right.column = &b[0, 0], b.strides[1] // SIZE, b.strides[0] // SIZE
    with nogil:
        done = fp_product(&fp_products_known[CHOSEN], left, right, rows, columns, deep, &out[0, 0], columns, add)
    if not done:
        raise MemoryError(f"no room for a product of {rows} x {deep} and {deep} x {columns} numbers")
    return found


def exponentials(x):
    """e to the power of each number, in double precision; 0 below -708."""
    found = np.array(x, np.float64)
    cdef double[::1] flat = found.reshape(-1)
    cdef Py_ssize_t i
    with nogil:
        for i in range(flat.shape[0]):
            flat[i] = exp(flat[i])
    return found


def logarithms(x):
    """The natural logarithm of each number, in double precision; numbers are above 0."""
    found = np.array(x, np.float64)
    cdef double[::1] flat = found.reshape(-1)
    cdef Py_ssize_t i
    with nogil:
        for i in range(flat.shape[0]):
            flat[i] = log(flat[i])
    return found


def axes_of(matrix) -> tuple:
    """The eigenvalues of a symmetric matrix and its eigenvectors, in columns, in no order: by Jacobi's rotations."""
    left = np.array(matrix, np.float64)
    axes = np.eye(len(left))
    cdef double[:, ::1] a = left, v = axes
    cdef Py_ssize_t n = a.shape[0], p, q, k
    cdef double aside, whole, theta, t, c, s, x, y
    cdef int _
    with nogil:
        for _ in range(MOST_SWEEPS):
            aside = whole = 0
            for p in range(n):
                whole += a[p, p] * a[p, p]
                for q in range(p + 1, n):
                    aside += a[p, q] * a[p, q]
            if aside <= 1e-26 * whole:
                break
            for p in range(n):
                for q in range(p + 1, n):
                    if a[p, q] == 0:
                        continue
                    theta = (a[q, q] - a[p, p]) / (2 * a[p, q])
                    t = (1 if theta >= 0 else -1) / (fabs(theta) + sqrt(theta * theta + 1))
                    c = 1 / sqrt(t * t + 1)
                    s = t * c
                    for k in range(n):
                        x, y = a[k, p], a[k, q]
                        a[k, p], a[k, q] = c * x - s * y, s * x + c * y
                    for k in range(n):
                        x, y = a[p, k], a[q, k]
                        a[p, k], a[q, k] = c * x - s * y, s * x + c * y
                    for k in range(n):      # of the transposed axes: rows lie together
                        x, y = v[p, k], v[q, k]
                        v[p, k], v[q, k] = c * x - s * y, s * x + c * y
    return np.diagonal(left).copy(), np.ascontiguousarray(axes.T)
