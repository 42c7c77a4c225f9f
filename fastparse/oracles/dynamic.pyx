"""Dynamic oracles by the name of their systems."""

import numpy as np

from fastparse.errors import Error

from fastparse.oracles cimport (
    dynamic_arc_eager, dynamic_covington, dynamic_hybrid, dynamic_planar, dynamic_two_planar)
from fastparse.transition_systems.configuration cimport CellConfiguration
from fastparse.transition_systems.state cimport NONE


cdef enum:
    ALL = 0x7FFFFFFF


cdef Dynamic dynamic_oracle(str name):
    if name == "arc-eager":
        return Dynamic(dynamic_arc_eager.best_moves, NULL, True, ALL)
    if name == "hybrid":
        return Dynamic(dynamic_hybrid.best_moves, NULL, True, ALL)
    if name == "covington":
        return Dynamic(dynamic_covington.best_moves, NULL, True, ALL)
    if name == "planar":
        return Dynamic(dynamic_planar.best_moves, NULL, True, ALL)
    if name == "2-planar":
        return Dynamic(dynamic_two_planar.best_moves, dynamic_two_planar.note, False, ALL)
    return Dynamic(NULL, NULL, False, 0)


def best_moves(CellConfiguration c not None, heads) -> list[str]:
    """The legal moves after which the most arcs of a tree can still be drawn.

    Raises:
        Error: if the system has no exact dynamic oracle.
    """
    cdef Dynamic oracle = dynamic_oracle(c.system.name)
    cdef int32_t[::1] numbers
    cdef uint32_t best
    cdef int32_t m
    if not oracle.exact:
        raise Error(f"{c.system.name!r} has no exact dynamic oracle")
    numbers = np.array([NONE, *heads, *[0] * (5 * len(heads) + 5)], dtype=np.int32)
    if len(heads) != c.arena.n:
        raise Error(f"a tree of {len(heads)} words for a configuration of {c.arena.n}")
    best = oracle.best_moves(&c.system.spec, &c.arena, &c.state, &numbers[0], &numbers[c.arena.n + 1], c.mask())
    return [c.system.moves[m] for m in range(c.system.spec.n_moves) if best >> m & 1]
