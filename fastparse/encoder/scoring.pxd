"""Scores of moves, labels and arcs from an encoder: inline functions over the words of the current sentence.

They mean what score_moves and score_labels of search mean: `at` are the cells at the positions of a state (see locate
in features/plan.pxd), moves compete by their own scores, and labels are scored once an arc is drawn. Scores are exact
integers at the scale the encoder was quantised with.

Beams add up logarithms of probabilities in integers, so that they do not depend on the machine: a probability is
exp(value / LOG_UNIT). Sums of probabilities are folded from the left by max(a, b) + TABLE[|a - b|].
"""

from fastparse.encoder.encoder cimport (
    BUCKETS, LOG_TABLE, MAX_ROWS, Choice, EncoderC, Pair, Place, bucket, int8_t, int16_t, int32_t, int64_t, log_table,
    uint8_t, uint32_t)
from fastparse.encoder.scratch cimport KEPT, LINE_BITS, ScratchC, SlotRows, fill, fill_single
from fastparse.features.plan cimport D, H, N_POSITIONS
from fastparse.machine.state cimport Cell, uint16_t

cdef enum:
    LOG_MOST = 1 << 28          # no score is further from 0

cdef inline int32_t word_at(const ScratchC* w, const Place* place, const Cell* const* at) noexcept nogil:
    """The word of a slot, or -1; without branches, which nobody could foretell."""
    cdef int32_t word = (<const int32_t*>(<const uint8_t*>at[place.position] + place.offset))[0]
    word += place.delta & -<int32_t>(word >= 0)
    return word | -<int32_t>((word < 0) | (word > w.n))

cdef inline int32_t label_at(const Place* place, const Cell* const* at) noexcept nogil:
    """The label of a place and one; NO_LABEL and one is larger than any."""
    return (<const uint16_t*>(<const uint8_t*>at[place.position] + place.offset))[0] + 1

cdef inline int32_t bucket_at(const Pair* pair, const Cell* const* at) noexcept nogil:
    cdef int32_t a = at[pair.a].word, b = at[pair.b].word
    return bucket(b - a) if a >= 0 and b >= 0 else 0

cdef inline int32_t add_own(const EncoderC* e, ScratchC* w, const Choice* c, SlotRows* slots, const int32_t* words,
                            const int16_t** rows) noexcept nogil:
    """Puts the rows of own slots into `rows`; returns how many there are."""
    cdef int32_t size = 2 * c.hidden, mask = w.window - 1, j, row, place, none, missing = 0
    cdef int64_t stride = <int64_t>(1 + w.window) * size
    for j in range(c.n_own):
        none = words[j] >> 31
        row = words[j] & ~none
        missing |= (slots.lines[(row & mask) >> LINE_BITS] ^ (row >> LINE_BITS)) & ~none
        rows[j] = slots.rows + j * stride + ((1 + (row & mask)) & ~none) * size
    if missing:
        for j in range(c.n_own):
            if words[j] >= 0 and words[j] >> LINE_BITS >= slots.frontier:
                fill(e, w, c, slots, words[j] >> LINE_BITS)
        # Words behind, whose lines later ones have overwritten, cannot make them overwrite each other in turn.
        for j in range(c.n_own):
            row = words[j]
            if row >= 0 and slots.lines[(row & mask) >> LINE_BITS] != row >> LINE_BITS:
                place = j * KEPT + (row & (KEPT - 1))
                if slots.single_words[place] != row:
                    fill_single(e, w, c, slots, j, row)
                rows[j] = slots.single + <int64_t>place * size
    return c.n_own

