"""A system with its plans and weights. Parsing does not change it, so any number of threads may parse with one."""

import numpy as np

from libc.stdint cimport int64_t, uint8_t, uint32_t
from libc.string cimport memset

from fastparse.features.plan cimport D, H
from fastparse.machine.arena cimport arena_close, arena_open
from fastparse.weights.compiled cimport CompiledTable, MOST_MOVES as LARGEST_ROW
from fastparse.weights.learning cimport LearningTable
from fastparse.search.beam cimport beam_close, beam_open, parse_beam
from fastparse.search.candidates cimport MAX_BEAM as LARGEST_BEAM
from fastparse.search.greedy cimport parse_greedy
from fastparse.search.scorer cimport MAX_GROUPS, scratch_close, scratch_open
from fastparse.search.sentences cimport parse_each

MAX_BEAM = LARGEST_BEAM
MOST_MOVES = LARGEST_ROW


cdef Table table_of(table):
    if isinstance(table, CompiledTable):
        return (<CompiledTable>table).table()
    return (<LearningTable?>table).table()


cdef int worker_open(Worker* worker, const Scorer* scorer, int beam, int32_t threshold, bint sharing,
                     int32_t room) except -1:
    memset(worker, 0, sizeof(Worker))
    worker.scorer = scorer
    beam_open(&worker.beam, beam)
    worker.beam.threshold = threshold
    if room > 0:
        worker.beam.room = room
    try:
        scratch_open(&worker.scratch, scorer, sharing and beam > 1)
    except MemoryError:
        beam_close(&worker.beam)
        raise
    arena_open(&worker.arena)
    arena_open(&worker.replay)
    return 0


cdef void worker_close(Worker* worker) noexcept nogil:
    beam_close(&worker.beam)
    arena_close(&worker.arena)
    arena_close(&worker.replay)
    scratch_close(&worker.scratch)


cdef int parse_sentence(void* worker, const SentenceRows* s, Parsed* parsed) noexcept nogil:
    cdef Worker* w = <Worker*>worker
    if w.beam.size == 1:
        return parse_greedy(w.scorer, &w.scratch, &w.arena, s, parsed)
    return parse_beam(w.scorer, &w.scratch, &w.beam, &w.arena, &w.replay, s, parsed)


cdef class Engine:
    """Scores and parses sentences given as rows of word attributes.

    A trainer has an engine of its own, which looks at the tables again when they have grown.
    """

    def __init__(self, System system, Plan moves, Plan moves_flat, Plan labels, Plan labels_flat, move_table,
                 label_table, root_label, inner_label, bint single_root, bint labels_with_moves=False):
        """Make an engine of these parts.

        Args:
            root_label, inner_label: per label, whether an arc from the root, or another arc, may carry it.
            labels_with_moves: whether labels compete as parts of moves.
        """
        if system.spec.n_moves > LARGEST_ROW:
            raise ValueError(
                f"{system.name} has {system.spec.n_moves} moves; at most {LARGEST_ROW} fit a row of weights")
        if moves.c.n_groups > MAX_GROUPS or labels.c.n_groups > MAX_GROUPS:
            largest = max(moves.c.n_groups, labels.c.n_groups)
            raise ValueError(f"templates read {largest} sets of positions; at most {MAX_GROUPS} fit")
        if (labels.c.positions | labels_flat.c.positions) & ~<uint32_t>((1 << H) | (1 << D)):
            raise ValueError("templates of labels read more than the two ends of an arc, H and D")
        cdef const uint8_t[::1] root = np.ascontiguousarray(root_label, dtype=np.uint8)
        cdef const uint8_t[::1] inner = np.ascontiguousarray(inner_label, dtype=np.uint8)
        if move_table.width != system.spec.n_moves or not label_table.width == len(root) == len(inner):
            raise ValueError(
                f"tables of {move_table.width} moves and {label_table.width} labels do not fit {system.spec.n_moves} "
                f"moves and {len(root)} labels")
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
        self.scorer.labels_with_moves = labels_with_moves
        self.scorer.root_label = &root[0]
        self.scorer.inner_label = &inner[0]
        self.scorer.move_table = table_of(move_table)
        self.scorer.label_table = table_of(label_table)

    @property
    def single_root(self) -> bool:
        return self.scorer.single_root

    def parse(self, Values values, const int64_t[::1] offsets, Py_ssize_t first, Py_ssize_t last, int beam,
              int32_t[::1] heads, int32_t[::1] labels, int32_t[::1] transitions, int64_t[::1] nanoseconds=None,
              bint sharing=True, int32_t room=0, int32_t[:, ::1] by_move=None, int32_t threshold=0,
              int32_t[:, ::1] steps=None):
        """Parse sentences first..last-1 into heads and labels (indexed as offsets are); releases the GIL.

        Args:
            beam: 1 is greedy.
            transitions: moves made, per sentence.
            nanoseconds: if given, the time of each sentence.
            sharing: whether beam search keeps partial sums; the result is the same.
            room: if given, of the arena before it is compacted; the result is the same.
            by_move: if given, a row per sentence to which the moves made are added, a column per move of the system.
            threshold: states that score less than the best of a beam by more than this leave it; 0: none.
            steps: if given, two columns, which get the last sentence's moves and the labels of arcs that these draw, as
                far as there are rows.
        Returns:
            Templates scored in all (a measure of work).
        """
        cdef Worker worker
        worker_open(&worker, &self.scorer, beam, threshold, sharing, room)
        try:
            parse_each(values, offsets, first, last, heads, labels, transitions, nanoseconds, by_move,
                       self.scorer.spec.n_moves, parse_sentence, &worker, steps)
            return worker.scratch.n_templates_scored
        finally:
            worker_close(&worker)
