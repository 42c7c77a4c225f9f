"""The second and third step of the three-step system, as search makes them: words that wait, two yes-or-no scores,
and if PUT has a label of its own, a score for each label."""

from libc.stdint cimport int32_t, uint64_t

from fastparse.features.plan cimport MAX_KEYS, Plan, PlanC, SentenceRows
from fastparse.machine.spec cimport Spec
from fastparse.machine.state cimport Arena, Cell, State
from fastparse.weights.table cimport Table

cdef enum:
    PASS_ROOM = 4               # sums of a table of one class

cdef struct Theta:
    # The words that wait for a head. Under one label they form a stack: the last one gets a head first. The tops of
    # these stacks, the words that DIST can reach, are a list from the last to the oldest; so are all that wait.
    int32_t room                # words there is place for
    int32_t n_labels
    int32_t* top                # [n_labels] the last word that waits under a label
    int32_t* below              # [room] the one before it under the same label
    int32_t first               # list of all: the last word that waits
    int32_t* older              # [room]
    int32_t* newer              # [room]
    int32_t first_top           # list of tops
    int32_t* older_top          # [room]
    int32_t* newer_top          # [room]
    # The tree that the pass begins with, numbered: a word is below another one if it was entered before that was left.
    int32_t* enters             # [room]
    int32_t* leaves             # [room]
    int32_t* child              # [room] first child; when the pass is over, who has seen the word
    int32_t* sibling            # [room] next child of the same head

cdef struct Pass:
    # One pass with its weights.
    const Spec* spec            # three-step/left or three-step/right
    const PlanC* put
    const PlanC* dist
    Table put_table             # one class: in favour of PUT
    Table dist_table            # one class: in favour of DIST
    bint labelled               # whether PUT chooses the label
    Table label_table           # if so, a class per label

cdef struct Desk:
    # Working memory of one thread.
    Arena arena
    State state
    Theta theta
    uint64_t keys[MAX_KEYS]
    int32_t sums[PASS_ROOM]
    int32_t room
    int32_t* label_sums         # [room]
    # Where the pass is:
    int32_t step                # words that have been in focus before
    int32_t focus
    int32_t waiting             # the word that is asked about, or NONE: then it is the focus

# `room` is that of tables of labels; 0 if there are none.
cdef int desk_open(Desk* desk, int32_t n_labels, int32_t room) except -1
cdef void desk_close(Desk* desk) noexcept nogil
# The initial configuration over a tree; -1 when memory is short.
cdef int desk_start(Desk* desk, const Pass* p, int32_t n, const int32_t* heads, const int32_t* labels) noexcept nogil

# A pass is a series of questions: shall the waiting word get the focus as its head, or else shall the focus wait?
# The next one, and what its templates see; False when the pass is over. Each is answered before the next is asked.
cdef bint next_question(const Pass* p, Desk* desk, const Cell** at) noexcept nogil
# The label that the focus would wait under: that of its anchor, or the one of most weight; then label_sums are of all.
cdef int32_t waiting_label(const Pass* p, Desk* desk, const SentenceRows* s, const Cell* const* at) noexcept nogil
# Makes the move: DIST (unless the arc would close a cycle in the first tree), PUT under the label, SHIFT; NONE for
# none.
cdef int32_t answer(const Pass* p, Desk* desk, bint yes, int32_t label) noexcept nogil
# The weights of all templates of a plan together.
cdef int32_t score(const PlanC* plan, const Table* table, Desk* desk, const SentenceRows* s,
                   const Cell* const* at) noexcept nogil

cdef class PassEngine:
    cdef Pass c
    cdef readonly object system
    cdef readonly Plan put_plan
    cdef readonly Plan dist_plan
    cdef readonly object put_table
    cdef readonly object dist_table
    cdef readonly object label_table
