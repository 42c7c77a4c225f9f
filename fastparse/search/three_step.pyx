"""Three-step search: a projective tree by greedy search or a beam, then two passes over it.

Each pass goes through the words in its direction. At a word in focus it looks at the words that DIST can reach, the
last one first, and makes DIST where the score is above zero; then PUT or SHIFT by another score. A word waits under the
label of its anchor, which the first step has chosen, or under the label that a third table gives the most weight, the
anchor's in a tie: then the cell of the word has this label while it waits, and so does the arc that DIST draws.

The first step goes through the sentence from left to right, or from right to left over the mirrored sentence.

DIST is left out where its arc would close a cycle in the tree that the pass began with: there the focus is below the
word that waits, which the numbers of a walk through the tree tell at once. So the only child of the root stays that,
for all words are below it. Several arcs may still close a cycle together; their words get their anchors back when the
pass is over, and if that closes another one, all words do. So a tree stays a tree. Looking at a word takes a step per
label that is waited under, and a pass takes time linear in the words.

Templates see, in [put]: the focus word as B0 and as D, the words the pass comes to next as B1, B2, B3, the last
words that wait as S0, S1, S2, the anchor (the head so far) of the focus as H, and the head of the anchor as R1. In
[dist]: the focus as H, the word that waits as D, its anchor as S0, the head of the focus as S1, and the head of that
as S2.
"""

from libc.stdint cimport int64_t, uint16_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset

from fastparse.features.attributes cimport Mirror, mirror, mirror_close
from fastparse.features.plan cimport B0, D, H, N_POSITIONS, R1, S0, nothing
from fastparse.machine.arena cimport arena_close, arena_open, arena_start, state_start
from fastparse.machine.operations cimport connect
from fastparse.machine.state cimport NONE
from fastparse.machine.system cimport System
from fastparse.weights.table cimport BaseTable, add_all
from fastparse.search.beam cimport Parsed, made_move
from fastparse.search.engine cimport (
    Engine, Loop, Outcome, Request, Seat, Worker, parse_each, parse_sentence, require_moves)
from fastparse.transition_systems.three_step cimport DIST, N_MOVES, PUT, SHIFT, set_anchors

from fastparse.transition_systems.three_step import LEFT, RIGHT


# ── the tree ──

cdef void number_words(Theta* t, int32_t n, const int32_t* heads) noexcept nogil:
    """Numbers the words as a walk through the tree enters them, and says how far it has come when it leaves them."""
    cdef int32_t w, entered = 0
    for w in range(n + 1):
        t.child[w] = NONE
    t.sibling[0] = NONE
    for w in range(n, 0, -1):
        t.sibling[w] = t.child[heads[w - 1]]
        t.child[heads[w - 1]] = w
    w = 0
    while True:
        t.enters[w] = entered
        entered += 1
        if t.child[w] >= 0:
            w = t.child[w]
            continue
        while w > 0 and t.sibling[w] < 0:
            t.leaves[w] = entered
            w = heads[w - 1]
        t.leaves[w] = entered
        if w == 0:
            return
        w = t.sibling[w]


cdef inline bint is_below(const Theta* t, int32_t word, int32_t top) noexcept nogil:
    """Whether a word is another one or below it in the tree that was numbered."""
    return t.enters[top] <= t.enters[word] < t.leaves[top]


# ── words that wait ──

cdef inline void theta_close(Theta* t) noexcept nogil:
    free(t.top)
    free(t.below)
    memset(t, 0, sizeof(Theta))


cdef inline int theta_start(Theta* t, int32_t n) noexcept nogil:
    cdef int32_t k
    if n + 1 > t.room:
        free(t.below)
        t.room = n + n // 2 + 64
        t.below = <int32_t*>malloc(9 * <size_t>t.room * sizeof(int32_t))
        if t.below == NULL:
            t.room = 0
            return -1
        t.older, t.newer = t.below + t.room, t.below + 2 * <size_t>t.room
        t.older_top, t.newer_top = t.below + 3 * <size_t>t.room, t.below + 4 * <size_t>t.room
        t.enters, t.leaves = t.below + 5 * <size_t>t.room, t.below + 6 * <size_t>t.room
        t.child, t.sibling = t.below + 7 * <size_t>t.room, t.below + 8 * <size_t>t.room
    for k in range(t.n_labels):
        t.top[k] = NONE
    t.first = t.first_top = NONE
    return 0


