"""The static oracles by name, and their derivations of single trees and of treebanks."""

from concurrent.futures import ThreadPoolExecutor
from importlib import import_module

import numpy as np

from fastparse.corpus.arrays import never_falls
from fastparse.errors import Error, UnknownNameError
from fastparse.transition_systems.registry import ROWS as _ROWS, oracles_of, resolve, row_of

from libc.stdint cimport uint8_t
from libc.stdlib cimport free, realloc
from libc.string cimport memcpy

from fastparse.machine.state cimport NO_LABEL, int32_t, int64_t, uint16_t
from fastparse.machine.system cimport System
from fastparse.theory.driver cimport Driver, driver_close, driver_derive, driver_derive_graph, driver_open
from fastparse.transition_systems.oracle cimport NO_MEMORY, NOT_A_TREE, OUTSIDE, StaticOracle, TOO_MANY

cdef struct Sink:
    # Moves of many derivations, one after the other.
    int64_t length
    int64_t capacity
    uint8_t* moves
    uint16_t* labels

# The statuses of derive_one, for Python.
IS_OUTSIDE, IS_TOO_HARD, IS_NO_TREE = OUTSIDE, TOO_MANY, NOT_A_TREE


def oracle_of(system):
    """The static oracle of a system.

    Args:
        system: a System or its name.
    Returns:
        A StaticOracle; or, for derivations that the driver cannot run, an object with the methods ``derive(name, heads,
        labels, **options)``, one derivation, and ``lengths(name, heads, offsets, by_move, **options)``, int32 per tree
        (or 2-D), -1 outside the class.
    Raises:
        UnknownNameError: if there is no such system, or it has none.
        Error: if it is a composed system of graphs.
    """
    if isinstance(system, str):
        name = system
        row_of(name)
    else:
        name = system.name
        if system.is_graph and f"{name}/graph" in _ROWS:
            name += "/graph"
        if name not in _ROWS:
            if system.is_graph:
                raise Error(f"{name!r} builds graphs, and composed systems of graphs have no oracle. If words shall "
                            f"have one head, compose it with single_head=True")
            return import_module("fastparse.theory.composed").ORACLE
    found = getattr(oracles_of(name), "ORACLE", None)
    if found is None:
        raise UnknownNameError(f"there is no oracle for {name!r}")
    return found


def variant_of(System system, StaticOracle oracle, wanted=None) -> int:
    """The number of a variant of a static oracle: the one wanted, or else the one among the system's options.

    Raises:
        UnknownNameError: if the oracle has no such variant.
    """
    if wanted is None:
        wanted = system.options.get("oracle")
    if wanted is None:
        return 0
    if wanted not in oracle.variants:
        known = f"it has {', '.join(map(repr, oracle.variants))}" if oracle.variants else "it has only one"
        raise UnknownNameError(f"{system.name!r} has no oracle {wanted!r}; {known}")
    return oracle.variants.index(wanted)


# ── one tree or graph ──

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
        The status (the number of moves, or IS_OUTSIDE, IS_TOO_HARD, IS_NO_TREE), and lists of moves and label ids (-1
        for none). Outside the class these hold the moves made before the oracle gave up.
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


# ── treebanks ──

cdef int pour(Sink* sink, const Driver* d) noexcept nogil:
    """Appends the driver's last derivation."""
    cdef int64_t room
    cdef void* larger
    if sink.length + d.length > sink.capacity:
        room = 2 * sink.capacity + d.length + 4096
        larger = realloc(sink.moves, <size_t>room)
        if larger == NULL:
            return -1
        sink.moves = <uint8_t*>larger
        larger = realloc(sink.labels, <size_t>room * sizeof(uint16_t))
        if larger == NULL:
            return -1
        sink.labels = <uint16_t*>larger
        sink.capacity = room
    memcpy(sink.moves + sink.length, d.moves, d.length)
    memcpy(sink.labels + sink.length, d.labels, <size_t>d.length * sizeof(uint16_t))
    sink.length += d.length
    return 0


cdef int derive_range(Driver* d, const int32_t* heads, const int32_t* labels, const int64_t* offsets, Py_ssize_t first,
                      Py_ssize_t last, int32_t* lengths, int32_t* by_move, Py_ssize_t n_moves,
                      Sink* sink) noexcept nogil:
    """Derives trees first..last-1. lengths, by_move and sink may be NULL. NO_MEMORY or 0."""
    cdef Py_ssize_t i, k
    cdef int32_t length
    for i in range(first, last):
        length = driver_derive(d, <int32_t>(offsets[i + 1] - offsets[i]), heads + offsets[i],
                               labels + (offsets[i] if labels != NULL else 0))
        if length == NO_MEMORY:
            return NO_MEMORY
        if lengths != NULL:
            lengths[i] = length if length >= 0 else -1
        if by_move != NULL:
            for k in range(n_moves):
                by_move[i * n_moves + k] = 0 if length >= 0 else -1
            for k in range(length):
                by_move[i * n_moves + d.moves[k]] += 1
        if sink != NULL and length > 0 and pour(sink, d) < 0:
            return NO_MEMORY
    return 0