cdef inline int32_t add_others(const EncoderC* e, ScratchC* w, const Choice* c, SlotRows* slots, const int32_t* words,
                               const int16_t** rows, int32_t n) noexcept nogil:
    """The same of the other slots, and of the bias, behind the first `n`; without branches as long as all is known."""
    cdef int32_t size = 2 * c.hidden, j, row, place, there, missing = 0, absent = 0, folded = c.n_own + c.n_folded
    for j in range(c.n_own, folded):
        row = words[j]
        there = row >= 0
        place = j * KEPT + (row & (KEPT - 1))
        missing |= (slots.single_words[place] ^ row) & -there
        rows[n] = slots.single + <int64_t>place * size
        n += there
        absent |= (there ^ 1) << (j - c.n_own)
    for j in range(folded, c.n_slots):
        row = words[j]
        place = j * KEPT + (row & (KEPT - 1))
        missing |= (slots.single_words[place] ^ row) & -<int32_t>(row >= 0)
        rows[n] = c.none + <int64_t>j * size
        if row >= 0:
            rows[n] = slots.single + <int64_t>place * size
        n += 1
    if missing:
        for j in range(c.n_own, c.n_slots):
            row = words[j]
            if row >= 0 and slots.single_words[j * KEPT + (row & (KEPT - 1))] != row:
                fill_single(e, w, c, slots, j, row)
    rows[n] = c.absent + <int64_t>absent * size
    return n + 1

cdef inline int32_t add_labels(const Choice* c, const int32_t* labels, const int16_t** rows, int32_t n) noexcept nogil:
    """The same of labels."""
    cdef int32_t size = 2 * c.hidden, j, label, there, absent = 0
    cdef int64_t stride = <int64_t>c.n_label_rows * size
    for j in range(c.n_folded_labels):
        label = labels[j] if labels[j] < c.n_label_rows else 0
        there = label != 0
        rows[n] = c.label_rows + j * stride + <int64_t>label * size
        n += there
        absent |= (there ^ 1) << j
    for j in range(c.n_folded_labels, c.n_labels):
        label = labels[j] if labels[j] < c.n_label_rows else 0
        rows[n] = c.label_rows + j * stride + <int64_t>label * size
        n += 1
    rows[n] = c.unlabelled + <int64_t>absent * size
    return n + (c.n_labels != 0)

cdef inline void score_rows(const EncoderC* e, ScratchC* w, const Choice* c, SlotRows* slots, const int32_t* words,
                            const int32_t* labels, const int32_t* buckets, int32_t* scores) noexcept nogil:
    """Scores of a choice from rows of the batch, one per slot or -1, numbers of labels (0: none) and of distances.

    There is room for n_outputs rounded up to 32 scores.
    """
    cdef const int16_t* rows[MAX_ROWS]
    cdef int32_t j, n = add_own(e, w, c, slots, words, rows)
    n = add_others(e, w, c, slots, words, rows, n)
    n = add_labels(c, labels, rows, n)
    for j in range(c.n_pairs):
        rows[n + j] = c.distance_rows + (j * BUCKETS + buckets[j]) * 2 * c.hidden
    e.form.hidden(rows, n + c.n_pairs, c.hidden, c.shift, w.hidden)
    e.form.output(&c.output, w.hidden, scores)

cdef inline void score(const EncoderC* e, ScratchC* w, const Choice* c, SlotRows* slots, const Cell* const* at,
                       int32_t* scores) noexcept nogil:
    """Scores of a choice in a state of the sentence."""
    cdef int32_t words[MAX_ROWS]
    cdef int32_t labels[MAX_ROWS]
    cdef int32_t buckets[MAX_ROWS]
    cdef int32_t j, word
    for j in range(c.n_slots):
        word = word_at(w, &c.slots[j], at)
        words[j] = word + (w.first & ~(word >> 31))
    for j in range(c.n_labels):
        labels[j] = label_at(&c.labels[j], at)
    for j in range(c.n_pairs):
        buckets[j] = bucket_at(&c.pairs[j], at)
    score_rows(e, w, c, slots, words, labels, buckets, scores)

