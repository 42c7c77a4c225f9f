"""The representation of configurations shared by exact derivations, greedy search and beams.

A *cell* is what a configuration knows of one word in one place: its head, outermost children, valencies, and the cell
below it. A *state* is a configuration proper: a few cell ids and scalars, copied whole (under 100 bytes) when a beam
branches. An *arena* owns the cells of one sentence.

What only one system needs to know stands in the `own` fields: a system's .pxd names them, they are 0 at the start of a
sentence unless Spec.start says otherwise, and nobody else reads them.

Two regimes, one set of system files:
  exclusive  one state owns all cells; edits happen in place and cell w is always the cell of word w (exact derivations,
             greedy search). Nothing is allocated while deriving.
  shared     published cells are immutable; an edit copies the cell (beams). Cells 0..n are the words before anything
             happened to them; new cells follow.

Words are 1..n, the root is 0, "none" is -1, in every field.
"""

from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

cdef enum:
    NONE = -1
    MAX_STACKS = 4
    MAX_REGISTERS = 3
    MAX_MOVES = 32
    MAX_DEPTH = 8               # of Words: 16**8 words are more than there can be
    NO_LABEL = 0xFFFF

cdef struct Cell:
    int32_t word
    int32_t below               # cell id; in the buffer: the cell behind it
    int32_t head                # word
    int32_t grandhead           # head of the head when the arc was drawn
    int32_t left[2]             # outermost and next outermost child on the left
    int32_t right[2]            # the same on the right
    uint16_t label              # of the arc to head; NO_LABEL while headless
    uint16_t head_label         # label of the head when the arc was drawn
    uint16_t left_label[2]
    uint16_t right_label[2]
    uint8_t n_left              # children on the left, saturating at 255
    uint8_t n_right
    uint8_t n_heads             # graph systems: arcs drawn to it, saturating
    uint64_t left_set[2]        # bit (label mod 128) per label of a left child
    uint64_t right_set[2]
    int32_t own[2]              # the system's; its .pxd says what for
    uint64_t key                # hash of all the above that features read (not below, not own)

cdef struct State:
    int32_t stack[MAX_STACKS]   # top cells; stack[0] is the active one. Systems over Words: top links
    int32_t returned            # first of the cells in front of the untouched words: put back, or edited as front
    int32_t next                # first untouched word; n + 1 when there is none
    int32_t reg[MAX_REGISTERS]  # register cells
    int32_t focus               # systems that look at a place and not at stacks: a word or a cell
    int32_t own[5]              # the system's; its .pxd says what for
    int32_t words               # Words: root of the persistent vector (shared regime only)
    int32_t root_child          # first child of the root, or NONE
    int32_t history             # last entry of History; NONE at the start
    int32_t length              # moves made
    uint8_t own_flags           # the system's; its .pxd says what for
    uint8_t root_children       # children of the root, saturating
    uint8_t plane[MAX_STACKS]   # systems over Words: which of the stacks, as numbered at the start, stack[k] is
    int64_t score

cdef struct History:
    int32_t previous
    int16_t move
    uint16_t label

cdef struct Link:
    # A place in a stack of a system whose words lie in several stacks; the word's cell is found through Words.
    int32_t word
    int32_t below

cdef struct Branch:
    # An inner node of Words, the persistent vector word -> cell: 16 children, NONE where untouched.
    int32_t child[16]

cdef struct Drawn:
    # An arc of a graph system, which never changes: lists of arcs only grow at their ends, and states share the rest.
    int32_t head
    int32_t dependent
    int32_t next_out            # the newest arc that the head had before
    int32_t next_in             # the newest arc that the dependent had before
    uint16_t label

cdef struct Graph:
    # Arcs of systems whose words may have several heads, in the order in which they were drawn. Cells of these systems
    # have the newest arc from and to their word in `own` (see operations.pxd).
    int32_t n_arcs
    int32_t capacity
    Drawn* arcs                 # [capacity]
    int32_t room                # words that the scratch has room for
    int32_t* mark               # [room]  scratch for searches, zero between them
    int32_t* agenda             # [room]  scratch for searches

cdef struct Arena:
    int32_t n                   # words in the sentence; the root is not counted
    bint exclusive
    int32_t n_cells
    int32_t cell_capacity
    Cell* cells                 # [cell_capacity]
    int32_t n_history
    int32_t history_capacity
    History* history            # [history_capacity]
    # Systems over Words only:
    int32_t n_links
    int32_t link_capacity
    Link* links                 # exclusive: link k * (n + 1) + w is word w in stack k
    int32_t n_branches
    int32_t branch_capacity
    Branch* branches            # shared regime only
    int32_t depth               # levels of Words for this n
    Graph* graph                # graph systems only
