"""Scores of moves and labels: summed directly, or from partial sums kept per combination of cells, or by an encoder."""

from libc.stdlib cimport calloc, free
from libc.string cimport memset

from fastparse.encoder.logarithms cimport best_among, log_of, log_probabilities
from fastparse.encoder.scoring cimport arc_score
from fastparse.encoder.scoring cimport score_labels as labels_of_encoder
from fastparse.encoder.scoring cimport score_moves as moves_of_encoder
from fastparse.features.plan cimport D, H, N_POSITIONS, extract, group_key, hash_positions, key_of, locate
from fastparse.features.walk cimport Walk, next_group, walk_over
from fastparse.machine.operations cimport mix
from fastparse.machine.state cimport MAX_MOVES, NONE
from fastparse.weights.compiled cimport MOST_MOVES
from fastparse.weights.table cimport add_all
from fastparse.search.rules cimport allowed_labels
from fastparse.search.steps cimport steps_close, steps_open

cdef extern from "fastparse/features/compiler.h" nogil:
    void prefetch "FP_FETCH"(const void* p)
    void must_hold "FP_MUST_HOLD"(bint constant)


cdef int scratch_open(Scratch* w, const Scorer* scorer, bint sharing) except -1:
    cdef size_t states = STATE_CACHE if sharing else 1, arcs = ARC_CACHE if sharing else 1
    must_hold(MOST_MOVES <= MAX_MOVES)          # adding a row may write to so many sums of moves
    memset(w, 0, sizeof(Scratch))
    w.sharing = sharing
    w.label_room = rounded_up(max(scorer.label_table.room, scorer.n_labels), LANES)
    w.sums = <int32_t*>calloc(states * MAX_MOVES, sizeof(int32_t))
    w.state_key = <uint64_t*>calloc(states, sizeof(uint64_t))
    w.arc_key = <uint64_t*>calloc(arcs, sizeof(uint64_t))
    w.arc_rows = <uint8_t*>calloc(arcs, row_bytes(w))
    if (w.sums == NULL or w.state_key == NULL or w.arc_key == NULL or w.arc_rows == NULL
            or (sharing and (sums_open(&w.move_sums, CACHE, scorer.move_table.room) < 0
                             or sums_open(&w.label_sums, LABEL_CACHE, w.label_room) < 0))):
        scratch_close(w)
        raise MemoryError
    if sharing and scorer.encoder == NULL:
        w.steps = steps_open(scorer)
        if w.steps == NULL:
            scratch_close(w)
            raise MemoryError
    return 0


cdef int sums_open(Sums* sums, int32_t size, int32_t room) noexcept nogil:
    sums.size = size
    sums.stride = rounded_up(room, 4)
    sums.places = <uint8_t*>calloc(<size_t>MAX_GROUPS * size, stride_of(sums))
    return -1 if sums.places == NULL else 0


cdef void scratch_close(Scratch* w) noexcept nogil:
    free(w.sums)
    free(w.state_key)
    free(w.arc_key)
    free(w.arc_rows)
    free(w.move_sums.places)
    free(w.label_sums.places)
    steps_close(w.steps)
    memset(w, 0, sizeof(Scratch))


cdef inline int32_t rounded_up(int32_t n, int32_t unit) noexcept nogil:
    return (n + unit - 1) // unit * unit


cdef inline Py_ssize_t stride_of(const Sums* sums) noexcept nogil:
    """Bytes of an entry: its key and its sums."""
    return sizeof(uint64_t) + sums.stride * sizeof(int32_t)


cdef inline Py_ssize_t row_bytes(const Scratch* w) noexcept nogil:
    """Bytes of a row of labels with its scores."""
    return sizeof(LabelRow) + w.label_room * sizeof(int32_t)


cdef struct Entry:
    int32_t group
    uint64_t key
    uint8_t* place


cdef void add_shared(const PlanC* plan, const Table* table, Sums* known, Scratch* w, const SentenceRows* s,
                     const Cell* const* at, const uint64_t* hashes, uint64_t salt, int32_t* out) noexcept nogil:
    """Adds the weights of all templates that have something to say, through sums kept from states of this sentence in
    which a group read the same."""
    cdef int32_t i, g, n, k, n_groups = 0, stride = known.stride
    cdef Entry entries[MAX_GROUPS]
    cdef Entry* e
    cdef Py_ssize_t at_place
    cdef int32_t* sums
    cdef Walk walk = walk_over(plan, s, at)
    g = next_group(&walk)
    while g >= 0:                           # what is kept lies far apart: it is asked for before it is looked at
        e = &entries[n_groups]
        n_groups += 1
        e.group = g
        e.key = group_key(&plan.groups[g], salt, hashes)
        at_place = g * known.size + <Py_ssize_t>(e.key & (known.size - 1))
        e.place = known.places + at_place * stride_of(known)
        prefetch(e.place)
        g = next_group(&walk)
    for i in range(n_groups):
        e = &entries[i]
        sums = <int32_t*>(e.place + sizeof(uint64_t))
        if (<uint64_t*>e.place)[0] != e.key:
            (<uint64_t*>e.place)[0] = e.key
            memset(sums, 0, stride * sizeof(int32_t))
            n = extract(&plan.groups[e.group], s, at, w.keys)
            table.add(table.data, w.keys, n, sums)
            w.n_templates_scored += n
        for k in range(0, stride, 4):
            out[k] += sums[k]
            out[k + 1] += sums[k + 1]
            out[k + 2] += sums[k + 2]
            out[k + 3] += sums[k + 3]


