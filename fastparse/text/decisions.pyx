"""Finding the tokens, sentences and multiword tokens of a unit: certain cases by table, the others by weights."""

import numpy as np

from libc.stdint cimport int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memset

from fastparse.text.cases cimport record
from fastparse.text.units cimport (
    AROUND, CLOSING, DASH, DIGIT, EMOJI, ENDS, FORMAT, GOES_ON, JOINER, LETTER, LOWER, MARK, N_KINDS, NEWLINE, NUMBER,
    OPENING,
    PARAGRAPH, REGIONAL, SOUTHEAST, SPACE, UPPER, Token, Unit, is_space,
)

from fastparse.errors import ModelFormatError


LOAD = 0.45         # slots of a table in use; one key in twenty then finds its bucket full
LARGEST = 32767     # weight


# Weights


cdef inline uint64_t mix(uint64_t hash, uint64_t value) noexcept nogil:
    """One more value in a hash of 64 bits."""
    hash = (hash ^ value) * <uint64_t>0x9E3779B97F4A7C15
    return hash ^ (hash >> 29)


cdef inline uint64_t tag_of(uint64_t key) noexcept nogil:
    return (key >> 48) | 1


cdef inline int32_t weight_of(const Weights* w, uint64_t key) noexcept nogil:
    """Without branches: whether a feature is known is what nobody could foretell."""
    cdef uint64_t bucket = w.buckets[key & w.mask]
    cdef uint64_t tag = tag_of(key)
    cdef int32_t first = -<int32_t>((bucket & 0xFFFF) == tag), second = -<int32_t>(((bucket >> 32) & 0xFFFF) == tag)
    return (<int16_t>((bucket >> 16) & 0xFFFF) & first) | (<int16_t>(bucket >> 48) & second & ~first)


cdef inline int32_t added(const Weights* w, const uint64_t* keys, int32_t n, int32_t sum) noexcept nogil:
    """A sum with the weights of some more features."""
    cdef int32_t i
    for i in range(n):
        sum += weight_of(w, keys[i])
    return sum


cdef inline int32_t total(const Weights* w, const uint64_t* keys, int32_t n) noexcept nogil:
    return added(w, keys, n, w.bias)


cdef inline bint decide(const Model* m, int which, const uint64_t* keys, int32_t n, bint known) noexcept nogil:
    """What the weights say; where the outcome is known, that."""
    if m.marks != NULL:
        if m.recorder != NULL:
            record(&m.recorder[which], keys, n, known)
        return known
    return total(&m.weights[which], keys, n) > 0


cdef class WeightTable:
    """A read-only table over an array of buckets.

    Attributes:
        buckets: uint64, a power of two of them.
        bias: the sum for a case without any known feature.
    """

    def __init__(self, buckets, int32_t bias):
        """Raises: ModelFormatError: for an array that cannot be a table."""
        if not isinstance(buckets, np.ndarray) or buckets.dtype != np.uint64 or buckets.ndim != 1:
            raise ModelFormatError("tokenizer: weights are not a row of uint64. Train the model again.")
        n = len(buckets)
        if n < 1 or n & (n - 1):
            raise ModelFormatError(f"tokenizer: {n} buckets of weights are no power of two. Train the model again.")
        if not -(1 << 20) < bias < 1 << 20:
            raise ModelFormatError(f"tokenizer: a bias of {bias} is out of range. Train the model again.")
        self.buckets = np.ascontiguousarray(buckets)
        cdef const uint64_t[::1] b = self.buckets
        self.w = Weights(&b[0], n - 1, bias)

    @property
    def bias(self) -> int:
        return self.w.bias

    @staticmethod
    def build(keys, weights, int32_t bias):
        """A table of these keys; of two with the same bucket and tag, and of more than fit, the largest stay."""
        weights = np.clip(weights, -LARGEST, LARGEST).astype(np.int32)
        order = np.lexsort((keys, -np.abs(weights)))
        cdef const uint64_t[::1] k = np.ascontiguousarray(np.asarray(keys, np.uint64)[order])
        cdef const int32_t[::1] v = np.ascontiguousarray(weights[order])
        cdef uint64_t size = 4, bucket
        while size * 2 * LOAD < len(k):
            size *= 2
        buckets = np.zeros(size, np.uint64)
        cdef uint64_t[::1] b = buckets
        cdef uint64_t slot
        cdef Py_ssize_t i
        for i in range(len(k)):
            bucket = b[k[i] & (size - 1)]
            slot = tag_of(k[i]) | <uint64_t><uint16_t><int16_t>v[i] << 16
            if bucket == 0:
                b[k[i] & (size - 1)] = slot
            elif bucket >> 32 == 0 and (bucket & 0xFFFF) != tag_of(k[i]):
                b[k[i] & (size - 1)] = bucket | slot << 32
        return WeightTable(buckets, bias)


