"""Dynamic oracles by the name of their systems."""

import numpy as np

from fastparse.errors import Error

from fastparse.oracles cimport dynamic_arc_eager, dynamic_covington, dynamic_hybrid, dynamic_planar
from fastparse.transition_systems.configuration cimport CellConfiguration
from fastparse.transition_systems.state cimport NONE


cdef best_moves_t dynamic_oracle(str name):
    if name == "arc-eager":
        return dynamic_arc_eager.best_moves
    if name == "hybrid":
        return dynamic_hybrid.best_moves
    if name == "covington":
        return dynamic_covington.best_moves
    if name == "planar":
        return dynamic_planar.best_moves
    return NULL


def best_moves(CellConfiguration c not None, heads) -> list[str]:
    """The legal moves after which the most arcs of a tree can still be drawn.

    Raises:
        Error: if the system has no dynamic oracle.
    """
    cdef best_moves_t oracle = dynamic_oracle(c.system.name)
    cdef int32_t[::1] numbers
    cdef uint32_t best
    cdef int32_t m
    if oracle == NULL:
        raise Error(f"{c.system.name!r} has no dynamic oracle")
    numbers = np.array([NONE, *heads, *[0] * (3 * len(heads) + 3)], dtype=np.int32)
    if len(heads) != c.arena.n:
        raise Error(f"a tree of {len(heads)} words for a configuration of {c.arena.n}")
    best = oracle(&c.system.spec, &c.arena, &c.state, &numbers[0], &numbers[c.arena.n + 1], c.mask())
    return [c.system.moves[m] for m in range(c.system.spec.n_moves) if best >> m & 1]
