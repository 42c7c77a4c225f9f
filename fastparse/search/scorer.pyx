"""Scores of moves and labels, summed directly or from partial sums kept per combination of cells."""

from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset

from fastparse.features.plan cimport D, H, empty_positions, extract, locate, nothing
from fastparse.transition_systems.operations cimport mix
from fastparse.transition_systems.state cimport NONE


cdef int scratch_open(Scratch* w, int32_t n_labels) except -1:
    memset(w, 0, sizeof(Scratch))
    w.label_room = (n_labels + 15) // 16 * 16
    w.keys = <uint64_t*>calloc(512, sizeof(uint64_t))
    w.sums = <int32_t*>calloc(32, sizeof(int32_t))
    w.label_sums = <int32_t*>calloc(w.label_room + 16, sizeof(int32_t))
    w.group_key = <uint64_t*>calloc(MAX_GROUPS * CACHE, sizeof(uint64_t))
    w.group_sums = <int32_t*>calloc(<size_t>MAX_GROUPS * CACHE * 32, sizeof(int32_t))
    w.label_key = <uint64_t*>calloc(LABEL_CACHE, sizeof(uint64_t))
    w.label_rows = <int32_t*>calloc(<size_t>LABEL_CACHE * (w.label_room + 16), sizeof(int32_t))
    if (w.keys == NULL or w.sums == NULL or w.label_sums == NULL or w.group_key == NULL or w.group_sums == NULL
            or w.label_key == NULL or w.label_rows == NULL):
        scratch_close(w)
        raise MemoryError
    return 0


cdef void scratch_close(Scratch* w) noexcept nogil:
    free(w.keys)
    free(w.sums)
    free(w.label_sums)
    free(w.group_key)
    free(w.group_sums)
    free(w.label_key)
    free(w.label_rows)
    memset(w, 0, sizeof(Scratch))


cdef void score_moves(const Scorer* scorer, Scratch* w, const Arena* a, const State* c, const Sentence* s) noexcept nogil:
    cdef const Cell* at[N_POSITIONS]
    cdef const Group* group
    cdef int32_t n_moves = scorer.spec.n_moves, g, m, n
    cdef uint64_t key
    cdef uint32_t positions, absent
    cdef int32_t p
    cdef int32_t* sums
    cdef Py_ssize_t entry
    memset(w.sums, 0, 32 * sizeof(int32_t))
    locate(scorer.spec, a, c, scorer.moves.positions, at)
    at[H] = at[D] = nothing()
    absent = empty_positions(at)
    if not scorer.sharing:
        for g in range(scorer.moves_flat.n_groups):
            if scorer.moves_flat.groups[g].required & absent:
                continue
            n = extract(&scorer.moves_flat.groups[g], s, at, w.keys)
            scorer.move_table.add(scorer.move_table.data, w.keys, n, w.sums)
            w.n_templates_scored += n
        return
    for g in range(scorer.moves.n_groups):
        group = &scorer.moves.groups[g]
        if group.required & absent:
            continue
        key = w.salt + g
        positions = group.positions
        p = 0
        while positions:
            if positions & 1:
                key = mix(key, at[p].key)
            positions >>= 1
            p += 1
        entry = g * CACHE + <Py_ssize_t>(key & (CACHE - 1))
        sums = w.group_sums + entry * 32
        if w.group_key[entry] != key:
            w.group_key[entry] = key
            memset(sums, 0, 32 * sizeof(int32_t))
            n = extract(group, s, at, w.keys)
            scorer.move_table.add(scorer.move_table.data, w.keys, n, sums)
            w.n_templates_scored += n
        for m in range(n_moves):
            w.sums[m] += sums[m]


cdef const int32_t* score_labels(const Scorer* scorer, Scratch* w, const Sentence* s, const Cell* head,
                                 const Cell* dependent) noexcept nogil:
    cdef const Cell* at[N_POSITIONS]
    cdef const uint8_t* allowed
    cdef int32_t l, n, best, top
    cdef uint64_t key = mix(mix(w.salt, head.key), dependent.key)
    cdef Py_ssize_t entry = <Py_ssize_t>(key & (LABEL_CACHE - 1)) if scorer.sharing else 0
    cdef int32_t* row = w.label_rows + entry * (w.label_room + 16)
    if scorer.sharing:
        if w.label_key[entry] == key:
            return row
        w.label_key[entry] = key
    memset(row, 0, (w.label_room + 16) * sizeof(int32_t))
    if scorer.labels.n_groups:
        at[H] = head
        at[D] = dependent
        n = extract(&scorer.labels.groups[0], s, at, w.keys)
        scorer.label_table.add(scorer.label_table.data, w.keys, n, row + 16)
        w.n_templates_scored += n
    allowed = scorer.root_label if head.word == 0 else scorer.inner_label
    best, top = 0, FORBIDDEN * 2
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
