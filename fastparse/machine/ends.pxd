"""What many systems answer alike: which two cells an arc would join, and when a configuration is final."""

from fastparse.machine.operations cimport below, front
from fastparse.machine.spec cimport Spec
from fastparse.machine.state cimport Arena, State, int32_t


cdef inline void top_and_front(const Spec* spec, const Arena* a, const State* c, int32_t move,
                               int32_t* head, int32_t* dependent) noexcept nogil:
    """Spec.arc: the stack top and the front of the buffer."""
    if spec.leftward >> move & 1:
        head[0], dependent[0] = front(a, c), c.stack[0]
    else:
        head[0], dependent[0] = c.stack[0], front(a, c)


cdef inline void top_two(const Spec* spec, const Arena* a, const State* c, int32_t move,
                         int32_t* head, int32_t* dependent) noexcept nogil:
    """Spec.arc: the stack top and the cell below it."""
    if spec.leftward >> move & 1:
        head[0], dependent[0] = c.stack[0], below(a, c.stack[0])
    else:
        head[0], dependent[0] = below(a, c.stack[0]), c.stack[0]


cdef inline bint buffer_empty(const Spec* spec, const Arena* a, const State* c) noexcept nogil:
    """Spec.is_final: no word is left in the buffer."""
    return front(a, c) < 0


cdef inline bint one_left(const Spec* spec, const Arena* a, const State* c) noexcept nogil:
    """Spec.is_final: the buffer is empty and the stack holds one cell at most."""
    return front(a, c) < 0 and below(a, c.stack[0]) < 0
