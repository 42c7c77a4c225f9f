"""One tree or graph at a time, for derivations that people look at."""

import numpy as np

from fastparse.machine.state cimport NO_LABEL, int32_t
from fastparse.machine.system cimport System
from fastparse.theory.driver cimport Driver, driver_close, driver_derive, driver_derive_graph, driver_open
from fastparse.oracles.oracle cimport NO_MEMORY
from fastparse.oracles.oracle cimport NOT_A_TREE as C_NOT_A_TREE, OUTSIDE as C_OUTSIDE, TOO_MANY as C_TOO_MANY
from fastparse.oracles.static_oracle cimport StaticOracle

OUTSIDE, TOO_MANY, NOT_A_TREE = C_OUTSIDE, C_TOO_MANY, C_NOT_A_TREE


def derive_one(System system, StaticOracle oracle, int32_t variant, heads, labels, choices=None):
    """The moves of one tree's derivation.

    Args:
        system: the system.
        oracle: its oracle.
        variant: number of the oracle's variant.
        heads: a head per word.
        labels: a label id per word, or None.
        choices: what the oracle shall choose, as Gold.choices has it, or None.
    Returns:
        The status (the number of moves, or OUTSIDE, TOO_MANY, NOT_A_TREE), and lists of moves and label ids (-1 for
        none). Outside the class these hold the moves made before the oracle gave up.
    """
    cdef Driver d
    cdef int32_t status, n = <int32_t>len(heads)
    cdef int32_t[::1] head_view = column(heads)
    cdef int32_t[::1] label_view = head_view if labels is None else column(labels)
    cdef int32_t[::1] choice_view
    driver_open(&d, &system.spec, &oracle.oracle, variant)
    if choices is not None:
        choice_view = column(choices)
        d.gold.n_choices = <int32_t>len(choices)
        d.gold.choices = &choice_view[0]
    with nogil:
        status = driver_derive(&d, n, &head_view[0], NULL if labels is None else &label_view[0])
    return finish(&d, status, n)


cdef column(values):
    """An array with one more entry, so that there is always a first one to point at."""
    return np.array([*values, 0], dtype=np.int32)


def derive_graph(System system, StaticOracle oracle, int32_t variant, int32_t n, arcs, labels):
    """The same for a graph: arcs are (head, dependent), sorted by dependent, then head."""
    cdef Driver d
    cdef int32_t status, n_arcs = <int32_t>len(arcs)
    cdef int32_t[::1] head_view = column([head for head, _ in arcs])
    cdef int32_t[::1] dependent_view = column([dependent for _, dependent in arcs])
    cdef int32_t[::1] label_view = head_view if labels is None else column(labels)
    driver_open(&d, &system.spec, &oracle.oracle, variant)
    with nogil:
        status = driver_derive_graph(&d, n, n_arcs, &head_view[0], &dependent_view[0],
                                     NULL if labels is None else &label_view[0])
    return finish(&d, status, n)


cdef finish(Driver* d, int32_t status, int32_t n):
    cdef int32_t k
    moves = [d.moves[k] for k in range(d.length)]
    labels = [-1 if d.labels[k] == NO_LABEL else d.labels[k] for k in range(d.length)]
    illegal = d.illegal
    driver_close(d)
    if status == NO_MEMORY:
        raise MemoryError(f"no memory to derive a tree of {n} words")
    if illegal >= 0 and status >= 0:
        raise RuntimeError(f"the oracle chose move {illegal} where it is not legal")
    return status, moves, labels
