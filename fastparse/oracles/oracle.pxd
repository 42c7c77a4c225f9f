"""Static oracles: for a tree, the next move of one derivation of it."""

from fastparse.machine.spec cimport Spec
from fastparse.machine.state cimport Arena, State, int32_t
from fastparse.trees.tree cimport Tree

cdef enum:
    MAX_SCRATCH = 12
    # What prepare returns.
    READY = 0
    OUTSIDE = -1                # the tree is outside the system's class
    NO_MEMORY = -2
    TOO_MANY = -3               # an exact search would explode
    # What only the driver returns.
    NOT_A_TREE = -4             # a head out of range, or a cycle

cdef struct Gold:
    # The tree to build, in the exclusive regime. Arrays are owned by the driver and reused between sentences.
    Tree tree                   # linked, without root arcs if there is no root token; the oracle may use its scratch
    int32_t n
    const int32_t* head         # [n + 1]  of the tree; graph systems: NONE everywhere
    const int32_t* first_child  # [n + 1]  of the tree; graph systems: first arc from this head
    const int32_t* next_child   # [n + 1]  of the tree
    const int32_t* label        # [n + 1]  label ids; label[0] unused
    int32_t* missing            # [n + 1]  arcs of the tree at this word, as head or dependent, that are not built yet
    int32_t* scratch[MAX_SCRATCH]   # [2 (n + 2)] each, as many as the oracle asks for, one behind the other; its own
    int32_t value[8]            # the oracle's own; zero at the start of each sentence
    void* extra                 # the oracle's own, for what does not fit; freed by close
    int32_t options             # variant: eager or lazy, greedy or fewest, ...
    bint fell_back              # prepare sets it: the variant's search was given up, and another variant is followed
    int32_t move_arc            # graph systems: the arc that the next move draws; next sets it
    int32_t move_label          # label of a labelled move that draws no arc; next sets it
    int32_t n_choices
    # [n_choices]  what was asked for, NULL: the oracle chooses. two-registers: pairs of vertices, one behind the other,
    # one per crossing interval from left to right; systems of planes: the plane of the arc to each word.
    const int32_t* choices
    # Graph systems: arcs sorted by dependent, then head; first_child[h] and next_arc list them, dependents ascending.
    int32_t n_arcs
    const int32_t* arc_head         # [n_arcs]
    const int32_t* arc_dependent    # [n_arcs]
    const int32_t* arc_label        # [n_arcs]
    const int32_t* next_arc         # [n_arcs]

cdef struct Oracle:
    int32_t n_scratch
    bint analyses               # it uses the scratch areas of the tree, as what stands in trees/ does
    # Looks at the tree once. Linear in words plus crossings. READY, OUTSIDE, NO_MEMORY or TOO_MANY.
    int (*prepare)(const Oracle*, const Spec*, Gold*) noexcept nogil
    # The next move; the driver applies it with the label the tree gives its dependent and updates `missing`.
    # NONE when the oracle has nothing to say (the tree is outside the class).
    int32_t (*next)(const Oracle*, const Spec*, const Arena*, const State*, Gold*) noexcept nogil
    # NULL, or called after each move with the move just made.
    void (*made)(const Oracle*, const Spec*, const Arena*, const State*, Gold*, int32_t move) noexcept nogil
    # NULL, or frees Gold.extra.
    void (*close)(const Oracle*, Gold*) noexcept nogil
    # NULL, or called when the derivation has failed: prepares another one and returns True, or gives up.
    bint (*retry)(const Oracle*, const Spec*, Gold*) noexcept nogil