# Shapes


cdef enum:
    HAS_LOWER = 1
    HAS_UPPER = 2
    HAS_CASELESS = 4
    HAS_DIGIT = 8
    HAS_STOP = 16               # full stops
    HAS_OTHER = 32
    HAS_END = 64                # question and exclamation marks, three dots in one
    HAS_PICTURE = 128
    MOST = 512                  # characters looked at


cdef inline bint is_stop(int32_t c) noexcept nogil:
    """Whether a character is what a full stop is elsewhere: the marks that end sentences in other scripts."""
    return (c == 0x589 or c == 0x3002 or c == 0xFF01 or c == 0xFF1F or c == 0x964 or c == 0x965 or c == 0x6D4
            or c == 0x61F or c == 0x37E or c == 0x1362 or c == 0x17D4 or c == 0x104B or c == 0xFF61)


cdef uint8_t shape_of(const uint8_t* kinds, const int32_t* folded, int32_t n) noexcept nogil:
    """The shape of `n` characters; of a very long token, that of its beginning."""
    cdef int32_t i, c, seen = 0
    cdef uint8_t kind
    cdef bint address = False
    if n > MOST:
        n = MOST
    for i in range(n):
        kind = kinds[i]
        c = folded[i]
        if kind == LOWER:
            seen |= HAS_LOWER
        elif kind == UPPER:
            seen |= HAS_UPPER
        elif LETTER <= kind <= SOUTHEAST:
            seen |= HAS_CASELESS
        elif kind == DIGIT or kind == NUMBER:
            seen |= HAS_DIGIT
        elif c == c".":
            seen |= HAS_STOP
        elif c == c"?" or c == c"!" or c == 0x2026:
            seen |= HAS_END
        elif c > 0x37D and is_stop(c):
            seen |= HAS_STOP
        elif kind == EMOJI or kind == REGIONAL:
            seen |= HAS_PICTURE
        elif not MARK <= kind <= JOINER:
            seen |= HAS_OTHER
            if c == c"@" and 0 < i < n - 1 or c == c":" and i + 2 < n and folded[i + 1] == c"/" == folded[i + 2]:
                address = True
    if seen & (HAS_LOWER | HAS_UPPER | HAS_CASELESS | HAS_DIGIT):
        if n > 4 and folded[0] == c"w" == folded[1] and folded[2] == c"w" and folded[3] == c".":
            address = True
        return shape_of_word(kinds, folded, n, seen, address)
    return shape_of_mark(kinds, folded, n, seen)


cdef uint8_t shape_of_word(
    const uint8_t* kinds, const int32_t* folded, int32_t n, int32_t seen, bint address
) noexcept nogil:
    if address:
        return ADDRESS
    if seen & HAS_DIGIT:
        if seen == HAS_DIGIT:
            return DIGITS
        if seen == HAS_DIGIT | HAS_STOP and folded[n - 1] == c".":
            return ORDINAL
        return NUMERIC
    if folded[0] == c"'" and n > 1:
        return CLITIC
    if seen & (HAS_OTHER | HAS_END | HAS_PICTURE):
        return COMPOUND
    if seen & HAS_STOP:
        return ABBREVIATION if folded[n - 1] == c"." else COMPOUND
    if seen & HAS_CASELESS:
        return CASELESS
    if seen == HAS_LOWER:
        return LOWER_WORD
    if seen == HAS_UPPER:
        return INITIAL if n == 1 else CAPITALS
    if kinds[0] == UPPER:
        for i in range(1, n):
            if kinds[i] == UPPER:
                return MIXED_CASE
        return TITLE_WORD
    return MIXED_CASE


cdef uint8_t shape_of_mark(const uint8_t* kinds, const int32_t* folded, int32_t n, int32_t seen) noexcept nogil:
    cdef int32_t c = folded[0]
    cdef uint8_t kind = kinds[0]
    if seen & HAS_PICTURE:
        return PICTURE
    if not seen & HAS_OTHER:
        if seen == HAS_STOP:
            return STOP if n == 1 else ELLIPSIS
        if n == 1:
            return QUESTION if c == c"?" else EXCLAMATION if c == c"!" else ELLIPSIS if c == 0x2026 else OTHER
        return MANY_STOPS if seen else OTHER
    if n > 1:
        for i in range(1, n):
            if folded[i] != c:
                return EMOTICON
        if c == c"'":
            return QUOTE
    if c == c",":
        return COMMA
    if c == c":":
        return COLON
    if c == c";":
        return SEMICOLON
    if c == c"\"" or c == c"`":
        return QUOTE
    if c == c"'":
        return APOSTROPHE
    if kind == DASH or c == c"-" or c == 0x2013 or c == 0x2014:
        return HYPHEN
    if kind == OPENING or c == c"(" or c == c"[" or c == c"{" or c == c"<" or c == 0xAB or c == 0x2039:
        return OPENED
    if kind == CLOSING or c == c")" or c == c"]" or c == c"}" or c == c">" or c == 0xBB or c == 0x203A:
        return CLOSED
    if c == c"*" or c == 0x2022 or c == 0xB7 or c == c"=" or c == c"_" or c == c"~" or c == c"#" or c == c"+":
        return BULLET
    return OTHER


