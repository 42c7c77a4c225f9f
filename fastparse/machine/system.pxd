from fastparse.machine.spec cimport Spec

cdef class System:
    cdef Spec spec
    cdef readonly str name
    cdef readonly tuple moves            # names, in the order of the system's table
    cdef readonly str covers             # the tree class, as fastparse.trees names it; "" when it has no name
    cdef readonly dict options           # the values in force
    cdef readonly tuple parts            # what a configuration shows besides stack and buffer: "registers", ...
    cdef readonly dict flags             # names of bits of State.own_flags that a configuration shows
    cdef object keep                     # what spec.data points into

    @staticmethod
    cdef System wrap(const Spec* spec, str name, tuple moves, str covers=*, dict options=*, tuple parts=*,
                     dict flags=*, object keep=*)
