"""What search, oracles and the Python layer know of a transition system."""

from fastparse.machine.state cimport Arena, State, int32_t, uint32_t

cdef enum:
    # Spec.traits
    OVER_WORDS = 1              # a word may lie in several places: stacks hold links, cells are found through Words
    GRAPH = 2                   # words may have several heads
    ROOT_IN_BUFFER = 4          # 0 starts in the buffer
    ROOT_ON_STACK = 8           # 0 starts on the stack
    ROOT_IN_FOCUS = 16          # 0 starts in State.focus

cdef struct Spec:
    int32_t n_moves             # at most MAX_MOVES; bit m of a mask is move m
    uint32_t labelled           # moves that come with a label
    uint32_t drawing            # moves that draw an arc (a subset of labelled)
    uint32_t leftward           # of these, those whose head is the right one of the two words
    uint32_t traits
    int32_t n_stacks
    int32_t cells_per_move      # bound on cells a move makes in the shared regime
    int32_t options             # bits of the system's own
    const void* data            # composed systems: their program
    # NULL, or fills in the own fields that do not start as 0.
    void (*start)(const Spec*, Arena*, State*) noexcept nogil
    # Moves legal by the theory; decoder rules (single root, label limits) are masks applied by search.
    uint32_t (*legal)(const Spec*, const Arena*, const State*) noexcept nogil
    # Only legal moves are applied. label is ignored unless the move is labelled.
    void (*apply)(const Spec*, Arena*, State*, int32_t move, int32_t label) noexcept nogil
    bint (*is_final)(const Spec*, const Arena*, const State*) noexcept nogil
    # The cells of the head and the dependent that a drawing move would connect.
    void (*arc)(const Spec*, const Arena*, const State*, int32_t move, int32_t* head, int32_t* dependent) noexcept nogil