# Tokens


cdef enum:
    N_GAP_FEATURES = 34

cdef enum:                      # what a chunk contains
    HAS_SCHEME = 1              # ://
    HAS_WWW = 2
    HAS_AT = 4
    HAS_DOTS = 8                # two full stops that are not neighbours
    HAS_SLASH = 16
    HAS_FIGURE = 32
    HAS_HYPHEN = 64

cdef struct Chunk:
    # Characters between white space, while they are gone through from left to right.
    int32_t begin, end
    uint64_t hash               # of all its folded characters
    uint64_t next_word          # of the letters and digits at the beginning of the next chunk
    uint32_t contents           # the bits above
    int32_t mark                # where the part begins that makes it an address; `end` if it is none
    int32_t token               # where the current token begins
    uint64_t token_hash         # from there to the gap
    uint64_t head_hash          # from the beginning of the chunk to the gap
    uint64_t run_hash           # the last run of letters and digits up to the gap


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


cdef enum:
    FIGURES = DIGIT
    DIGITS_END = NUMBER + 1
    LETTERS = LOWER * N_KINDS + LOWER


cdef inline void add_token(Unit* u, int32_t begin, int32_t end, uint64_t hash, uint8_t shape) noexcept nogil:
    cdef Token* t = &u.tokens[u.n_tokens]
    t.begin = begin
    t.end = end
    t.hash = hash
    t.shape = shape
    t.suffix = <uint64_t>u.folded[end - 1]
    if end - begin > 1:
        t.suffix |= <uint64_t>u.folded[end - 2] << 21
    if end - begin > 2:
        t.suffix |= <uint64_t>u.folded[end - 3] << 42
    t.space = u.kinds[end] if end < u.n and is_space(u.kinds[end]) else 0
    t.ends = t.known = 0
    u.n_tokens += 1


cdef inline uint64_t hash_of(const int32_t* folded, int32_t begin, int32_t end) noexcept nogil:
    cdef uint64_t hash = 0
    cdef int32_t i
    for i in range(begin, end):
        hash = mix(hash, folded[i])
    return hash


cdef inline bint may_continue(const Model* m, const Unit* u, int32_t end) noexcept nogil:
    """Whether a token may go on after the single space at `end`."""
    return (end + 1 < u.n and u.kinds[end] == SPACE
            and m.spaces[u.kinds[end - 1] * N_KINDS + u.kinds[end + 1]] != SPLIT)


cdef void split_tokens(const Model* m, Unit* u) noexcept nogil:
    """Fill the tokens of a unit."""
    cdef const uint8_t* kinds = u.kinds
    cdef int32_t begin = 0, end, n_upper = 0
    cdef uint8_t shape
    cdef uint64_t hash
    cdef bint letters = m.gaps[LETTERS] == JOIN
    u.n_tokens = 0
    while begin < u.n:
        end = begin
        hash = 0
        if letters:
            n_upper = 0
            while end < u.n and kinds[end] < LETTER:
                hash = mix(hash, u.folded[end])
                n_upper += kinds[end] == UPPER
                end += 1
        if end > begin and (end == u.n or is_space(kinds[end])) and not may_continue(m, u, end):
            shape = LOWER_WORD
            if n_upper > 0 or end - begin > MOST:
                shape = (
                    TITLE_WORD if n_upper == 1 and kinds[begin] == UPPER and 1 < end - begin <= MOST
                    else shape_of(kinds + begin, u.folded + begin, end - begin))
            add_token(u, begin, end, hash, shape)
        else:
            while True:
                while end < u.n and not is_space(kinds[end]):
                    end += 1
                if not may_continue(m, u, end):
                    break
                end += 1
            split_chunk(m, u, begin, end)
        begin = end + 1
    finish(u)


cdef void split_at_spaces(const Model* m, Unit* u) noexcept nogil:
    """Fill the tokens of a unit whose tokens stand between white space."""
    cdef int32_t begin = 0, end
    u.n_tokens = 0
    while begin < u.n:
        end = begin
        while end < u.n and not is_space(u.kinds[end]):
            end += 1
        add_token(u, begin, end, hash_of(u.folded, begin, end),
                  shape_of(u.kinds + begin, u.folded + begin, end - begin))
        begin = end + 1
    finish(u)


