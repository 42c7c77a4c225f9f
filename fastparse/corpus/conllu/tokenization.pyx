"""Writing the tokens of running text as CoNLL-U: comments, ranges, and in MISC white space that is no single space."""

from cpython.bytes cimport PyBytes_FromStringAndSize
from cpython.object cimport PyObject
from cpython.ref cimport Py_DECREF
from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.string cimport memchr, memcmp

from fastparse.corpus.conllu.put cimport MAX_DIGITS, SLACK, put, put_head, put_number, put_short
from fastparse.corpus.conllu.writer cimport DEPREL, DEPS_COLUMN, HEAD, MISC, N_COLUMNS, Cells, fill, put_cell, room_of
from fastparse.corpus.strings.interning cimport Interner, drop, finish, intern_copied, prepare
from fastparse.corpus.strings.vectors cimport Array, Vector, append, discard, reserve

cdef extern from "Python.h":
    # As pointers, because a string may only be resized while nothing else refers to it.
    PyObject* PyBytes_FromStringAndSize_ "PyBytes_FromStringAndSize"(const char* text, Py_ssize_t size) except NULL
    char* PyBytes_AS_STRING(PyObject* string) nogil
    int _PyBytes_Resize(PyObject** string, Py_ssize_t size) except -1

cdef enum:
    NAME = 12                   # bytes of "# sent_id = "
    COMMENTS = 64               # bytes of the comments of a sentence besides its text
    LINE = 40                   # bytes of a line besides its strings
    NOTE = 96                   # bytes of a note besides white space, and of one
    SHORT_NOTE = 24             # that says that no white space follows, or a single character

cdef struct Cursor:
    # Where the writer is in the lists that only some tokens and sentences are in.
    int64_t several, before, paragraph
    int64_t document            # the text that the last token was looked up in, of several


