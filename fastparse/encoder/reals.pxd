"""Exponentials and logarithms that have the same bytes on every machine, for compiled code."""

cdef extern from "fastparse/encoder/kernels/reals.h" nogil:
    double exp "fp_exp"(double x)
    double log "fp_log"(double x)
