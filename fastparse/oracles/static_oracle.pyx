"""The Python face of a static oracle."""


cdef class StaticOracle:
    """The C functions of one oracle, and the names of its variants."""

    @staticmethod
    cdef StaticOracle wrap(const Oracle* oracle, tuple variants=()):
        cdef StaticOracle wrapped = StaticOracle.__new__(StaticOracle)
        wrapped.oracle = oracle[0]
        wrapped.variants = variants
        return wrapped
