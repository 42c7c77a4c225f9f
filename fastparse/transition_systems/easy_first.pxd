"""The pending list of easy-first, a doubly linked list of cells: Cell.below is the next item, PREVIOUS the one before.

Exclusive regime only. The system's moves act on the pair whose left item is the cell in State.focus.
"""

from fastparse.machine.operations cimport connect
from fastparse.machine.state cimport Arena, NONE, State, int32_t

cdef enum:
    # SYSTEM.spec moves; public names add the place, ATTACH-LEFT(i)
    SHIFT, ATTACH_LEFT, ATTACH_RIGHT, N_MOVES
    # Cell.own
    PREVIOUS = 0                # cell of the item in front of this one; NONE in front of the root


cdef inline void pending_start(Arena* a, State* c) noexcept nogil:
    """Links the words 0..n; to be called after arena_start and state_start."""
    cdef int32_t w
    for w in range(a.n + 1):
        a.cells[w].own[PREVIOUS] = w - 1
        a.cells[w].below = w + 1 if w < a.n else NONE
    c.stack[0] = NONE
    c.focus = 0
    c.next = a.n + 1


cdef inline void pending_remove(Arena* a, int32_t cell) noexcept nogil:
    """Takes a word out of the list; the root in front never leaves."""
    cdef int32_t before = a.cells[cell].own[PREVIOUS], after = a.cells[cell].below
    a.cells[before].below = after
    if after >= 0:
        a.cells[after].own[PREVIOUS] = before


cdef inline void pending_attach(Arena* a, State* c, int32_t left, bint left_is_head, int32_t label) noexcept nogil:
    """Joins an item of the list and the next one."""
    cdef int32_t right = a.cells[left].below
    cdef int32_t head = left if left_is_head else right, dependent = right if left_is_head else left
    connect(a, c, head, dependent, label)
    pending_remove(a, dependent)
