"""Scores of moves and labels: summed directly, or from partial sums kept per combination of cells, or by an encoder."""

from libc.stddef cimport size_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset

from fastparse.encoder.scoring cimport (
    arc_score, best_among, log_of, log_probabilities, score_labels as labels_of_encoder,
    score_moves as moves_of_encoder)
from fastparse.features.plan cimport (
    D, H, N_POSITIONS, OPTIONAL, Walk, empty_positions, extract, group_key, hash_positions, key_of, locate, next_group,
    walk_over)
from fastparse.machine.operations cimport mix
from fastparse.machine.state cimport NONE
from fastparse.weights.table cimport MOST_MOVES, add_all

cdef extern from "fastparse/features/compiler.h" nogil:
    void prefetch "FP_FETCH"(const void* p)
    void must_hold "FP_MUST_HOLD"(bint constant)

cdef extern from "fastparse/search/best.h" nogil:
    void fp_add_rows(const int32_t* const* rows, int32_t n, int32_t width, int32_t* out)
    int32_t fp_best(const int32_t* const* rows, int32_t n, const int32_t* first, int32_t width)


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
            or (sharing and (sums_open(&w.move_sums, scorer.moves, CACHE, scorer.move_table.room) < 0
                             or sums_open(&w.label_sums, scorer.labels, LABEL_CACHE, w.label_room) < 0))):
        scratch_close(w)
        raise MemoryError
    if sharing and scorer.encoder == NULL:
        w.steps = steps_open(scorer)
        if w.steps == NULL:
            scratch_close(w)
            raise MemoryError
    return 0


cdef int sums_open(Sums* sums, const PlanC* plan, int32_t size, int32_t room) noexcept nogil:
    """Room for the sums of the groups of a plan; of none with an encoder."""
    sums.size = size
    sums.stride = rounded_up(room, 4)
    sums.places = <uint8_t*>calloc((<size_t>plan.n_groups if plan != NULL else 0) * size + 1, stride_of(sums))
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


# ── all states of a step of a beam together ──

cdef enum:
    STATES = 256                # finished scores of moves that are kept, a power of two
    ARCS = 512                  # best labels of arcs that are kept, a power of two
    MOVE_PLACES = 256           # sums kept per group, a power of two
    LABEL_PLACES = 128
    HEAD = 16                   # bytes of a Place

cdef struct Place:
    # Before the sums of a group; the newest stays, but what this step has looked at stays until the next.
    uint64_t key
    uint32_t step               # the last that looked here
    uint32_t unused

cdef struct Job:
    # Sums to be computed.
    int32_t item                # that reads what the group reads
    int32_t group
    int32_t* target             # where they are kept; NULL: nowhere beyond this step

cdef struct Known:
    # A finished answer: the scores of a state, the label of an arc.
    uint64_t key
    uint32_t step               # in which it was asked for
    int32_t item                # of that step which finds it

cdef struct Steps:
    uint32_t step
    Sums moves
    Sums labels
    int32_t* bias               # [2][labels.stride] added to labels of inner arcs, of arcs from the root
    Known states[STATES]
    int32_t state_rows[STATES * MAX_MOVES]
    Known arcs[ARCS]
    int32_t arc_labels[ARCS]
    # Of the items of one call.
    const Cell* at[BLOCK][N_POSITIONS]
    uint64_t hashes[2 * N_POSITIONS]
    Known* known[BLOCK]
    int32_t ends[BLOCK]         # of its sources
    const int32_t* sources[BLOCK * MAX_GROUPS]
    Job jobs[BLOCK * MAX_GROUPS]
    int32_t job_ends[BLOCK * MAX_GROUPS]
    uint64_t* keys              # [BLOCK * templates]
    int32_t* results            # [BLOCK * MAX_GROUPS * the larger stride]


