from fastparse.machine.spec cimport Spec
from fastparse.machine.state cimport Arena, State, int32_t, uint32_t

# A best_moves_t of dynamic.pxd.
cdef uint32_t best_moves(const Spec* spec, const Arena* a, const State* c, const int32_t* head, int32_t* scratch,
                         uint32_t legal) noexcept nogil
