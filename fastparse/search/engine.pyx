"""What parses: searches with their weights, and where what they find goes.

Parsing does not change a loop, so any number of threads may parse with one.
"""

import numpy as np

from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t
from libc.stdlib cimport free, realloc
from libc.string cimport memcpy, memset

from fastparse.corpus.sheet cimport Sheet
from fastparse.corpus.strings.vectors cimport Vector
from fastparse.encoder.reading cimport Words
from fastparse.encoder.scratch cimport Scratch as EncoderScratch, encode, enter, renew
from fastparse.features.attributes cimport sentence_of
from fastparse.features.plan cimport D, H
from fastparse.machine.arena cimport arena_close, arena_open
from fastparse.machine.state cimport Graph
from fastparse.weights.table cimport BaseTable, MOST_MOVES as LARGEST_ROW
from fastparse.search.beam cimport MAX_BEAM as LARGEST_BEAM, ROOM, beam_close, beam_open, parse_beam, parse_greedy
from fastparse.search.scorer cimport MAX_GROUPS, scratch_close, scratch_open

from fastparse.errors import Error

MAX_BEAM = LARGEST_BEAM
NO_TREE = -(1 << 62)            # the score of a tree that there is not
MOST_MOVES = LARGEST_ROW

cdef enum:
    MOST_KEPT = 1 << 14         # words, or cells, that memory which waits for the next call may have room for
    MOST_IDLE = 64              # seats that wait
    MOST_KEYS = 8
    WORDS_AT_A_TIME = 128       # that are encoded together; a longer sentence is encoded alone

cdef extern from * nogil:
    """
    #include <stdint.h>
    #if defined(_WIN32)
    #include <windows.h>
    static int64_t fp_now(void) {
        LARGE_INTEGER t, f;
        QueryPerformanceCounter(&t);
        QueryPerformanceFrequency(&f);
        return (int64_t)((double)t.QuadPart * 1e9 / (double)f.QuadPart);
    }
    #else
    #include <time.h>
    static int64_t fp_now(void) {
        struct timespec t;
        clock_gettime(CLOCK_MONOTONIC, &t);
        return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
    }
    #endif
    """
    # Nanoseconds since some moment.
    int64_t now "fp_now"()


def clock_overhead(int32_t readings=100_000):
    """Nanoseconds it takes to look at the clock that times sentences, on average."""
    cdef int64_t first = now(), last = first
    cdef int32_t _
    with nogil:
        for _ in range(readings):
            last = now()
    return (last - first) / max(1, readings)


# ── where what is found goes ──

