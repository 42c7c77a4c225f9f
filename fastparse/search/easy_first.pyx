"""Easy-first search (Goldberg and Elhadad, 2010): of all pairs of neighbours, the one that scores best is joined first.

Scores are kept per place and renewed only near the last arc. The best place is found in a tournament over all
places, so a sentence of n words takes n log n steps.

Templates see the left item of a pair as S0 and the right one as B0; S1, S2 and B1, B2, B3 are the items further out.
"""

from libc.stdint cimport int64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

from fastparse.errors import Error

from fastparse.features.plan cimport B0, N_POSITIONS, S0, nothing
from fastparse.machine.arena cimport arena_start, state_start
from fastparse.machine.spec cimport Spec
from fastparse.machine.state cimport MAX_MOVES, State
from fastparse.weights.table cimport add_all
from fastparse.search.beam cimport Parsed, complete, made_move
from fastparse.search.engine cimport Engine, Loop, Outcome, Request, Seat, Worker, parse_each, require_moves
from fastparse.search.scorer cimport LabelRow, score_labels
from fastparse.transition_systems.easy_first cimport (
    ATTACH_LEFT, ATTACH_RIGHT, PREVIOUS, pending_attach, pending_start)

cdef struct Place:
    int32_t score
    int32_t label
    int32_t move


cdef void locate_place(const Arena* a, int32_t left, const Cell** at) noexcept nogil:
    cdef int32_t k, cell = left
    for k in range(N_POSITIONS):
        at[k] = nothing()
    for k in range(3):
        if cell < 0:
            break
        at[S0 + k] = &a.cells[cell]
        cell = a.cells[cell].own[PREVIOUS]
    cell = a.cells[left].below
    for k in range(4):
        if cell < 0:
            break
        at[B0 + k] = &a.cells[cell]
        cell = a.cells[cell].below


cdef void score_place(const Scorer* scorer, Scratch* w, const Arena* a, int32_t left,
                      const SentenceRows* s) noexcept nogil:
    cdef const Cell* at[N_POSITIONS]
    memset(w.sums, 0, MAX_MOVES * sizeof(int32_t))
    locate_place(a, left, at)
    w.n_templates_scored += add_all(&scorer.move_table, scorer.moves_flat, s, at, w.keys, w.sums)


cdef uint32_t legal_at(const Scorer* scorer, const Arena* a, int32_t left) noexcept nogil:
    cdef int32_t right = a.cells[left].below
    if right < 0:
        return 0
    if left != 0:
        return (1 << ATTACH_LEFT) | (1 << ATTACH_RIGHT)
    # With one root, its child is the last word left.
    return 0 if scorer.single_root and a.cells[right].below >= 0 else 1 << ATTACH_LEFT


cdef int32_t first_touched(const Arena* a, int32_t cell) noexcept nogil:
    cdef int32_t _
    for _ in range(BEFORE):
        if a.cells[cell].own[PREVIOUS] < 0:
            break
        cell = a.cells[cell].own[PREVIOUS]
    return cell


cdef void look(const Scorer* scorer, Scratch* w, const Arena* a, int32_t left, const SentenceRows* s,
               Place* place) noexcept nogil:
    """Fills in the best move at a place; the left head wins ties."""
    cdef uint32_t mask = legal_at(scorer, a, left)
    cdef int32_t move, right = a.cells[left].below, total
    cdef const Cell* head
    cdef const Cell* dependent
    cdef const LabelRow* row
    place.score = OUT
    if mask == 0:
        return
    score_place(scorer, w, a, left, s)
    for move in range(ATTACH_LEFT, ATTACH_RIGHT + 1):
        if not mask >> move & 1:
            continue
        head = &a.cells[left if move == ATTACH_LEFT else right]
        dependent = &a.cells[right if move == ATTACH_LEFT else left]
        row = score_labels(scorer, w, s, head, dependent)
        total = w.sums[move] + row.score
        if total > place.score:
            place.score, place.label, place.move = total, row.best, move


cdef inline void play(const Place* places, int32_t* winner, int32_t size, int32_t left) noexcept nogil:
    """Renews the tournament above a place; the leftmost place wins ties."""
    cdef int32_t node = (size + left) >> 1, a, b
    while node >= 1:
        a, b = winner[2 * node], winner[2 * node + 1]
        winner[node] = b if places[b].score > places[a].score else a
        node >>= 1


cdef int parse_easy(void* worker, const SentenceRows* s, Parsed* parsed) noexcept nogil:
    cdef const Scorer* scorer = (<Worker*>worker).scorer
    cdef Scratch* w = &(<Worker*>worker).scratch
    cdef Arena* a = &(<Worker*>worker).arena
    cdef const Spec* spec = scorer.spec
    cdef State c
    cdef int32_t size = 1, left, right, k, cell
    cdef Place* places
    cdef int32_t* winner
    cdef Place* best
    w.salt += 1
    while size < s.n + 1:
        size *= 2
    places = <Place*>malloc(size * sizeof(Place))
    winner = <int32_t*>malloc(2 * size * sizeof(int32_t))
    if places == NULL or winner == NULL or arena_start(a, spec, s.n, True) < 0:
        free(places)
        free(winner)
        return -1
    state_start(&c, spec, a)
    pending_start(a, &c)
    for k in range(size):
        places[k].score = OUT
        winner[size + k] = k
        if k <= s.n:
            look(scorer, w, a, k, s, &places[k])
    for k in range(size - 1, 0, -1):
        left, right = winner[2 * k], winner[2 * k + 1]
        winner[k] = right if places[right].score > places[left].score else left
    while a.cells[0].below >= 0:
        left = winner[1] if size > 1 else 0
        best = &places[left]
        if best.score == OUT:
            break
        right = a.cells[left].below
        pending_attach(a, &c, left, best.move == ATTACH_LEFT, best.label)
        made_move(parsed, best.move, 0)
        # The dependent is no item any more; places around the head look different now.
        cell = left if best.move == ATTACH_LEFT else right
        k = right if best.move == ATTACH_LEFT else left
        places[k].score = OUT
        play(places, winner, size, k)
        cell = first_touched(a, cell)
        for _ in range(BEFORE + BEHIND + 1):
            if cell < 0:
                break
            look(scorer, w, a, cell, s, &places[cell])
            play(places, winner, size, cell)
            cell = a.cells[cell].below
    complete(scorer, w, a, &c, s, parsed)
    free(places)
    free(winner)
    return 0


cdef class EasyFirstEngine(Loop):
    """Parses as an Engine does, greedily and in any order."""
    cdef readonly Engine engine

    def __init__(self, Engine engine):
        self.engine = engine

    cdef int64_t run(self, values, Outcome out, Py_ssize_t first, Py_ssize_t last, const Request* request) except -1:
        cdef Seat seat
        if request.beam != 1:
            raise Error(f"easy-first is greedy: it has no beam of {request.beam}. Parse with beam=1.")
        require_moves(out, self.engine.scorer.spec.n_moves)
        seat = self.take(&self.engine.scorer, request, True)    # sharing of labels: most pairs look as they did
        parse_each(values, out, first, last, parse_easy, &seat.worker)
        self.give_back(seat)
        return seat.worker.scratch.n_templates_scored