cdef class Tokenization:
    """Tokens, with where they stand in their text; immutable once it is filled.

    Attributes:
        text: in UTF-8.
        forms: the distinct forms of the words.
    """

    def __cinit__(self, bytes text not None):
        self.text = text
        self.stop = len(text)
        if (prepare(&self.interner, NULL, NULL) or append(&self.firsts, 0) or append(&self.word_offsets, 0)):
            raise MemoryError("no memory for the tokens of a text")

    def __dealloc__(self):
        drop(&self.interner)
        discard(&self.spans)
        discard(&self.firsts)
        discard(&self.paragraphs)
        discard(&self.several)
        discard(&self.before)
        discard(&self.documents)
        discard(&self.places)
        discard(&self.pool)
        discard(&self.word_ids)
        discard(&self.word_offsets)

    cdef int add_word(self, const uint8_t* form, int64_t size, const uint8_t* limit) noexcept nogil:
        """Add a word of the last token: 0, or -1 without memory. `limit` is where the memory with the form ends."""
        cdef int64_t n = self.word_ids.size
        cdef int32_t id = intern_copied(&self.interner, &self.pool, form, size, limit)
        if id < 0 or reserve(&self.word_ids, n + 1, sizeof(int32_t)):
            return -1
        (<int32_t*>self.word_ids.data)[n] = id
        self.word_ids.size = n + 1
        return 0

    cdef int end_sentence(self) noexcept nogil:
        """End a sentence after the last token and word: 0, or -1 without memory."""
        return append(&self.firsts, self.spans.size // 2) or append(&self.word_offsets, self.word_ids.size)

    cdef Tokenization finished(self):
        """Itself, once everything has been added."""
        self.forms = finish(&self.interner, PyBytes_FromStringAndSize(self.pool.data, self.pool.size))
        discard(&self.pool)
        self.ids_ = Vector.adopt(&self.word_ids, b"i")
        self.offsets_ = Vector.adopt(&self.word_offsets, b"q")
        return self

    def __len__(self):
        """The number of sentences."""
        return self.firsts.size - 1

    @property
    def ids(self):
        """The form of every word, int32: a place in `forms`."""
        return self.ids_.array()

    @property
    def offsets(self):
        """The number of words before each sentence, and of all: int64."""
        return self.offsets_.array()

    def misc(self):
        """The column MISC: ids (int32 per word) and their StringTable."""
        cdef Array ids = Array(NULL, 0, 0), pool = Array(NULL, 0, 0), note = Array(NULL, 0, 0)
        cdef Interner interner
        cdef int64_t token, n_tokens = self.spans.size // 2, word = 0, n = self.ids_.size, k
        cdef Cursor c = Cursor(0, 0, 0, 0)
        cdef int32_t id, nothing = -1
        cdef bint failed = prepare(&interner, NULL, NULL) != 0 or reserve(&ids, n, sizeof(int32_t)) != 0
        with nogil:
            for token in range(n_tokens):
                if failed:
                    break
                k = words_of(self, token, &c)
                if k == 1:
                    failed = reserve(&note, room_for_note(self, token, &c), 1) != 0
                    if not failed:
                        note.size = put_note(note.data, self, token, &c) - note.data
                        id = intern_copied(&interner, &pool, <uint8_t*>note.data, note.size,
                                           <uint8_t*>note.data + note.size)
                else:
                    c.before += 2 * is_next(&self.before, c.before, token)
                    if nothing < 0:
                        nothing = intern_copied(&interner, &pool, b"_", 1, NULL)
                    id = nothing
                failed = failed or id < 0
                while k > 0 and not failed:
                    (<int32_t*>ids.data)[word] = id
                    word += 1
                    k -= 1
        ids.size = n
        discard(&note)
        try:
            if failed:
                drop(&interner)
                discard(&ids)
                raise MemoryError(f"cannot allocate a column of {n} words")
            return (Vector.adopt(&ids, b"i").array(),
                    finish(&interner, PyBytes_FromStringAndSize(pool.data, pool.size)))
        finally:
            discard(&pool)

    def sizes(self) -> list:
        """The number of sentences of each of several texts."""
        cdef const int64_t* documents = <int64_t*>self.documents.data
        cdef int64_t i
        return [documents[4 * i + 3] - documents[4 * i + 2] for i in range(self.documents.size // 4)]

    def bounds_of(self, int64_t document) -> tuple:
        """The first sentence of a text, and the one after its last."""
        if not 0 <= document < self.documents.size // 4:
            raise IndexError(f"text {document} of {self.documents.size // 4}")
        return (<int64_t*>self.documents.data)[4 * document + 2], (<int64_t*>self.documents.data)[4 * document + 3]

    def starts(self) -> list:
        """The character of its text at which each sentence begins, where places of tokens are kept."""
        cdef const int64_t* places = <int64_t*>self.places.data
        cdef const int64_t* firsts = <int64_t*>self.firsts.data
        cdef int64_t i, n = self.firsts.size - 1
        if self.places.size != self.spans.size:
            raise ValueError("places of tokens were not kept")
        return [places[2 * firsts[i]] for i in range(n)]

    def cut(self, int64_t document) -> Tokenization:
        """The tokens of one of the texts, as if it had been tokenized alone; the inverse of `joined`."""
        cdef const int64_t* bounds
        cdef int64_t first, last, begin, token, last_token, word, i
        cdef const uint8_t* source = <const uint8_t*>self.forms.source
        cdef const uint8_t* limit = source + len(self.forms.source)
        cdef Tokenization t
        cdef Cursor at, end
        cdef int32_t k
        cdef int status = 0
        first, last = self.bounds_of(document)
        bounds = <int64_t*>self.documents.data + 4 * document
        begin = bounds[0]
        t = Tokenization(self.text[begin:bounds[1]])
        token, last_token = (<int64_t*>self.firsts.data)[first], (<int64_t*>self.firsts.data)[last]
        word = (<int64_t*>self.offsets_.data)[first]
        at, end = cursor_at(self, first), cursor_at(self, last)
        for i in range(word, (<int64_t*>self.offsets_.data)[last]):
            k = (<int32_t*>self.ids_.data)[i]
            status |= t.add_word(source + (<int64_t*>self.forms.begins.data)[k],
                                 (<int32_t*>self.forms.lengths.data)[k], limit)
        status |= taken(&t.spans, &self.spans, 2 * token, 2 * last_token, begin, begin)
        status |= taken(&t.firsts, &self.firsts, first + 1, last + 1, token, token)
        status |= taken(&t.paragraphs, &self.paragraphs, at.paragraph, end.paragraph, first, first)
        status |= taken(&t.several, &self.several, at.several, end.several, token, 0)
        status |= taken(&t.before, &self.before, at.before, end.before, token, begin)
        if self.places.size:
            status |= taken(&t.places, &self.places, 2 * token, 2 * last_token, 0, 0)
        for i in range(first + 1, last + 1):
            status |= append(&t.word_offsets, (<int64_t*>self.offsets_.data)[i] - word)
        t.final = True
        if status:
            raise MemoryError("no memory for the tokens of a text")
        return t.finished()

    def source(self) -> bytes:
        """The CoNLL-U of the tokens alone."""
        return self.write(0, len(self), None, {}, first=1, copy_deps=False)

    def write(self, int64_t begin, int64_t end, const int32_t[::1] heads, dict columns, *, int64_t first,
              bint copy_deps) -> bytes:
        """The CoNLL-U of some sentences.

        Args:
            begin, end: the first of them, and the one after the last.
            heads: of all words, -1 for `_`; None for no heads.
            columns: ids of all words (int32, -1 for `_`) and StringTable by number, ID being 0; `_` for those that are
                missing, but in MISC what is to be said of white space.
            first: the number of the first of all sentences.
            copy_deps: whether to write `head:label` to DEPS.
        """
        cdef int64_t n_words = self.ids_.size, n = len(self), bound, size
        cdef Cells cells[N_COLUMNS]
        cdef PyObject* raw
        if not 0 <= begin <= end <= n:
            raise IndexError(f"sentences {begin} to {end} of {n}")
        if heads is not None and heads.shape[0] != n_words:
            raise ValueError(f"{heads.shape[0]} heads for {n_words} words")
        columns = {**columns, 1: (self.ids, self.forms)}
        fill(cells, columns, n_words)
        with nogil:
            bound = room_for(self, cells, begin, end, copy_deps)
        if bound < 0:
            raise ValueError(f"ids of column {-bound} are none of its strings")
        raw = PyBytes_FromStringAndSize_(NULL, bound)
        with nogil:
            size = write_sentences(PyBytes_AS_STRING(raw), self, cells, &heads[0] if heads is not None and n_words
                                   else NULL, begin, end, first, copy_deps)
        _PyBytes_Resize(&raw, size)
        result = <object>raw
        Py_DECREF(result)
        return result


def joined(list parts not None) -> Tokenization:
    """The tokens of texts that follow each other, as those of one text."""
    cdef Tokenization t = Tokenization(b"".join([(<Tokenization?>part).text[:(<Tokenization>part).stop]
                                                 for part in parts]))
    cdef Tokenization part
    cdef int64_t at = 0, words = 0, tokens = 0, sentences = 0, i, k
    cdef int status = 0
    cdef const uint8_t* limit
    cdef const int64_t* begins
    for part in parts:
        limit = <const uint8_t*>part.forms.source
        begins = <const int64_t*>part.forms.begins.data
        for i in range(part.ids_.size):
            k = (<int32_t*>part.ids_.data)[i]
            status |= t.add_word(limit + begins[k], (<int32_t*>part.forms.lengths.data)[k],
                                 limit + len(part.forms.source))
        status |= shifted(&t.spans, &part.spans, 0, at, at)
        status |= shifted(&t.firsts, &part.firsts, 1, tokens, tokens)
        status |= shifted(&t.paragraphs, &part.paragraphs, 0, sentences, sentences)
        status |= shifted(&t.several, &part.several, 0, tokens, 0)
        status |= shifted(&t.before, &part.before, 0, tokens, at)
        status |= shifted(&t.places, &part.places, 0, 0, 0)
        for i in range(1, part.offsets_.size):
            status |= append(&t.word_offsets, words + (<int64_t*>part.offsets_.data)[i])
        at += part.stop
        words += part.ids_.size
        tokens += part.spans.size // 2
        sentences += part.firsts.size - 1
        t.final = part.final
    if status:
        raise MemoryError("no memory for the tokens of a text")
    return t.finished()


cdef int shifted(Array* to, const Array* items, int64_t first, int64_t even, int64_t odd) noexcept nogil:
    """Append items from `first` on, with something added to those at even and at odd places: 0, or -1."""
    cdef int64_t i
    if reserve(to, to.size + items.size, sizeof(int64_t)):
        return -1
    for i in range(first, items.size):
        (<int64_t*>to.data)[to.size] = (<int64_t*>items.data)[i] + (odd if i & 1 else even)
        to.size += 1
    return 0


cdef int taken(Array* to, const Array* items, int64_t first, int64_t last, int64_t even, int64_t odd) noexcept nogil:
    """Append items with something taken from those at even and at odd places of the whole list: 0, or -1."""
    cdef int64_t i
    if reserve(to, to.size + last - first, sizeof(int64_t)):
        return -1
    for i in range(first, last):
        (<int64_t*>to.data)[to.size] = (<int64_t*>items.data)[i] - (odd if i & 1 else even)
        to.size += 1
    return 0


# Tokens


cdef inline int64_t begin_of(Tokenization t, int64_t token) noexcept nogil:
    return (<int64_t*>t.spans.data)[2 * token]


cdef inline int64_t end_of(Tokenization t, int64_t token) noexcept nogil:
    return (<int64_t*>t.spans.data)[2 * token + 1]


cdef inline bint is_next(const Array* list_, int64_t at, int64_t token) noexcept nogil:
    """Whether a token is the one at a place of a list of pairs."""
    return at < list_.size and (<int64_t*>list_.data)[at] == token


cdef inline int64_t words_of(Tokenization t, int64_t token, Cursor* c) noexcept nogil:
    """The number of words of a token, which is passed."""
    if not is_next(&t.several, c.several, token):
        return 1
    c.several += 2
    return (<int64_t*>t.several.data)[c.several - 1]


cdef inline int64_t own_begin(Tokenization t, int64_t token, const Cursor* c) noexcept nogil:
    """Where the white space begins that belongs to a token and stands before it."""
    if is_next(&t.before, c.before, token):
        return (<int64_t*>t.before.data)[c.before + 1]
    return begin_of(t, token)


cdef inline int64_t text_after(Tokenization t, int64_t token, Cursor* c) noexcept nogil:
    """Where the text of a token ends if it is the last one there; -1 if another one follows."""
    cdef const int64_t* documents = <const int64_t*>t.documents.data
    cdef const int64_t* firsts = <const int64_t*>t.firsts.data
    if t.documents.size == 0:
        return t.stop if 2 * token + 2 == t.spans.size else -1
    while firsts[documents[4 * c.document + 3]] <= token:
        c.document += 1
    return documents[4 * c.document + 1] if firsts[documents[4 * c.document + 3]] == token + 1 else -1


cdef inline int64_t room_for_note(Tokenization t, int64_t token, const Cursor* c) noexcept nogil:
    """The bytes of a note, at most."""
    cdef int64_t begin = begin_of(t, token), before = begin - own_begin(t, token, c)
    cdef int64_t after = (begin_of(t, token + 1) if 2 * token + 2 < t.spans.size else t.stop) - end_of(t, token)
    return SHORT_NOTE if after <= 1 and before == 0 and t.places.size == 0 else NOTE + 2 * (after + before)


cdef int64_t kept(const uint8_t* text, int64_t size) noexcept nogil:
    """How many bytes of white space are written: those of its first characters."""
    cdef int64_t at = 0, n = 0
    if size <= MOST_SPACE:
        return size
    while at < size and (n < MOST_SPACE or text[at] & 0xC0 == 0x80):
        n += text[at] & 0xC0 != 0x80
        at += 1
    return at


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


cdef inline char* put_note(char* out, Tokenization t, int64_t token, Cursor* c) noexcept nogil:
    """What MISC has to say of a token, which is passed in the list of those with white space before them."""
    cdef const uint8_t* text = <const uint8_t*>PyBytes_AS_STRING(<PyObject*>t.text)
    cdef int64_t begin = begin_of(t, token), own = own_begin(t, token, c), end = end_of(t, token)
    cdef int64_t after = text_after(t, token, c)
    cdef bint ended = t.final and after >= 0
    cdef char* start = out
    c.before += 2 * is_next(&t.before, c.before, token)
    if after < 0:
        after = own_begin(t, token + 1, c)
    if after == end + 1 and text[end] == c" " and own == begin and t.places.size == 0 and not ended:
        out[0] = c"_"
        return out + 1
    if after == end:
        out = put(out, b"SpaceAfter=No|", 14)
    elif after > end + 1 or text[end] != c" " or ended:
        out = put(out, b"SpacesAfter=", 12)
        out = put_escaped(out, text + end, kept(text + end, after - end))
        out[0] = c"|"
        out += 1
    if begin > own:
        out = put(out, b"SpacesBefore=", 13)
        out = put_escaped(out, text + own, kept(text + own, begin - own))
        out[0] = c"|"
        out += 1
    if t.places.size:
        out = put(out, b"TokenRange=", 11)
        out = put_number(out, (<int64_t*>t.places.data)[2 * token])
        out[0] = c":"
        out = put_number(out + 1, (<int64_t*>t.places.data)[2 * token + 1])
        out[0] = c"|"
        out += 1
    if out == start:
        out[0] = c"_"
        return out + 1
    return out - 1


# Sentences


cdef int64_t first_at(const Array* list_, int64_t step, int64_t least) noexcept nogil:
    """The place in a list of rows, whose first numbers rise, of the first that is not less."""
    cdef int64_t low = 0, high = list_.size // step, middle
    while low < high:
        middle = (low + high) // 2
        if (<int64_t*>list_.data)[middle * step] < least:
            low = middle + 1
        else:
            high = middle
    return low * step


cdef Cursor cursor_at(Tokenization t, int64_t sentence) noexcept nogil:
    cdef int64_t token = (<int64_t*>t.firsts.data)[sentence]
    cdef Cursor c
    c.several = first_at(&t.several, 2, token)
    c.before = first_at(&t.before, 2, token)
    c.paragraph = first_at(&t.paragraphs, 1, sentence)
    c.document = 0
    return c


cdef int64_t room_for(Tokenization t, const Cells* cells, int64_t begin, int64_t end, bint copy_deps) noexcept nogil:
    """The bytes of some sentences, at most; less than 0, the number of a column, if an id of it is no string's."""
    cdef int64_t word = (<int64_t*>t.offsets_.data)[begin], last_word = (<int64_t*>t.offsets_.data)[end], i
    cdef int64_t token = (<int64_t*>t.firsts.data)[begin], last = (<int64_t*>t.firsts.data)[end], size = SLACK
    cdef int column
    cdef Cursor c = cursor_at(t, begin)
    for i in range(token, last):
        # A token stands in the comment, with a space at most, and if it has several words in a line of its own.
        size += end_of(t, i) - begin_of(t, i) + 1
        if words_of(t, i, &c) > 1:
            size += end_of(t, i) - begin_of(t, i) + LINE
        size += room_for_note(t, i, &c)
        c.before += 2 * is_next(&t.before, c.before, i)
    for column in range(1, N_COLUMNS):
        i = room_of(&cells[column], word, last_word)
        if i < 0:
            return -column
        size += i * (1 + (column == DEPREL and copy_deps))
    return size + (end - begin) * COMMENTS + (last_word - word) * (LINE + 16 * copy_deps)


cdef int64_t write_sentences(
    char* begin, Tokenization t, const Cells* cells, const int32_t* heads, int64_t first, int64_t stop, int64_t number,
    bint copy_deps
) noexcept nogil:
    """Write the sentences from `first` to `stop`: the number of bytes."""
    cdef const int64_t* firsts = <const int64_t*>t.firsts.data
    cdef const char* text = PyBytes_AS_STRING(<PyObject*>t.text)
    cdef const char* limit = text + t.stop
    cdef int64_t sentence, token, last, at, end, n, id, _k, word = (<int64_t*>t.offsets_.data)[first], document = 0
    cdef Cursor c = cursor_at(t, first)
    cdef char* out = begin
    for sentence in range(first, stop):
        if is_next(&t.paragraphs, c.paragraph, sentence):
            c.paragraph += 1
            out = put(out, b"# newpar\n", 9)
        out = put(out, b"# sent_id = ", 12)
        if t.documents.size:        # each text counts its own
            while (<int64_t*>t.documents.data)[4 * document + 3] <= sentence:
                document += 1
            out = put_number(out, 1 + sentence - (<int64_t*>t.documents.data)[4 * document + 2])
        else:
            out = put_number(out, number + sentence)
        out = put(out, b"\n# text = ", 10)
        last = firsts[sentence + 1]
        for token in range(firsts[sentence], last):
            at = begin_of(t, token)
            end = end_of(t, token)
            out = put_short(out, text + at, end - at, limit)
            if token + 1 < last and begin_of(t, token + 1) > end:
                out[0] = c" "
                out += 1
        out[0] = c"\n"
        out += 1
        id = 1
        for token in range(firsts[sentence], last):
            n = words_of(t, token, &c)
            if n > 1:
                out = put_number(out, id)
                out[0] = c"-"
                out = put_number(out + 1, id + n - 1)
                out[0] = c"\t"
                at = begin_of(t, token)
                out = put_short(out + 1, text + at, end_of(t, token) - at, limit)
                out = put(out, b"\t_\t_\t_\t_\t_\t_\t_\t", 15)
                out = put_note(out, t, token, &c)
                out[0] = c"\n"
                out += 1
            for _k in range(n):
                out = put_number(out, id)
                out = put_columns(out, cells, -1 if heads == NULL else heads[word], word, copy_deps)
                if cells[MISC].ids != NULL:
                    c.before += 2 * is_next(&t.before, c.before, token)
                    out = put_cell(out, &cells[MISC], word)
                elif n > 1:
                    out[0] = c"_"
                    out += 1
                else:
                    out = put_note(out, t, token, &c)
                out[0] = c"\n"
                out += 1
                word += 1
                id += 1
        out[0] = c"\n"
        out += 1
    return out - begin


cdef inline char* put_columns(char* out, const Cells* cells, int32_t head, int64_t word, bint copy_deps) noexcept nogil:
    """The cells of a line between ID and MISC, each with a tab before it, and the tab after them."""
    cdef int column
    for column in range(1, HEAD):
        out[0] = c"\t"
        out = put_cell(out + 1, &cells[column], word)
    out[0] = c"\t"
    out = put_head(out + 1, head)
    out[0] = c"\t"
    out = put_cell(out + 1, &cells[DEPREL], word)
    out[0] = c"\t"
    out += 1
    if copy_deps and head >= 0:
        out = put_head(out, head)
        out[0] = c":"
        out = put_cell(out + 1, &cells[DEPREL], word)
    else:
        out = put_cell(out, &cells[DEPS_COLUMN], word)
    out[0] = c"\t"
    return out + 1


# Numbering sentences anew: parts of a text are tokenized apart from each other, each counting from 1.


def renumbered(const uint8_t[::1] conllu not None, int64_t before) -> bytes:
    """CoNLL-U of the tokenizer with `before` added to the number of each sentence."""
    if not conllu.shape[0]:
        return b""
    cdef Array out = Array(NULL, 0, 0)
    cdef int64_t size = conllu.shape[0], at = 0, copied = 0, number
    cdef const uint8_t* data = &conllu[0]
    cdef const void* found
    cdef bint failed = reserve(&out, size + size // 64, 1) != 0
    with nogil:
        while at < size and not failed:
            if size - at > NAME and memcmp(data + at, b"# sent_id = ", NAME) == 0:
                at += NAME
                failed = reserve(&out, out.size + at - copied + MAX_DIGITS, 1) != 0
                if failed:
                    break
                out.size = put(out.data + out.size, data + copied, at - copied) - out.data
                number = 0
                while at < size and c"0" <= data[at] <= c"9":
                    number = number * 10 + (data[at] - c"0")
                    at += 1
                out.size = put_number(out.data + out.size, number + before) - out.data
                copied = at
            found = memchr(data + at, c"\n", size - at) if at < size else NULL
            at = size if found == NULL else <const uint8_t*>found - data + 1
        failed = failed or reserve(&out, out.size + size - copied, 1)
        if not failed:
            out.size = put(out.data + out.size, data + copied, size - copied) - out.data
    try:
        if failed:
            raise MemoryError("no memory for the tokens of a text")
        return PyBytes_FromStringAndSize(out.data, out.size)
    finally:
        discard(&out)