cdef inline void finish(Unit* u) noexcept nogil:
    memset(u.tokens + u.n_tokens, 0, AROUND * sizeof(Token))


cdef void look_at(const Unit* u, Chunk* c) noexcept nogil:
    """What a chunk contains, and the word after it."""
    cdef int32_t i, stop
    cdef const int32_t* f = u.folded
    cdef int32_t n_dots = 0, last_dot = -2
    c.contents = 0
    c.mark = c.end
    c.hash = hash_of(f, c.begin, c.end)
    for i in range(c.begin, c.end):
        if u.kinds[i] < DIGITS_END:
            if u.kinds[i] >= FIGURES:
                c.contents |= HAS_FIGURE
            elif f[i] == c"w" and i + 3 < c.end and f[i + 1] == c"w" == f[i + 2] and f[i + 3] == c".":
                c.contents |= HAS_WWW
                c.mark = i if i < c.mark else c.mark
        elif f[i] == c".":
            n_dots += i > last_dot + 1
            last_dot = i
        elif f[i] == c"@" and i > c.begin:
            c.contents |= HAS_AT
            c.mark = c.begin
        elif f[i] == c"/":
            c.contents |= HAS_SLASH
            if i + 1 < c.end and f[i + 1] == c"/" and i > c.begin and f[i - 1] == c":":
                c.contents |= HAS_SCHEME
                c.mark = i if i < c.mark else c.mark
        elif f[i] == c"-":
            c.contents |= HAS_HYPHEN
    if n_dots > 1:
        c.contents |= HAS_DOTS
    c.next_word = 0
    i = c.end + 1
    stop = i + 12 if i + 12 < u.n else u.n
    while i < stop and u.kinds[i] <= NUMBER:
        c.next_word = mix(c.next_word, f[i])
        i += 1


cdef void split_chunk(const Model* m, Unit* u, int32_t begin, int32_t end) noexcept nogil:
    """Add the tokens between two pieces of white space."""
    cdef const uint8_t* kinds = u.kinds
    cdef uint64_t keys[N_GAP_FEATURES]
    cdef Chunk c
    cdef int32_t left = begin, right, base = -1     # base: the last character that is no mark and invisible
    cdef int32_t n_regional = 0
    cdef uint8_t state
    cdef bint looked = False, known, split, run_open = False
    c.begin = c.token = begin
    c.end = end
    c.token_hash = c.head_hash = c.run_hash = c.hash = c.next_word = 0
    c.contents = 0
    c.mark = end
    while left < end:
        c.token_hash = mix(c.token_hash, u.folded[left])
        c.head_hash = mix(c.head_hash, u.folded[left])
        if kinds[left] <= NUMBER:
            if not run_open:
                c.run_hash = 0
            c.run_hash = mix(c.run_hash, u.folded[left])
            run_open = True
            base = left
        elif not MARK <= kinds[left] <= FORMAT:
            run_open = False
            base = left
        right = left + 1
        if right == end:
            break
        n_regional = n_regional + 1 if kinds[left] == REGIONAL else 0
        if MARK <= kinds[right] <= JOINER or kinds[left] == JOINER or base < 0:
            left = right
            continue
        if is_space(kinds[right]):
            right += 1
            state = m.spaces[kinds[base] * N_KINDS + kinds[right]]
        else:
            state = m.gaps[kinds[base] * N_KINDS + kinds[right]]
        if kinds[left] == REGIONAL == kinds[right]:
            state = SPLIT if n_regional % 2 == 0 else JOIN
        if state == ASK:
            if not looked:
                look_at(u, &c)
                looked = True
            gap_features(u, &c, left, right, keys)
            known = m.marks != NULL and m.marks[u.at[right]] & TOKEN_BEGINS != 0
            split = decide(m, GAP, keys, N_GAP_FEATURES, known)
        else:
            split = state == SPLIT
        if split:
            add_token(u, c.token, left + 1, c.token_hash,
                      shape_of(kinds + c.token, u.folded + c.token, left + 1 - c.token))
            c.token = right
            c.token_hash = 0
        elif right == left + 2:
            c.token_hash = mix(c.token_hash, u.folded[left + 1])
        left = right
    add_token(u, c.token, end, c.token_hash, shape_of(kinds + c.token, u.folded + c.token, end - c.token))


# Sentences


cdef enum:
    N_OTHER_END_FEATURES = 44
    MOST_AHEAD = 60000

