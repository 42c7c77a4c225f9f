"""The keys of features one configuration at a time, for tools and tests; search asks for them by groups."""

from libc.stdint cimport int32_t, int64_t, uint64_t

from fastparse.theory.configuration cimport CellConfiguration
from fastparse.features.attributes cimport Values, sentence_of
from fastparse.features.plan cimport (
    D, H, MAX_KEYS, N_POSITIONS, Plan, SentenceRows, Walk, locate, next_keys, nothing, walk_over)
from fastparse.machine.state cimport Cell, NONE


cdef list keys_at(Plan plan, const SentenceRows* sentence, const Cell* const* at):
    cdef uint64_t keys[MAX_KEYS]
    cdef Walk walk = walk_over(&plan.c, sentence, at)
    cdef int32_t i, n = next_keys(&walk, keys)
    cdef list found = []
    while n >= 0:
        found.extend([keys[i] for i in range(n)])
        n = next_keys(&walk, keys)
    return found


cdef int open_sentence(Values values, const int64_t[::1] offsets, Py_ssize_t s, CellConfiguration c,
                       SentenceRows* sentence) except -1:
    if not 0 <= s < len(offsets) - 1 or offsets[s + 1] - offsets[s] != c.arena.n:
        raise ValueError(f"sentence {s} is not one of {c.arena.n} words")
    sentence_of(values, &offsets[0], s, sentence)
    return 0


def move_keys(Plan plan, CellConfiguration c, Values values, const int64_t[::1] offsets, Py_ssize_t s) -> list[int]:
    """Keys of a plan over the places of a configuration of sentence s."""
    cdef const Cell* at[N_POSITIONS]
    cdef SentenceRows sentence
    open_sentence(values, offsets, s, c, &sentence)
    locate(&c.system.spec, &c.arena, &c.state, at)
    return keys_at(plan, &sentence, at)


def label_keys(Plan plan, CellConfiguration c, Values values, const int64_t[::1] offsets, Py_ssize_t s,
               str move) -> list[int]:
    """Keys of a plan over the two ends of the arc that a move would draw."""
    cdef const Cell* at[N_POSITIONS]
    cdef SentenceRows sentence
    cdef int32_t head = NONE, dependent = NONE, i
    open_sentence(values, offsets, s, c, &sentence)
    if move not in c.legal() or not c.system.labelled(move):
        raise ValueError(f"{move!r} draws no arc in {c!r}")
    for i in range(N_POSITIONS):
        at[i] = nothing()
    c.system.spec.arc(&c.system.spec, &c.arena, &c.state, c.system.moves.index(move), &head, &dependent)
    at[H] = &c.arena.cells[head]
    at[D] = &c.arena.cells[dependent]
    return keys_at(plan, &sentence, at)


def pair_keys(Plan plan, CellConfiguration c, Values values, const int64_t[::1] offsets, Py_ssize_t s, int32_t head,
              int32_t dependent) -> list[int]:
    """Keys of a plan over two words, as the heads and labels of words left over at the end are scored."""
    cdef const Cell* at[N_POSITIONS]
    cdef SentenceRows sentence
    cdef int32_t i
    open_sentence(values, offsets, s, c, &sentence)
    if not (0 <= head <= c.arena.n and 0 <= dependent <= c.arena.n):
        raise ValueError(f"words lie in 0..{c.arena.n}, found {head} and {dependent}")
    for i in range(N_POSITIONS):
        at[i] = nothing()
    at[H] = &c.arena.cells[head]
    at[D] = &c.arena.cells[dependent]
    return keys_at(plan, &sentence, at)
