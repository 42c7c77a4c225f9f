"""The Python face of a static oracle."""

from fastparse.oracles.oracle cimport Oracle

cdef class StaticOracle:
    cdef Oracle oracle
    cdef readonly tuple variants         # names of Gold.options, the default first

    @staticmethod
    cdef StaticOracle wrap(const Oracle* oracle, tuple variants=*)
