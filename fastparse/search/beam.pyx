"""Beam search: the `size` best states of each step, best first.

States advance in steps; final states stay as they are until all are final; the best by summed score wins. Ties go to
the better parent, then the lower move, then, where labels are parts of moves, the lower label; elsewhere a label is the
best of its arc, the lower one in a tie. A dead end is set aside and used only if no state becomes final.
"""

from libc.stdint cimport uint32_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset

from fastparse.machine.arena cimport arena_compact, arena_reserve, arena_start, state_start
from fastparse.machine.spec cimport Spec
from fastparse.machine.state cimport Branch, Cell, History, Link, MAX_MOVES, NONE
from fastparse.weights.compiled cimport MOST_MOVES
from fastparse.search.rules cimport complete, legal_moves, made_move, remember
from fastparse.search.scorer cimport (
    FORBIDDEN, LabelRow, best_label, encoder_label, encoder_logarithms, label_row, score_moves, scores_in)
from fastparse.search.steps cimport BLOCK, label_arcs, score_states
from fastparse.search.candidates cimport (
    MAX_BEAM, ORDER_BITS, STAY, Offers, fp_best_of, fp_best_of_bounds, fp_within, label_in, move_in, offer, pack,
    parent_in, score_in)

cdef enum:
    LOWEST = -0x3FFFFFFF
    ROOM = 1 << 15

cdef extern from "fastparse/features/compiler.h" nogil:
    void must_hold "FP_MUST_HOLD"(bint constant)


cdef int beam_open(Beam* beam, int32_t size) except -1:
    must_hold(MOST_MOVES <= STAY)
    must_hold(ORDER_BITS == 31)
    memset(beam, 0, sizeof(Beam))
    if not 1 <= size <= MAX_BEAM:
        raise ValueError(f"a beam of {size}; it must be 1 to {MAX_BEAM}")
    beam.size = size
    beam.room = ROOM
    beam.states = <State*>calloc(size + 1, sizeof(State))
    beam.others = <State*>calloc(size + 1, sizeof(State))
    beam.candidates = <int64_t*>calloc(size + 1, sizeof(int64_t))
    beam.offered = <int64_t*>calloc(size * MOST_MOVES + 1, sizeof(int64_t))
    beam.rows = <int32_t*>calloc(BLOCK * MAX_MOVES, sizeof(int32_t))
    if (beam.states == NULL or beam.others == NULL or beam.candidates == NULL or beam.offered == NULL
            or beam.rows == NULL):
        beam_close(beam)
        raise MemoryError
    return 0


cdef void beam_close(Beam* beam) noexcept nogil:
    free(beam.states)
    free(beam.others)
    free(beam.candidates)
    free(beam.offered)
    free(beam.rows)
    free(beam.history_at)
    memset(beam, 0, sizeof(Beam))


cdef int32_t expand(const Scorer* scorer, Scratch* w, Beam* beam, Arena* a, const SentenceRows* s, int32_t n_states,
                    State* dead, bint* moved, const Lesson* lesson) noexcept nogil:
    """Finds the best successors of the beam's states; returns how many there are.

    With a lesson, moves that draw wrong arcs score more than they should: what is right must win by the margin.
    Of an encoder, labels add to scores, but never more than 0: they are looked at where a move may win.
    """
    cdef const Spec* spec = scorer.spec
    cdef int32_t first, last, i, k, n
    cdef int64_t top = beam.states[0].score
    cdef Offers offers = Offers(beam.offered, 0, -0x7FFFFFFFFFFFFFFF)
    cdef const State* asking[BLOCK]
    cdef int32_t ranks[BLOCK]
    cdef uint32_t masks[BLOCK]
    cdef Step step
    cdef State* c
    moved[0] = False
    first = 0
    while first < n_states:
        last = min(first + BLOCK, n_states)
        n = 0
        for i in range(first, last):
            c = &beam.states[i]
            if spec.is_final(spec, a, c):
                offer(&offers, pack(base_of(c, top), i, STAY, 0))
                continue
            masks[n] = legal_moves(scorer, a, c)
            if masks[n] == 0:
                if dead.length < 0 or c.score > dead.score:
                    dead[0] = c[0]
                continue
            asking[n], ranks[n] = c, i
            n += 1
        if n:
            moved[0] = True
        if scorer.labels_with_moves:
            for k in range(n):
                offer_labels(scorer, w, beam, a, asking[k], s, base_of(asking[k], top), ranks[k], masks[k], &offers,
                             lesson)
        elif w.steps != NULL:
            score_states(scorer, w, a, asking, n, s, beam.rows)
            for k in range(n):
                offer_moves(spec, a, asking[k], base_of(asking[k], top), ranks[k], masks[k],
                            beam.rows + k * MAX_MOVES, &offers, lesson)
        else:
            for k in range(n):
                offer_moves(spec, a, asking[k], base_of(asking[k], top), ranks[k], masks[k],
                            encoder_logarithms(scorer, w, a, asking[k], masks[k]) if scorer.encoder != NULL
                            else score_moves(scorer, w, a, asking[k], s), &offers, lesson)
        first = last
    if scorer.encoder != NULL:
        step = Step(scorer, w, a, beam.states)
        return fp_best_of_bounds(offers.items, offers.n, beam.size, beam.threshold, ORDER_BITS, with_label, &step,
                                 beam.candidates)
    if lesson == NULL and beam.threshold > 0 and offers.n:
        offers.n = fp_within(offers.items, offers.n, (<int64_t>score_in(offers.top) - beam.threshold) * (
            <int64_t>1 << ORDER_BITS))
    return fp_best_of(offers.items, offers.n, beam.size, beam.candidates)