cdef inline void link_between(int32_t* older, int32_t* newer, int32_t* first, int32_t word, int32_t after,
                              int32_t before) noexcept nogil:
    """Puts a word into a list behind the newer word `after` and before the older one."""
    newer[word], older[word] = after, before
    if after >= 0:
        older[after] = word
    else:
        first[0] = word
    if before >= 0:
        newer[before] = word


cdef inline void unlink(int32_t* older, int32_t* newer, int32_t* first, int32_t word) noexcept nogil:
    if newer[word] >= 0:
        older[newer[word]] = older[word]
    else:
        first[0] = older[word]
    if older[word] >= 0:
        newer[older[word]] = newer[word]


cdef void put(Desk* desk, int32_t focus) noexcept nogil:
    """PUT the focus word under the label of its cell."""
    cdef Theta* t = &desk.theta
    cdef int32_t label = desk.arena.cells[focus].label
    if t.top[label] >= 0:
        unlink(t.older_top, t.newer_top, &t.first_top, t.top[label])
    t.below[focus] = t.top[label]
    t.top[label] = focus
    link_between(t.older_top, t.newer_top, &t.first_top, focus, NONE, t.first_top)
    link_between(t.older, t.newer, &t.first, focus, NONE, t.first)


cdef int32_t dist(Desk* desk, const Pass* p, int32_t focus, int32_t waiting) noexcept nogil:
    """DIST: the word (a top) gets the focus word as its head. Returns the next of the list of tops."""
    cdef Theta* t = &desk.theta
    cdef Arena* a = &desk.arena
    cdef int32_t label = a.cells[waiting].label, before = t.newer_top[waiting], after = t.older_top[waiting]
    cdef int32_t next_one = t.below[waiting], behind = before, ahead = after
    connect(a, &desk.state, focus, waiting, label)
    unlink(t.older, t.newer, &t.first, waiting)
    unlink(t.older_top, t.newer_top, &t.first_top, waiting)
    t.top[label] = next_one
    if next_one >= 0:
        # Words wait in the order in which the pass came to them.
        while ahead >= 0 and ((ahead < next_one) if p.spec.options else (ahead > next_one)):
            behind, ahead = ahead, t.older_top[ahead]
        link_between(t.older_top, t.newer_top, &t.first_top, next_one, behind, ahead)
    return t.older_top[before] if before >= 0 else t.first_top


cdef bint undo_cycles(Desk* desk, const int32_t* anchors, const int32_t* labels) noexcept nogil:
    """Gives all words on cycles their anchors back, with their labels; whether there were any."""
    cdef int32_t* seen = desk.theta.child
    cdef int32_t w, k, following
    cdef bint found = False
    for w in range(1, desk.arena.n + 1):
        seen[w] = NONE
    for w in range(1, desk.arena.n + 1):
        k = w
        while k > 0 and seen[k] < 0:
            seen[k] = w
            k = desk.arena.cells[k].head
        if k > 0 and seen[k] == w:
            # Back at a word of this very climb: once around the cycle.
            found = True
            while seen[k] == w:
                seen[k] = 0
                following = desk.arena.cells[k].head
                desk.arena.cells[k].head, desk.arena.cells[k].label = anchors[k - 1], <uint16_t>labels[k - 1]
                k = following
    return found


# ── what templates see ──

cdef inline const Cell* cell_at(const Desk* desk, int32_t word) noexcept nogil:
    if 0 <= word <= desk.arena.n:
        return &desk.arena.cells[word]
    return nothing()


