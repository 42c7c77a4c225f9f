"""Swap, eager (Nivre, 2009) and lazy (Nivre, Kuhlmann and Hall, 2009).

The projective order is the in-order traversal of the tree: left children, word, right children. Both oracles draw an
arc as soon as the dependent has all its own dependents, and otherwise SHIFT unless SWAP is due. The eager one swaps
whenever s comes before t in the projective order. The lazy one waits while s and the buffer front belong to the same
maximal projective component, which they can form without a swap; it never swaps more often. The component of a word
is its topmost ancestor in the forest that the oracle without SWAP builds.

The one with the fewest swaps searches (fewest_swaps.pxd). Where the search takes too long, and where the lazy oracle
swaps no more often, it is the lazy one.
"""

from fastparse.machine.operations cimport below, buffer_word, word_of
from fastparse.machine.spec cimport Spec
from fastparse.machine.state cimport Arena, NONE, State, int32_t
from fastparse.oracles.fewest_swaps cimport Plan, find_fewest_swaps, free_plan
from fastparse.oracles.oracle cimport Gold, Oracle, READY
from fastparse.oracles.static_oracle cimport StaticOracle

cdef enum:
    SHIFT, LEFT_ARC, RIGHT_ARC, SWAP

cdef enum:
    LAZY, EAGER, FEWEST         # Gold.options

cdef enum:
    # Gold.scratch
    ORDER = 0                   # place in the projective order
    COMPONENT = 1               # topmost word of the maximal projective component
    CURSOR = 2                  # traversal: next child to visit
    ATTACHED = 3                # whether the oracle without SWAP reaches the arc to the head
    STACK = 4                   # of the oracle without SWAP
    WAITING = 5                 # children that the oracle without SWAP has not attached yet
    N_SCRATCH = 6


cdef void attach_without_swap(Gold* gold) noexcept nogil:
    """Marks the words to which the oracle without SWAP gives their heads."""
    cdef int32_t* attached = gold.scratch[ATTACHED]
    cdef int32_t* stack = gold.scratch[STACK]
    cdef int32_t* waiting = gold.scratch[WAITING]
    cdef int32_t w, s, t, top = 0
    for w in range(gold.n + 1):
        attached[w] = 0
        waiting[w] = 0
    for w in range(1, gold.n + 1):
        waiting[gold.head[w]] += 1
    stack[0] = 0
    for w in range(1, gold.n + 1):
        top += 1
        stack[top] = w
        while top > 0:
            s, t = stack[top], stack[top - 1]
            if gold.head[t] == s and waiting[t] == 0:
                attached[t] = 1
                waiting[s] -= 1
                stack[top - 1] = s
            elif gold.head[s] == t and waiting[s] == 0:
                attached[s] = 1
                waiting[t] -= 1
            else:
                break
            top -= 1


cdef int prepare(const Oracle* oracle, const Spec* spec, Gold* gold) noexcept nogil:
    cdef int32_t* order = gold.scratch[ORDER]
    cdef int32_t* component = gold.scratch[COMPONENT]
    cdef int32_t* cursor = gold.scratch[CURSOR]
    cdef const int32_t* attached = gold.scratch[ATTACHED]
    cdef int32_t w, child, place = 0
    attach_without_swap(gold)
    for w in range(gold.n + 1):
        cursor[w] = gold.first_child[w]
        order[w] = NONE
    component[0] = 0
    w = 0
    while w >= 0:
        child = cursor[w]
        if order[w] < 0 and (child < 0 or child > w):
            order[w] = place
            place += 1
        if child < 0:
            w = gold.head[w]
            continue
        cursor[w] = gold.next_child[child]
        component[child] = component[w] if attached[child] else child
        w = child
    return find_fewest_swaps(gold, order, component) if gold.options == FEWEST else READY


cdef inline bint choice(Plan* plan) noexcept nogil:
    plan.at += 1
    return plan.choices[plan.at - 1]


cdef void close(const Oracle* oracle, Gold* gold) noexcept nogil:
    free_plan(gold)


cdef int32_t next_move(const Oracle* oracle, const Spec* spec, const Arena* a, const State* c,
                       Gold* gold) noexcept nogil:
    cdef int32_t s = word_of(a, c.stack[0]), t = word_of(a, below(a, c.stack[0])), b = buffer_word(a, c)
    cdef const int32_t* component
    if t >= 0:
        if gold.head[t] == s and gold.missing[t] == 1:
            return LEFT_ARC
        if gold.head[s] == t and gold.missing[s] == 1:
            return RIGHT_ARC
        if gold.options == FEWEST and gold.extra != NULL and (<Plan*>gold.extra).found:
            if 0 < t < s and (b < 0 or choice(<Plan*>gold.extra)):
                return SWAP
            return SHIFT if b >= 0 else NONE
        if gold.scratch[ORDER][s] < gold.scratch[ORDER][t]:
            component = gold.scratch[COMPONENT]
            if gold.options == EAGER or b < 0 or component[s] != component[b]:
                return SWAP
    return SHIFT if b >= 0 else NONE


cdef Oracle ORACLE_C = Oracle(
    n_scratch=N_SCRATCH, analyses=False, prepare=prepare, next=next_move, made=NULL, close=close, retry=NULL)
ORACLE = StaticOracle.wrap(&ORACLE_C, ("lazy", "eager", "fewest"))