def columns(heads, labels, offsets):
    """The arrays of a treebank, checked; labels may be None."""
    heads = np.ascontiguousarray(heads, dtype=np.int32)
    offsets = np.ascontiguousarray(offsets, dtype=np.int64)
    if heads.ndim != 1 or offsets.ndim != 1 or not len(offsets):
        raise Error(f"heads and offsets must be one-dimensional, offsets one longer than there are sentences; found "
                    f"shapes {heads.shape} and {offsets.shape}")
    start, end = offsets[0], offsets[len(offsets) - 1]
    if start != 0 or end != len(heads) or not never_falls(offsets):
        raise Error(f"offsets must rise from 0 to the {len(heads)} words of heads; found {start} to {end}")
    if len(offsets) > 1 and np.diff(offsets).max() >= 1 << 28:
        raise Error("a sentence has more words than a configuration can hold")
    if labels is not None:
        labels = np.array(labels, dtype=np.int32)
        if labels.shape != heads.shape:
            raise Error(f"a label per word is needed: found {labels.shape} labels for {heads.shape} heads")
    return heads, labels, offsets


def derivations_of(system, heads, labels, offsets, oracle=None):
    """The oracle's derivations of all trees of a treebank.

    Args:
        system: a System or its name.
        heads: int32, a head per word, trees one after the other.
        labels: int32 label ids below 65535, or None.
        offsets: int64, where each tree starts; the number of words at the end.
        oracle: a variant of the oracle, by default the one among the system's options.
    Returns:
        moves (uint8), labels (uint16; 65535 for moves without one), offsets (int64, one more than there are trees) and
        inside (bool per tree): trees outside the class have no moves.
    """
    cdef System s = resolve(system)
    cdef StaticOracle o = oracle_of(s)
    heads, labels, offsets = columns(heads, labels, offsets)
    cdef const int32_t[::1] head_view = heads
    cdef int32_t[::1] label_view
    cdef const int64_t[::1] offset_view = offsets
    cdef Py_ssize_t n = len(offsets) - 1
    lengths = np.zeros(n, dtype=np.int32)
    cdef int32_t[::1] length_view = lengths
    cdef int32_t* label_array = NULL
    cdef Driver d
    cdef Sink sink = Sink(0, 0, NULL, NULL)
    cdef int status
    if labels is not None and len(labels):
        label_view = labels
        label_array = &label_view[0]
    starts = np.zeros(n + 1, dtype=np.int64)
    if not n or not len(heads):
        return np.zeros(0, np.uint8), np.zeros(0, np.uint16), starts, np.ones(n, bool)
    driver_open(&d, &s.spec, &o.oracle, variant_of(s, o, oracle))
    try:
        with nogil:
            status = derive_range(&d, &head_view[0], label_array, &offset_view[0], 0, n, &length_view[0], NULL, 0,
                                  &sink)
        if status == NO_MEMORY:
            raise MemoryError(f"no memory for the derivations of {n} trees")
        moves = np.empty(sink.length, dtype=np.uint8)
        move_labels = np.empty(sink.length, dtype=np.uint16)
        if sink.length:
            copy_out(&sink, moves, move_labels)
    finally:
        driver_close(&d)
        free(sink.moves)
        free(sink.labels)
    np.cumsum(np.maximum(lengths, 0), out=starts[1:])
    return moves, move_labels, starts, lengths >= 0


def graph_derivations_of(System system, StaticOracle oracle, sizes, counts, arcs):
    """The oracle's derivations of all graphs of a treebank.

    Args:
        sizes: words of each sentence.
        counts: arcs of each graph.
        arcs: int32 [arcs, 3]: heads, dependents, label ids below 65535; graph by graph, sorted by dependent, then head.
    Returns:
        As `derivations_of`: graphs outside the class have no moves.
    """
    cdef const int32_t[::1] n_words = np.ascontiguousarray(sizes, np.int32)
    cdef const int32_t[::1] n_arcs = np.ascontiguousarray(counts, np.int32)
    cdef const int32_t[::1] heads, dependents, labels
    cdef Py_ssize_t i, at = 0, n = n_words.shape[0]
    cdef int32_t length = 0
    cdef Driver d
    cdef Sink sink = Sink(0, 0, NULL, NULL)
    # One more each, so that there is always a first one to point at.
    columns = np.concatenate([np.asarray(arcs, np.int32).reshape(-1, 3), np.zeros((1, 3), np.int32)])
    heads = np.ascontiguousarray(columns[:, 0])
    dependents = np.ascontiguousarray(columns[:, 1])
    labels = np.ascontiguousarray(columns[:, 2])
    if n_arcs.shape[0] != n or np.sum(counts) != len(columns) - 1:
        raise Error(f"{len(columns) - 1} arcs of {n_arcs.shape[0]} graphs do not fit {n} sentences")
    lengths = np.zeros(n, np.int32)
    cdef int32_t[::1] length_view = lengths
    driver_open(&d, &system.spec, &oracle.oracle, variant_of(system, oracle))
    try:
        with nogil:
            for i in range(n):
                length = driver_derive_graph(&d, n_words[i], n_arcs[i], &heads[at], &dependents[at], &labels[at])
                at += n_arcs[i]
                length_view[i] = length if length >= 0 else -1
                if length == NO_MEMORY or (length > 0 and pour(&sink, &d) < 0):
                    length = NO_MEMORY
                    break
        if length == NO_MEMORY:
            raise MemoryError(f"no memory for the derivations of {n} graphs")
        moves, move_labels = np.empty(sink.length, np.uint8), np.empty(sink.length, np.uint16)
        if sink.length:
            copy_out(&sink, moves, move_labels)
    finally:
        driver_close(&d)
        free(sink.moves)
        free(sink.labels)
    starts = np.zeros(n + 1, np.int64)
    np.cumsum(np.maximum(lengths, 0), out=starts[1:])
    return moves, move_labels, starts, lengths >= 0


