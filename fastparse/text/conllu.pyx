"""CoNLL-U of tokens: comments, lines with empty columns, and in MISC all the white space that is not a single space."""

from libc.stdint cimport int8_t, int32_t

from fastparse.corpus.strings.vectors cimport reserve
from fastparse.corpus.conllu.put cimport put, put_number
from fastparse.text.characters cimport LOWER, UPPER
from fastparse.text.unit cimport NO_MEMORY, Token
from fastparse.text.words cimport MOST_WORDS, WHOLE, rule_of

cdef enum:
    ROW = 160                   # bytes of a line besides form, white space and range


cdef inline char* put_escaped(char* out, const uint8_t* text, int64_t size) noexcept nogil:
    """White space as MISC holds it; up to twice as long."""
    cdef int64_t i
    cdef uint8_t c, escape
    for i in range(size):
        c = text[i]
        escape = (c"s" if c == c" " else c"n" if c == c"\n" else c"r" if c == c"\r" else c"t" if c == c"\t"
                  else c"p" if c == c"|" else c"\\" if c == c"\\" else 0)
        if escape:
            out[0] = c"\\"
            out[1] = <char>escape
            out += 2
        else:
            out[0] = <char>c
            out += 1
    return out


cdef inline const uint8_t* bytes_of(const Unit* u, const uint8_t* text, int32_t character) noexcept nogil:
    return text + u.first + u.at[character]


cdef inline const uint8_t* after(const Unit* u, const uint8_t* text, int32_t character) noexcept nogil:
    """The byte after a character."""
    cdef const uint8_t* at = bytes_of(u, text, character)
    return at + (1 if at[0] < 0x80 else 2 if at[0] < 0xE0 else 3 if at[0] < 0xF0 else 4)


cdef inline int64_t size_of(const Unit* u, const uint8_t* text, const Token* t) noexcept nogil:
    """The bytes of a token."""
    return after(u, text, t.end - 1) - bytes_of(u, text, t.begin)


cdef int32_t make_words(Writer* w, const Model* m, const Unit* u, const uint8_t* text, const Token* t, int32_t rule,
                        int64_t* ends) noexcept nogil:
    """Write the words of a token to the scratch and their ends to `ends`.

    Their number, 0 if one of them would be empty, or NO_MEMORY.
    """
    cdef const uint8_t* r = m.lexicon.rules + m.lexicon.starts[rule]
    cdef int32_t n = r[0], i, k, begin, end, n_upper = 0, n_lower = 0, variant, size = t.end - t.begin
    cdef const uint8_t* first
    cdef int64_t n_bytes
    w.word.size = 0
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
            if reserve(&w.word, w.word.size + n_bytes, 1):
                return NO_MEMORY
            put(w.word.data + w.word.size, first, n_bytes)
            w.word.size += n_bytes
        variant = 0
        if n_upper > 1 and n_lower == 0:
            variant = 2
        elif i == 0 and u.kinds[t.begin] == UPPER and begin >= end:
            variant = 1
        for k in range(3):
            if k == variant:
                if reserve(&w.word, w.word.size + r[0] + 1, 1):
                    return NO_MEMORY
                put(w.word.data + w.word.size, r + 1, r[0])
                w.word.size += r[0]
            r += 1 + r[0]
        ends[i] = w.word.size
        if w.word.size == (ends[i - 1] if i > 0 else 0):
            return 0
    return n


cdef inline char* put_id(char* out, int32_t id) noexcept nogil:
    out = put_number(out, id)
    out[0] = c"\t"
    return out + 1


cdef int write_unit(Writer* w, const Model* m, const Unit* u, const uint8_t* text) noexcept nogil:
    """Write all sentences of a unit: 0, or NO_MEMORY."""
    cdef int32_t first = 0, last = 0, status
    while first < u.n_tokens:
        last = first
        while not u.tokens[last].ends:
            last += 1
        status = write_sentence(w, m, u, text, first, last + 1)
        if status:
            return status
        first = last + 1
    return 0