cdef void* steps_open(const Scorer* scorer) noexcept:
    cdef Steps* m = <Steps*>calloc(1, sizeof(Steps))
    cdef size_t templates = max(scorer.moves.n_templates, scorer.labels.n_templates), sums
    cdef int32_t l
    if m == NULL:
        return NULL
    m.moves = Sums(MOVE_PLACES, rounded_up(scorer.move_table.room, 4), NULL)
    m.labels = Sums(LABEL_PLACES, rounded_up(max(scorer.label_table.room, scorer.n_labels), LANES), NULL)
    m.moves.places = <uint8_t*>calloc(<size_t>scorer.moves.n_groups * MOVE_PLACES + 1, HEAD + m.moves.stride * 4)
    m.labels.places = <uint8_t*>calloc(<size_t>scorer.labels.n_groups * LABEL_PLACES + 1, HEAD + m.labels.stride * 4)
    m.bias = <int32_t*>calloc(2 * m.labels.stride, sizeof(int32_t))
    m.keys = <uint64_t*>calloc(BLOCK * templates + MAX_KEYS, sizeof(uint64_t))
    sums = max(scorer.moves.n_groups * m.moves.stride, scorer.labels.n_groups * m.labels.stride)
    m.results = <int32_t*>calloc(BLOCK * sums + 1, sizeof(int32_t))
    if m.moves.places == NULL or m.labels.places == NULL or m.bias == NULL or m.keys == NULL or m.results == NULL:
        steps_close(m)
        return NULL
    for l in range(m.labels.stride):
        m.bias[l] = m.bias[m.labels.stride + l] = 2 * FORBIDDEN
        if l < scorer.n_labels:
            m.bias[l] = 0 if scorer.inner_label[l] else FORBIDDEN
            m.bias[m.labels.stride + l] = 0 if scorer.root_label[l] else FORBIDDEN
    return m


cdef void steps_close(void* steps) noexcept nogil:
    cdef Steps* m = <Steps*>steps
    if m != NULL:
        free(m.moves.places)
        free(m.labels.places)
        free(m.bias)
        free(m.keys)
        free(m.results)
        free(m)


cdef inline bint recall(Steps* m, Known* known, uint64_t key, int32_t item) noexcept nogil:
    """Whether an answer is there, or will be once this step is done; if not, it is the item's to find."""
    m.known[item] = known
    if known.key == key:
        return True
    if known.step == m.step:
        m.known[item] = NULL                # somebody of this step is still to write it, or to read it
    else:
        known.key, known.step, known.item = key, m.step, item
    return False


cdef int32_t look_up(Steps* m, const PlanC* plan, Sums* sums, int32_t item, uint64_t salt, int32_t n_sources,
                     int32_t* n_jobs) noexcept nogil:
    """Finds where the sums of the groups of an item are, or will be; returns the number of sources."""
    cdef uint32_t absent = empty_positions(m.at[item]) if plan.positions & OPTIONAL else 0
    cdef Place* places[MAX_GROUPS]
    cdef uint64_t keys[MAX_GROUPS]
    cdef int32_t groups[MAX_GROUPS]
    cdef int32_t g, i, n = 0
    cdef Py_ssize_t stride = HEAD + sums.stride * <Py_ssize_t>sizeof(int32_t)
    cdef Place* place
    cdef Job* job
    for g in range(plan.n_groups):
        if plan.groups[g].required & absent:
            continue
        keys[n] = group_key(&plan.groups[g], salt, m.hashes)
        groups[n] = g
        places[n] = <Place*>(sums.places + (g * sums.size + <Py_ssize_t>(keys[n] & <uint64_t>(sums.size - 1))) * stride)
        prefetch(places[n])
        n += 1
    for i in range(n):
        place = places[i]
        m.sources[n_sources] = <const int32_t*>(<uint8_t*>place + HEAD)
        if place.key != keys[i]:
            job = &m.jobs[n_jobs[0]]
            job.item, job.group = item, groups[i]
            if place.step == m.step:
                job.target = NULL
                m.sources[n_sources] = m.results + <Py_ssize_t>n_jobs[0] * sums.stride
            else:
                job.target = <int32_t*>(<uint8_t*>place + HEAD)
                place.key = keys[i]
            n_jobs[0] += 1
        place.step = m.step
        n_sources += 1
    m.ends[item] = n_sources
    return n_sources


