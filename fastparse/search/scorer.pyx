"""Scores of moves and labels, summed directly or from partial sums kept per combination of cells."""

from libc.stdlib cimport calloc, free
from libc.string cimport memset

from fastparse.features.plan cimport D, H, empty_positions, extract, group_key, hash_positions, key_of, locate, nothing
from fastparse.machine.operations cimport mix
from fastparse.machine.state cimport MAX_MOVES, NONE


cdef int scratch_open(Scratch* w, int32_t n_moves, int32_t n_labels, bint sharing) except -1:
    cdef int32_t stride = 4 if n_moves <= 4 else 12 if n_moves <= 12 else 32
    cdef size_t states = STATE_CACHE if sharing else 1, arcs = ARC_CACHE if sharing else 1
    memset(w, 0, sizeof(Scratch))
    w.label_room = (n_labels + 15) // 16 * 16
    w.keys = <uint64_t*>calloc(512, sizeof(uint64_t))
    w.sums = <int32_t*>calloc(states * MAX_MOVES, sizeof(int32_t))
    w.state_key = <uint64_t*>calloc(states, sizeof(uint64_t))
    w.arc_key = <uint64_t*>calloc(arcs, sizeof(uint64_t))
    w.arc_rows = <int32_t*>calloc(arcs * (w.label_room + 16), sizeof(int32_t))
    if (w.keys == NULL or w.sums == NULL or w.state_key == NULL or w.arc_key == NULL or w.arc_rows == NULL
            or (sharing and (sums_open(&w.move_sums, CACHE, stride) < 0
                             or sums_open(&w.label_sums, LABEL_CACHE, w.label_room) < 0))):
        scratch_close(w)
        raise MemoryError
    return 0


cdef int sums_open(Sums* sums, int32_t size, int32_t stride) noexcept nogil:
    sums.size = size
    sums.stride = stride
    sums.places = <uint8_t*>calloc(<size_t>MAX_GROUPS * size, stride_of(sums))
    return -1 if sums.places == NULL else 0


cdef void scratch_close(Scratch* w) noexcept nogil:
    free(w.keys)
    free(w.sums)
    free(w.state_key)
    free(w.arc_key)
    free(w.arc_rows)
    free(w.move_sums.places)
    free(w.label_sums.places)
    memset(w, 0, sizeof(Scratch))


cdef struct Entry:
    int32_t group
    uint64_t key
    uint8_t* place

cdef extern from "fastparse/model/fetch.h" nogil:
    void prefetch "FP_FETCH"(const void* p)


cdef inline Py_ssize_t stride_of(const Sums* sums) noexcept nogil:
    """Bytes of an entry: its key and its sums."""
    return sizeof(uint64_t) + sums.stride * sizeof(int32_t)


cdef void add_groups(const PlanC* plan, const Table* table, Scratch* w, const Sentence* s, const Cell* const* at,
                     uint32_t absent, int32_t* out) noexcept nogil:
    """Adds the weights of all templates that have something to say."""
    cdef int32_t g, n
    for g in range(plan.n_groups):
        if not plan.groups[g].required & absent:
            n = extract(&plan.groups[g], s, at, w.keys)
            table.add(table.data, w.keys, n, out)
            w.n_templates_scored += n


cdef void add_shared(const PlanC* plan, const Table* table, Sums* known, Scratch* w, const Sentence* s,
                     const Cell* const* at, const uint64_t* hashes, uint32_t absent, uint64_t salt,
                     int32_t* out) noexcept nogil:
    """The same through sums kept from states of this sentence in which a group read the same."""
    cdef int32_t i, g, n, k, n_groups = 0, stride = known.stride
    cdef Entry entries[MAX_GROUPS]
    cdef Entry* e
    cdef Py_ssize_t at_place
    cdef int32_t* sums
    for g in range(plan.n_groups):          # what is kept lies far apart: it is asked for before it is looked at
        if plan.groups[g].required & absent:
            continue
        e = &entries[n_groups]
        n_groups += 1
        e.group = g
        e.key = group_key(&plan.groups[g], salt, hashes)
        at_place = g * known.size + <Py_ssize_t>(e.key & (known.size - 1))
        e.place = known.places + at_place * stride_of(known)
        prefetch(e.place)
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