cdef struct Step:
    const Scorer* scorer
    Scratch* w
    const Arena* a
    const State* states


cdef int64_t with_label(void* of, int64_t item) noexcept nogil:
    """A candidate with what the label of the arc that it draws adds to its score."""
    cdef const Step* step = <const Step*>of
    cdef int32_t move = move_in(item)
    if move == STAY or not step.scorer.spec.labelled >> move & 1:
        return item
    return item + encoder_label(step.scorer, step.w, step.a, &step.states[parent_in(item)], move) * (
        <int64_t>1 << ORDER_BITS)


cdef inline int32_t base_of(const State* c, int64_t top) noexcept nogil:
    """The score of a state against that of the best one."""
    return <int32_t>(c.score - top) if c.score - top > LOWEST // 2 else LOWEST // 2


cdef inline void offer_moves(const Spec* spec, const Arena* a, const State* c, int32_t base, int32_t rank,
                             uint32_t mask, const int32_t* sums, Offers* offers, const Lesson* lesson) noexcept nogil:
    cdef int32_t m, score, head = NONE, dependent = NONE
    for m in range(spec.n_moves):
        if mask >> m & 1:
            score = base + sums[m]
            if lesson != NULL and lesson.margin and spec.drawing >> m & 1:
                spec.arc(spec, a, c, m, &head, &dependent)
                if lesson.heads[a.cells[dependent].word - 1] != a.cells[head].word:
                    score += lesson.margin
            offer(offers, pack(score, rank, m, 0))


cdef void offer_labels(const Scorer* scorer, Scratch* w, Beam* beam, const Arena* a, const State* c,
                       const SentenceRows* s, int32_t base, int32_t rank, uint32_t mask, Offers* offers,
                       const Lesson* lesson) noexcept nogil:
    """The same where labels are parts of moves: a move that draws an arc is offered once for each label."""
    cdef const Spec* spec = scorer.spec
    cdef const int32_t* sums = score_moves(scorer, w, a, c, s)
    cdef const int32_t* scores
    cdef const LabelRow* row
    cdef int32_t m, l, score, gold, head = NONE, dependent = NONE
    for m in range(spec.n_moves):
        if not mask >> m & 1:
            continue
        gold = NONE
        score = base + sums[m]
        if lesson != NULL and spec.drawing >> m & 1:
            spec.arc(spec, a, c, m, &head, &dependent)
            dependent = a.cells[dependent].word
            if lesson.heads[dependent - 1] == a.cells[head].word:
                gold = lesson.arc_labels[dependent - 1]
            else:
                score += lesson.margin
        if not spec.labelled >> m & 1:
            make_place(beam, offers)
            offer(offers, pack(score, rank, m, 0))
            continue
        row = label_row(scorer, w, a, c, s, m)
        scores = scores_in(row)
        for l in range(scorer.n_labels):
            if scores[l] > FORBIDDEN // 2 or l == row.best:
                make_place(beam, offers)
                offer(offers, pack(score + scores[l] + (lesson.margin if gold >= 0 and l != gold else 0), rank, m, l))


