"""The features of a gap: characters and kinds around it, the chunk, its parts on both sides, and what comes next."""

from libc.stdint cimport uint8_t

from fastparse.text.characters cimport NUMBER
from fastparse.text.weights cimport mix

cdef enum:
    REACH = 12                  # characters of a run or of what follows that are looked at


cdef inline bint is_word(uint8_t kind) noexcept nogil:
    return kind <= NUMBER


cdef inline int32_t limited(int32_t value, int32_t most) noexcept nogil:
    return value if value < most else most


cdef void gap_features(const Unit* u, const Chunk* c, int32_t left, int32_t right, uint64_t* keys) noexcept nogil:
    """Fill the keys of the gap between the characters `left` and `right`; N_GAP_FEATURES of them."""
    cdef const int32_t* f = u.folded
    cdef const uint8_t* k = u.kinds
    cdef uint64_t l = f[left], r = f[right], l2 = f[left - 1], r2 = f[right + 1], l3 = f[left - 2], r3 = f[right + 2]
    cdef uint64_t kl = k[left], kr = k[right], kl2 = k[left - 1], kr2 = k[right + 1]
    cdef uint64_t pair = l << 32 | r, kinds = kl << 8 | kr, wide = kl2 << 24 | kl << 16 | kr << 8 | kr2
    cdef uint64_t after = k[c.end + 1] if c.end < u.n else 0, before = k[c.begin - 2] if c.begin > 1 else 0
    cdef uint64_t rest = 0, right_run = 0, shape = 0, tail_shape = 0
    cdef int32_t i, stop, n_right
    cdef int32_t n_left = limited(left + 1 - c.token, 6)
    stop = c.end if c.end < right + REACH else right + REACH
    for i in range(right, stop):
        rest = mix(rest, f[i])
    i = right
    while i < stop and not is_word(k[i]):
        i += 1
    tail_shape = i - right
    while i < stop and is_word(k[i]):
        right_run = mix(right_run, f[i])
        i += 1
    n_right = limited(c.end - right, 6)
    stop = c.end if c.end < right + 5 else right + 5
    for i in range(right, stop):
        shape = shape << 8 | k[i]
    cdef uint64_t last = stop == c.end
    cdef uint64_t address = <uint64_t>(left >= c.mark) << 8 | c.contents
    keys[0] = mix(1, l)
    keys[1] = mix(2, r)
    keys[2] = mix(3, pair)
    keys[3] = mix(mix(4, pair), l2)
    keys[4] = mix(mix(5, pair), r2)
    keys[5] = mix(mix(6, pair), l2 << 32 | r2)
    keys[6] = mix(7, wide)
    keys[7] = mix(mix(8, wide), <uint64_t>k[left - 2] << 8 | k[right + 2])
    keys[8] = mix(mix(9, c.hash), left - c.begin)
    keys[9] = mix(mix(10, c.head_hash), last)
    keys[10] = mix(mix(11, rest), last)
    keys[11] = mix(12, c.token_hash)
    keys[12] = mix(mix(13, c.token_hash), kr << 8 | kr2)
    keys[13] = mix(mix(14, c.token_hash), right_run)
    keys[14] = mix(mix(15, c.run_hash), pair)
    keys[15] = mix(mix(16, right_run), pair)
    keys[16] = mix(mix(17, right_run), c.run_hash)
    keys[17] = mix(mix(18, kinds), <uint64_t>n_right << 32 | after)
    keys[18] = mix(mix(19, address), kinds)
    keys[19] = mix(mix(20, address), pair)
    keys[20] = mix(mix(21, c.next_word), <uint64_t>n_right << 32 | kl << 8 | kr)
    keys[21] = mix(mix(22, c.token_hash), <uint64_t>n_right << 32 | kr << 8 | after)
    keys[22] = mix(mix(23, kinds), <uint64_t>n_left << 32 | n_right)
    keys[23] = mix(mix(24, l), l2 << 32 | l3)
    keys[24] = mix(mix(25, r), r2 << 32 | r3)
    keys[25] = mix(mix(26, shape << 1 | last), kl)
    keys[26] = mix(mix(27, shape << 1 | last), kl << 8 | kl2)
    keys[27] = mix(mix(28, before), kinds << 8 | <uint64_t>(left == c.begin))
    keys[28] = mix(mix(29, pair), <uint64_t>(c.token == c.begin) << 16 | n_left << 8 | n_right)
    keys[29] = mix(mix(30, c.token_hash), r << 8 | last)
    keys[30] = mix(mix(31, right_run), kl << 16 | kr << 8 | tail_shape)
    keys[31] = mix(mix(32, c.run_hash), kl << 16 | kr << 8 | <uint64_t>n_right)
    keys[32] = mix(mix(33, pair), l2 << 32 | l3)
    keys[33] = mix(mix(34, pair), r2 << 32 | r3)
