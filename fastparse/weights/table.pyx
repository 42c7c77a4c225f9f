"""Tables of weights as search sees them."""

import numpy as np

from fastparse.features.plan cimport MAX_KEYS


def levels() -> int:
    """How many sets of vector instructions this machine has code for: 1 is what every machine of its kind can run."""
    return fp_level() + 1


cdef class BaseTable:
    """Rows of weights by feature, of `width` classes. One look at a time is for tools and tests."""

    cdef Table table(self) except *:
        raise NotImplementedError

    def sums(self, keys) -> np.ndarray:
        """The weights of some features together, per class."""
        cdef uint64_t[::1] k = np.array(keys, dtype=np.uint64)
        cdef Table t
        cdef int32_t[::1] o
        if len(k) > MAX_KEYS:
            raise ValueError(f"{len(k)} features are more than the {MAX_KEYS} of one look")
        t = self.table()
        out = np.zeros(t.room, dtype=np.int32)
        o = out
        if len(k):
            t.add(t.data, &k[0], <int32_t>len(k), &o[0])
        return out[:self.width]

    def sums_of_jobs(self, jobs) -> np.ndarray:
        """A row for each of several looks: the weights of its features together, per class."""
        cdef uint64_t[::1] keys = np.array([key for job in jobs for key in job] + [0], dtype=np.uint64)
        cdef int32_t[::1] ends = np.cumsum([len(job) for job in jobs], dtype=np.int32)
        cdef Table t
        cdef int32_t[:, ::1] o
        if max(map(len, jobs)) > MAX_KEYS:
            raise ValueError(f"{max(map(len, jobs))} features are more than the {MAX_KEYS} of one look")
        t = self.table()
        out = np.full((len(jobs), t.room), -1, dtype=np.int32)
        o = out
        t.add_jobs(t.data, &keys[0], &ends[0], <int32_t>len(jobs), &o[0, 0], t.room)
        return out[:, :self.width]


cdef class CompiledTable(BaseTable):
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

    cdef Table table(self) except *:
        cdef FpSums form = fp_choose(self.for_moves, self.c.slot_bytes, self.level)
        return Table(width=self.width, room=fp_sums(self.for_moves, self.width), data=&self.c, add=form.add,
                     add_jobs=form.add_jobs)

    @property
    def bytes(self) -> int:
        return len(self.displacements) + len(self.slots) + len(self.pool)
