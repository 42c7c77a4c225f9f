"""A system with its plans and weights, ready to parse; immutable, so that any number of threads may use one."""

import numpy as np

from fastparse.features.attributes cimport Values, sentence_of
from fastparse.features.plan cimport Plan, Sentence
from fastparse.machine.arena cimport arena_close, arena_open
from fastparse.machine.state cimport Arena
from fastparse.machine.system cimport System
from fastparse.model.compiled cimport CompiledTable
from fastparse.model.learning cimport LearningTable
from fastparse.search.beam cimport Beam, beam_close, beam_open, parse_beam
from fastparse.search.clock cimport now
from fastparse.search.greedy cimport parse_greedy
from fastparse.search.scorer cimport MAX_GROUPS, Scratch, scratch_close, scratch_open

MAX_BEAM = 1023
MOST_MOVES = 28


cdef Table table_of(table):
    if isinstance(table, CompiledTable):
        return (<CompiledTable>table).table()
    return (<LearningTable?>table).table()


cdef class Engine:
    """Scores and parses sentences given as rows of word attributes."""

    def __init__(self, System system, Plan moves, Plan moves_flat, Plan labels, Plan labels_flat, move_table,
                 label_table, root_label, inner_label, bint single_root):
        """Args: root_label, inner_label: per label, whether an arc from the root, or another arc, may carry it."""
        if system.spec.n_moves > MOST_MOVES:
            raise ValueError(
                f"{system.name} has {system.spec.n_moves} moves; at most {MOST_MOVES} fit a row of weights")
        if moves.c.n_groups > MAX_GROUPS or labels.c.n_groups > MAX_GROUPS:
            raise ValueError(f"move templates read {moves.c.n_groups} sets of positions; at most {MAX_GROUPS} fit")
        cdef const uint8_t[::1] root = np.ascontiguousarray(root_label, dtype=np.uint8)
        cdef const uint8_t[::1] inner = np.ascontiguousarray(inner_label, dtype=np.uint8)
        self.system = system
        self.moves, self.moves_flat, self.labels, self.labels_flat = moves, moves_flat, labels, labels_flat
        self.move_table, self.label_table = move_table, label_table
        self.root_label, self.inner_label = root.base, inner.base
        self.scorer.spec = &system.spec
        self.scorer.moves = &moves.c
        self.scorer.moves_flat = &moves_flat.c
        self.scorer.labels = &labels.c
        self.scorer.labels_flat = &labels_flat.c
        self.scorer.n_labels = len(root)
        self.scorer.single_root = single_root
        self.scorer.root_label = &root[0]
        self.scorer.inner_label = &inner[0]
        self.scorer.sharing = True
        self.refresh()

    def refresh(self) -> None:
        """Look at the tables again after they have grown."""
        self.scorer.move_table = table_of(self.move_table)
        self.scorer.label_table = table_of(self.label_table)

    @property
    def single_root(self) -> bool:
        return self.scorer.single_root

    def parse(self, Values values, const int64_t[::1] offsets, Py_ssize_t first, Py_ssize_t last, int beam,
              int32_t[::1] heads, int32_t[::1] labels, int32_t[::1] transitions, int64_t[::1] nanoseconds=None,
              bint sharing=True, int32_t room=0, int32_t[:, ::1] by_move=None):
        """Parse sentences first..last-1 into heads and labels (indexed as offsets are); releases the GIL.

        Args:
            beam: 1 is greedy.
            transitions: moves made, per sentence.
            nanoseconds: if given, the time of each sentence.
            sharing: whether beam search keeps partial sums; the result is the same.
            room: if given, of the arena before it is compacted; the result is the same.
            by_move: if given, a row per sentence to which the moves made are added, a column per move of the system.
        Returns:
            Templates scored in all (a measure of work).
        """
        cdef Scratch w
        cdef Beam b
        cdef Arena a, replay
        cdef Sentence s
        cdef Scorer scorer = self.scorer
        cdef Py_ssize_t i
        cdef int failed = 0
        cdef int64_t started = 0
        cdef bint timed = nanoseconds is not None, counted = by_move is not None
        if not 1 <= beam <= MAX_BEAM:
            raise ValueError(f"a beam of {beam}; it must be 1 to {MAX_BEAM}")
        if counted and (by_move.shape[0] < last or by_move.shape[1] != scorer.spec.n_moves):
            raise ValueError(f"by_move needs {last} rows of {scorer.spec.n_moves} columns")
        scorer.sharing = sharing and beam > 1
        scratch_open(&w, scorer.spec.n_moves, scorer.n_labels, scorer.sharing)
        arena_open(&a)
        arena_open(&replay)
        beam_open(&b, beam)
        if room > 0:
            b.room = room
        try:
            with nogil:
                for i in range(first, last):
                    if timed:
                        started = now()
                    sentence_of(values, &offsets[0], i, &s)
                    if s.n == 0:
                        transitions[i] = 0
                        continue
                    if counted:
                        w.made = &by_move[i, 0]
                    if beam == 1:
                        failed = parse_greedy(&scorer, &w, &a, &s, &heads[offsets[i]], &labels[offsets[i]],
                                              &transitions[i])
                    else:
                        failed = parse_beam(&scorer, &w, &b, &a, &replay, &s, &heads[offsets[i]],
                                            &labels[offsets[i]], &transitions[i])
                    if timed:
                        nanoseconds[i] = now() - started
                    if failed:
                        break
            if failed:
                raise MemoryError(f"sentence {i + 1} ({s.n} words) does not fit in memory")
            return w.n_templates_scored
        finally:
            beam_close(&b)
            arena_close(&a)
            arena_close(&replay)
            scratch_close(&w)


def clock_overhead(int32_t readings=100_000):
    """Nanoseconds it takes to look at the clock that times sentences, on average."""
    cdef int64_t first = now(), last = first
    cdef int32_t _
    with nogil:
        for _ in range(readings):
            last = now()
    return (last - first) / max(1, readings)
