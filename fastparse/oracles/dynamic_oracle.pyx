"""Dynamic oracles: a module each, of the stem of the system's, loaded when first asked for, that defines ``ORACLE``."""

from importlib import import_module
from importlib.util import find_spec

import numpy as np

from fastparse.errors import Error
from fastparse.transition_systems.registry import ROWS as _ROWS

from fastparse.theory.configuration cimport CellConfiguration
from fastparse.machine.state cimport NO_LABEL, NONE


_DYNAMIC = "fastparse.oracles.dynamic."


cdef class DynamicOracle:
    """The C functions of one oracle."""

    @staticmethod
    cdef DynamicOracle wrap(best_moves_t best_moves, note_t note):
        cdef DynamicOracle wrapped = DynamicOracle.__new__(DynamicOracle)
        wrapped.c = Dynamic(best_moves, note)
        return wrapped


def has_dynamic_oracle(str name) -> bool:
    """Whether the system of that name has a dynamic oracle."""
    return name in _ROWS and find_spec(_DYNAMIC + _ROWS[name].stem) is not None


cdef Dynamic dynamic_oracle(str name):
    cdef DynamicOracle found
    if not has_dynamic_oracle(name):
        return Dynamic(NULL, NULL)
    found = import_module(_DYNAMIC + _ROWS[name].stem).ORACLE
    return found.c


def best_moves(CellConfiguration c not None, heads, moves=None) -> list[str]:
    """The legal moves after which the most arcs of a tree can still be drawn.

    Args:
        c: a configuration.
        heads: a tree of the system's class.
        moves: the tree's static derivation, for systems whose oracle keeps to it: 2-planar and two-registers. With
            these the answer may not be exact.
    Raises:
        Error: if the system has no dynamic oracle, or its oracle needs moves.
    """
    cdef Dynamic oracle = dynamic_oracle(c.system.name)
    cdef CellConfiguration other
    cdef int32_t[::1] numbers
    cdef uint32_t best
    cdef int32_t m
    if oracle.best_moves == NULL:
        raise Error(f"{c.system.name!r} has no dynamic oracle")
    if len(heads) != c.arena.n:
        raise Error(f"a tree of {len(heads)} words for a configuration of {c.arena.n}")
    numbers = np.array([NONE, *heads, *[NONE] * scratch_room(len(heads))], dtype=np.int32)
    if oracle.note != NULL:
        if moves is None:
            raise Error(f"the dynamic oracle of {c.system.name!r} needs the moves of the static derivation")
        other = CellConfiguration(c.system, c.arena.n)
        for move in moves:
            m = c.system.moves.index(move.partition(":")[0])
            oracle.note(&c.system.spec, &other.arena, &other.state, m, &numbers[0], &numbers[c.arena.n + 1])
            other.make(m, NO_LABEL)
    best = oracle.best_moves(&c.system.spec, &c.arena, &c.state, &numbers[0], &numbers[c.arena.n + 1], c.mask())
    return [c.system.moves[m] for m in range(c.system.spec.n_moves) if best >> m & 1]
