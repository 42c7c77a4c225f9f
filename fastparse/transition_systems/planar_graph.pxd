"""Planar and 2-planar systems in which words may have several heads."""

from fastparse.machine.spec cimport Spec
from fastparse.machine.state cimport Arena, State, int32_t, uint32_t
from fastparse.machine.system cimport System

cdef enum:
    SHIFT, REDUCE, LEFT_ARC, RIGHT_ARC, SWITCH, N_MOVES

cdef enum:
    # Spec.options
    SINGLE_HEAD = 1
    ACYCLIC = 2
    HEADED_ONLY = 4             # REDUCE needs a head: no covered roots
    NO_OPPOSITE = 8             # not both directions between two words
    SINGLE_LABEL = 16           # not two arcs that differ in nothing but their labels

cdef System graph_system(str name, int32_t n_stacks, uint32_t traits, int32_t options)
