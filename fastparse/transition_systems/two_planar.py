"""2-planar (Gómez-Rodríguez and Nivre, 2010): two planar stacks over one buffer, k-planar with k = 2.

    move        from                to                     legal when
    SHIFT       (S, T, b|B)         (S|b, T|b, B)          -
    REDUCE      (S|s, T, B)         (S, T, B)              -
    LEFT-ARC    (S|s, T, b|B)       the same        b->s   s is not the root and has no head; no cycle
    RIGHT-ARC   (S|s, T, b|B)       the same        s->b   b is not the root and has no head; no cycle
    SWITCH      (S, T, B)           (T, S, B)              the last move was not SWITCH

Starts with empty stacks and 0..n (root="token") or 1..n (root="absent") in the buffer; final when that is empty.
Whether an arc would close a cycle is asked in O(log n), as k_planar.pyx says.
"""

from fastparse.machine.system import System
from fastparse.transition_systems.k_planar import system_of_planes


def make(root: str) -> System:
    """The 2-planar system with or without the root in the buffer."""
    return system_of_planes("2-planar", 2, "cycle", root)