cdef void locate_put(const Pass* p, const Desk* desk, int32_t focus, const Cell** at) noexcept nogil:
    cdef int32_t k, step = -1 if p.spec.options else 1, word = desk.theta.first
    for k in range(N_POSITIONS):
        at[k] = nothing()
    for k in range(3):
        if word < 0:
            break
        at[S0 + k] = &desk.arena.cells[word]
        word = desk.theta.older[word]
    for k in range(4):
        # The pass does not come to the root.
        if focus + k * step > 0:
            at[B0 + k] = cell_at(desk, focus + k * step)
    at[D] = at[B0]
    at[H] = cell_at(desk, at[D].head)
    at[R1] = cell_at(desk, at[H].head)


cdef void locate_dist(const Desk* desk, int32_t focus, int32_t waiting, const Cell** at) noexcept nogil:
    cdef int32_t k
    for k in range(N_POSITIONS):
        at[k] = nothing()
    at[H] = &desk.arena.cells[focus]
    at[D] = &desk.arena.cells[waiting]
    at[S0] = cell_at(desk, at[D].head)
    at[S0 + 1] = cell_at(desk, at[H].head)
    at[S0 + 2] = cell_at(desk, at[S0 + 1].head)


cdef int32_t score(const PlanC* plan, const Table* table, Desk* desk, const SentenceRows* s,
                   const Cell* const* at) noexcept nogil:
    memset(desk.sums, 0, sizeof(desk.sums))
    add_all(table, plan, s, at, desk.keys, desk.sums)
    return desk.sums[0]


# ── a pass ──

cdef int desk_open(Desk* desk, int32_t n_labels, int32_t room) except -1:
    memset(desk, 0, sizeof(Desk))
    desk.theta.n_labels, desk.room = n_labels, max(n_labels, room)
    desk.theta.top = <int32_t*>calloc(n_labels, sizeof(int32_t))
    desk.label_sums = <int32_t*>calloc(desk.room, sizeof(int32_t))
    if desk.theta.top == NULL or desk.label_sums == NULL:
        desk_close(desk)
        raise MemoryError
    arena_open(&desk.arena)
    return 0


cdef void desk_close(Desk* desk) noexcept nogil:
    arena_close(&desk.arena)
    theta_close(&desk.theta)
    free(desk.label_sums)
    memset(desk, 0, sizeof(Desk))


cdef int desk_start(Desk* desk, const Pass* p, int32_t n, const int32_t* heads, const int32_t* labels) noexcept nogil:
    if arena_start(&desk.arena, p.spec, n, True) < 0 or theta_start(&desk.theta, n) < 0:
        return -1
    state_start(&desk.state, p.spec, &desk.arena)
    set_anchors(&desk.arena, &desk.state, heads, labels)
    number_words(&desk.theta, n, heads)
    desk.step = 0
    desk.focus = desk.waiting = NONE
    return 0


cdef bint next_question(const Pass* p, Desk* desk, const Cell** at) noexcept nogil:
    if desk.focus < 0:
        if desk.step == desk.arena.n:
            return False
        desk.step += 1
        desk.focus = desk.arena.n + 1 - desk.step if p.spec.options else desk.step
        desk.waiting = desk.theta.first_top
    if desk.waiting >= 0:
        locate_dist(desk, desk.focus, desk.waiting, at)
    else:
        locate_put(p, desk, desk.focus, at)
    return True


cdef int32_t waiting_label(const Pass* p, Desk* desk, const SentenceRows* s, const Cell* const* at) noexcept nogil:
    cdef int32_t best = desk.arena.cells[desk.focus].label, label
    if not p.labelled:
        return best
    memset(desk.label_sums, 0, desk.room * sizeof(int32_t))
    add_all(&p.label_table, p.put, s, at, desk.keys, desk.label_sums)
    for label in range(desk.theta.n_labels):
        if desk.label_sums[label] > desk.label_sums[best]:
            best = label
    return best