cdef copy_out(const Sink* sink, moves, labels):
    cdef uint8_t[::1] move_view = moves
    cdef uint16_t[::1] label_view = labels
    memcpy(&move_view[0], sink.moves, <size_t>sink.length)
    memcpy(&label_view[0], sink.labels, <size_t>sink.length * sizeof(uint16_t))


def lengths_of(system, heads, offsets, oracle=None, by_move=False, threads=1):
    """Moves of the oracle's derivation per tree (int32), or per tree and move (2-D); -1 outside the class."""
    cdef System s = resolve(system)
    cdef StaticOracle o = oracle_of(s)
    heads, _, offsets = columns(heads, None, offsets)
    n = len(offsets) - 1
    variant = variant_of(s, o, oracle)
    shape = [n, len(s.moves)] if by_move else [n]
    result = np.zeros(shape, dtype=np.int32)
    if not n:
        return result
    # An empty array has no first element to point at.
    heads = heads if len(heads) else np.zeros(1, np.int32)
    # Ranges of about equally many words.
    shares = np.searchsorted(offsets[1:n], [offsets[n] * k // threads for k in range(1, threads)]).tolist()
    parts = [(first, last) for first, last in zip([0, *shares], [*shares, n]) if first < last]
    if len(parts) == 1:
        count(s, o, variant, heads, offsets, 0, n, result, by_move)
        return result
    with ThreadPoolExecutor(len(parts)) as pool:
        for done in [pool.submit(count, s, o, variant, heads, offsets, first, last, result, by_move)
                     for first, last in parts]:
            done.result()
    return result


def count(System s, StaticOracle o, int32_t variant, const int32_t[::1] heads, const int64_t[::1] offsets,
          Py_ssize_t first, Py_ssize_t last, result, bint by_move):
    """Fills rows first..last-1 of the result."""
    cdef Driver d
    cdef int status
    cdef int32_t[::1] lengths
    cdef int32_t[:, ::1] table
    cdef int32_t* length_array = NULL
    cdef int32_t* table_array = NULL
    cdef Py_ssize_t n_moves = len(s.moves)
    if by_move:
        table = result
        table_array = &table[0, 0]
    else:
        lengths = result
        length_array = &lengths[0]
    driver_open(&d, &s.spec, &o.oracle, variant)
    with nogil:
        status = derive_range(&d, &heads[0], NULL, &offsets[0], first, last, length_array, table_array, n_moves, NULL)
        driver_close(&d)
    if status == NO_MEMORY:
        raise MemoryError("no memory to derive a tree")


def fallbacks_of(system, heads, offsets, oracle=None):
    """Per tree, whether the search of this variant of the oracle was given up, and another one was followed."""
    cdef System s = resolve(system)
    cdef StaticOracle o = oracle_of(s)
    heads, _, offsets = columns(heads, None, offsets)
    cdef const int32_t[::1] head_view = heads if len(heads) else np.zeros(1, np.int32)
    cdef const int64_t[::1] offset_view = offsets
    cdef Py_ssize_t i, n = len(offsets) - 1
    cdef Driver d
    cdef int status = 0
    given_up = np.zeros(n, dtype=np.uint8)
    cdef uint8_t[::1] view = given_up
    driver_open(&d, &s.spec, &o.oracle, variant_of(s, o, oracle))
    with nogil:
        for i in range(n):
            status = driver_derive(&d, <int32_t>(offset_view[i + 1] - offset_view[i]), &head_view[0] + offset_view[i],
                                   NULL)
            if status == NO_MEMORY:
                break
            view[i] = d.gold.fell_back
        driver_close(&d)
    if status == NO_MEMORY:
        raise MemoryError("no memory to derive a tree")
    return given_up.astype(bool)
