"""The Python faces of oracles."""

from fastparse.transition_systems.registry import oracles_of


cdef class StaticOracle:
    """The C functions of a static oracle, and the names of its variants."""

    @staticmethod
    cdef StaticOracle wrap(next_t next, prepare_t prepare=NULL, int32_t n_scratch=0, bint analyses=False,
                           tuple variants=(), close_t close=NULL, retry_t retry=NULL):
        cdef StaticOracle wrapped = StaticOracle.__new__(StaticOracle)
        wrapped.oracle = Oracle(
            next=next, prepare=prepare, n_scratch=n_scratch, analyses=analyses, close=close, retry=retry)
        wrapped.variants = variants
        return wrapped


cdef class DynamicOracle:
    """The C functions of a dynamic oracle."""

    @staticmethod
    cdef DynamicOracle wrap(best_moves_t best_moves, note_t note=NULL):
        cdef DynamicOracle wrapped = DynamicOracle.__new__(DynamicOracle)
        wrapped.c = Dynamic(best_moves, note)
        return wrapped


cdef Dynamic dynamic_oracle(str name):
    cdef DynamicOracle found = getattr(oracles_of(name), "DYNAMIC", None)
    return found.c if found is not None else Dynamic(NULL, NULL)
