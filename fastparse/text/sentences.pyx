"""Finding the tokens with which sentences end; the last of a unit always does."""

from libc.stdint cimport int32_t, int64_t, uint64_t

from fastparse.text.characters cimport NEWLINE, PARAGRAPH
from fastparse.text.ends cimport (
    N_END_FEATURES, N_FIRST_END_FEATURES, N_OTHER_END_FEATURES, Sentence, Style, first_end_features, other_end_features,
    style_of,
)
from fastparse.text.model cimport ASK, END, SENTENCE_BEGINS
from fastparse.text.recorder cimport record
from fastparse.text.shapes cimport CLOSED, MANY_STOPS, N_SHAPES, OPENED, QUOTE, STOP
from fastparse.text.unit cimport Token
from fastparse.text.weights cimport added, total

cdef enum:
    SHORT_LINE = PARAGRAPH      # as the white space after a token: a line end though the next word had fitted


cdef void find_short_lines(Unit* u) noexcept nogil:
    """Tell line ends that a limit to the length of lines explains from those before a word that had fitted."""
    cdef Token* t = u.tokens
    cdef int32_t i, last, n_lines = 0
    cdef int64_t begin = 0, longest = 0
    for i in range(u.n_tokens):
        if t[i].space == NEWLINE or i == u.n_tokens - 1:
            n_lines += 1
            longest = max(longest, u.place[t[i].end - 1] + 1 - begin)
            begin = u.place[t[i + 1].begin] if i < u.n_tokens - 1 else 0
    if n_lines < 2:
        return
    begin = 0
    for i in range(u.n_tokens - 1):
        if t[i].space == NEWLINE:
            last = i + 1
            while t[last].space == 0 and last + 1 < u.n_tokens:
                last += 1
            if u.place[t[i].end - 1] + 2 - begin + t[last].end - t[i + 1].begin <= longest:
                t[i].space = SHORT_LINE
            begin = u.place[t[i + 1].begin]


cdef void split_sentences(const Model* m, Unit* u, bint lines) noexcept nogil:
    """Set `ends` of the tokens. With `lines` a unit is one sentence."""
    cdef uint64_t keys[N_END_FEATURES]
    cdef Sentence s
    cdef Style style = style_of(u)
    cdef Token* t = u.tokens
    cdef int32_t i, sum
    cdef bint known
    find_short_lines(u)
    s.first = s.n_quotes = s.depth = 0
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
        if not lines and m.ends[(t[i].shape * N_SHAPES + t[i + 1].shape) * 2 + (t[i].space != 0)] == ASK:
            first_end_features(u, i, &s, &style, keys)
            if m.marks == NULL:
                sum = total(&m.weights[END], keys, N_FIRST_END_FEATURES)
                if sum > m.least:
                    other_end_features(u, i, &s, &style, keys + N_FIRST_END_FEATURES)
                    t[i].ends = added(&m.weights[END], keys + N_FIRST_END_FEATURES, N_OTHER_END_FEATURES, sum) > 0
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
    if u.n_tokens > 0:
        t[u.n_tokens - 1].ends = True