cdef struct Sentence:
    # The sentence so far.
    int32_t first               # its first token
    int32_t n_quotes            # marks of quotation that have no direction
    int32_t depth               # brackets opened and not closed
    int32_t last_stop           # the last token that ends sentences, or first - 1
    int32_t line                # the first token of its line

cdef struct Style:
    # How the unit is written.
    int32_t stops               # 0 to 3: how often marks end sentences, by the logarithm of words per mark
    int32_t capitals            # 0: none; 1: few; 2: as usual; 3: only capitals

cdef Style style_of(Unit* u) noexcept nogil:
    """Counts over all tokens of a unit, as ranges; and `ahead` of its tokens."""
    cdef int32_t i, n_stops = 0, n_lower = 0, n_title = 0, n_capitals = 0, n, ahead = MOST_AHEAD
    cdef uint8_t shape
    cdef Style style
    for i in range(u.n_tokens - 1, -1, -1):
        shape = u.tokens[i].shape
        if STOP <= shape <= MANY_STOPS:
            n_stops += 1
            ahead = 0
        else:
            ahead += ahead < MOST_AHEAD
        u.tokens[i].ahead = ahead
        n_lower += shape == LOWER_WORD
        n_title += shape == TITLE_WORD
        n_capitals += shape == CAPITALS
    n = n_lower + n_title + n_capitals
    style.stops = 0 if n_stops == 0 else 1 if n_stops * 40 < n else 2 if n_stops * 15 < n else 3
    if n_title + n_capitals == 0:
        style.capitals = 0
    elif n_lower == 0 and n_capitals > n_title:
        style.capitals = 3
    else:
        style.capitals = 1 if n_title * 25 < n else 2
    return style


cdef inline int32_t ranged(int32_t n) noexcept nogil:
    """A length as one of a few ranges."""
    return n if n < 6 else 6 if n < 8 else 7 if n < 12 else 8 if n < 20 else 9 if n < 40 else 10 if n < 80 else 11


cdef inline const Token* last_word(const Token* t, const Token* first) noexcept nogil:
    """The last token of a sentence that is no mark, as far as one is near; `first` is the sentence's first token."""
    cdef const Token* w = t
    while w > first and t - w < 4 and STOP <= w.shape:
        w -= 1
    return w


cdef void first_end_features(
    const Unit* u, int32_t token, const Sentence* s, const Style* y, uint64_t* keys
) noexcept nogil:
    """Fill the keys that are looked at first: N_FIRST_END_FEATURES of them, those that together rule out most."""
    cdef const Token* t = &u.tokens[token]
    cdef uint64_t a = (t - 1).hash, b = t[0].hash, c = t[1].hash, d = t[2].hash
    cdef uint64_t sb = t[0].shape, sc = t[1].shape, space = t[0].space, pair = sb << 16 | sc << 8 | space
    cdef uint64_t stop = ranged(token - s.last_stop)
    cdef uint64_t style = y.stops << 4 | y.capitals
    cdef const Token* first = &u.tokens[s.first]
    cdef const Token* w = last_word(t, first)
    keys[0] = mix(101, b)
    keys[1] = mix(102, c)
    keys[2] = mix(108, pair)
    keys[3] = mix(138, first.shape << 24 | pair)
    keys[4] = mix(mix(105, c), d)
    keys[5] = mix(mix(104, a), b)
    keys[6] = mix(mix(126, c), style << 8 | sb)
    keys[7] = mix(mix(140, pair), style << 8 | stop)
    keys[8] = mix(mix(131, w.hash), c)
    keys[9] = mix(mix(mix(106, a), b), c)