cdef int32_t answer(const Pass* p, Desk* desk, bint yes, int32_t label) noexcept nogil:
    cdef int32_t focus = desk.focus
    if desk.waiting < 0:
        desk.focus = NONE
        if yes:
            desk.arena.cells[focus].label = <uint16_t>label
            put(desk, focus)
        return PUT if yes else SHIFT
    if yes and not is_below(&desk.theta, focus, desk.waiting):
        desk.waiting = dist(desk, p, focus, desk.waiting)
        return DIST
    desk.waiting = desk.theta.older_top[desk.waiting]
    return NONE


cdef int run_pass(const Pass* p, Desk* desk, const SentenceRows* s, Parsed* parsed) noexcept nogil:
    """Replaces heads in place; -1 when memory is short."""
    cdef const Cell* at[N_POSITIONS]
    cdef int32_t k, move, label = 0
    cdef bint yes
    if desk_start(desk, p, s.n, parsed.heads, parsed.labels) < 0:
        return -1
    while next_question(p, desk, at):
        if desk.waiting >= 0:
            yes = score(p.dist, &p.dist_table, desk, s, at) > 0
        else:
            yes = score(p.put, &p.put_table, desk, s, at) > 0
            label = waiting_label(p, desk, s, at) if yes else 0
        move = answer(p, desk, yes, label)
        if move >= 0:
            made_move(parsed, move, 0)
    k = desk.theta.first
    while k >= 0:
        # It waits in vain: its anchor stays, with the label that this had.
        desk.arena.cells[k].label = <uint16_t>parsed.labels[k - 1]
        k = desk.theta.older[k]
    if undo_cycles(desk, parsed.heads, parsed.labels) and undo_cycles(desk, parsed.heads, parsed.labels):
        return 0
    for k in range(1, s.n + 1):
        parsed.heads[k - 1], parsed.labels[k - 1] = desk.arena.cells[k].head, desk.arena.cells[k].label
    return 0


cdef class PassEngine:
    """One pass with its templates and weights."""

    def __init__(self, str side, Plan put, Plan dist, put_table, dist_table, label_table=None):
        """Make the pass of a side, "left" or "right".

        Args:
            put_table, dist_table: of one class each.
            label_table: a class per label, if PUT chooses the label that a word waits under; it reads what put does.
        """
        self.system = LEFT if side == "left" else RIGHT
        self.put_plan, self.dist_plan = put, dist
        self.put_table, self.dist_table = put_table, dist_table
        self.c.spec = &(<System>self.system).spec
        self.c.put, self.c.dist = &put.c, &dist.c
        self.c.put_table, self.c.dist_table = (<BaseTable?>put_table).table(), (<BaseTable?>dist_table).table()
        if self.c.put_table.room > PASS_ROOM or self.c.dist_table.room > PASS_ROOM:
            raise ValueError(f"tables of {put_table.width} and {dist_table.width} classes; a pass takes one of each")
        self.label_table = label_table
        self.c.labelled = label_table is not None
        if self.c.labelled:
            self.c.label_table = (<BaseTable?>label_table).table()


# ── the first step from right to left ──

