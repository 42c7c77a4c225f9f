"""Greedy search: the best move in each state, in the exclusive regime."""

from libc.stdint cimport uint32_t

from fastparse.machine.arena cimport arena_start, state_start
from fastparse.machine.spec cimport Spec
from fastparse.machine.state cimport NONE
from fastparse.search.rules cimport complete, legal_moves, made_move, remember
from fastparse.search.scorer cimport LabelRow, best_label, label_row, score_moves, scores_among


cdef int32_t choose(const Scorer* scorer, Scratch* w, const Arena* a, const State* c, const SentenceRows* s,
                    int32_t* label) noexcept nogil:
    cdef const Spec* spec = scorer.spec
    cdef uint32_t mask = legal_moves(scorer, a, c)
    cdef int32_t m, best = NONE
    cdef const int32_t* sums = w.sums
    label[0] = 0
    if mask == 0:
        return NONE
    if scorer.labels_with_moves:
        return choose_with_label(scorer, w, a, c, s, mask, label)
    if mask & (mask - 1):
        sums = scores_among(scorer, w, a, c, s, mask)
    for m in range(spec.n_moves):
        if mask >> m & 1 and (best < 0 or sums[m] > sums[best]):
            best = m
    if spec.labelled >> best & 1:
        label[0] = best_label(scorer, w, a, c, s, best)
    return best


cdef int32_t choose_with_label(const Scorer* scorer, Scratch* w, const Arena* a, const State* c, const SentenceRows* s,
                               uint32_t mask, int32_t* label) noexcept nogil:
    """The best move with the best of its labels."""
    cdef const int32_t* sums = score_moves(scorer, w, a, c, s)
    cdef const LabelRow* row
    cdef int32_t m, l, score, most = 0, best = NONE
    for m in range(scorer.spec.n_moves):
        if not mask >> m & 1:
            continue
        score, l = sums[m], 0
        if scorer.spec.labelled >> m & 1:
            row = label_row(scorer, w, a, c, s, m)
            score, l = score + row.score, row.best
        if best < 0 or score > most:
            best, most, label[0] = m, score, l
    return best


cdef int parse_greedy(const Scorer* scorer, Scratch* w, Arena* a, const SentenceRows* s, Parsed* parsed) noexcept nogil:
    cdef const Spec* spec = scorer.spec
    cdef State c
    cdef int32_t move, label = 0
    if arena_start(a, spec, s.n, True) < 0:
        return -1
    state_start(&c, spec, a)
    while not spec.is_final(spec, a, &c):
        move = choose(scorer, w, a, &c, s, &label)
        if move < 0:
            break
        if parsed.arc_logs != NULL:
            remember(scorer, w, a, &c, move, parsed)
        spec.apply(spec, a, &c, move, label)
        made_move(parsed, move, label)
    complete(scorer, w, a, &c, s, parsed)
    return 0
