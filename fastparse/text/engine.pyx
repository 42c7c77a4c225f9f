"""Running a model over text: to sentences of words, to spans, or over text whose outcome is known, to learn from it."""

import numpy as np

from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint64_t
from libc.string cimport memset

from fastparse.corpus.conllu.put cimport put
from fastparse.corpus.conllu.tokenization cimport Tokenization
from fastparse.corpus.strings.vectors cimport Array, append, discard, reserve
from fastparse.text.cases cimport Cases
from fastparse.text.decisions cimport (
    LONGEST_SUFFIX, MOST_WORDS, N_DECISIONS, N_END_FEATURES, N_FIRST_END_FEATURES, N_OLD_END_FEATURES, N_SHAPES,
    NEVER, TOKEN_BEGINS, WHOLE, Model,
    Weights, WeightTable, rule_of, split_at_spaces, split_sentences, split_tokens,
)
from fastparse.text.units cimport (
    FORMAT, JOINER, LOWER, MARK, N_KINDS, NEWLINE, NO_MEMORY, PARAGRAPH, SPACE, UPPER, Characters, Token, Unit,
    allocate,
    read_unit, release,
)

cdef extern from *:
    """
    #if defined(__GNUC__)
    #define fastparse_prefetch(address) __builtin_prefetch(address)
    #else
    #define fastparse_prefetch(address) ((void)(address))
    #endif
    """
    void prefetch "fastparse_prefetch"(const void* address) noexcept nogil

KINDS = N_KINDS
FIRST_END_FEATURES = N_FIRST_END_FEATURES
SHAPES = N_SHAPES
LONGEST_ENDING = 6          # of multiword tokens that no dictionary has, in characters
RULE_WORDS = MOST_WORDS
RULE_END = WHOLE
VERSION = 2
MODES = {"text": 0, "lines": 1, "words": 2}

cdef enum:
    LINES = 1
    BLANKS = 2
    BYTES_PER_TOKEN = 4         # of text, a guess that is a little low
    N_SINGLE = 512
    MUCH = 1 << 15              # bytes of text


cdef void tokenize_unit(const Model* m, Unit* u, int mode) noexcept nogil:
    if mode == BLANKS:
        split_at_spaces(m, u)
    else:
        split_tokens(m, u)
    split_sentences(m, u, mode != 0)


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


cdef struct Scratch:
    Array word                  # bytes of the words of a token
    uint64_t single[N_SINGLE]   # hashes of tokens that are one word wherever they stand, each in its place; 0: none


cdef int add_unit(Tokenization out, Scratch* scratch, const Model* m, const Unit* u, const uint8_t* text,
                  bint words) noexcept nogil:
    """Add the tokens of a unit: 0, or NO_MEMORY.

    Args:
        words: whether multiword tokens are taken apart.
    """
    cdef Array* word = &scratch.word
    cdef uint64_t hash
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
        hash = u.tokens[i].hash
        rule = -1
        if words and (hash == 0 or scratch.single[hash & (N_SINGLE - 1)] != hash):
            rule = rule_of(m, u, i)
            if rule == NEVER:
                scratch.single[hash & (N_SINGLE - 1)] = hash
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
    """Add the places of the tokens of a unit, which `before` characters come before: 0, or NO_MEMORY."""
    cdef int32_t i
    for i in range(u.n_tokens):
        if append(places, before + u.place[u.tokens[i].begin]) or append(
                places, before + u.place[u.tokens[i].end - 1] + 1):
            return NO_MEMORY
    return 0


cdef void bring(const Weights* w) noexcept nogil:
    """Bring weights into the caches in their order: faster than one by one, where much text asks for most of them."""
    cdef uint64_t i = 0
    while i <= w.mask:
        prefetch(w.buckets + i)
        i += 8


