"""Deciding whether a token is a multiword token: by dictionary, by suffix, and by weights where those do not tell."""

from fastparse.text.model cimport HAS_WORDS, WORDS, decide
from fastparse.text.unit cimport Token
from fastparse.text.weights cimport mix


cdef enum:
    INT_FLAG = 1 << 30          # of a value: found by suffix


cdef uint64_t form_key(uint64_t hash) noexcept nogil:
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
    """The rule by which a token is taken apart, or -1 if it is a word."""
    cdef const Lexicon* x = &m.lexicon
    cdef const Token* t = &u.tokens[token]
    cdef uint64_t suffixes[LONGEST_SUFFIX]
    cdef uint64_t keys[N_WORD_FEATURES]
    cdef uint64_t hash = 0x5F
    cdef int32_t value, found, i
    if x.n_rules == 0:
        return -1
    value = find(x, form_key(t.hash))
    if value >= 0 and (value & 3) != MAY_BE_WORDS:
        return value >> 2 if (value & 3) == IS_WORDS else -1
    if value < 0 and not x.last >> (u.folded[t.end - 1] & 63) & 1:
        return -1
    for i in range(LONGEST_SUFFIX):
        if i < t.end - t.begin:
            hash = mix(hash, u.folded[t.end - 1 - i])
            if (value < 0 or value >= INT_FLAG) and i < x.longest:
                found = find(x, hash | 1)
                if found >= 0:
                    value = found | INT_FLAG
        suffixes[i] = hash
    if value < 0:
        return -1
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
