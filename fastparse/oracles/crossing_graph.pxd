"""Two-colouring of the arcs of a tree such that crossing arcs differ. An arc is the word that depends."""

from fastparse.machine.state cimport int32_t
from fastparse.oracles.oracle cimport Gold

cdef struct Colours:
    int32_t* parent             # [n + 1]  connected arcs: union-find
    int32_t* size               # [n + 1]
    int32_t* differs            # [n + 1]  whether the colour differs from that of the parent
    int32_t* block              # [n + 1]  neighbours among the open arcs that must be of one colour: union-find
    int32_t* lowest             # [n + 1]  of a block's representative: its open arc that starts furthest left
    int32_t* below              # [n + 1]  open arcs as a list, by their starts
    int32_t* above              # [n + 1]

# False when the tree is not 2-planar. Needs the lists of list_left_arcs. Linear but for union-find.
cdef bint colour_arcs(const Gold* gold, Colours* k, const int32_t* ending, const int32_t* next_ending) noexcept nogil
# The representative of the arcs connected with this one by crossings.
cdef int32_t component_of(Colours* k, int32_t arc) noexcept nogil
# Whether the arc's colour differs from that of its representative; valid after component_of(arc).
cdef bint colour_of(const Colours* k, int32_t arc) noexcept nogil