cdef inline void make_place(const Beam* beam, Offers* offers) noexcept nogil:
    """Drops offers that cannot win where there is no place for another."""
    if offers.n == beam.size * MOST_MOVES:
        offers.n = fp_best_of(offers.items, offers.n, beam.size, beam.candidates)
        memcpy(offers.items, beam.candidates, offers.n * sizeof(int64_t))


cdef void advance(const Scorer* scorer, Scratch* w, Beam* beam, Arena* a, const SentenceRows* s,
                  int32_t n) noexcept nogil:
    """Makes the beam's next states from the sorted candidates."""
    cdef const Spec* spec = scorer.spec
    cdef int64_t top = beam.states[0].score, item
    cdef int32_t first, last, i, k, move, head = NONE, dependent = NONE
    cdef const Cell* heads[BLOCK]
    cdef const Cell* dependents[BLOCK]
    cdef int32_t labels[BLOCK]
    cdef State* c
    cdef State* swap
    first = 0
    while first < n:
        last = min(first + BLOCK, n)
        k = 0
        for i in range(first, last):
            item = beam.candidates[i]
            c = &beam.others[i]
            c[0] = beam.states[parent_in(item)]
            if score_in(item) > LOWEST // 2:
                c.score = top + score_in(item)
            move = move_in(item)
            if move != STAY and spec.labelled >> move & 1:
                if scorer.labels_with_moves:
                    labels[k] = label_in(item)
                elif w.steps != NULL:
                    spec.arc(spec, a, c, move, &head, &dependent)
                    heads[k], dependents[k] = &a.cells[head], &a.cells[dependent]
                else:
                    labels[k] = best_label(scorer, w, a, c, s, move)
                k += 1
        if k and w.steps != NULL and not scorer.labels_with_moves:
            label_arcs(scorer, w, s, heads, dependents, k, labels)
        k = 0
        for i in range(first, last):
            move = move_in(beam.candidates[i])
            if move == STAY:
                continue
            if spec.labelled >> move & 1:
                make(spec, a, &beam.others[i], move, labels[k])
                k += 1
            else:
                make(spec, a, &beam.others[i], move, 0)
        first = last
    swap = beam.states
    beam.states = beam.others
    beam.others = swap


cdef inline void make(const Spec* spec, Arena* a, State* c, int32_t move, int32_t label) noexcept nogil:
    """Applies a move in the shared regime and records it."""
    cdef History* entry = &a.history[a.n_history]
    entry.previous = c.history
    entry.move = <short>move
    entry.label = <unsigned short>label
    c.history = a.n_history
    a.n_history += 1
    c.length += 1
    spec.apply(spec, a, c, move, label)


cdef inline int64_t bytes_of(const Arena* a) noexcept nogil:
    """What an arena holds, which is also what compacting it has to copy at most."""
    return (<int64_t>a.n_cells * sizeof(Cell) + <int64_t>a.n_history * sizeof(History)
            + <int64_t>a.n_links * sizeof(Link) + <int64_t>a.n_branches * sizeof(Branch))


cdef int parse_beam(const Scorer* scorer, Scratch* w, Beam* beam, Arena* a, Arena* replay, const SentenceRows* s,
                    Parsed* parsed) noexcept nogil:
    cdef const Spec* spec = scorer.spec
    cdef int32_t n_states = 1, i
    cdef int64_t limit
    cdef State dead
    cdef State best
    cdef bint moved = True
    w.salt += 1
    dead.length = -1
    if arena_start(a, spec, s.n, False) < 0:
        return -1
    limit = beam.room * <int64_t>sizeof(Cell) + 2 * bytes_of(a)
    state_start(&beam.states[0], spec, a)
    while True:
        if bytes_of(a) > limit:
            # The dead end kept aside travels with the beam: it is one more state.
            beam.states[n_states] = dead
            if arena_compact(a, spec, beam.states, n_states + (dead.length >= 0)) < 0:
                return -1
            if dead.length >= 0:
                dead = beam.states[n_states]
            # As far as copying what is in it now pays: time stays linear.
            limit = beam.room * <int64_t>sizeof(Cell) + 2 * bytes_of(a)
        if arena_reserve(a, spec, beam.size) < 0:
            return -1
        i = expand(scorer, w, beam, a, s, n_states, &dead, &moved, NULL)
        if i == 0 or not moved:
            break
        advance(scorer, w, beam, a, s, i)
        n_states = i
    if i == 0:
        best = dead
    else:
        # Only final states are candidates now; a dead end may have ranked above them.
        best = beam.states[parent_in(beam.candidates[0])]
    return rebuild(scorer, w, a, replay, &best, s, parsed)