cdef inline uint64_t sentence_salt(const Scratch* w) noexcept nogil:
    """Mixed, for words are small numbers too; with a constant that keys of cells are not made with."""
    return mix(w.salt, <uint64_t>0x8CB92BA72F3D8DD7)


cdef int32_t* score_moves(const Scorer* scorer, Scratch* w, const Arena* a, const State* c,
                          const Sentence* s) noexcept nogil:
    cdef const Cell* at[N_POSITIONS]
    cdef uint64_t hashes[2 * N_POSITIONS]
    cdef uint32_t absent
    cdef uint64_t key, salt = 0
    cdef Py_ssize_t entry
    cdef int32_t* sums = w.sums
    locate(scorer.spec, a, c, scorer.moves.positions, at)
    at[H] = at[D] = nothing()
    if scorer.sharing:
        salt = sentence_salt(w)
        hash_positions(scorer.moves.positions, at, hashes)
        key = key_of(scorer.moves.positions, scorer.moves.whole, salt, hashes)
        entry = <Py_ssize_t>(key & (STATE_CACHE - 1))
        sums += entry * MAX_MOVES
        if w.state_key[entry] == key:
            return sums
        w.state_key[entry] = key
    memset(sums, 0, MAX_MOVES * sizeof(int32_t))
    absent = empty_positions(at)
    if scorer.sharing:
        add_shared(scorer.moves, &scorer.move_table, &w.move_sums, w, s, at, hashes, absent, salt, sums)
    else:
        add_groups(scorer.moves_flat, &scorer.move_table, w, s, at, absent, sums)
    return sums


cdef const int32_t* score_labels(const Scorer* scorer, Scratch* w, const Sentence* s, const Cell* head,
                                 const Cell* dependent) noexcept nogil:
    cdef const Cell* at[N_POSITIONS]
    cdef uint64_t hashes[2 * N_POSITIONS]
    cdef const uint8_t* allowed = scorer.root_label if head.word == 0 else scorer.inner_label
    cdef int32_t l, best = 0, top = FORBIDDEN * 2
    cdef uint64_t key, salt = sentence_salt(w)
    cdef int32_t* row = w.arc_rows
    at[H] = head
    at[D] = dependent
    if scorer.sharing:
        key = mix(mix(salt, head.key), dependent.key)
        row += <Py_ssize_t>(key & (ARC_CACHE - 1)) * (w.label_room + 16)
        if w.arc_key[key & (ARC_CACHE - 1)] == key:
            return row
        w.arc_key[key & (ARC_CACHE - 1)] = key
    memset(row, 0, (w.label_room + 16) * sizeof(int32_t))
    if scorer.sharing:
        hash_positions(scorer.labels.positions, at, hashes)
        add_shared(scorer.labels, &scorer.label_table, &w.label_sums, w, s, at, hashes, 0, salt, row + 16)
    else:
        add_groups(scorer.labels_flat, &scorer.label_table, w, s, at, 0, row + 16)
    for l in range(scorer.n_labels):
        if not allowed[l]:
            row[16 + l] += FORBIDDEN
        if row[16 + l] > top:
            best, top = l, row[16 + l]
    row[0] = top
    row[1] = best
    return row


cdef int32_t best_label(const Scorer* scorer, Scratch* w, const Arena* a, const State* c, const Sentence* s,
                        int32_t move) noexcept nogil:
    cdef int32_t head = NONE, dependent = NONE
    scorer.spec.arc(scorer.spec, a, c, move, &head, &dependent)
    return score_labels(scorer, w, s, &a.cells[head], &a.cells[dependent])[1]
