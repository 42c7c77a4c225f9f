"""Looking up what a step of a beam needs, computing what is missing, and adding up."""

from libc.stddef cimport size_t
from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy

from fastparse.features.plan cimport (
    D, H, MAX_KEYS, N_POSITIONS, OPTIONAL, PlanC, empty_positions, extract, group_key, hash_positions, key_of, locate)
from fastparse.machine.operations cimport mix
from fastparse.weights.compiled cimport LANES
from fastparse.weights.table cimport Table
from fastparse.search.scorer cimport FORBIDDEN, MAX_GROUPS, sentence_salt

cdef extern from "fastparse/features/compiler.h" nogil:
    void prefetch "FP_FETCH"(const void* p)

cdef extern from "fastparse/search/best.h" nogil:
    void fp_add_rows(const int32_t* const* rows, int32_t n, int32_t width, int32_t* out)
    int32_t fp_best(const int32_t* const* rows, int32_t n, const int32_t* first, int32_t width)

cdef enum:
    MOVE_PLACES = 256           # sums kept per group, a power of two
    LABEL_PLACES = 128
    HEAD = 16                   # bytes of a Place

cdef struct Place:
    # Before the sums of a group; the newest stays, but what this step has looked at stays until the next.
    uint64_t key
    uint32_t step               # the last that looked here
    uint32_t unused

cdef struct Sums:
    # Sums of the groups of a plan, by what a group reads: direct-mapped.
    int32_t size                # places per group
    int32_t stride              # sums in a place
    uint8_t* places             # [MAX_GROUPS * size]

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
    m.moves = Sums(MOVE_PLACES, (scorer.move_table.room + 3) // 4 * 4, NULL)
    m.labels = Sums(LABEL_PLACES, (max(scorer.label_table.room, scorer.n_labels) + LANES - 1) // LANES * LANES, NULL)
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
