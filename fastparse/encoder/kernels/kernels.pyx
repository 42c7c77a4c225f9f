"""Which set of vector instructions the byte arithmetic runs on."""

import os

from fastparse.errors import UnknownNameError

VARIABLE = "FASTPARSE_KERNEL"

cdef extern from "fastparse/encoder/kernels/kernels.h" nogil:
    enum:
        FP_MOST_FORMS
    int32_t fp_forms(const Form** forms)
    int64_t fp_packed_size(const Form*, const Dense*)
    void fp_pack(const Form*, const Dense*, const int8_t* weights, const int32_t* bias, int32_t outputs, int32_t step,
                 void* packed_weights, int32_t* packed_bias)

cdef const Form* FORMS[FP_MOST_FORMS]
cdef int32_t N_FORMS = fp_forms(FORMS)


def kernels() -> tuple:
    """The forms this machine can run, slowest first; all give the same integers.

    Example:
        >>> kernels()[0]
        'plain'
    """
    cdef int32_t i
    return tuple([FORMS[i].name.decode("ascii") for i in range(N_FORMS)])


def kernel() -> str:
    """The form that encoders made from now on use: the fastest, or what the variable FASTPARSE_KERNEL asks for."""
    wanted = os.environ.get(VARIABLE, "")
    if not wanted:
        return kernels()[len(kernels()) - 1]
    if wanted not in kernels():
        raise UnknownNameError(
            f"{VARIABLE}={wanted!r}: this machine can run {', '.join(kernels())}. Unset the variable for the fastest.")
    return wanted


cdef const Form* form_named(str name) except NULL:
    cdef int32_t i
    for i in range(N_FORMS):
        if FORMS[i].name.decode("ascii") == name:
            return FORMS[i]
    raise UnknownNameError(f"there is no kernel {name!r} on this machine: it can run {', '.join(kernels())}")


cdef int64_t packed_size(const Form* form, const Dense* dense) noexcept nogil:
    return fp_packed_size(form, dense)


cdef void pack(const Form* form, const Dense* dense, const int8_t* weights, const int32_t* bias, int32_t outputs,
               int32_t step, void* packed_weights, int32_t* packed_bias) noexcept nogil:
    fp_pack(form, dense, weights, bias, outputs, step, packed_weights, packed_bias)