cdef int rebuild(const Scorer* scorer, Scratch* w, Arena* a, Arena* replay, const State* best, const SentenceRows* s,
                 Parsed* parsed) noexcept nogil:
    """Makes the moves of a state once more in the exclusive regime and reads off the tree."""
    cdef const Spec* spec = scorer.spec
    cdef State c
    cdef int32_t entry = best.history, next_entry = NONE, previous
    if arena_start(replay, spec, s.n, True) < 0:
        return -1
    state_start(&c, spec, replay)
    while entry >= 0:                   # reverse the chain in place; the arena is done with
        previous = a.history[entry].previous
        a.history[entry].previous = next_entry
        next_entry = entry
        entry = previous
    while next_entry >= 0:
        if parsed.arc_logs != NULL:
            remember(scorer, w, replay, &c, a.history[next_entry].move, parsed)
        spec.apply(spec, replay, &c, a.history[next_entry].move, a.history[next_entry].label)
        made_move(parsed, a.history[next_entry].move, a.history[next_entry].label)
        next_entry = a.history[next_entry].previous
    complete(scorer, w, replay, &c, s, parsed)
    return 0


# ── learning ──

cdef int compare_beam(const Scorer* scorer, Scratch* w, Beam* beam, Arena* a, const SentenceRows* s,
                      Lesson* lesson) noexcept nogil:
    """Searches beside the oracle's derivation until the beam has lost it (early update), or to the end, and finds the
    prefix to learn from: where the beam lost the derivation, or where it was ahead of it by most."""
    cdef const Spec* spec = scorer.spec
    cdef State gold
    cdef State dead
    cdef int32_t n_states = 1, n, i, step = 0, move, label, gold_rank = 0
    cdef int64_t violation, largest = 0
    cdef bint moved = True
    w.salt += 1
    lesson.steps = 0
    lesson.wrong = lesson.right = lesson.end = NONE
    dead.length = -1
    if arena_start(a, spec, s.n, False) < 0:
        return -1
    state_start(&beam.states[0], spec, a)
    gold = beam.states[0]
    while True:
        if arena_reserve(a, spec, beam.size + 1) < 0:
            return -1
        n = expand(scorer, w, beam, a, s, n_states, &dead, &moved, lesson)
        if n == 0 or not moved:
            break
        # Where the derivation's next step ranks, if it is still in the beam.
        move, label = STAY, 0
        if step < lesson.length:
            move = lesson.moves[step]
            if scorer.labels_with_moves and spec.labelled >> move & 1:
                label = lesson.labels[step]
        if gold_rank >= 0:
            for i in range(n):
                if (parent_in(beam.candidates[i]) == gold_rank and move_in(beam.candidates[i]) == move
                        and label_in(beam.candidates[i]) == label):
                    gold_rank = i
                    break
            else:
                gold_rank = NONE
        if move != STAY:
            gold.score += score_moves(scorer, w, a, &gold, s)[move]
            if spec.labelled >> move & 1:
                if scorer.labels_with_moves:
                    gold.score += scores_in(label_row(scorer, w, a, &gold, s, move))[label]
                else:
                    label = best_label(scorer, w, a, &gold, s, move)
            make(spec, a, &gold, move, label)
        advance(scorer, w, beam, a, s, n)
        n_states = n
        step += 1
        if gold_rank != 0:
            violation = beam.states[0].score - gold.score
            if not lesson.max_violation:
                if gold_rank < 0:
                    lesson.steps = step
                    lesson.wrong = beam.states[0].history
                    lesson.right = lesson.end = gold.history
                    return 0
            elif violation >= largest:
                largest = violation
                lesson.steps = step
                lesson.wrong = beam.states[0].history
                lesson.right = gold.history
    lesson.end = gold.history
    if gold_rank == 0:
        lesson.steps = 0
    elif not lesson.max_violation:
        lesson.steps = step
        lesson.wrong = beam.states[0].history
        lesson.right = gold.history
    return 0