cdef int write_sentence(
    Writer* w, const Model* m, const Unit* u, const uint8_t* text, int32_t first, int32_t stop
) noexcept nogil:
    cdef int64_t ends[MOST_WORDS]
    cdef const Token* t
    cdef const uint8_t* form
    cdef const uint8_t* spaces
    cdef int64_t size, n_bytes, at
    cdef int32_t i, k, id = 1, rule, n_words
    cdef char* out
    cdef char* misc
    # The comment has all bytes of the sentence at most, since white space is squeezed.
    size = bytes_of(u, text, u.tokens[stop - 1].end) - bytes_of(u, text, u.tokens[first].begin)
    if reserve(&w.out, w.out.size + size + ROW, 1):
        return NO_MEMORY
    out = w.out.data + w.out.size
    if w.new_paragraph:
        out = put(out, b"# newpar\n", 9)
        w.new_paragraph = False
    w.n_sentences += 1
    out = put(out, b"# sent_id = ", 12)
    out = put_number(out, w.n_sentences)
    out = put(out, b"\n# text = ", 10)
    for i in range(first, stop):
        t = &u.tokens[i]
        form = bytes_of(u, text, t.begin)
        out = put(out, form, size_of(u, text, t))
        if t.space and i + 1 < stop:
            out[0] = c" "
            out += 1
    out[0] = c"\n"
    w.out.size = out + 1 - w.out.data
    for i in range(first, stop):
        t = &u.tokens[i]
        form = bytes_of(u, text, t.begin)
        size = size_of(u, text, t)
        spaces = form + size
        n_bytes = (bytes_of(u, text, u.tokens[i + 1].begin) if i + 1 < u.n_tokens else text + u.end) - spaces
        at = u.first - u.begin if i == 0 else 0
        if reserve(&w.out, w.out.size + size + 2 * n_bytes + 2 * at + ROW, 1):
            return NO_MEMORY
        rule = rule_of(m, u, i) if w.words else -1
        n_words = make_words(w, m, u, text, t, rule, ends) if rule >= 0 else 0
        if n_words < 0:
            return NO_MEMORY
        out = w.out.data + w.out.size
        if n_words > 1:
            out = put_number(out, id)
            out[0] = c"-"
            out = put_id(out + 1, id + n_words - 1)
        else:
            out = put_id(out, id)
        out = put(out, form, size)
        out = put(out, b"\t_\t_\t_\t_\t_\t_\t_\t", 15)
        misc = out
        if n_bytes == 0:
            out = put(out, b"SpaceAfter=No|", 14)
        elif n_bytes > 1 or spaces[0] != c" " or i + 1 == u.n_tokens and w.last:
            out = put(out, b"SpacesAfter=", 12)
            out = put_escaped(out, spaces, n_bytes)
            out[0] = c"|"
            out += 1
        if at > 0:
            out = put(out, b"SpacesBefore=", 13)
            out = put_escaped(out, text + u.begin, at)
            out[0] = c"|"
            out += 1
        if w.offsets:
            out = put(out, b"TokenRange=", 11)
            out = put_number(out, w.place + u.place[t.begin])
            out[0] = c":"
            out = put_number(out + 1, w.place + (u.place[t.end - 1] + 1))
            out[0] = c"|"
            out += 1
        if out == misc:
            out = put(out, b"_\n", 2)
        else:
            (out - 1)[0] = c"\n"
        w.out.size = out - w.out.data
        if n_words > 1:
            if reserve(&w.out, w.out.size + w.word.size + n_words * ROW, 1):
                return NO_MEMORY
            out = w.out.data + w.out.size
            for k in range(n_words):
                at = ends[k - 1] if k > 0 else 0
                out = put_id(out, id + k)
                out = put(out, w.word.data + at, ends[k] - at)
                out = put(out, b"\t_\t_\t_\t_\t_\t_\t_\t_\n", 17)
            w.out.size = out - w.out.data
            id += n_words
        else:
            id += 1
    w.n_words += id - 1
    w.out.data[w.out.size] = c"\n"
    w.out.size += 1
    return 0
