"""Greedy search, and beam search: the `size` best states of each step, best first.

States advance in steps; final states stay as they are until all are final; the best by summed score wins. Ties go to
the better parent, then the lower move, then, where labels are parts of moves, the lower label; elsewhere a label is the
best of its arc, the lower one in a tie. A dead end is set aside and used only if no state becomes final.
"""

from libc.stdlib cimport calloc, free
from libc.string cimport memcmp, memcpy, memset

from fastparse.encoder.scoring cimport log_probabilities
from fastparse.features.plan cimport N_POSITIONS, S0, locate
from fastparse.machine.arena cimport arena_compact, arena_reserve, arena_start, graph_reserve, state_start
from fastparse.machine.operations cimport adopt
from fastparse.machine.spec cimport GRAPH, Spec
from fastparse.machine.state cimport Branch, Cell, Drawn, History, Link, MAX_MOVES, NONE, uint16_t
from fastparse.weights.table cimport MOST_MOVES
from fastparse.search.scorer cimport (
    BLOCK, FORBIDDEN, LabelRow, best_label, encoder_label, encoder_logarithms, encoder_scores, label_arcs, label_row,
    score_labels, score_moves, score_states, scores_among, scores_in)

cdef enum:
    STAY = (1 << MOVE_BITS) - 1     # stands for a move: a final state remains
    ORDER_BITS = RANK_BITS + MOVE_BITS + LABEL_BITS
    LAST = 0x7FFFFFFF               # of the orders: all bits
    MOST_LABELS = 1 << LABEL_BITS
    LOWEST = -0x3FFFFFFF

cdef extern from "fastparse/features/compiler.h" nogil:
    void must_hold "FP_MUST_HOLD"(bint constant)

cdef extern from "fastparse/search/best.h" nogil:
    int32_t fp_within(int64_t* items, int32_t n, int64_t least)
    int32_t fp_best_of(int64_t* items, int32_t n, int32_t size, int64_t* best)
    int32_t fp_best_of_bounds(int64_t* items, int32_t n, int32_t size, int64_t threshold, int32_t bits,
                              int64_t (*exactly)(void*, int64_t) noexcept nogil, void* of, int64_t* best)


# ── rules ──

cdef enum:
    MOST_ARCS = 8               # of a graph of two planes without doubles: fewer per word and the root


cdef int begin(Arena* a, const Spec* spec, const SentenceRows* s, bint exclusive) noexcept nogil:
    if arena_start(a, spec, s.n, exclusive) < 0:
        return -1
    if spec.traits & GRAPH and exclusive and graph_reserve(a, MOST_ARCS * (<Py_ssize_t>s.n + 1)) < 0:
        return -1
    if s.heads != NULL:
        plant(a, s)
    return 0


cdef void plant(Arena* a, const SentenceRows* s) noexcept nogil:
    """Gives cells what they would know of their words if the tree had been built; words without heads hang from the
    root."""
    cdef State unused
    cdef Cell* d
    cdef const Cell* h
    cdef int32_t w
    unused.root_child = NONE
    unused.root_children = 0
    for w in range(1, s.n + 1):
        d = &a.cells[w]
        d.head = max(0, s.heads[w - 1])
        d.label = <uint16_t>s.deprels[w - 1]
    for w in range(1, s.n + 1):
        d = &a.cells[w]
        h = &a.cells[d.head]
        d.grandhead, d.head_label = h.head, h.label
        adopt(a, &unused, d.head, w, d.label)


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


# ── greedy ──

cdef int32_t choose(const Scorer* scorer, Scratch* w, const Arena* a, const State* c, const SentenceRows* s,
                    int32_t* label) noexcept nogil:
    """The best legal move of a state and its label; NONE in a dead end. Ties: the lower move, then the lower label."""
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
    if begin(a, spec, s, True) < 0:
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
    if not spec.traits & GRAPH:
        complete(scorer, w, a, &c, s, parsed)
    return 0


# ── candidates ──
#
# Successors of the states of a beam, as one number each: score, then the rank of the parent, move and label, so that
# one comparison is the rule.

cdef struct Offers:
    # Successors of the states of a step.
    int64_t* items              # [size * MOST_MOVES] packed
    int32_t n
    int64_t top                 # the best of them


cdef inline int64_t pack(int32_t score, int32_t parent, int32_t move, int32_t label) noexcept nogil:
    """The label is 0 where it is no part of the move."""
    return (<int64_t>score * (<int64_t>1 << ORDER_BITS)) | (LAST - ((parent << MOVE_BITS | move) << LABEL_BITS | label))