cdef void turn(int32_t* heads, int32_t* labels, int32_t n) noexcept nogil:
    cdef int32_t first, last, head
    for first in range((n + 1) // 2):
        last = n - 1 - first
        head = heads[first]
        heads[first] = n + 1 - heads[last] if heads[last] > 0 else 0
        if first != last:
            heads[last] = n + 1 - head if head > 0 else 0
        labels[first], labels[last] = labels[last], labels[first]


cdef struct MirrorWorker:
    # A search in one thread that goes through sentences from right to left if that is asked for.
    Worker* search
    bint mirrored
    Mirror mirror


cdef int parse_mirrored(void* worker, const SentenceRows* s, Parsed* parsed) noexcept nogil:
    """See ParseOne."""
    cdef MirrorWorker* w = <MirrorWorker*>worker
    cdef SentenceRows rows
    if not w.mirrored:
        return parse_sentence(w.search, s, parsed)
    if mirror(&w.mirror, s, &rows) < 0 or parse_sentence(w.search, &rows, parsed) < 0:
        return -1
    turn(parsed.heads, parsed.labels, s.n)
    return 0


cdef class MirroredEngine(Loop):
    """An engine whose search goes through sentences from right to left."""
    cdef readonly Engine engine

    def __init__(self, Engine engine):
        self.engine = engine

    cdef int64_t run(self, values, Outcome out, Py_ssize_t first, Py_ssize_t last, const Request* request) except -1:
        cdef Seat seat
        cdef MirrorWorker worker
        require_moves(out, self.engine.scorer.spec.n_moves)
        seat = self.take(&self.engine.scorer, request, request.sharing and request.beam > 1)
        worker = MirrorWorker(&seat.worker, True, Mirror(0, 0, NULL, NULL))
        try:
            parse_each(values, out, first, last, parse_mirrored, &worker)
        finally:
            mirror_close(&worker.mirror)
        self.give_back(seat)
        return seat.worker.scratch.n_templates_scored


# ── all steps ──

cdef struct PassWorker:
    # Both passes, in one thread, and if it is there the first step before them.
    MirrorWorker* first_step
    const Pass* left
    const Pass* right
    Desk desk
    int32_t n_moves             # of the first step


cdef int parse_in_steps(void* worker, const SentenceRows* s, Parsed* parsed) noexcept nogil:
    cdef PassWorker* w = <PassWorker*>worker
    cdef Parsed passes = parsed[0]
    if w.first_step != NULL and parse_mirrored(w.first_step, s, parsed) < 0:
        return -1
    if passes.made != NULL:
        passes.made += w.n_moves
    if run_pass(w.left, &w.desk, s, &passes) < 0:
        return -1
    if passes.made != NULL:
        passes.made += N_MOVES
    return run_pass(w.right, &w.desk, s, &passes)


cdef class ThreeStepEngine(Loop):
    """Parses as an Engine does; the beam is that of the first step.

    The moves of the passes are columns of by_move behind those of the first step.
    """
    cdef readonly Engine engine
    cdef readonly PassEngine left
    cdef readonly PassEngine right
    cdef readonly bint mirrored

    def __init__(self, Engine engine, PassEngine left, PassEngine right, bint mirrored=False):
        """Args: mirrored, whether the first step goes through sentences from right to left."""
        self.engine, self.left, self.right, self.mirrored = engine, left, right, mirrored

    cdef int64_t run(self, values, Outcome out, Py_ssize_t first, Py_ssize_t last, const Request* request) except -1:
        cdef Seat seat = self.take(&self.engine.scorer, request, request.sharing and request.beam > 1)
        cdef MirrorWorker worker = MirrorWorker(&seat.worker, self.mirrored, Mirror(0, 0, NULL, NULL))
        try:
            self.passes(&worker, values, out, first, last)
        finally:
            mirror_close(&worker.mirror)
        self.give_back(seat)
        return seat.worker.scratch.n_templates_scored

    def improve(self, values, Outcome out not None, Py_ssize_t first, Py_ssize_t last):
        """Both passes over the trees that `out` has; transitions and times are theirs."""
        self.passes(NULL, values, out, first, last)

    cdef int passes(self, MirrorWorker* first_step, values, Outcome out, Py_ssize_t first, Py_ssize_t last) except -1:
        cdef PassWorker worker
        worker.first_step = first_step
        worker.left, worker.right = &self.left.c, &self.right.c
        worker.n_moves = self.engine.scorer.spec.n_moves
        require_moves(out, worker.n_moves + 2 * N_MOVES)
        desk_open(&worker.desk, self.engine.scorer.n_labels,
                  max(self.left.c.label_table.room, self.right.c.label_table.room))
        try:
            return parse_each(values, out, first, last, parse_in_steps, &worker)
        finally:
            desk_close(&worker.desk)
