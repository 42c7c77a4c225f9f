"""The compiled side of a tokenizer: a model in C, with the arrays it borrows."""

from fastparse.text.model cimport Model

cdef class Engine:
    cdef Model m
    cdef readonly object characters, gaps, spaces, ends, tables, lexicon