cdef void other_end_features(
    const Unit* u, int32_t token, const Sentence* s, const Style* y, uint64_t* keys
) noexcept nogil:
    """Fill the other keys: N_OTHER_END_FEATURES of them."""
    cdef const Token* t = &u.tokens[token]
    cdef uint64_t a = (t - 1).hash, b = t[0].hash, c = t[1].hash, d = t[2].hash, e = t[3].hash
    cdef uint64_t sz = (t - 2).shape, sa = (t - 1).shape, sb = t[0].shape
    cdef uint64_t sc = t[1].shape, sd = t[2].shape, se = t[3].shape
    cdef uint64_t space = t[0].space, pair = sb << 16 | sc << 8 | space
    cdef uint64_t since = ranged(token - s.first + 1), left = ranged(u.n_tokens - 1 - token)
    cdef uint64_t stop = ranged(token - s.last_stop)
    cdef uint64_t quotes = (s.n_quotes & 1) << 1 | <uint64_t>(s.depth > 0)
    cdef uint64_t style = y.stops << 4 | y.capitals
    cdef const Token* first = &u.tokens[s.first]
    cdef const Token* w = last_word(t, first)
    keys[0] = mix(mix(103, b), c)
    keys[1] = mix(mix(mix(107, b), c), d)
    keys[2] = mix(109, pair << 16 | sa << 8 | sd)
    keys[3] = mix(110, pair << 32 | sz << 24 | sa << 16 | sd << 8 | se)
    keys[4] = mix(mix(111, b), sc << 8 | space)
    keys[5] = mix(mix(112, c), sb << 8 | space)
    keys[6] = mix(mix(113, b), sc << 8 | sd)
    keys[7] = mix(mix(114, c), sa << 8 | sb)
    keys[8] = mix(mix(115, a), sb << 8 | sc)
    keys[9] = mix(mix(116, d), sb << 8 | sc)
    keys[10] = mix(mix(117, t[0].suffix), sc)
    keys[11] = mix(mix(118, t[1].suffix), pair)
    keys[12] = mix(119, pair << 8 | since)
    keys[13] = mix(mix(120, b), since << 8 | sc)
    keys[14] = mix(mix(121, c), since << 8 | sb)
    keys[15] = mix(122, pair << 8 | left)
    keys[16] = mix(123, pair << 8 | quotes)
    keys[17] = mix(mix(124, pair), quotes << 16 | sa << 8 | sd)
    keys[18] = mix(125, pair << 8 | style)
    keys[19] = mix(mix(127, b), style << 8 | sc)
    keys[20] = mix(128, pair << 8 | stop)
    keys[21] = mix(mix(129, first.hash), pair)
    keys[22] = mix(mix(130, w.hash), pair)
    keys[23] = mix(mix(132, (t - 2).hash), pair)
    keys[24] = mix(mix(133, e), pair)
    keys[25] = mix(mix(134, t[2].suffix), pair << 8 | sd)
    keys[26] = mix(mix(135, t[0].suffix), t[1].suffix)
    keys[27] = mix(mix(136, t[0].suffix), c)
    keys[28] = mix(mix(137, b), t[1].suffix)
    keys[29] = mix(mix(139, pair), since << 8 | left)
    keys[30] = mix(mix(141, (t - 1).suffix), pair)
    keys[31] = mix(mix(mix(142, t[1].suffix), t[2].suffix), sb)
    # From here on those that models of version 1 have not.
    cdef uint64_t ahead = ranged(t[1].ahead), length = limited(t.end - t.begin, 15)
    cdef const Token* line = &u.tokens[s.line]
    cdef uint64_t alike = <uint64_t>(line.hash == c) << 1 | <uint64_t>(line.shape == t[1].shape)
    cdef uint64_t ending = 0 if space < NEWLINE else space << 40 | <uint64_t>(line > first) << 39 | alike << 32
    keys[32] = mix(mix(150, c), pair)
    keys[33] = mix(151, pair << 8 | ahead)
    keys[34] = mix(152, pair << 16 | stop << 8 | ahead)
    keys[35] = mix(153, pair << 16 | length << 8 | sd)
    keys[36] = mix(mix(154, w.suffix), pair)
    keys[37] = mix(mix(155, b), pair)
    keys[38] = mix(156, ending | line.shape << 8 | sc)
    keys[39] = mix(157, ending | line.shape << 24 | sb << 16 | sc << 8 | sd)
    keys[40] = mix(158, ending | stop << 16 | ahead << 8 | sb)
    keys[41] = mix(mix(159, t[1].suffix), pair << 8 | ahead)
    keys[42] = mix(160, pair << 32 | style << 16 | stop << 8 | ahead)
    keys[43] = mix(mix(161, a), mix(c, pair))


cdef enum:
    LONGEST_SENTENCE = 2000     # tokens; a sentence is ended there if nothing has ended it before
    SHORT_LINE = PARAGRAPH      # as the white space after a token: a line end though the next word had fitted


cdef bint find_short_lines(Unit* u) noexcept nogil:
    """Tell line ends that a limit to the length of lines explains from those before a word that had fitted.

    Whether there are several lines.
    """
    cdef Token* t = u.tokens
    cdef int32_t i, last, n_lines = 0
    cdef int64_t begin = 0, longest = 0
    for i in range(u.n_tokens):
        if t[i].space == NEWLINE or i == u.n_tokens - 1:
            n_lines += 1
            longest = max(longest, u.place[t[i].end - 1] + 1 - begin)
            begin = u.place[t[i + 1].begin] if i < u.n_tokens - 1 else 0
    if n_lines < 2:
        return False
    begin = 0
    for i in range(u.n_tokens - 1):
        if t[i].space == NEWLINE:
            last = i + 1
            while t[last].space == 0 and last + 1 < u.n_tokens:
                last += 1
            if u.place[t[i].end - 1] + 2 - begin + t[last].end - t[i + 1].begin <= longest:
                t[i].space = SHORT_LINE
            begin = u.place[t[i + 1].begin]
    return True