cdef int32_t* score_moves(const Scorer* scorer, Scratch* w, const Arena* a, const State* c,
                          const SentenceRows* s) noexcept nogil:
    cdef const Cell* at[N_POSITIONS]
    cdef uint64_t hashes[2 * N_POSITIONS]
    cdef uint64_t key, salt
    cdef Py_ssize_t entry
    cdef int32_t* sums = w.sums
    locate(scorer.spec, a, c, at)
    if not w.sharing:
        memset(sums, 0, MAX_MOVES * sizeof(int32_t))
        w.n_templates_scored += add_all(&scorer.move_table, scorer.moves_flat, s, at, w.keys, sums)
        return sums
    salt = sentence_salt(w)
    hash_positions(scorer.moves.positions, at, hashes)
    key = key_of(scorer.moves.positions, scorer.moves.whole, salt, hashes)
    entry = <Py_ssize_t>(key & (STATE_CACHE - 1))
    sums += entry * MAX_MOVES
    if w.state_key[entry] != key:
        w.state_key[entry] = key
        memset(sums, 0, MAX_MOVES * sizeof(int32_t))
        add_shared(scorer.moves, &scorer.move_table, &w.move_sums, w, s, at, hashes, salt, sums)
    return sums


cdef const LabelRow* score_labels(const Scorer* scorer, Scratch* w, const SentenceRows* s, const Cell* head,
                                  const Cell* dependent) noexcept nogil:
    cdef const Cell* at[N_POSITIONS]
    cdef uint64_t hashes[2 * N_POSITIONS]
    cdef const uint8_t* allowed = allowed_labels(scorer, head)
    cdef int32_t l, best = 0, top = FORBIDDEN * 2
    cdef uint64_t key, salt = 0
    cdef LabelRow* row = <LabelRow*>w.arc_rows
    cdef int32_t* scores
    if scorer.encoder != NULL:
        return encoder_labels(scorer, w, head, dependent)
    at[H] = head
    at[D] = dependent
    if w.sharing:
        salt = sentence_salt(w)
        key = mix(mix(salt, head.key), dependent.key)
        row = <LabelRow*>(w.arc_rows + <Py_ssize_t>(key & (ARC_CACHE - 1)) * row_bytes(w))
        if w.arc_key[key & (ARC_CACHE - 1)] == key:
            return row
        w.arc_key[key & (ARC_CACHE - 1)] = key
    scores = <int32_t*>scores_in(row)
    memset(scores, 0, w.label_room * sizeof(int32_t))
    if w.sharing:
        hash_positions(scorer.labels.positions, at, hashes)
        add_shared(scorer.labels, &scorer.label_table, &w.label_sums, w, s, at, hashes, salt, scores)
    else:
        w.n_templates_scored += add_all(&scorer.label_table, scorer.labels_flat, s, at, w.keys, scores)
    for l in range(scorer.n_labels):
        if not allowed[l]:
            scores[l] += FORBIDDEN
        if scores[l] > top:
            best, top = l, scores[l]
    row.score = top
    row.best = best
    return row


# ── encoders ──

cdef int32_t[MAX_MOVES] CERTAIN             # zeros: the logarithms of probabilities of what cannot be otherwise


cdef struct Arcs:
    # That the legal moves of a state would draw, as words; of an encoder without arc vectors, none.
    int32_t n
    int32_t moves[MAX_MOVES]
    int32_t heads[MAX_MOVES]
    int32_t dependents[MAX_MOVES]


cdef inline void find_arcs(const Scorer* scorer, const Arena* a, const State* c, uint32_t legal,
                           Arcs* arcs) noexcept nogil:
    cdef int32_t m, head = NONE, dependent = NONE
    arcs.n = 0
    if scorer.encoder.arc_size:
        for m in range(scorer.spec.n_moves):
            if legal & scorer.spec.drawing & <uint32_t>1 << m:
                scorer.spec.arc(scorer.spec, a, c, m, &head, &dependent)
                arcs.moves[arcs.n] = m
                arcs.heads[arcs.n], arcs.dependents[arcs.n] = a.cells[head].word, a.cells[dependent].word
                arcs.n += 1


