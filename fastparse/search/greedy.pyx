"""Greedy search: the best move in each state, in the exclusive regime."""

from fastparse.features.plan cimport Sentence
from fastparse.machine.arena cimport arena_start, state_start
from fastparse.machine.spec cimport Spec
from fastparse.machine.state cimport Arena, NONE, State
from fastparse.search.scorer cimport Scorer, Scratch, best_label, score_labels, score_moves


cdef uint32_t legal_moves(const Scorer* scorer, const Arena* a, const State* c) noexcept nogil:
    """Moves legal by the theory and by the decoder: with single_root, no second child of the root."""
    cdef uint32_t mask = scorer.spec.legal(scorer.spec, a, c)
    cdef int32_t m, head = NONE, dependent = NONE
    if scorer.single_root and c.root_child >= 0:
        for m in range(scorer.spec.n_moves):
            if mask >> m & scorer.spec.drawing >> m & 1:
                scorer.spec.arc(scorer.spec, a, c, m, &head, &dependent)
                if a.cells[head].word == 0:
                    mask &= ~(<uint32_t>1 << m)
    return mask


cdef int32_t choose(const Scorer* scorer, Scratch* w, const Arena* a, const State* c, const Sentence* s,
                    int32_t* label) noexcept nogil:
    cdef const Spec* spec = scorer.spec
    cdef uint32_t mask = legal_moves(scorer, a, c)
    cdef int32_t m, best = NONE
    cdef const int32_t* sums = w.sums
    label[0] = 0
    if mask == 0:
        return NONE
    if mask & (mask - 1):
        sums = score_moves(scorer, w, a, c, s)
    for m in range(spec.n_moves):
        if mask >> m & 1 and (best < 0 or sums[m] > sums[best]):
            best = m
    if spec.labelled >> best & 1:
        label[0] = best_label(scorer, w, a, c, s, best)
    return best


cdef int parse_greedy(const Scorer* scorer, Scratch* w, Arena* a, const Sentence* s,
                      int32_t* heads, int32_t* labels, int32_t* transitions) noexcept nogil:
    cdef const Spec* spec = scorer.spec
    cdef State c
    cdef int32_t move, label = 0
    w.salt += 1
    if arena_start(a, spec, s.n, True) < 0:
        return -1
    state_start(&c, spec, a)
    transitions[0] = 0
    while not spec.is_final(spec, a, &c):
        move = choose(scorer, w, a, &c, s, &label)
        if move < 0:
            break
        spec.apply(spec, a, &c, move, label)
        transitions[0] += 1
        if w.made != NULL:
            w.made[move] += 1
    complete(scorer, w, a, &c, s, heads, labels)
    return 0


cdef void complete(const Scorer* scorer, Scratch* w, Arena* a, const State* c, const Sentence* s,
                   int32_t* heads, int32_t* labels) noexcept nogil:
    cdef int32_t word, target
    cdef const int32_t* row
    cdef int32_t root = c.root_child
    for word in range(1, s.n + 1):
        if a.cells[word].head >= 0:
            heads[word - 1] = a.cells[word].head
            labels[word - 1] = a.cells[word].label
            continue
        target = 0
        if scorer.single_root:
            if root >= 0:
                target = root
            else:
                root = word
        row = score_labels(scorer, w, s, &a.cells[target], &a.cells[word])
        heads[word - 1] = target
        labels[word - 1] = row[1]
