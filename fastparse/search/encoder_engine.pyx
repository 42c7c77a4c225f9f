"""Search with the scores of an encoder. Parsing does not change it, so any number of threads may parse with one."""

import numpy as np

from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.string cimport memset

from fastparse.encoder.scratch cimport Scratch as EncoderScratch, encode, enter, renew
from fastparse.features.plan cimport SentenceRows
from fastparse.search.clock cimport now
from fastparse.search.rules cimport Parsed
from fastparse.search.engine cimport Worker, parse_sentence, worker_close, worker_open
from fastparse.search.sentences cimport note_steps

from fastparse.errors import Error

cdef enum:
    MOST_KEPT = 1 << 14         # words that a scratch which waits for the next batch may have room for
    MOST_IDLE = 64              # of these
    WORDS_AT_A_TIME = 128       # that are encoded together; a longer sentence is encoded alone


cdef class EncoderEngine:
    """Scores and parses sentences given as ids of their words.

    Raises:
        Error: if the encoder does not score the moves of the system, or these labels.
    """

    def __init__(self, System system, Encoder encoder, root_label, inner_label, bint single_root):
        """Args: root_label, inner_label: per label, whether an arc from the root, or another arc, may carry it."""
        cdef const uint8_t[::1] root = np.ascontiguousarray(root_label, dtype=np.uint8)
        cdef const uint8_t[::1] inner = np.ascontiguousarray(inner_label, dtype=np.uint8)
        if (encoder.c.moves.n_outputs != system.spec.n_moves
                or not encoder.c.labels.n_outputs == len(root) == len(inner) or len(root) == 0):
            raise Error(
                f"an encoder of {encoder.c.moves.n_outputs} moves and {encoder.c.labels.n_outputs} labels does not fit "
                f"{system.spec.n_moves} moves and {len(root)} labels")
        self.system, self.encoder = system, encoder
        self.root_label, self.inner_label = root.base, inner.base
        self.scorer.spec = &system.spec
        self.scorer.encoder = &encoder.c
        self.scorer.n_labels = len(root)
        self.scorer.single_root = single_root
        self.scorer.root_label = &root[0]
        self.scorer.inner_label = &inner[0]
        self.idle = []

    def parse(self, values, const int64_t[::1] offsets, Py_ssize_t first, Py_ssize_t last, int beam,
              int32_t[::1] heads, int32_t[::1] labels, int32_t[::1] transitions, int64_t[::1] nanoseconds=None, *,
              int32_t[:, ::1] by_move=None, bint sharing=True, int32_t threshold=0, int32_t[:, ::1] logs=None,
              int32_t[:, ::1] steps=None):
        """Parse sentences first..last-1 into heads and labels (indexed as offsets are); releases the GIL.

        Args:
            values: `ids` and `ends` of kinds of words, and `rows`, the kind of each word, each sentence with its root
                first; see the encoder's Scratch.
            beam: 1 is greedy.
            transitions: moves made, per sentence.
            nanoseconds: if given, the time of each sentence, with its words' share of encoding.
            by_move: if given, a row per sentence to which the moves made are added, a column per move of the system.
            sharing: whether beam search keeps the labels of arcs; the result is the same.
            threshold: states that score less than the best of a beam by more than this leave it; 0: none.
            logs: if given, [2, words] (indexed as heads are): zeros, to which the logarithms are added that `Parsed`
                has of arcs and labels.
            steps: see Engine.parse.
        """
        cdef const int32_t[::1] ids = values.ids
        cdef const int32_t[:, ::1] ends = values.ends
        cdef const int32_t[::1] kinds = values.rows
        cdef EncoderScratch scratch
        cdef Worker worker
        cdef SentenceRows s
        cdef Parsed parsed
        cdef Py_ssize_t i = first, j, row
        cdef int failed = 0
        cdef int32_t rows, n_segments = self.encoder.c.n_segments
        cdef int64_t begun = 0, shared = 0
        cdef bint timed = nanoseconds is not None, counted = by_move is not None, wanted = logs is not None
        cdef int32_t[::1] lengths = np.empty(max(0, last - first), np.int32)
        if kinds.shape[0] != offsets[offsets.shape[0] - 1] + offsets.shape[0] - 1 or ends.shape[1] != n_segments:
            raise ValueError(f"rows of {ends.shape[1]} segments of {kinds.shape[0]} words do not fit these sentences")
        if kinds.shape[0] and (np.min(kinds) < 0 or np.max(kinds) >= ends.shape[0]):
            raise ValueError(f"kinds of words are numbers below {ends.shape[0]}")
        if wanted and (logs.shape[0] != 2 or logs.shape[1] != heads.shape[0]):
            raise ValueError(f"logs must be [2, {heads.shape[0]}]")
        if counted and (by_move.shape[0] < last or by_move.shape[1] != self.scorer.spec.n_moves):
            raise ValueError(f"by_move needs {last} rows of {self.scorer.spec.n_moves} columns")
        for j in range(first, last):
            lengths[j - first] = <int32_t>(offsets[j + 1] - offsets[j]) + 1
        parsed.made = parsed.arc_logs = parsed.label_logs = NULL
        note_steps(&parsed, steps)
        try:                            # to take one is a single step: threads get different ones
            scratch = self.idle.pop()
        except IndexError:
            scratch = EncoderScratch(self.encoder)
        memset(&s, 0, sizeof(SentenceRows))
        worker_open(&worker, &self.scorer, beam, threshold, sharing, 0)
        worker.scratch.words = &scratch.c
        worker.scratch.logarithms = beam > 1 or wanted
        try:
            with nogil:
                renew(&scratch.c)
                while i < last and not failed:
                    begun = now() if timed else 0
                    rows = 0
                    j = i
                    while j < last and (j == i or rows + lengths[j - first] <= WORDS_AT_A_TIME):
                        rows += lengths[j - first]
                        j += 1
                    row = offsets[i] + i
                    failed = encode(&self.encoder.c, &scratch.c, &ids[0], &ends[0, 0], &kinds[row],
                                    &lengths[i - first], <int32_t>(j - i))
                    shared = (now() - begun) // rows if timed else 0
                    rows = 0
                    while i < j and not failed:
                        begun = now() if timed else 0
                        s.n = lengths[i - first] - 1
                        transitions[i] = 0
                        if s.n:
                            parsed.heads = &heads[offsets[i]]
                            parsed.labels = &labels[offsets[i]]
                            parsed.transitions = &transitions[i]
                            if wanted:
                                parsed.arc_logs = &logs[0, offsets[i]]
                                parsed.label_logs = &logs[1, offsets[i]]
                            if counted:
                                parsed.made = &by_move[i, 0]
                            enter(&scratch.c, rows, s.n)
                            failed = parse_sentence(&worker, &s, &parsed)
                        if timed:
                            nanoseconds[i] = now() - begun + shared * (s.n + 1)
                        rows += s.n + 1
                        i += 1
        finally:
            worker_close(&worker)
            if scratch.c.capacity <= MOST_KEPT and len(self.idle) < MOST_IDLE:
                self.idle.append(scratch)
        if failed:
            raise MemoryError(f"sentence {i} ({s.n} words) does not fit in memory")