cdef class Outcome:
    """What a loop finds of the sentences between some offsets: zeros that it fills in.

    Attributes:
        offsets: where each sentence begins, and the number of words at the end, int64.
        heads, labels: of each word, int32; labels by id.
        transitions: moves made, per sentence, int32.
        nanoseconds: the time of each sentence, int64; None if it is not `timed`.
        by_move: a row per sentence with the moves made of each kind, int32 [sentences, n_moves]; None for no moves.
        logs: with `logs`, int32 [2, words], else None. For each word, the sum of the logarithms of an encoder's
            probabilities of the moves that drew its arc or were made while it lay on top of the stack, and the one of
            its label.
        tree_heads, tree_labels: with several `trees`, those of the best trees, int32 [trees, words], else None.
        tree_scores: int64 [trees, sentences], of their derivations; NO_TREE where there are fewer.
        steps: int32 [steps, 2]: the last sentence's first moves, and the labels of the arcs that these draw.
    """

    def __init__(self, offsets, *, bint timed=False, Py_ssize_t n_moves=0, bint logs=False, Py_ssize_t steps=0,
                 Py_ssize_t trees=1):
        """Args: offsets: also a `Sheet`, whose they are. Raises ValueError for offsets that do not grow from 0."""
        cdef const int64_t[::1] begins
        cdef Sheet sheet
        cdef Py_ssize_t i
        if isinstance(offsets, Sheet):
            sheet = offsets
            self.owner, self.begins, self.n = sheet.offsets_owner, sheet.offsets, sheet.n_sentences
        else:
            begins = np.ascontiguousarray(offsets, np.int64)
            if not begins.shape[0]:
                raise ValueError("offsets begin with 0")
            self.owner, self.begins, self.n = begins.base, &begins[0], begins.shape[0] - 1
        if self.begins[0] != 0:
            raise ValueError("offsets begin with 0")
        for i in range(self.n):
            if not 0 <= self.begins[i + 1] - self.begins[i] < 0x7FFFFFFF:
                raise ValueError(f"no sentence goes from word {self.begins[i]} to {self.begins[i + 1]}")
        self.n_words = self.begins[self.n]
        self.heads_, self.labels_ = Vector.zeros(self.n_words, b"i"), Vector.zeros(self.n_words, b"i")
        self.transitions_ = Vector.zeros(self.n, b"i")
        self.nanoseconds_ = Vector.zeros(self.n, b"q") if timed else None
        self.by_move_ = Vector.zeros(self.n * n_moves, b"i") if n_moves else None
        self.logs_ = Vector.zeros(2 * self.n_words, b"i") if logs else None
        self.steps_ = Vector.zeros(2 * steps, b"i") if steps else None
        self.n_moves, self.first_word, self.first_sentence = n_moves, 0, 0
        if trees > 1:
            self.tree_heads, self.tree_labels = np.zeros((2, trees, self.n_words), np.int32)
            self.tree_scores = np.full((trees, self.n), NO_TREE, np.int64)
        bind(self, self.n_words)

    def part(self, Py_ssize_t first, Py_ssize_t last) -> Outcome:
        """Sentences first..last-1, into the same memory; offsets count from the first word of the part."""
        cdef Outcome found = Outcome.__new__(Outcome)
        cdef const int64_t[::1] begins = np.ascontiguousarray(self.offsets[first : last + 1] - self.offsets[first])
        found.owner, found.begins, found.n = begins.base, &begins[0], begins.shape[0] - 1
        found.n_words = begins[found.n]
        found.heads_, found.labels_, found.steps_ = self.heads_, self.labels_, self.steps_
        found.transitions_, found.nanoseconds_ = self.transitions_, self.nanoseconds_
        found.by_move_, found.logs_, found.n_moves = self.by_move_, self.logs_, self.n_moves
        found.first_sentence, found.first_word = self.first_sentence + first, self.first_word + self.begins[first]
        if self.tree_scores is not None:
            words = slice(self.begins[first], self.begins[last])
            found.tree_heads, found.tree_labels = self.tree_heads[:, words], self.tree_labels[:, words]
            found.tree_scores = self.tree_scores[:, first:last]
        bind(found, self.heads_.size)
        return found

    # The arrays, made when they are looked at

    cdef of_words(self, Vector items):
        return items.array()[self.first_word : self.first_word + self.n_words]

    cdef of_sentences(self, Vector items):
        return None if items is None else items.array()[self.first_sentence : self.first_sentence + self.n]

    @property
    def offsets(self):
        return np.asarray(self.owner)

    @property
    def heads(self):
        return self.of_words(self.heads_)

    @property
    def labels(self):
        return self.of_words(self.labels_)

    @property
    def transitions(self):
        return self.of_sentences(self.transitions_)

    @property
    def nanoseconds(self):
        return self.of_sentences(self.nanoseconds_)

    @property
    def by_move(self):
        if self.by_move_ is None:
            return None
        rows = self.by_move_.array().reshape(-1, self.n_moves)
        return rows[self.first_sentence : self.first_sentence + self.n]

    @property
    def logs(self):
        if self.logs_ is None:
            return None
        return self.logs_.array().reshape(2, -1)[:, self.first_word : self.first_word + self.n_words]

    @property
    def steps(self):
        return None if self.steps_ is None else self.steps_.array().reshape(-1, 2)

    def trees(self, Sheet sheet not None, list names not None) -> Sheet:
        """The sentences with the heads and labels, which nobody writes to here from now on."""
        return sheet.with_trees(self.heads_, self.labels_, names)

    def has_label(self, const uint8_t[::1] marked not None) -> bool:
        """Whether a word has a label that is marked."""
        cdef int64_t i
        cdef const int32_t* labels = <const int32_t*>self.labels_.data + self.first_word
        for i in range(self.n_words):
            if 0 <= labels[i] < marked.shape[0] and marked[labels[i]]:
                return True
        return False


