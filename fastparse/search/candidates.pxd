"""Successors of the states of a beam, as one number each: score, then the rank of the parent, move and label, so that
one comparison is the rule."""

from libc.stdint cimport int32_t, int64_t

cdef enum:
    # A candidate is told by the rank of its parent, its move, and the label if the move has one, in so many bits.
    RANK_BITS = 10
    MOVE_BITS = 5
    LABEL_BITS = 16
    MAX_BEAM = (1 << RANK_BITS) - 1
    STAY = (1 << MOVE_BITS) - 1     # stands for a move: a final state remains
    ORDER_BITS = RANK_BITS + MOVE_BITS + LABEL_BITS
    LAST = 0x7FFFFFFF               # of the orders: all bits
    MOST_LABELS = 1 << LABEL_BITS

cdef struct Offers:
    # Successors of the states of a step.
    int64_t* items              # [size * MOST_MOVES] packed
    int32_t n
    int64_t top                 # the best of them

cdef extern from "fastparse/search/selection.h" nogil:
    int32_t fp_within(int64_t* items, int32_t n, int64_t least)
    int32_t fp_best_of(int64_t* items, int32_t n, int32_t size, int64_t* best)
    int32_t fp_best_of_bounds(int64_t* items, int32_t n, int32_t size, int64_t threshold, int32_t bits,
                              int64_t (*exactly)(void*, int64_t) noexcept nogil, void* of, int64_t* best)

cdef inline int64_t pack(int32_t score, int32_t parent, int32_t move, int32_t label) noexcept nogil:
    """The label is 0 where it is no part of the move."""
    return (<int64_t>score * (<int64_t>1 << ORDER_BITS)) | (LAST - ((parent << MOVE_BITS | move) << LABEL_BITS | label))

cdef inline int32_t parent_in(int64_t item) noexcept nogil:
    return (LAST - <int32_t>(item & LAST)) >> (MOVE_BITS + LABEL_BITS)

cdef inline int32_t move_in(int64_t item) noexcept nogil:
    return (LAST - <int32_t>(item & LAST)) >> LABEL_BITS & STAY

cdef inline int32_t label_in(int64_t item) noexcept nogil:
    return (LAST - <int32_t>(item & LAST)) & (MOST_LABELS - 1)

cdef inline int32_t score_in(int64_t item) noexcept nogil:
    return <int32_t>(item >> ORDER_BITS)

cdef inline void offer(Offers* offers, int64_t item) noexcept nogil:
    offers.items[offers.n] = item
    offers.n += 1
    if item > offers.top:
        offers.top = item
