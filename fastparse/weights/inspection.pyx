"""Weights of features one look at a time, for tools and tests; search asks for sums by groups of templates."""

import numpy as np

from libc.stdint cimport int32_t, int64_t, uint64_t

from fastparse.features.plan cimport MAX_KEYS
from fastparse.weights.compiled cimport CompiledTable
from fastparse.weights.learning cimport LearningTable
from fastparse.weights.table cimport Table


def sums(table, keys) -> np.ndarray:
    """The weights of some features together, per class."""
    cdef uint64_t[::1] k = np.array(keys, dtype=np.uint64)
    cdef Table t
    cdef int32_t[::1] o
    if len(k) > MAX_KEYS:
        raise ValueError(f"{len(k)} features are more than the {MAX_KEYS} of one look")
    t = table_in(table)
    out = np.zeros(t.room, dtype=np.int32)
    o = out
    if len(k):
        t.add(t.data, &k[0], <int32_t>len(k), &o[0])
    return out[:table.width]


def sums_of_jobs(table, jobs) -> np.ndarray:
    """A row for each of several looks: the weights of its features together, per class."""
    cdef uint64_t[::1] keys = np.array([key for job in jobs for key in job] + [0], dtype=np.uint64)
    cdef int32_t[::1] ends = np.cumsum([len(job) for job in jobs], dtype=np.int32)
    cdef Table t
    cdef int32_t[:, ::1] o
    if max(map(len, jobs)) > MAX_KEYS:
        raise ValueError(f"{max(map(len, jobs))} features are more than the {MAX_KEYS} of one look")
    t = table_in(table)
    out = np.full((len(jobs), t.room), -1, dtype=np.int32)
    o = out
    t.add_jobs(t.data, &keys[0], &ends[0], <int32_t>len(jobs), &o[0, 0], t.room)
    return out[:, :table.width]


cdef Table table_in(table):
    if isinstance(table, CompiledTable):
        return (<CompiledTable>table).table()
    return (<LearningTable?>table).table()


def learn(LearningTable table, keys, int32_t cls, int32_t delta, int64_t clock) -> None:
    """Add delta to the weight some features have for a class, at a time of the clock averages are taken by."""
    cdef uint64_t[::1] k = np.array(keys, dtype=np.uint64)
    if not 0 <= cls < table.width:
        raise ValueError(f"class {cls} is not one of {table.width}")
    table.grow_for(len(k))
    if len(k):
        table.update(&k[0], <int32_t>len(k), cls, delta, clock)
