"""Weights of features one look at a time, for tools and tests; search asks for sums by groups of templates."""

import numpy as np

from libc.stdint cimport int32_t, int64_t, uint64_t

from fastparse.model.compiled cimport CompiledTable
from fastparse.model.learning cimport LearningTable
from fastparse.model.table cimport Table

cdef enum:
    MOST = 512                  # keys of one look


def sums(table, keys) -> np.ndarray:
    """The weights of some features together, per class."""
    cdef uint64_t[::1] k = np.array(keys, dtype=np.uint64)
    # Tables of moves write whole slots, of up to 28 classes; others whole blocks of 16.
    out = np.zeros((table.width + 15) // 16 * 16 + 16, dtype=np.int32)
    cdef int32_t[::1] o = out
    cdef Table t
    if len(k) > MOST:
        raise ValueError(f"{len(k)} features are more than the {MOST} of one look")
    t = (<CompiledTable>table).table() if isinstance(table, CompiledTable) else (<LearningTable?>table).table()
    if len(k):
        t.add(t.data, &k[0], <int32_t>len(k), &o[0])
    return out[:table.width]


def learn(LearningTable table, keys, int32_t cls, int32_t delta, int64_t clock) -> None:
    """Add delta to the weight some features have for a class, at a time of the clock averages are taken by."""
    cdef uint64_t[::1] k = np.array(keys, dtype=np.uint64)
    if not 0 <= cls < table.width:
        raise ValueError(f"class {cls} is not one of {table.width}")
    table.grow_for(len(k))
    if len(k):
        table.update(&k[0], <int32_t>len(k), cls, delta, clock)
