"""Steps two and three of the three-step system: anchors of a projective tree give way to heads.

The valencies that wait for a head (theta) are a stack of links over Words; the label a word waits under and
whether it still does stand in its cell. A word that has got its head stays in the stack and is passed
over, so that nothing is copied in the shared regime.
"""

from fastparse.machine.spec cimport Spec
from fastparse.machine.state cimport Arena, State, int32_t

cdef enum:
    SHIFT, PUT, DIST, N_MOVES

cdef enum:
    # Cell.own
    UNDER                       # the label that the word waits or has waited under
    WAITS                       # whether it waits


cdef inline int32_t focus_word(const Spec* spec, const Arena* a, const State* c) noexcept nogil:
    """The word in focus: 1, 2, .. n in the left pass, n, .. 2, 1 in the right one."""
    return a.n + 1 - c.next if spec.options else c.next

# The anchors (a head and a label id per word) become arcs of the initial configuration; exclusive regime only.
cdef void set_anchors(Arena* a, State* c, const int32_t* heads, const int32_t* labels) noexcept nogil
# The word that DIST(label) would give a head, or NONE.
cdef int32_t waiting_word(const Arena* a, const State* c, int32_t label) noexcept nogil
