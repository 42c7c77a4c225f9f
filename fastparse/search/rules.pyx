"""The rules of the decoder: what search allows beside the theory, and how a tree is made whole."""

from fastparse.encoder.logarithms cimport log_probabilities
from fastparse.features.plan cimport N_POSITIONS, S0, locate
from fastparse.machine.state cimport MAX_MOVES, NONE
from fastparse.search.scorer cimport encoder_label, encoder_scores, score_labels


cdef uint32_t legal_moves(const Scorer* scorer, const Arena* a, const State* c) noexcept nogil:
    cdef uint32_t mask = scorer.spec.legal(scorer.spec, a, c)
    cdef int32_t m, head = NONE, dependent = NONE
    if scorer.single_root and c.root_child >= 0:
        for m in range(scorer.spec.n_moves):
            if mask >> m & scorer.spec.drawing >> m & 1:
                scorer.spec.arc(scorer.spec, a, c, m, &head, &dependent)
                if a.cells[head].word == 0:
                    mask &= ~(<uint32_t>1 << m)
    return mask


cdef void remember(const Scorer* scorer, Scratch* w, const Arena* a, const State* c, int32_t move,
                   Parsed* parsed) noexcept nogil:
    cdef const Cell* at[N_POSITIONS]
    cdef int32_t logs[MAX_MOVES]
    cdef uint32_t legal = legal_moves(scorer, a, c)
    cdef int32_t head = NONE, dependent = NONE, top
    locate(scorer.spec, a, c, at)
    top = at[S0].word
    log_probabilities(&scorer.encoder.moves, encoder_scores(scorer, w, a, c, legal), legal, logs)
    if top > 0:
        parsed.arc_logs[top - 1] += logs[move]
    if scorer.spec.drawing >> move & 1:
        scorer.spec.arc(scorer.spec, a, c, move, &head, &dependent)
        dependent = a.cells[dependent].word
        if dependent != top:
            parsed.arc_logs[dependent - 1] += logs[move]
        if scorer.spec.labelled >> move & 1:
            parsed.label_logs[dependent - 1] = encoder_label(scorer, w, a, c, move)


cdef void complete(const Scorer* scorer, Scratch* w, Arena* a, const State* c, const SentenceRows* s,
                   Parsed* parsed) noexcept nogil:
    cdef int32_t word, target
    cdef int32_t root = c.root_child
    for word in range(1, s.n + 1):
        if a.cells[word].head >= 0:
            parsed.heads[word - 1] = a.cells[word].head
            parsed.labels[word - 1] = a.cells[word].label
            continue
        target = 0
        if scorer.single_root:
            if root >= 0:
                target = root
            else:
                root = word
        parsed.heads[word - 1] = target
        parsed.labels[word - 1] = score_labels(scorer, w, s, &a.cells[target], &a.cells[word]).best