cdef inline int32_t* score_moves(const EncoderC* e, ScratchC* w, const Cell* const* at) noexcept nogil:
    """Scores of all moves in a state, without those of arcs; good until the next call."""
    score(e, w, &e.moves, &w.moves, at, w.move_scores)
    return w.move_scores

cdef inline int32_t* score_labels(const EncoderC* e, ScratchC* w, const Cell* head,
                                  const Cell* dependent) noexcept nogil:
    """Scores of all labels of an arc between two cells; good until the next call."""
    cdef const Cell* at[N_POSITIONS]
    cdef int32_t p
    for p in range(N_POSITIONS):
        at[p] = head
    at[D] = dependent
    score(e, w, &e.labels, &w.labels, at, w.label_scores)
    return w.label_scores

cdef inline int32_t arc_score(const EncoderC* e, const ScratchC* w, int32_t head, int32_t dependent) noexcept nogil:
    """What the score of a move gets for the arc it draws, between words; the encoder has arc vectors."""
    cdef int64_t h = w.first + head, d = w.first + dependent
    cdef int32_t product = w.arc_offsets[d] + e.form.dot(
        w.arc_heads + h * e.arc_size, w.arc_dependents + d * e.arc_size, e.arc_size)
    return (product * e.arc_factor + ((1 << e.arc_shift) >> 1)) >> e.arc_shift

# ── logarithms of probabilities ──

cdef inline int32_t log_sum(int32_t a, int32_t b, const int32_t* table) noexcept nogil:
    cdef int64_t apart = <int64_t>a - b
    cdef int32_t more = a
    if apart < 0:
        apart, more = -apart, b
    return more + table[apart] if apart < LOG_TABLE else more

cdef inline int32_t log_odds(const Choice* c, int32_t score) noexcept nogil:
    """A score in LOG_UNITs."""
    cdef double exact = max(<double>-LOG_MOST, min(<double>LOG_MOST, score * c.log_factor + 0.5))
    cdef int64_t whole = <int64_t>exact
    return <int32_t>(whole - (<double>whole > exact))   # rounded down; there is no instruction for it everywhere

cdef inline int32_t best_among(const EncoderC* e, const Choice* c, const int32_t* scores,
                               const uint8_t* allowed) noexcept nogil:
    """The best output among those that `allowed` [n_outputs] is not 0 for, the lower of equals; -1 if there is none."""
    cdef int32_t best = e.form.largest(scores, c.n_outputs), m
    if allowed[best]:                       # nearly always
        return best
    best = -1
    for m in range(c.n_outputs):
        if allowed[m] and (best < 0 or scores[m] > scores[best]):
            best = m
    return best

cdef inline int32_t log_of(const Choice* c, const int32_t* scores, const uint8_t* allowed, int32_t best) noexcept nogil:
    """Of the best of the allowed outputs.

    Outputs that are `log_span` below the best are taken to be impossible: few are left to fold.
    """
    cdef const int32_t* table = log_table()
    cdef int32_t m, odds, total = 0
    cdef int64_t least = scores[best] - c.log_span
    cdef bint first = True
    for m in range(c.n_outputs):
        if scores[m] > least and allowed[m]:
            odds = log_odds(c, scores[m])
            total = odds if first else log_sum(total, odds, table)
            first = False
    return log_odds(c, scores[best]) - total

cdef inline void log_probabilities(const Choice* c, const int32_t* scores, uint32_t legal, int32_t* out) noexcept nogil:
    """Of the moves whose bits are set in `legal`, as if there were no others; the rest of `out` [n_outputs] stays."""
    cdef const int32_t* table = log_table()
    cdef int32_t m, total = 0
    cdef bint first = True
    for m in range(c.n_outputs):
        if legal >> m & 1:
            out[m] = log_odds(c, scores[m])
            total = out[m] if first else log_sum(total, out[m], table)
            first = False
    for m in range(c.n_outputs):
        if legal >> m & 1:
            out[m] -= total
