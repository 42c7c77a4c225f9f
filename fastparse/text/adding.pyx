"""From the tokens of a unit to sentences of words."""

from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t

from fastparse.corpus.conllu.put cimport put
from fastparse.corpus.conllu.tokenization cimport Tokenization
from fastparse.corpus.strings.vectors cimport Array, append, reserve
from fastparse.text.characters cimport LOWER, UPPER
from fastparse.text.model cimport Model
from fastparse.text.unit cimport NO_MEMORY, Token, Unit
from fastparse.text.words cimport MOST_WORDS, WHOLE, rule_of


cdef inline const uint8_t* bytes_of(const Unit* u, const uint8_t* text, int32_t character) noexcept nogil:
    return text + u.first + u.at[character]


cdef inline const uint8_t* after(const Unit* u, const uint8_t* text, int32_t character) noexcept nogil:
    """The byte after a character."""
    cdef const uint8_t* at = bytes_of(u, text, character)
    return at + (1 if at[0] < 0x80 else 2 if at[0] < 0xE0 else 3 if at[0] < 0xF0 else 4)


cdef inline int64_t size_of(const Unit* u, const uint8_t* text, const Token* t) noexcept nogil:
    """The bytes of a token."""
    return after(u, text, t.end - 1) - bytes_of(u, text, t.begin)


cdef int32_t make_words(Array* word, const Model* m, const Unit* u, const uint8_t* text, const Token* t, int32_t rule,
                        int64_t* ends) noexcept nogil:
    """Write the words of a token to the scratch and their ends to `ends`.

    Their number, 0 if one of them would be empty, or NO_MEMORY.
    """
    cdef const uint8_t* r = m.lexicon.rules + m.lexicon.starts[rule]
    cdef int32_t n = r[0], i, k, begin, end, n_upper = 0, n_lower = 0, variant, size = t.end - t.begin
    cdef const uint8_t* first
    cdef int64_t n_bytes
    word.size = 0
    r += 1
    for i in range(t.begin, t.end):
        n_upper += u.kinds[i] == UPPER
        n_lower += u.kinds[i] == LOWER
    for i in range(n):
        begin = <int8_t>r[0]
        end = <int8_t>r[1]
        begin = begin if begin >= 0 else begin + size
        end = size if end == WHOLE else end if end >= 0 else end + size
        r += 2
        begin = begin if begin > 0 else 0
        end = end if end < size else size
        if begin < end:
            first = bytes_of(u, text, t.begin + begin)
            n_bytes = after(u, text, t.begin + end - 1) - first
            if reserve(word, word.size + n_bytes, 1):
                return NO_MEMORY
            put(word.data + word.size, first, n_bytes)
            word.size += n_bytes
        variant = 0
        if n_upper > 1 and n_lower == 0:
            variant = 2
        elif i == 0 and u.kinds[t.begin] == UPPER and begin >= end:
            variant = 1
        for k in range(3):
            if k == variant:
                if reserve(word, word.size + r[0] + 1, 1):
                    return NO_MEMORY
                put(word.data + word.size, r + 1, r[0])
                word.size += r[0]
            r += 1 + r[0]
        ends[i] = word.size
        if word.size == (ends[i - 1] if i > 0 else 0):
            return 0
    return n


cdef int add_unit(Tokenization out, Array* word, const Model* m, const Unit* u, const uint8_t* text,
                  bint words) noexcept nogil:
    """Add the tokens of a unit: 0, or NO_MEMORY.

    Args:
        word: scratch memory, which the caller owns.
        words: whether multiword tokens are taken apart.
    """
    cdef int64_t ends[MOST_WORDS]
    cdef const uint8_t* form
    cdef const uint8_t* limit = text + u.end
    cdef int64_t n = out.spans.size, size
    cdef int64_t* spans
    cdef int32_t i, k, rule, n_words
    cdef int status = 0
    if reserve(&out.spans, n + 2 * u.n_tokens, sizeof(int64_t)):
        return NO_MEMORY
    spans = <int64_t*>out.spans.data
    if u.n_tokens > 0 and u.first > u.begin:
        status = append(&out.before, n // 2) or append(&out.before, u.begin)
    for i in range(u.n_tokens):
        form = bytes_of(u, text, u.tokens[i].begin)
        size = size_of(u, text, &u.tokens[i])
        spans[n] = form - text
        spans[n + 1] = spans[n] + size
        rule = rule_of(m, u, i) if words else -1
        n_words = make_words(word, m, u, text, &u.tokens[i], rule, ends) if rule >= 0 else 0
        if n_words > 1:
            status |= append(&out.several, n // 2) or append(&out.several, n_words)
            for k in range(n_words):
                size = ends[k - 1] if k > 0 else 0
                status |= out.add_word(<uint8_t*>word.data + size, ends[k] - size, <uint8_t*>word.data + word.size)
        else:
            status |= NO_MEMORY if n_words < 0 else out.add_word(form, size, limit)
        n += 2
        out.spans.size = n
        if u.tokens[i].ends:
            status |= out.end_sentence()
    return NO_MEMORY if status else 0


cdef int add_places(Array* places, const Unit* u, int64_t before) noexcept nogil:
    """Add the characters where the tokens of a unit begin and end, `before` of which come before it: 0, or NO_MEMORY."""
    cdef int32_t i
    for i in range(u.n_tokens):
        if append(places, before + u.place[u.tokens[i].begin]) or append(
                places, before + u.place[u.tokens[i].end - 1] + 1):
            return NO_MEMORY
    return 0