cdef inline const int32_t* scores_at(const Scorer* scorer, Scratch* w, const Cell* const* at,
                                     const Arcs* arcs) noexcept nogil:
    cdef int32_t i
    cdef int32_t* scores = moves_of_encoder(scorer.encoder, w.words, at)
    for i in range(arcs.n):
        scores[arcs.moves[i]] += arc_score(scorer.encoder, w.words, arcs.heads[i], arcs.dependents[i])
    return scores


cdef const int32_t* encoder_scores(const Scorer* scorer, Scratch* w, const Arena* a, const State* c,
                                   uint32_t legal) noexcept nogil:
    cdef const Cell* at[N_POSITIONS]
    cdef Arcs arcs
    locate(scorer.spec, a, c, at)
    find_arcs(scorer, a, c, legal, &arcs)
    return scores_at(scorer, w, at, &arcs)


cdef const int32_t* encoder_logarithms(const Scorer* scorer, Scratch* w, const Arena* a, const State* c,
                                       uint32_t legal) noexcept nogil:
    cdef const Cell* at[N_POSITIONS]
    cdef Arcs arcs
    cdef uint64_t key
    cdef uint32_t positions = scorer.encoder.moves.positions
    cdef int32_t* sums = w.sums
    cdef int32_t p
    if legal & (legal - 1) == 0:
        return CERTAIN
    locate(scorer.spec, a, c, at)
    find_arcs(scorer, a, c, legal, &arcs)
    if w.sharing:                           # states of a beam differ in little
        key = mix(sentence_salt(w), legal)
        for p in range(N_POSITIONS):
            if positions >> p & 1:
                key = mix(key, at[p].key)
        for p in range(arcs.n):             # their ends may be at no position that is read
            key = mix(key, <uint64_t>arcs.heads[p] << 32 | <uint32_t>arcs.dependents[p])
        sums += <Py_ssize_t>(key & (STATE_CACHE - 1)) * MAX_MOVES
        if w.state_key[key & (STATE_CACHE - 1)] == key:
            return sums
        w.state_key[key & (STATE_CACHE - 1)] = key
    log_probabilities(&scorer.encoder.moves, scores_at(scorer, w, at, &arcs), legal, sums)
    return sums


cdef int32_t encoder_label(const Scorer* scorer, Scratch* w, const Arena* a, const State* c,
                           int32_t move) noexcept nogil:
    cdef int32_t head = NONE, dependent = NONE
    scorer.spec.arc(scorer.spec, a, c, move, &head, &dependent)
    return encoder_labels(scorer, w, &a.cells[head], &a.cells[dependent]).score


cdef const LabelRow* encoder_labels(const Scorer* scorer, Scratch* w, const Cell* head,
                                    const Cell* dependent) noexcept nogil:
    """An encoder knows no more of an arc than its two words."""
    cdef const uint8_t* allowed = allowed_labels(scorer, head)
    cdef const int32_t* found
    cdef int32_t best
    cdef uint64_t key
    cdef LabelRow* row = <LabelRow*>w.arc_rows
    if w.sharing:
        key = mix(mix(sentence_salt(w), head.word), dependent.word)
        row = <LabelRow*>(w.arc_rows + <Py_ssize_t>(key & (ARC_CACHE - 1)) * row_bytes(w))
        if w.arc_key[key & (ARC_CACHE - 1)] == key:
            return row
        w.arc_key[key & (ARC_CACHE - 1)] = key
    found = labels_of_encoder(scorer.encoder, w.words, head, dependent)
    best = best_among(scorer.encoder, &scorer.encoder.labels, found, allowed)
    row.score = log_of(&scorer.encoder.labels, found, allowed, best) if w.logarithms and best >= 0 else 0
    row.best = max(best, 0)                 # where no label is allowed, as with tables
    return row


cdef const LabelRow* label_row(const Scorer* scorer, Scratch* w, const Arena* a, const State* c, const SentenceRows* s,
                               int32_t move) noexcept nogil:
    cdef int32_t head = NONE, dependent = NONE
    scorer.spec.arc(scorer.spec, a, c, move, &head, &dependent)
    return score_labels(scorer, w, s, &a.cells[head], &a.cells[dependent])


cdef int32_t best_label(const Scorer* scorer, Scratch* w, const Arena* a, const State* c, const SentenceRows* s,
                        int32_t move) noexcept nogil:
    return label_row(scorer, w, a, c, s, move).best