cdef class Engine:
    """A model ready to run; immutable once made. `fastparse.text.tokenizer` checks what it is given."""

    cdef Model m
    cdef readonly int32_t version
    cdef readonly object characters, gaps, spaces, ends, tables, lexicon    # whose arrays the model borrows

    def __init__(self, characters, gaps, spaces, ends, tables, lexicon, int32_t least, int32_t version=VERSION):
        """For `Tokenizer`.

        Args:
            characters: a `Characters`.
            gaps, spaces: uint8, KINDS * KINDS.
            ends: uint8, SHAPES * SHAPES * 2.
            tables: a `WeightTable` for each decision.
            lexicon: keys (uint64), values (int32), rules (uint8), starts (int32), longest suffix, last characters.
            least: a token whose first features do not sum to more ends no sentence.
            version: of the model; those of version 1 ask fewer features where sentences end.
        """
        cdef Characters c = characters
        cdef const uint8_t[::1] g = gaps, s = spaces, e = ends, r = lexicon[2]
        cdef const uint64_t[::1] k = lexicon[0]
        cdef const int32_t[::1] v = lexicon[1], t = lexicon[3]
        cdef WeightTable table
        cdef int i
        if len(g) != N_KINDS * N_KINDS or len(s) != len(g) or len(e) != N_SHAPES * N_SHAPES * 2:
            raise ValueError("tables of kinds or shapes have a wrong size")
        if len(k) < 1 or len(k) & (len(k) - 1) or len(v) != len(k) or len(t) < 1:
            raise ValueError("the lexicon has a wrong size")
        self.characters, self.gaps, self.spaces, self.ends, self.tables = characters, gaps, spaces, ends, tables
        self.lexicon = lexicon
        self.m.alphabet = c.a
        self.m.gaps, self.m.spaces, self.m.ends = &g[0], &s[0], &e[0]
        for i in range(N_DECISIONS):
            table = tables[i]
            self.m.weights[i] = table.w
        self.m.lexicon.keys, self.m.lexicon.values, self.m.lexicon.mask = &k[0], &v[0], len(k) - 1
        self.m.lexicon.rules = &r[0] if len(r) else NULL
        self.m.lexicon.starts = &t[0]
        self.m.lexicon.n_rules = len(t) - 1
        self.m.lexicon.longest = min(lexicon[4], LONGEST_SUFFIX)
        self.m.lexicon.last = lexicon[5]
        self.version = version
        self.m.least = least
        self.m.n_end_features = N_END_FEATURES if version > 1 else N_OLD_END_FEATURES
        self.m.recorder = NULL
        self.m.marks = NULL

    @property
    def least(self) -> int:
        return self.m.least

    def run(self, bytes text not None, *, bint final, int mode, bint offsets, int64_t place, bint new_paragraph):
        """The `Tokenization` of valid UTF-8 that ends where a unit does.

        Args:
            final: whether no text follows.
            offsets: whether to keep the places of tokens in characters.
            place: characters of the text before this.
            new_paragraph: whether a paragraph begins here.
        """
        cdef Tokenization out = Tokenization(text)
        cdef int64_t at = self.add_texts(out, NULL, 1, mode, offsets, place, new_paragraph)
        out.stop = at
        out.final = final and at == len(text)
        return out.finished()

    def run_each(self, list texts not None, *, int mode, bint offsets) -> Tokenization:
        """The `Tokenization` of several texts, each tokenized by itself; it can be cut into theirs.

        Args:
            texts: bytes of valid UTF-8, whole.
        """
        cdef Array ends = Array(NULL, 0, 0)
        cdef Tokenization out = Tokenization(b"".join(texts))
        cdef bytes text
        cdef int64_t at = 0
        try:
            for text in texts:
                at += len(text)
                if append(&ends, at):
                    raise MemoryError("no memory to tokenize text")
            self.add_texts(out, <int64_t*>ends.data, ends.size, mode, offsets, 0, True)
        finally:
            discard(&ends)
        out.final = True
        return out.finished()

    cdef int64_t add_texts(self, Tokenization out, const int64_t* ends, int64_t n, int mode, bint offsets,
                           int64_t place, bint new_paragraph) except -1:
        """Add the tokens of the text of `out`, or of the texts that it is put together from.

        Args:
            ends: where each of the texts ends; NULL for a single one.

        Returns:
            Where the last unit ends.
        """
        cdef Unit u
        cdef Scratch scratch
        cdef int i
        cdef int64_t at = 0, whole = len(out.text), size = whole, k, first
        cdef const uint8_t* data = <const uint8_t*>out.text
        cdef int status = 0
        memset(&scratch, 0, sizeof(Scratch))
        if (reserve(&out.spans, whole // BYTES_PER_TOKEN * 2, sizeof(int64_t))
                or reserve(&out.word_ids, whole // BYTES_PER_TOKEN, sizeof(int32_t)) or allocate(&u, whole)):
            raise MemoryError("no memory to tokenize text")
        try:
            with nogil:
                if whole > MUCH:
                    for i in range(N_DECISIONS):
                        bring(&self.m.weights[i])
                for k in range(n):
                    first = out.firsts.size - 1
                    if ends != NULL:
                        size, place, new_paragraph = ends[k], 0, True
                        status |= append(&out.documents, at) | append(&out.documents, size) | append(
                            &out.documents, first)
                    while at < size and status == 0 and read_unit(
                            &u, &self.m.alphabet, data, at, size, True, mode != 0):
                        tokenize_unit(&self.m, &u, mode)
                        place += u.n_before
                        if u.n_tokens > 0 and new_paragraph:
                            status = append(&out.paragraphs, out.firsts.size - 1)
                            new_paragraph = False
                        status = status or add_unit(out, &scratch, &self.m, &u, data, mode != BLANKS)
                        if offsets and status == 0:
                            status = add_places(&out.places, &u, place)
                        place += u.place[u.n] + u.n_after
                        new_paragraph = new_paragraph or u.empty_line
                        at = u.end
                    if ends != NULL:
                        status |= append(&out.documents, out.firsts.size - 1)
                        at = size
            if status:
                raise MemoryError("no memory for the tokens of a text")
            return at
        finally:
            release(&u)
            discard(&scratch.word)

    def spans(self, const uint8_t[::1] text, *, int mode):
        """Where tokens and sentences stand in valid UTF-8: characters (int64, begin and end of each token), and the
        number of tokens before each sentence and after the last (int64)."""
        cdef Unit u
        cdef Array tokens, sentences
        cdef int64_t at = 0, size = text.shape[0], place = 0
        cdef int32_t i
        cdef int status = 0
        memset(&tokens, 0, sizeof(Array))
        memset(&sentences, 0, sizeof(Array))
        if allocate(&u, size):
            raise MemoryError("no memory to tokenize text")
        try:
            with nogil:
                status = append(&sentences, 0)
                while at < size and status == 0 and read_unit(
                        &u, &self.m.alphabet, &text[0], at, size, True, mode != 0):
                    tokenize_unit(&self.m, &u, mode)
                    place += u.n_before
                    for i in range(u.n_tokens):
                        status |= append(&tokens, place + u.place[u.tokens[i].begin])
                        status |= append(&tokens, place + u.place[u.tokens[i].end - 1] + 1)
                        if u.tokens[i].ends:
                            status |= append(&sentences, tokens.size // 2)
                    place += u.place[u.n] + u.n_after
                    at = u.end
            if status:
                raise MemoryError("no memory for the tokens of a text")
            return numbers(&tokens).reshape(-1, 2), numbers(&sentences)
        finally:
            release(&u)
            discard(&tokens)
            discard(&sentences)

    def record(self, const uint8_t[::1] text, const uint8_t[::1] marks, Cases cases):
        """Collect the cases of text whose outcome is known: `marks` has the bits of model.pxd for every byte."""
        cdef Model m = self.m
        cdef Unit u
        cdef int64_t at = 0, size = text.shape[0]
        cdef int32_t i
        if marks.shape[0] != size:
            raise ValueError(f"{marks.shape[0]} marks for {size} bytes")
        if allocate(&u, size):
            raise MemoryError("no memory to read text")
        m.recorder = cases.r
        try:
            with nogil:
                while at < size and read_unit(&u, &m.alphabet, &text[0], at, size, True, False):
                    m.marks = &marks[0] + u.first
                    split_tokens(&m, &u)
                    split_sentences(&m, &u, False)
                    for i in range(u.n_tokens):
                        rule_of(&m, &u, i)
                    at = u.end
        finally:
            release(&u)

    def count(self, const uint8_t[::1] text, const uint8_t[::1] marks):
        """How often tokens and sentences end, by what stands on both sides.

        Returns:
            gaps, spaces: int64 [KINDS, KINDS, 2], pairs of kinds joined (0) and split (1), without and with a space.
            ends: int64 [SHAPES, SHAPES, 2, 2], shapes, white space between (0: none), sentence going on or ended.
        """
        cdef Model m = self.m
        cdef Unit u
        cdef int64_t at = 0, size = text.shape[0]
        cdef int32_t i, base
        cdef bint begins
        gaps, spaces = np.zeros((N_KINDS, N_KINDS, 2), np.int64), np.zeros((N_KINDS, N_KINDS, 2), np.int64)
        ends = np.zeros((N_SHAPES, N_SHAPES, 2, 2), np.int64)
        cdef int64_t[:, :, ::1] g = gaps, s = spaces
        cdef int64_t[:, :, :, ::1] e = ends
        if marks.shape[0] != size:
            raise ValueError(f"{marks.shape[0]} marks for {size} bytes")
        if allocate(&u, size):
            raise MemoryError("no memory to read text")
        try:
            while at < size and read_unit(&u, &m.alphabet, &text[0], at, size, True, False):
                m.marks = &marks[0] + u.first
                split_tokens(&m, &u)
                split_sentences(&m, &u, False)
                for i in range(u.n_tokens - 1):
                    if u.tokens[i].space >= NEWLINE:
                        continue    # which is always asked
                    e[u.tokens[i].shape, u.tokens[i + 1].shape, u.tokens[i].space != 0, u.tokens[i].ends] += 1
                base = -1
                for i in range(u.n - 1):
                    if not MARK <= u.kinds[i] <= FORMAT:
                        base = i
                    if base < 0 or MARK <= u.kinds[i + 1] <= JOINER:
                        continue
                    if not SPACE <= u.kinds[i + 1] <= PARAGRAPH:
                        begins = m.marks[u.at[i + 1]] & TOKEN_BEGINS != 0
                        if not SPACE <= u.kinds[i] <= PARAGRAPH:
                            g[u.kinds[base], u.kinds[i + 1], begins] += 1
                        elif u.kinds[i] == SPACE:
                            s[u.kinds[i - 1], u.kinds[i + 1], begins] += 1
                at = u.end
        finally:
            release(&u)
        return gaps, spaces, ends


cdef numbers(Array* array):
    result = np.zeros(array.size, np.int64)
    cdef int64_t[::1] to = result
    cdef int64_t i
    for i in range(array.size):
        to[i] = (<int64_t*>array.data)[i]
    return result
