from libc.stdint cimport int32_t, int64_t, uint8_t

from fastparse.features.attributes cimport Values
from fastparse.features.plan cimport Plan
from fastparse.machine.system cimport System
from fastparse.model.table cimport Table
from fastparse.search.scorer cimport Scorer

# What search asks of a CompiledTable or a LearningTable.
cdef Table table_of(table)

cdef class Engine:
    cdef Scorer scorer
    cdef readonly System system
    cdef readonly Plan moves
    cdef readonly Plan moves_flat
    cdef readonly Plan labels
    cdef readonly Plan labels_flat
    cdef readonly object move_table
    cdef readonly object label_table
    cdef readonly object root_label      # uint8 per label
    cdef readonly object inner_label
    cdef object keep
