"""Arc-eager under the tree constraint (Nivre and Fernández-González, 2014): projective trees, and always trees.

    move        from           to                 legal when
    SHIFT       (S, b|B)       (S|b, B)           no word was unshifted
    REDUCE      (S|s, B)       (S, B)             s has a head
    LEFT-ARC    (S|s, b|B)     (S, b|B)    b->s   s is not the root and has no head
    RIGHT-ARC   (S|s, b|B)     (S|s|b, B)  s->b   -
    UNSHIFT     (S|s, [])      (S, [s])           s is not the root and has no head

Starts with the root on the stack; final when only the root is left. Once the buffer is empty, words with a head leave
the stack, and the others come back to the buffer, one at a time, until they have one: there is always a move, and at
most 4n of them. The static oracle derives a tree in 2n moves, without UNSHIFT.

The flag of the paper is set when the buffer gets empty, this one when UNSHIFT fills it again: SHIFT is never legal in
between, so both bar the same moves.

The static oracle is that of arc-eager, with REDUCE when the buffer is empty and all words have heads. Where the tree is
not projective a word may lack its head at the end; REDUCE is not legal then.

The dynamic oracle is that of arc-eager, and exact, while no arc between two words of the stack is left that could be
drawn once the upper one has come back. Elsewhere every move is tried (lookahead.pxd), with a rule of thumb: arc-eager's
oracle until a word has come back. Then b is all of the buffer, and the moves cost

    REDUCE s      b's head, if it is s
    LEFT-ARC      b's head, if it is s; s's head on the stack; s's headless children on the stack
    RIGHT-ARC     b's head on the stack below s; b's headless children on the stack

Such arcs can be drawn one by one, not all together: the look ahead finds out which.
"""

from fastparse.machine.operations cimport buffer_word, front, has_head, pop, top_and_front, unshift, word_of
from fastparse.machine.spec cimport ROOT_ON_STACK, Spec
from fastparse.machine.state cimport Arena, State, int32_t, uint32_t
from fastparse.machine.system cimport System
from fastparse.transition_systems.arc_eager cimport (
    LEFT_ARC, N_MOVES as N_ARC_EAGER, REDUCE, RIGHT_ARC, SHIFT, apply as apply_arc_eager,
    best_moves as best_of_arc_eager, legal as legal_in_arc_eager, next_move as next_in_arc_eager)
from fastparse.transition_systems.lookahead cimport look_ahead
from fastparse.transition_systems.oracle cimport DynamicOracle, Gold, StaticOracle, cheapest

cdef enum:
    UNSHIFT = N_ARC_EAGER
    N_MOVES

cdef enum:
    # State.own_flags
    UNSHIFTED = 1               # a word has come back to the buffer, so that no other is shifted


cdef uint32_t legal(const Spec* spec, const Arena* a, const State* c) noexcept nogil:
    cdef int32_t s = c.stack[0]
    if front(a, c) >= 0:
        return legal_in_arc_eager(spec, a, c) & ~(<uint32_t>(c.own_flags & UNSHIFTED) << SHIFT)
    if has_head(a, s):
        return <uint32_t>1 << REDUCE
    return <uint32_t>(word_of(a, s) != 0) << UNSHIFT


cdef void apply(const Spec* spec, Arena* a, State* c, int32_t move, int32_t label) noexcept nogil:
    if move == UNSHIFT:
        unshift(a, c, pop(a, c))
        c.own_flags = UNSHIFTED
    else:
        apply_arc_eager(spec, a, c, move, label)


cdef bint is_final(const Spec* spec, const Arena* a, const State* c) noexcept nogil:
    return front(a, c) < 0 and word_of(a, c.stack[0]) == 0


cdef Spec SPEC = Spec(
    n_moves=N_MOVES, labelled=(1 << LEFT_ARC) | (1 << RIGHT_ARC), drawing=(1 << LEFT_ARC) | (1 << RIGHT_ARC),
    leftward=1 << LEFT_ARC, traits=ROOT_ON_STACK, n_stacks=1, cells_per_move=2, options=0, data=NULL, start=NULL,
    legal=legal, apply=apply, is_final=is_final, arc=top_and_front)

SYSTEM = System.wrap(
    &SPEC, "arc-eager/unshift", ("SHIFT", "REDUCE", "LEFT-ARC", "RIGHT-ARC", "UNSHIFT"), "projective", None, (),
    {"unshifted": UNSHIFTED})


# ── the static oracle ──

cdef int32_t next_move(const Spec* spec, const Arena* a, const State* c, Gold* gold) noexcept nogil:
    return next_in_arc_eager(spec, a, c, gold) if front(a, c) >= 0 else REDUCE


ORACLE = StaticOracle.wrap(next_move)


# ── the dynamic oracle ──

cdef uint32_t rule(const Spec* spec, const Arena* a, const State* c, const int32_t* head, int32_t* scratch,
                   uint32_t legal) noexcept nogil:
    cdef int32_t b = buffer_word(a, c), s = word_of(a, c.stack[0]), cell = c.stack[0], k
    cdef int32_t cost[N_MOVES]
    if b < 0:
        return legal
    if not c.own_flags & UNSHIFTED:
        return best_of_arc_eager(spec, a, c, head, scratch, legal)
    cost[SHIFT] = cost[UNSHIFT] = cost[RIGHT_ARC] = 0
    cost[REDUCE] = cost[LEFT_ARC] = head[b] == s
    while cell >= 0:
        k = a.cells[cell].word
        cost[LEFT_ARC] += head[s] == k or (a.cells[cell].head < 0 and head[k] == s)
        cost[RIGHT_ARC] += (k != s and head[b] == k) or (a.cells[cell].head < 0 and head[k] == b)
        cell = a.cells[cell].below
    return cheapest(cost, N_MOVES, legal)


cdef int32_t count(const Arena* a, const State* c, const int32_t* head, int32_t* where, bint on_stack) noexcept nogil:
    """Arcs that can be drawn, each for itself, between words of the stack (on_stack), or all and those drawn."""
    cdef int32_t b = buffer_word(a, c), cell = c.stack[0], w, h, found = 0
    for w in range(a.n + 1):
        where[w] = b >= 0 and w >= b            # 0 if the word is gone, 1 in the buffer, 2 on the stack
    while cell >= 0:
        where[a.cells[cell].word] = 2
        cell = a.cells[cell].below
    for w in range(1, a.n + 1):
        h = head[w]
        if a.cells[w].head >= 0 or not where[w] or not where[h]:
            found += not on_stack and a.cells[w].head == h
        elif where[w] == where[h] == 2:
            found += a.cells[max(w, h)].head < 0  # the upper one comes back
        else:
            found += not on_stack
    return found


cdef int32_t hope(const Spec* spec, const Arena* a, const State* c, const int32_t* head,
                  int32_t* scratch) noexcept nogil:
    return count(a, c, head, scratch, False)


cdef uint32_t best_moves(const Spec* spec, const Arena* a, const State* c, const int32_t* head, int32_t* scratch,
                         uint32_t legal) noexcept nogil:
    if front(a, c) >= 0 and not c.own_flags & UNSHIFTED and count(a, c, head, scratch, True) == 0:
        return best_of_arc_eager(spec, a, c, head, scratch, legal)
    return look_ahead(spec, a, c, head, scratch, legal, rule, hope)


DYNAMIC = DynamicOracle.wrap(best_moves)