cdef void settle(Steps* m, const PlanC* plan, const Table* table, const Sums* sums, Scratch* w, const SentenceRows* s,
                 int32_t n_jobs) noexcept nogil:
    """Computes what is missing; all sources are good then."""
    cdef int32_t j, n_keys = 0
    if n_jobs == 0:
        return
    for j in range(n_jobs):
        n_keys += extract(&plan.groups[m.jobs[j].group], s, m.at[m.jobs[j].item], m.keys + n_keys)
        m.job_ends[j] = n_keys
    w.n_templates_scored += n_keys
    table.add_jobs(table.data, m.keys, m.job_ends, n_jobs, m.results, sums.stride)
    for j in range(n_jobs):
        if m.jobs[j].target != NULL:
            memcpy(m.jobs[j].target, m.results + <Py_ssize_t>j * sums.stride, sums.stride * sizeof(int32_t))


cdef void score_states(const Scorer* scorer, Scratch* w, const Arena* a, const State* const* states, int32_t n,
                       const SentenceRows* s, int32_t* rows) noexcept nogil:
    cdef Steps* m = <Steps*>w.steps
    cdef const PlanC* plan = scorer.moves
    cdef int32_t i, k = 0, n_sources = 0, n_jobs = 0
    cdef int32_t same[BLOCK]                # the item of this step with the same answer; BLOCK: an earlier step's
    cdef uint64_t key, salt = sentence_salt(w)
    cdef Known* known
    m.step += 1
    for i in range(n):
        locate(scorer.spec, a, states[i], m.at[i])
        hash_positions(plan.positions, m.at[i], m.hashes)
        key = key_of(plan.positions, plan.whole, salt, m.hashes)
        known = &m.states[key & (STATES - 1)]
        same[i] = i
        if recall(m, known, key, i):
            same[i] = known.item if known.step == m.step else BLOCK
            if same[i] == BLOCK:            # copied at once: the place may be given away
                memcpy(rows + i * MAX_MOVES, m.state_rows + (known - m.states) * MAX_MOVES, MAX_MOVES * sizeof(int32_t))
            m.ends[i] = n_sources
        else:
            n_sources = look_up(m, plan, &m.moves, i, salt, n_sources, &n_jobs)
    settle(m, plan, &scorer.move_table, &m.moves, w, s, n_jobs)
    for i in range(n):
        if same[i] == i:
            fp_add_rows(m.sources + k, m.ends[i] - k, m.moves.stride, rows + i * MAX_MOVES)
            if m.known[i] != NULL:
                memcpy(m.state_rows + (m.known[i] - m.states) * MAX_MOVES, rows + i * MAX_MOVES,
                       MAX_MOVES * sizeof(int32_t))
        elif same[i] != BLOCK:
            memcpy(rows + i * MAX_MOVES, rows + same[i] * MAX_MOVES, MAX_MOVES * sizeof(int32_t))
        k = m.ends[i]


cdef void label_arcs(const Scorer* scorer, Scratch* w, const SentenceRows* s, const Cell* const* heads,
                     const Cell* const* dependents, int32_t n, int32_t* labels) noexcept nogil:
    cdef Steps* m = <Steps*>w.steps
    cdef const PlanC* plan = scorer.labels
    cdef int32_t i, k = 0, n_sources = 0, n_jobs = 0
    cdef int32_t same[BLOCK]
    cdef uint64_t key, salt = sentence_salt(w)
    cdef Known* known
    m.step += 1
    for i in range(n):
        key = mix(mix(salt, heads[i].key), dependents[i].key)
        known = &m.arcs[key & (ARCS - 1)]
        same[i] = i
        if recall(m, known, key, i):
            same[i] = known.item if known.step == m.step else BLOCK
            if same[i] == BLOCK:
                labels[i] = m.arc_labels[known - m.arcs]
            m.ends[i] = n_sources
        else:
            m.at[i][H], m.at[i][D] = heads[i], dependents[i]
            hash_positions(plan.positions, m.at[i], m.hashes)
            n_sources = look_up(m, plan, &m.labels, i, salt, n_sources, &n_jobs)
    settle(m, plan, &scorer.label_table, &m.labels, w, s, n_jobs)
    for i in range(n):
        if same[i] == i:
            labels[i] = fp_best(m.sources + k, m.ends[i] - k,
                                m.bias + (m.labels.stride if heads[i].word == 0 else 0), m.labels.stride)
            if m.known[i] != NULL:
                m.arc_labels[m.known[i] - m.arcs] = labels[i]
        elif same[i] != BLOCK:
            labels[i] = labels[same[i]]
        k = m.ends[i]
