"""Beam search with float scores: what a network may gain from it, measured while training.

The `size` best states of each step by the sum of the logarithms of their moves' probabilities, as in
search/strategies/beam.pyx:
final states wait, ties go to the better parent, then the lower move.
"""

from libc.math cimport exp, log
from libc.stdint cimport int32_t, int64_t, uint32_t
from libc.string cimport memset

from fastparse.features.plan cimport N_POSITIONS, locate
from fastparse.networks.transitions.states cimport Scores, States
from fastparse.search.decoder cimport legal_moves
from fastparse.search.scoring.scorer cimport Scorer
from fastparse.machine.arena cimport (
    arena_close, arena_open, arena_reserve, arena_start, state_start)
from fastparse.machine.spec cimport Spec
from fastparse.machine.state cimport Arena, Cell, NONE, State

cdef enum:
    MOST = 64                   # states of a beam
    STAY = 31                   # stands for a move: a final state remains

cdef struct Candidate:
    double score
    int32_t parent
    int32_t move


def parse_beam(States t, const int64_t[::1] offsets, const int64_t[::1] bases, int32_t[::1] heads,
               int32_t[::1] labels, int size, double label_weight=1, double temperature=1):
    """As Transitions.parse, with a beam.

    Args:
        label_weight: of the logarithm of a label's probability in the score of a move that draws an arc.
        temperature: what scores of moves are divided by before they become probabilities: a network that has learnt
            long is surer of itself than it is right.
    """
    cdef Py_ssize_t j
    cdef int failed = 0
    cdef Arena replay
    if not 1 <= size <= MOST:
        raise ValueError(f"a beam of {size}: expected 1 to {MOST}")
    arena_open(&replay)
    try:
        for j in range(len(bases)):
            if offsets[j + 1] > offsets[j]:
                with nogil:
                    failed = parse_sentence(t, &replay, <int32_t>(offsets[j + 1] - offsets[j]), bases[j],
                                            &heads[offsets[j]], &labels[offsets[j]], size, label_weight,
                                            1 / temperature)
                if failed:
                    raise MemoryError
    finally:
        arena_close(&replay)


cdef inline bint is_better(const Candidate* x, const Candidate* y) noexcept nogil:
    if x.score != y.score:
        return x.score > y.score
    return x.parent << 5 | x.move < y.parent << 5 | y.move


cdef inline int offer(Candidate* kept, int n, int size, Candidate item) noexcept nogil:
    """Adds a candidate to the best ones, which are sorted; returns how many there are."""
    cdef int i
    if n == size and not is_better(&item, &kept[n - 1]):
        return n
    i = n if n < size else n - 1
    n = i + 1
    while i > 0 and is_better(&item, &kept[i - 1]):
        kept[i] = kept[i - 1]
        i -= 1
    kept[i] = item
    return n


cdef int expand(States t, const Scorer* rules, const State* states, const double* sums, int n_states, int64_t base,
                Candidate* kept, int size, double label_weight, double scale,
                bint* moved) noexcept nogil:
    cdef const Spec* spec = t.spec
    cdef int i, m, n = 0
    cdef uint32_t legal
    cdef double all_, top, score, power
    cdef int32_t head = NONE, dependent = NONE
    cdef Scores s
    cdef const Cell* at[N_POSITIONS]
    moved[0] = False
    for i in range(n_states):
        if spec.is_final(spec, &t.arena, &states[i]):
            n = offer(kept, n, size, Candidate(sums[i], i, STAY))
            continue
        legal = legal_moves(rules, &t.arena, &states[i])
        if legal == 0:
            continue
        moved[0] = True
        locate(spec, &t.arena, &states[i], at)
        t.score(base, at, legal, &states[i], 0, 0, &s)
        top, all_ = -1e30, 0
        for m in range(spec.n_moves):
            if legal >> m & 1 and s.move[m] > top:
                top = s.move[m]
        for m in range(spec.n_moves):
            if legal >> m & 1:
                all_ += exp((s.move[m] - top) * scale)
        for m in range(spec.n_moves):
            if legal >> m & 1:
                score = sums[i] + (s.move[m] - top) * scale - log(all_)
                if label_weight != 0 and spec.drawing >> m & 1 and (n < size or score > kept[n - 1].score):
                    spec.arc(spec, &t.arena, &states[i], m, &head, &dependent)
                    t.best_label(base, t.arena.cells[head].word, t.arena.cells[dependent].word, &power)
                    score += label_weight * power
                n = offer(kept, n, size, Candidate(score, i, m))
    return n


cdef int parse_sentence(States t, Arena* replay, int32_t n_words, int64_t base, int32_t* heads, int32_t* labels,
                        int size, double label_weight, double scale) noexcept nogil:
    """-1 when memory is short."""
    cdef const Spec* spec = t.spec
    cdef Arena* a = &t.arena
    cdef State[2][MOST] states
    cdef double[2][MOST] sums
    cdef Candidate[MOST] kept
    cdef Candidate* k
    cdef int n = 1, i, now = 0
    cdef int32_t label, head = NONE, dependent = NONE, entry, other, before
    cdef bint moved = True
    cdef State* c
    cdef State last
    cdef Scorer rules
    memset(&rules, 0, sizeof(Scorer))
    rules.spec, rules.single_root = spec, t.single_root
    if arena_start(a, spec, n_words, False) < 0:
        return -1
    state_start(&states[0][0], spec, a)
    last = states[0][0]
    sums[0][0] = 0
    while True:
        if arena_reserve(a, spec, size) < 0:
            return -1
        i = expand(t, &rules, states[now], sums[now], n, base, kept, size, label_weight, scale, &moved)
        if i > 0:
            last = states[now][kept[0].parent]
        if i == 0 or not moved:
            break
        n = i
        for i in range(n):
            k = &kept[i]
            c = &states[1 - now][i]
            c[0] = states[now][k.parent]
            sums[1 - now][i] = k.score
            if k.move != STAY:
                label = 0
                if spec.labelled >> k.move & 1:
                    spec.arc(spec, a, c, k.move, &head, &dependent)
                    label = t.best_label(base, a.cells[head].word, a.cells[dependent].word)
                a.history[a.n_history].previous = c.history
                a.history[a.n_history].move = <short>k.move
                a.history[a.n_history].label = <unsigned short>label
                c.history = a.n_history
                a.n_history += 1
                c.length += 1
                spec.apply(spec, a, c, k.move, label)
        now = 1 - now
    # The chain of moves is turned round in place: the arena is done with.
    entry, other = last.history, NONE
    while entry >= 0:
        before = a.history[entry].previous
        a.history[entry].previous = other
        other, entry = entry, before
    if arena_start(replay, spec, n_words, True) < 0:
        return -1
    state_start(&last, spec, replay)
    while other >= 0:
        spec.apply(spec, replay, &last, a.history[other].move, a.history[other].label)
        other = a.history[other].previous
    t.read_tree(replay, &last, base, heads, labels)
    return 0
