"""The second and third step of the three-step system: non-projective heads take the place of anchors.

The first step builds a projective tree in which a non-projective arc hangs from an anchor, with any projective system.
Then

    move         from                 to                        legal when
    SHIFT        (T, j)               (T, j')                   -
    PUT(label)   (T, j)               (T|label: j, j')          -
    DIST(label)  (T|label: i|U, j)    (T|U, j)            j->i  U holds no word that waits under this label

where T and U are the words that wait for a head, and j' is the word after j. three-step/left visits the words from 1 to
n and finds the heads of words to the left of their heads; three-step/right visits them from n to 1 and finds the rest.
Both start with the anchors as arcs and end behind the last word. A word in focus waits for a head once at most, and
DIST replaces its anchor. The static oracle runs all three steps: theory/three_step_oracle.py.
"""

from fastparse.machine.operations cimport adopt, attach
from fastparse.machine.spec cimport OVER_WORDS, ROOT_IN_FOCUS, Spec
from fastparse.machine.state cimport Arena, NONE, State, int32_t, uint16_t, uint32_t
from fastparse.machine.system cimport System
from fastparse.machine.words cimport cell_of, own_word, pop_word, push_word, top_word

cdef enum:
    RIGHT_PASS = 1              # Spec.options


cdef void set_anchors(Arena* a, State* c, const int32_t* heads, const int32_t* labels) noexcept nogil:
    cdef int32_t w
    # First all heads, so that every word finds the head of its head.
    for w in range(1, a.n + 1):
        a.cells[w].head = heads[w - 1]
        a.cells[w].label = <uint16_t>labels[w - 1]
    for w in range(1, a.n + 1):
        attach(a, w, heads[w - 1], labels[w - 1])
        adopt(a, c, heads[w - 1], w, labels[w - 1])


cdef int32_t waiting_word(const Arena* a, const State* c, int32_t label) noexcept nogil:
    cdef int32_t link = c.stack[0], cell
    while link >= 0:
        cell = cell_of(a, c, a.links[link].word)
        if a.cells[cell].own[WAITS] and a.cells[cell].own[UNDER] == label:
            return a.links[link].word
        link = a.links[link].below
    return NONE


cdef uint32_t legal(const Spec* spec, const Arena* a, const State* c) noexcept nogil:
    """DIST is legal under some label when any word waits; waiting_word says under which."""
    if c.next > a.n:
        return 0
    return (1 << SHIFT) | (1 << PUT) | ((1 << DIST) if c.stack[0] >= 0 else 0)


cdef void apply(const Spec* spec, Arena* a, State* c, int32_t move, int32_t label) noexcept nogil:
    cdef int32_t j = focus_word(spec, a, c), i, head, dependent
    if move == DIST:
        i = waiting_word(a, c, label)
        head = own_word(a, c, j)
        dependent = own_word(a, c, i)
        attach(a, dependent, head, label)
        a.cells[dependent].own[WAITS] = 0
        adopt(a, c, head, i, label)
        # The top waits, or the stack is empty.
        while c.stack[0] >= 0 and not a.cells[cell_of(a, c, top_word(a, c, 0))].own[WAITS]:
            pop_word(a, c, 0)
        return
    if move == PUT:
        dependent = own_word(a, c, j)
        a.cells[dependent].own[WAITS] = 1
        a.cells[dependent].own[UNDER] = label
        push_word(a, c, 0, j)
    c.next += 1


cdef bint is_final(const Spec* spec, const Arena* a, const State* c) noexcept nogil:
    return c.next > a.n


cdef void arc(const Spec* spec, const Arena* a, const State* c, int32_t move,
              int32_t* head, int32_t* dependent) noexcept nogil:
    """For the last word that waits, whatever its label; waiting_word knows the others."""
    head[0], dependent[0] = cell_of(a, c, focus_word(spec, a, c)), cell_of(a, c, top_word(a, c, 0))


cdef Spec LEFT_SPEC = Spec(
    n_moves=N_MOVES, labelled=(1 << PUT) | (1 << DIST), drawing=1 << DIST, leftward=0,
    traits=OVER_WORDS | ROOT_IN_FOCUS, n_stacks=1, cells_per_move=2, options=0, data=NULL, start=NULL, legal=legal,
    apply=apply, is_final=is_final, arc=arc)
cdef Spec RIGHT_SPEC = LEFT_SPEC
RIGHT_SPEC.options = RIGHT_PASS

LEFT = System.wrap(&LEFT_SPEC, "three-step/left", ("SHIFT", "PUT", "DIST"), "", None, ("focus", "theta"))
RIGHT = System.wrap(&RIGHT_SPEC, "three-step/right", ("SHIFT", "PUT", "DIST"), "", None, ("focus", "theta"))
