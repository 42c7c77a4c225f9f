"""The features of a possible end of a sentence: the words around it, their shapes, spacing, the sentence so far."""

from fastparse.text.shapes cimport CAPITALS, LOWER_WORD, MANY_STOPS, STOP, TITLE_WORD
from fastparse.text.unit cimport Token
from fastparse.text.weights cimport mix


cdef Style style_of(const Unit* u) noexcept nogil:
    """Counts over all tokens of a unit, as ranges."""
    cdef int32_t i, n_stops = 0, n_lower = 0, n_title = 0, n_capitals = 0, n
    cdef Style style
    for i in range(u.n_tokens):
        shape = u.tokens[i].shape
        n_stops += STOP <= shape <= MANY_STOPS
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