cdef enum:
    BY_NUMBER = 1               # how the items of a list begin, where not by a bullet: 1. or 1)
    BY_LETTER = 2               # a) or b.
    LONGEST_NUMBER = 3          # digits


cdef int32_t bullet_at(const Unit* u, int32_t i, uint64_t* kind, int32_t* value) noexcept nogil:
    """How many tokens at the beginning of a line are a bullet or the number of an item; 0 if there is none."""
    cdef const Token* t = &u.tokens[i]
    cdef const Token* last = t
    cdef int32_t k, n = t.end - t.begin, mark
    if t.shape == BULLET or t.shape == HYPHEN:
        kind[0] = t.hash
        value[0] = 0
        return 1 if n == 1 and SPACE <= t.space < NEWLINE else 0
    if t.space == 0 and i + 1 < u.n_tokens and t[1].end - t[1].begin == 1:
        last = t + 1
    else:
        n -= 1
    mark = u.folded[last.end - 1]
    if n < 1 or n > LONGEST_NUMBER or not SPACE <= last.space < NEWLINE or (mark != c"." and mark != c")"):
        return 0
    value[0] = 0
    if n == 1 and u.kinds[t.begin] == LOWER:
        value[0] = u.folded[t.begin]
    else:
        for k in range(t.begin, t.begin + n):
            if not c"0" <= u.folded[k] <= c"9":
                return 0
            value[0] = value[0] * 10 + u.folded[k] - c"0"
    kind[0] = <uint64_t>mark << 8 | (BY_LETTER if u.kinds[t.begin] == LOWER else BY_NUMBER)
    return <int32_t>(last - t) + 1


cdef void find_items(Unit* u) noexcept nogil:
    """Where lines begin with the same bullet, or with numbers one after the other, an item begins with each of them."""
    cdef Token* t = u.tokens
    cdef uint64_t kind = 0, before = 0
    cdef int32_t i, n, value = 0, value_before = 0, item = -1, n_before = 0
    for i in range(u.n_tokens):
        if i > 0 and t[i - 1].space < NEWLINE:
            continue
        n = bullet_at(u, i, &kind, &value)
        if n == 0:
            continue
        if item >= 0 and kind == before and (value == value_before + 1 or value == 0 == value_before):
            begin_item(u, item, n_before)
            begin_item(u, i, n)
        item, n_before, before, value_before = i, n, kind, value


cdef void begin_item(Unit* u, int32_t first, int32_t n) noexcept nogil:
    """A sentence begins with a token, and does not end within the `n` that are its bullet."""
    cdef int32_t i
    if first > 0:
        u.tokens[first - 1].known = ENDS
    for i in range(first, first + n):
        u.tokens[i].known = GOES_ON


cdef void split_sentences(const Model* m, Unit* u, bint lines) noexcept nogil:
    """Set `ends` of the tokens. With `lines` a unit is one sentence."""
    cdef uint64_t keys[N_END_FEATURES]
    cdef Sentence s
    cdef Style style = style_of(u)
    cdef Token* t = u.tokens
    cdef int32_t i, sum
    cdef bint known
    cdef uint8_t asked_from = NEWLINE if m.n_end_features == N_END_FEATURES else 255    # white space
    if find_short_lines(u) and m.marks == NULL and m.n_end_features == N_END_FEATURES and not lines:
        find_items(u)
    s.first = s.n_quotes = s.depth = s.line = 0
    s.last_stop = -1
    for i in range(u.n_tokens - 1):
        if STOP <= t[i].shape <= MANY_STOPS:
            s.last_stop = i
        elif t[i].shape == QUOTE:
            s.n_quotes += 1
        elif t[i].shape == OPENED:
            s.depth += 1
        elif t[i].shape == CLOSED and s.depth > 0:
            s.depth -= 1
        if t[i].known:
            t[i].ends = t[i].known == ENDS
        elif not lines and (m.ends[(t[i].shape * N_SHAPES + t[i + 1].shape) * 2 + (t[i].space != 0)] == ASK
                            or t[i].space >= asked_from):
            first_end_features(u, i, &s, &style, keys)
            if m.marks == NULL:
                sum = total(&m.weights[END], keys, N_FIRST_END_FEATURES)
                if sum > m.least:
                    other_end_features(u, i, &s, &style, keys + N_FIRST_END_FEATURES)
                    t[i].ends = added(&m.weights[END], keys + N_FIRST_END_FEATURES,
                                      m.n_end_features - N_FIRST_END_FEATURES, sum) > 0
            elif m.recorder != NULL:
                other_end_features(u, i, &s, &style, keys + N_FIRST_END_FEATURES)
                known = m.marks[u.at[t[i + 1].begin]] & SENTENCE_BEGINS != 0
                record(&m.recorder[END], keys, N_END_FEATURES, known)
        if m.marks != NULL:
            t[i].ends = m.marks[u.at[t[i + 1].begin]] & SENTENCE_BEGINS != 0
        elif i - s.first == LONGEST_SENTENCE - 1:
            t[i].ends = True
        if t[i].ends:
            s.first = i + 1
            s.n_quotes = s.depth = 0
            s.last_stop = i
        if t[i].space >= NEWLINE:
            s.line = i + 1
    if u.n_tokens > 0:
        t[u.n_tokens - 1].ends = True


