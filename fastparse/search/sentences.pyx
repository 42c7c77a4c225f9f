"""The loop of every decoder over the sentences of a treebank."""

from fastparse.features.attributes cimport sentence_of
from fastparse.search.clock cimport now


cdef int parse_each(Values values, const int64_t[::1] offsets, Py_ssize_t first, Py_ssize_t last, int32_t[::1] heads,
                    int32_t[::1] labels, int32_t[::1] transitions, int64_t[::1] nanoseconds, int32_t[:, ::1] by_move,
                    int n_moves, ParseOne parse, void* worker, int32_t[:, ::1] steps=None) except -1:
    cdef SentenceRows s
    cdef Parsed parsed
    cdef Py_ssize_t i
    cdef int failed = 0
    cdef int64_t started = 0
    cdef bint timed = nanoseconds is not None, counted = by_move is not None
    if counted and (by_move.shape[0] < last or by_move.shape[1] != n_moves):
        raise ValueError(f"by_move needs {last} rows of {n_moves} columns")
    parsed.made = parsed.arc_logs = parsed.label_logs = NULL
    note_steps(&parsed, steps)
    with nogil:
        for i in range(first, last):
            if timed:
                started = now()
            sentence_of(values, &offsets[0], i, &s)
            transitions[i] = 0
            if s.n == 0:
                continue
            parsed.heads = &heads[offsets[i]]
            parsed.labels = &labels[offsets[i]]
            parsed.transitions = &transitions[i]
            if counted:
                parsed.made = &by_move[i, 0]
            failed = parse(worker, &s, &parsed)
            if failed:
                break
            if timed:
                nanoseconds[i] = now() - started
    if failed:
        raise MemoryError(f"sentence {i + 1} ({s.n} words) does not fit in memory")
    return 0


cdef int note_steps(Parsed* parsed, int32_t[:, ::1] steps) except -1:
    parsed.steps, parsed.room = NULL, 0
    if steps is not None:
        if steps.shape[1] != 2:
            raise ValueError(f"steps have two columns, not {steps.shape[1]}")
        if steps.shape[0]:
            parsed.steps, parsed.room = &steps[0, 0], <int32_t>steps.shape[0]
    return 0


def clock_overhead(int32_t readings=100_000):
    """Nanoseconds it takes to look at the clock that times sentences, on average."""
    cdef int64_t first = now(), last = first
    cdef int32_t _
    with nogil:
        for _ in range(readings):
            last = now()
    return (last - first) / max(1, readings)