cdef inline int32_t parent_in(int64_t item) noexcept nogil:
    return (LAST - <int32_t>(item & LAST)) >> (MOVE_BITS + LABEL_BITS)


cdef inline int32_t move_in(int64_t item) noexcept nogil:
    return (LAST - <int32_t>(item & LAST)) >> LABEL_BITS & STAY


cdef inline int32_t label_in(int64_t item) noexcept nogil:
    return (LAST - <int32_t>(item & LAST)) & (MOST_LABELS - 1)


cdef inline int32_t score_in(int64_t item) noexcept nogil:
    return <int32_t>(item >> ORDER_BITS)


cdef inline void offer(Offers* offers, int64_t item) noexcept nogil:
    offers.items[offers.n] = item
    offers.n += 1
    if item > offers.top:
        offers.top = item


# ── beams ──

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
            if lesson != NULL and lesson.margin and spec.drawing >> m & 1 and not spec.traits & GRAPH:
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
            + <int64_t>a.n_links * sizeof(Link) + <int64_t>a.n_branches * sizeof(Branch)
            + (<int64_t>a.graph.n_arcs * <int64_t>sizeof(Drawn) if a.graph != NULL else 0))


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
    if begin(a, spec, s, False) < 0:
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
    if rebuild(scorer, w, a, replay, &best, s, parsed) < 0:
        return -1
    return rebuild_others(scorer, w, beam, a, replay, s, i, &best, parsed) if parsed.n_trees > 1 else 0


cdef int rebuild_others(const Scorer* scorer, Scratch* w, const Beam* beam, Arena* a, Arena* replay,
                        const SentenceRows* s, int32_t n_final, const State* best, Parsed* parsed) noexcept nogil:
    """The different trees of the beam's final states, by the score of their best derivation."""
    cdef Parsed other
    cdef int32_t transitions = 0, found = 1, rank, r
    cdef size_t size = <size_t>s.n * sizeof(int32_t)
    cdef bint new
    memset(&other, 0, sizeof(Parsed))
    other.transitions = &transitions
    memcpy(parsed.tree_heads, parsed.heads, size)
    memcpy(parsed.tree_labels, parsed.labels, size)
    parsed.tree_scores[0] = best.score
    for rank in range(1, n_final):
        if found == parsed.n_trees:
            break
        other.heads = parsed.tree_heads + found * parsed.word_stride
        other.labels = parsed.tree_labels + found * parsed.word_stride
        if rebuild(scorer, w, a, replay, &beam.states[parent_in(beam.candidates[rank])], s, &other) < 0:
            return -1
        new = True
        for r in range(found):
            if (memcmp(other.heads, parsed.tree_heads + r * parsed.word_stride, size) == 0
                    and memcmp(other.labels, parsed.tree_labels + r * parsed.word_stride, size) == 0):
                new = False
                break
        if new:
            parsed.tree_scores[found * parsed.sentence_stride] = beam.states[parent_in(beam.candidates[rank])].score
            found += 1
    return 0


cdef int rebuild(const Scorer* scorer, Scratch* w, Arena* a, Arena* replay, const State* best, const SentenceRows* s,
                 Parsed* parsed) noexcept nogil:
    """Makes the moves of a state once more in the exclusive regime and reads off the tree."""
    cdef const Spec* spec = scorer.spec
    cdef State c
    cdef int32_t entry = best.history, next_entry = NONE, behind = NONE, previous
    if begin(replay, spec, s, True) < 0:
        return -1
    state_start(&c, spec, replay)
    while entry >= 0:                   # reverse the chain in place, and back again below
        previous = a.history[entry].previous
        a.history[entry].previous = next_entry
        next_entry = entry
        entry = previous
    while next_entry >= 0:
        if parsed.arc_logs != NULL:
            remember(scorer, w, replay, &c, a.history[next_entry].move, parsed)
        spec.apply(spec, replay, &c, a.history[next_entry].move, a.history[next_entry].label)
        made_move(parsed, a.history[next_entry].move, a.history[next_entry].label)
        previous = a.history[next_entry].previous
        a.history[next_entry].previous = behind
        behind = next_entry
        next_entry = previous
    if not spec.traits & GRAPH:
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
    if begin(a, spec, s, False) < 0:
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