cdef int bind(Outcome out, int64_t n_words) except -1:
    """Where a sentence goes. Args: n_words: of all that the memory is of."""
    cdef int32_t[:, :] words
    cdef int64_t[:, :] scores
    memset(&out.first, 0, sizeof(Parsed))
    out.times = NULL
    if out.n:
        out.first.transitions = <int32_t*>out.transitions_.data + out.first_sentence
        if out.nanoseconds_ is not None:
            out.times = <int64_t*>out.nanoseconds_.data + out.first_sentence
        if out.by_move_ is not None:
            out.first.made = <int32_t*>out.by_move_.data + out.first_sentence * out.n_moves
    if out.n_words:
        out.first.heads = <int32_t*>out.heads_.data + out.first_word
        out.first.labels = <int32_t*>out.labels_.data + out.first_word
        if out.logs_ is not None:
            out.first.arc_logs = <int32_t*>out.logs_.data + out.first_word
            out.first.label_logs = out.first.arc_logs + n_words
        if out.tree_scores is not None:
            words, scores = out.tree_heads, out.tree_scores
            out.first.n_trees = <int32_t>words.shape[0]
            out.first.word_stride = words.strides[0] // sizeof(int32_t)
            out.first.sentence_stride = scores.strides[0] // sizeof(int64_t)
            out.first.tree_heads = &words[0, 0]
            out.first.tree_scores = &scores[0, 0]
            words = out.tree_labels
            out.first.tree_labels = &words[0, 0]
    if out.steps_ is not None:
        out.first.steps, out.first.room = <int32_t*>out.steps_.data, <int32_t>(out.steps_.size // 2)
    return 0


cdef void place(Outcome out, Py_ssize_t i, Parsed* parsed) noexcept nogil:
    cdef int64_t begin = out.begins[i]
    parsed[0] = out.first
    parsed.transitions += i
    parsed.transitions[0] = 0
    if parsed.heads != NULL:            # there are words
        parsed.heads += begin
        parsed.labels += begin
    if parsed.made != NULL:
        parsed.made += i * out.n_moves
    if parsed.arc_logs != NULL:
        parsed.arc_logs += begin
        parsed.label_logs += begin
    if parsed.n_trees > 1:
        parsed.tree_heads += begin
        parsed.tree_labels += begin
        parsed.tree_scores += i


# ── loops ──

cdef class Seat:
    """What one thread needs for a call."""

    def __dealloc__(self):
        beam_close(&self.worker.beam)
        arena_close(&self.worker.arena)
        arena_close(&self.worker.replay)
        scratch_close(&self.worker.scratch)


cdef class Loop:
    """What parses: a search with its weights."""

    def __cinit__(self, *_, **__):
        self.idle = {}

    def parse(self, values, Outcome out not None, Py_ssize_t first, Py_ssize_t last, int beam, int32_t threshold=0, *,
              bint sharing=True, int32_t room=0) -> int:
        """Parse sentences first..last-1 of those between the offsets of `out`, into `out`; releases the GIL.

        Args:
            values: of all words, from the kind of search: `Values` or `Words`.
            beam: 1 is greedy.
            threshold: states that score less than the best of a beam by more than this leave it; 0: none.
            sharing: whether beam search keeps partial sums; the result is the same.
            room: if above 0, of the arena before it is compacted; the result is the same.

        Returns:
            Templates scored in all (a measure of work).

        Raises:
            ValueError: if `out` does not have these sentences or this loop's moves.
        """
        cdef Request request = Request(beam, threshold, sharing, room)
        if not 0 <= first <= last <= out.n:
            raise ValueError(f"sentences {first} to {last} of {out.n}")
        return self.run(values, out, first, last, &request)

    cdef int64_t run(self, values, Outcome out, Py_ssize_t first, Py_ssize_t last, const Request* request) except -1:
        raise NotImplementedError

    cdef Seat take(self, const Scorer* scorer, const Request* request, bint sharing):
        """A seat with a beam of this size; whoever takes one gives it back if all went well."""
        cdef int32_t key = 2 * request.beam + sharing
        cdef Seat seat
        try:                            # to take one is a single step: threads get different ones
            seat = self.idle[key].pop()
        except (KeyError, IndexError):
            seat = Seat()
            seat.key, seat.worker.scorer = key, scorer
            arena_open(&seat.worker.arena)
            arena_open(&seat.worker.replay)
            beam_open(&seat.worker.beam, request.beam)
            scratch_open(&seat.worker.scratch, scorer, sharing)
        seat.worker.beam.threshold = request.threshold
        seat.worker.beam.room = request.room if request.room > 0 else ROOM
        seat.worker.scratch.n_templates_scored = 0
        return seat

    cdef void give_back(self, Seat seat):
        """Keeps a seat that holds no more than a few batches need."""
        cdef Worker* w = &seat.worker
        if max(w.arena.cell_capacity, w.replay.cell_capacity) > MOST_KEPT:
            return
        if len(self.idle) < MOST_KEYS or seat.key in self.idle:
            seats = self.idle.setdefault(seat.key, [])
            if len(seats) < MOST_IDLE:
                seats.append(seat)


cdef int require_moves(Outcome out, Py_ssize_t n_moves) except -1:
    if out.by_move_ is not None and out.n_moves != n_moves:
        raise ValueError(f"by_move has {out.n_moves} columns, not one for each of {n_moves} moves")
    return 0


cdef int parse_each(Values values, Outcome out, Py_ssize_t first, Py_ssize_t last, ParseOne parse,
                    void* worker) except -1:
    cdef SentenceRows s
    cdef Parsed parsed
    cdef Py_ssize_t i
    cdef int failed = 0
    cdef int64_t started = 0
    with nogil:
        for i in range(first, last):
            if out.times != NULL:
                started = now()
            sentence_of(values, out.begins, i, &s)
            place(out, i, &parsed)
            if s.n == 0:
                continue
            failed = parse(worker, &s, &parsed)
            if failed:
                break
            if out.times != NULL:
                out.times[i] = now() - started
    if failed:
        raise MemoryError(f"sentence {i + 1} ({s.n} words) does not fit in memory")
    return 0


cdef int parse_sentence(void* worker, const SentenceRows* s, Parsed* parsed) noexcept nogil:
    cdef Worker* w = <Worker*>worker
    if w.beam.size == 1:
        return parse_greedy(w.scorer, &w.scratch, &w.arena, s, parsed)
    return parse_beam(w.scorer, &w.scratch, &w.beam, &w.arena, &w.replay, s, parsed)


# ── tables of weights ──

cdef class Engine(Loop):
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
        self.scorer.move_table = (<BaseTable?>move_table).table()
        self.scorer.label_table = (<BaseTable?>label_table).table()

    @property
    def single_root(self) -> bool:
        return self.scorer.single_root

    cdef int64_t run(self, values, Outcome out, Py_ssize_t first, Py_ssize_t last, const Request* request) except -1:
        cdef Seat seat
        require_moves(out, self.scorer.spec.n_moves)
        seat = self.take(&self.scorer, request, request.sharing and request.beam > 1)
        parse_each(values, out, first, last, parse_sentence, &seat.worker)
        self.give_back(seat)
        return seat.worker.scratch.n_templates_scored


# ── graphs ──

cdef class GraphEngine(Engine):
    """Builds graphs beside trees: its values have these (`Values.plant`)."""

    def graphs(self, Values values, offsets, Py_ssize_t first, Py_ssize_t last, int beam, int32_t threshold=0) -> tuple:
        """The graphs of sentences first..last-1 of those between offsets; releases the GIL.

        Args:
            beam: 1 is greedy.
            threshold: as of `parse`.

        Returns:
            int64 [last - first], the arcs of each sentence, and int32 [arcs, 3]: heads, dependents and label ids,
            sorted by dependent, then head, then label.
        """
        cdef const int64_t[::1] begins = np.ascontiguousarray(offsets, np.int64)
        cdef Request request = Request(beam, threshold, True, 0)
        cdef Seat seat
        cdef SentenceRows s
        cdef Parsed parsed
        cdef int32_t made = 0
        cdef Py_ssize_t i, k, n = 0, room = 0
        cdef int failed = 0
        cdef const Graph* g
        cdef int32_t* arcs = NULL
        cdef void* larger
        if not 0 <= first <= last < begins.shape[0]:
            raise ValueError(f"sentences {first} to {last} of {begins.shape[0] - 1}")
        counts = np.zeros(last - first, np.int64)
        cdef int64_t[::1] counted = counts
        seat = self.take(&self.scorer, &request, beam > 1)
        memset(&parsed, 0, sizeof(Parsed))
        parsed.transitions = &made
        with nogil:
            for i in range(first, last):
                sentence_of(values, &begins[0], i, &s)
                if s.n == 0:
                    continue
                failed = parse_sentence(&seat.worker, &s, &parsed)
                if failed:
                    break
                g = seat.worker.arena.graph if beam == 1 else seat.worker.replay.graph
                if n + g.n_arcs > room:
                    room = 2 * (n + g.n_arcs) + 1024
                    larger = realloc(arcs, <size_t>room * 3 * sizeof(int32_t))
                    if larger == NULL:
                        failed = -1
                        break
                    arcs = <int32_t*>larger
                for k in range(g.n_arcs):
                    arcs[3 * n], arcs[3 * n + 1], arcs[3 * n + 2] = (
                        g.arcs[k].head, g.arcs[k].dependent, g.arcs[k].label)
                    n += 1
                counted[i - first] = g.n_arcs
        try:
            if failed:
                raise MemoryError(f"sentence {i + 1} ({s.n} words) does not fit in memory")
            found = np.empty((n, 3), np.int32)
            if n:
                copy_arcs(found, arcs, n)
        finally:
            free(arcs)
        self.give_back(seat)
        order = np.lexsort((found[:, 2], found[:, 0], found[:, 1], np.repeat(np.arange(last - first), counts)))
        return counts, found[order]


cdef void copy_arcs(int32_t[:, ::1] found, const int32_t* arcs, Py_ssize_t n):
    memcpy(&found[0, 0], arcs, <size_t>n * 3 * sizeof(int32_t))


# ── encoders ──

cdef class EncoderEngine(Loop):
    """Scores and parses sentences given as ids of their words (`Words`: ids and ends of kinds of words, and the kind of
    each word, each sentence with its root first). The time of a sentence includes its words' share of encoding.

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

    cdef int64_t run(self, values, Outcome out, Py_ssize_t first, Py_ssize_t last, const Request* request) except -1:
        cdef Words words = values
        cdef const int32_t* kinds = <const int32_t*>words.kinds.data
        cdef int64_t n_kinds = words.stops.size // self.encoder.c.n_segments
        cdef EncoderScratch scratch
        cdef Seat seat
        cdef Worker* worker
        cdef SentenceRows s
        cdef Parsed parsed
        cdef Py_ssize_t i = first, j, row
        cdef int failed = 0
        cdef int32_t rows, n
        cdef int32_t[WORDS_AT_A_TIME] lengths
        cdef int64_t begun = 0, shared = 0
        require_moves(out, self.scorer.spec.n_moves)
        if words.kinds.size != out.begins[out.n] + out.n or words.n_segments != self.encoder.c.n_segments:
            raise ValueError(
                f"rows of {words.n_segments} segments of {words.kinds.size} words do not fit these sentences")
        for row in range(out.begins[first] + first, out.begins[last] + last):
            if not 0 <= kinds[row] < n_kinds:
                raise ValueError(f"kinds of words are numbers below {n_kinds}, not {kinds[row]}")
        if first == last:
            return 0
        seat = self.take(&self.scorer, request, request.sharing and request.beam > 1)
        scratch = seat.words
        if scratch is None:
            scratch = seat.words = EncoderScratch(self.encoder)
        memset(&s, 0, sizeof(SentenceRows))
        worker = &seat.worker
        worker.scratch.words = &scratch.c
        worker.scratch.logarithms = request.beam > 1 or out.logs is not None
        with nogil:
            renew(&scratch.c)
            while i < last and not failed:
                begun = now() if out.times != NULL else 0
                rows = n = 0
                for j in range(i, last):        # every sentence has its root: there are no more than lengths
                    s.n = <int32_t>(out.begins[j + 1] - out.begins[j])
                    if n and rows + s.n + 1 > WORDS_AT_A_TIME:
                        break
                    lengths[n] = s.n + 1
                    rows += s.n + 1
                    n += 1
                row = out.begins[i] + i
                failed = encode(&self.encoder.c, &scratch.c, <int32_t*>words.items.data,
                                <int32_t*>words.stops.data, kinds + row, lengths, n)
                shared = (now() - begun) // rows if out.times != NULL else 0
                rows = 0
                for j in range(n):
                    if failed:
                        break
                    begun = now() if out.times != NULL else 0
                    s.n = lengths[j] - 1
                    place(out, i, &parsed)
                    if s.n:
                        enter(&scratch.c, rows, s.n)
                        failed = parse_sentence(worker, &s, &parsed)
                    if out.times != NULL:
                        out.times[i] = now() - begun + shared * lengths[j]
                    rows += lengths[j]
                    i += 1
        if failed:
            raise MemoryError(f"sentence {i} ({s.n} words) does not fit in memory")
        if scratch.c.capacity <= MOST_KEPT:
            self.give_back(seat)
        return 0
