"""Compiled tables as search sees them."""

from libc.stdint cimport int32_t


def levels() -> int:
    """How many sets of vector instructions this machine has code for: 1 is what every machine of its kind can run."""
    return fp_level() + 1


cdef class CompiledTable:
    """A read-only table over byte arrays (which may be a mapped file); see kernels/layout.h for what is in them."""

    def __init__(self, int width, bint for_moves, displacements, slots, pool, level=None):
        """Args: level, below levels(), by default the best; the sums are the same."""
        if level is not None and not 0 <= level <= fp_level():
            raise ValueError(f"level {level}; this machine has 0 to {fp_level()}")
        cdef const uint8_t[::1] d = displacements
        cdef const uint8_t[::1] s = slots
        cdef const uint8_t[::1] p = pool
        cdef int32_t slot_bytes = fp_slot_bytes(for_moves, width)
        if len(d) == 0 or len(s) < slot_bytes or max(len(d), len(s) // slot_bytes, len(p) // PIECE) > 0xFFFFFFFF:
            raise ValueError(f"{len(d)} displacements and {len(s)} bytes of slots are no table")
        self.level = fp_level() if level is None else level
        self.width = width
        self.for_moves = for_moves
        self.displacements = displacements
        self.slots = slots
        self.pool = pool
        self.c.width = width
        self.c.slot_bytes = slot_bytes
        self.c.buckets = <uint32_t>len(d)
        self.c.places = <uint32_t>(len(s) // slot_bytes)
        self.c.pieces = <uint32_t>(len(p) // PIECE)
        self.c.displacements = &d[0]
        self.c.slots = &s[0]
        self.c.pool = &p[0] if len(p) else NULL

    cdef Table table(self) noexcept:
        cdef FpSums form = fp_choose(self.for_moves, self.c.slot_bytes, self.level)
        return Table(width=self.width, room=fp_sums(self.for_moves, self.width), data=&self.c, add=form.add,
                     add_jobs=form.add_jobs)

    @property
    def bytes(self) -> int:
        return len(self.displacements) + len(self.slots) + len(self.pool)