# Multiword tokens


cdef enum:                      # what a value of the lexicon says, besides 4 times the rule
    IS_TOKEN, IS_WORDS, MAY_BE_WORDS

cdef enum:
    N_WORD_FEATURES = 20
    INT_FLAG = 1 << 30          # of a value: found by suffix


cdef uint64_t key_of_form(uint64_t hash) noexcept nogil:
    """The key of a form by the hash of its token."""
    return mix(hash, 0xF0) | 1


cdef int32_t find(const Lexicon* x, uint64_t key) noexcept nogil:
    """The value of a key, or -1."""
    cdef uint64_t at = (key >> 1) & x.mask
    while x.keys[at] != 0:
        if x.keys[at] == key:
            return x.values[at]
        at = (at + 1) & x.mask
    return -1


cdef int32_t rule_of(const Model* m, const Unit* u, int32_t token) noexcept nogil:
    """The rule by which a token is taken apart; or less than 0 if it is a word, NEVER if its form says so."""
    cdef const Lexicon* x = &m.lexicon
    cdef const Token* t = &u.tokens[token]
    cdef uint64_t suffixes[LONGEST_SUFFIX]
    cdef uint64_t keys[N_WORD_FEATURES]
    cdef uint64_t hash = 0x5F
    cdef int32_t value, found, i
    if x.n_rules == 0:
        return NEVER
    value = find(x, key_of_form(t.hash))
    if value >= 0 and (value & 3) != MAY_BE_WORDS:
        return value >> 2 if (value & 3) == IS_WORDS else NEVER
    if value < 0 and not x.last >> (u.folded[t.end - 1] & 63) & 1:
        return NEVER
    for i in range(LONGEST_SUFFIX):
        if i < t.end - t.begin:
            hash = mix(hash, u.folded[t.end - 1 - i])
            if (value < 0 or value >= INT_FLAG) and i < x.longest:
                found = find(x, hash | 1)
                if found >= 0:
                    value = found | INT_FLAG
        suffixes[i] = hash
    if value < 0:
        return NEVER
    found = value >= INT_FLAG
    value &= INT_FLAG - 1
    if (value & 3) == IS_WORDS:
        return value >> 2
    cdef uint64_t rule = value >> 2, a = (t - 1).hash, b = t[1].hash
    keys[0] = mix(201, rule << 1 | <uint64_t>found)
    keys[1] = mix(mix(202, t.hash), rule)
    for i in range(6):
        keys[2 + i] = mix(mix(210 + i, suffixes[i]), rule)
    keys[8] = mix(mix(203, a), t.hash)
    keys[9] = mix(mix(204, b), t.hash)
    keys[10] = mix(mix(205, a), rule)
    keys[11] = mix(mix(206, b), rule)
    keys[12] = mix(mix(207, t[1].shape), rule)
    keys[13] = mix(mix(208, t.shape), rule)
    keys[14] = mix(mix(209, (t - 1).shape), rule << 8 | t[1].shape)
    keys[15] = mix(mix(220, t.end - t.begin if t.end - t.begin < 16 else 16), rule)
    keys[16] = mix(mix(221, t[1].shape), t.hash)
    keys[17] = mix(mix(222, t[1].suffix), rule)
    keys[18] = mix(mix(223, (t - 1).suffix), rule)
    keys[19] = mix(mix(224, u.folded[t.begin] | <uint64_t>u.folded[t.begin + 1] << 32), rule)
    cdef bint known = m.marks != NULL and m.marks[u.at[t.begin]] & HAS_WORDS != 0
    return value >> 2 if decide(m, WORDS, keys, N_WORD_FEATURES, known) else -1


def form_key(str folded) -> int:
    """The key of a folded form."""
    cdef uint64_t hash = 0
    for character in folded:
        hash = mix(hash, ord(character))
    return key_of_form(hash)


def suffix_key(str folded) -> int:
    """The key of a folded ending."""
    cdef uint64_t hash = 0x5F
    for character in reversed(folded):
        hash = mix(hash, ord(character))
    return hash | 1
