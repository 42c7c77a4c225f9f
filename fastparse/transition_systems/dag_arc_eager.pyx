"""Arc-eager for directed acyclic graphs (Sagae and Tsujii, 2008): planar graphs without covered roots.

    move        from           to                 legal when
    SHIFT       (S, b|B)       (S|b, B)           -
    REDUCE      (S|s, B)       (S, B)             s has a head
    LEFT-ARC    (S|s, b|B)     (S|s, b|B)  b->s   neither this arc nor its opposite exists; acyclic: no cycle
    RIGHT-ARC   (S|s, b|B)     (S|s, b|B)  s->b   neither this arc nor its opposite exists; acyclic: no cycle

Starts with the empty stack and 1..n in the buffer; final when the buffer is empty. As printed (acyclic=False) only
cycles of two arcs are excluded. The search for longer ones is linear in the arcs.
"""

from fastparse.machine.system cimport System
from fastparse.transition_systems.planar_graph cimport ACYCLIC, HEADED_ONLY, NO_OPPOSITE, graph_system


def make(acyclic: bool) -> System:
    """The system with or without the search for cycles."""
    return graph_system("dag/arc-eager", 0, HEADED_ONLY | NO_OPPOSITE | (ACYCLIC if acyclic else 0))
