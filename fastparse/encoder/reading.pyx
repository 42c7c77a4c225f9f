"""Reading of words: each form, and for search each form with its tags, is looked up once, however often it occurs.

The rows are those that `inputs.Reader` finds, without a string for each affix. Nothing here makes a Python object per
word, or holds the interpreter's lock, but for forms that are not ASCII and have not been met before.
"""

import numpy as np

from cpython.object cimport PyObject
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcmp, memcpy, memset

from fastparse.corpus.sheet cimport FEATS, FORM, UPOS, XPOS, Sheet, require_places
from fastparse.corpus.strings.hashing cimport fold, hash_bytes
from fastparse.corpus.strings.index cimport Index
from fastparse.corpus.strings.interning cimport StringTable
from fastparse.corpus.strings.vectors cimport Array, discard, reserve
from fastparse.encoder.lexicon cimport key_between, step

from fastparse.encoder.inputs import FIRST, ROOT, UNKNOWN, feature_strings

cdef enum:
    LONGEST_SHAPE = 10          # as inputs.shape
    KNOWN = 1 << 14             # places for forms whose rows are kept from batch to batch, a power of two
    LONGEST_KNOWN = 32          # bytes of these
    LONGEST_PLAIN = 64          # bytes of an ASCII form that is read without the lock
    LARGEST_KEPT = 1 << 17      # places of a table that memory which waits may have room for
    OF_FORMS = 2                # segments
    OF_WORDS = 4
    ROOT_ROW = 1                # as inputs.ROOT
    UNKNOWN_ROW = 2

cdef extern from "Python.h":
    # As a pointer, so that no lock is needed.
    char* PyBytes_AS_STRING(PyObject* string) nogil

assert ROOT == ROOT_ROW and UNKNOWN == UNKNOWN_ROW

cdef struct Known:
    # A form that was read before, at the place its hash says: the newest stays. Its rows follow the struct.
    uint64_t hash
    int32_t length              # bytes
    int32_t n                   # rows
    unsigned char form[LONGEST_KNOWN]


cdef uint64_t key_of_number(uint64_t h, int32_t number) noexcept nogil:
    """The key of what `h` is of, and of the digits of a number (48 is "0")."""
    if number >= 10:
        h = key_of_number(h, number // 10)
    return step(h, <Py_UCS4>(48 + number % 10))


cdef inline uint64_t plain_key(const unsigned char* text, int32_t begin, int32_t end, uint64_t h) noexcept nogil:
    """The same of ASCII."""
    cdef int32_t i
    for i in range(begin, end):
        h = step(h, text[i])
    return h


cdef uint64_t key_of_shape(str form):
    """The key of `inputs.shape`, marked by =."""
    cdef uint64_t h = step(0, u"=")
    cdef Py_UCS4 character, kind, last = 0
    cdef Py_ssize_t i, n = 0, size = len(form)
    cdef bint twice = False
    for i in range(size):
        character = form[i]
        kind = character
        if character.isupper():
            kind = u"X"
        elif character.isalpha():
            kind = u"x"
        elif character.isdigit():
            kind = u"0"
        if n and kind == last:
            if twice:
                continue
            twice = True
        else:
            twice = False
        h = step(h, kind)
        last = kind
        n += 1
        if n == LONGEST_SHAPE:
            break
    return h


cdef uint64_t plain_key_of_shape(const unsigned char* form, int32_t size) noexcept nogil:
    """The same of ASCII."""
    cdef uint64_t h = step(0, c"=")
    cdef unsigned char kind, last = 0
    cdef int32_t i, n = 0
    cdef bint twice = False
    for i in range(size):
        kind = form[i]
        kind = (c"X" if c"A" <= kind <= c"Z" else c"x" if c"a" <= kind <= c"z" else c"0" if c"0" <= kind <= c"9"
                else kind)
        if n and kind == last:
            if twice:
                continue
            twice = True
        else:
            twice = False
        h = step(h, kind)
        last = kind
        n += 1
        if n == LONGEST_SHAPE:
            break
    return h


cdef Index rows_of(strings):
    """Rows of strings, from FIRST on, by their keys."""
    cdef Py_ssize_t i
    cdef str text
    keys_ = np.empty(len(strings), np.uint64)
    cdef uint64_t[::1] keys = keys_
    for i, text in enumerate(strings):
        keys[i] = key_between(text, 0, len(text), 0)
    return Index(keys_, np.arange(FIRST, FIRST + len(strings), dtype=np.int32))


# ── words as encoders take them ──

cdef class Words:
    """Ids of kinds of words, and the kind of each word."""

    @staticmethod
    def of(const int32_t[::1] ids not None, const int32_t[:, ::1] ends not None, const int32_t[::1] rows not None):
        """Words of these arrays; see the attributes."""
        cdef Words found = Words()
        cdef int32_t end = 0
        cdef Py_ssize_t i, k
        found.n_segments = <int32_t>ends.shape[1]
        for i in range(ids.shape[0]):
            if put(&found.items, ids[i]):
                raise MemoryError
        for i in range(ends.shape[0]):
            for k in range(ends.shape[1]):
                if not end <= ends[i, k] <= ids.shape[0]:
                    raise ValueError(f"ends are growing places in {ids.shape[0]} ids")
                end = ends[i, k]
                if put(&found.stops, end):
                    raise MemoryError
        for i in range(rows.shape[0]):
            if put(&found.kinds, rows[i]):
                raise MemoryError
        return found

    def __dealloc__(self):
        discard(&self.items)
        discard(&self.stops)
        discard(&self.kinds)

    @property
    def ids(self):
        """Rows of the embeddings, int32: those of a kind of word together, by segment."""
        return array_of(&self.items)

    @property
    def ends(self):
        """[kinds, segments] where in ids those of a kind and segment end, int32."""
        return array_of(&self.stops).reshape(-1, self.n_segments)

    @property
    def rows(self):
        """The kind of each word and root, int32."""
        return array_of(&self.kinds)


cdef array_of(const Array* items):
    """A copy as an array of int32."""
    found = np.empty(items.size, np.int32)
    cdef int32_t[::1] out = found
    if items.size:
        memcpy(&out[0], items.data, items.size * sizeof(int32_t))
    return found


cdef inline int put(Array* items, int32_t item) noexcept nogil:
    """Append an int32: 0, or -1 without memory."""
    if items.size == items.capacity and reserve(items, items.size + 1, sizeof(int32_t)):
        return -1
    (<int32_t*>items.data)[items.size] = item
    items.size += 1
    return 0


cdef inline int32_t* of(const Array* items) noexcept nogil:
    return <int32_t*>items.data


cdef int put_root(Words words, int32_t n_segments) noexcept nogil:
    """Begin words with the root, which has a row in each segment."""
    cdef int32_t k
    cdef int status = 0
    words.n_segments = n_segments
    for k in range(n_segments):
        status |= put(&words.items, ROOT_ROW) | put(&words.stops, k + 1)
    return status


# ── forms ──

cdef class Memory:
    def __cinit__(self):
        self.forms = Words()

    def __dealloc__(self):
        free(self.known)
        free(self.numbers)
        free(self.calls)
        discard(&self.met)
        discard(&self.slots)

    cdef int begin(self, int64_t n_strings) except -1:
        """Begin a call with forms of a table of so many strings."""
        self.met.size = self.forms.items.size = self.forms.stops.size = self.forms.kinds.size  = 0
        if self.capacity < n_strings:
            free(self.numbers)
            free(self.calls)
            self.capacity = 0
            self.numbers = <int32_t*>malloc(2 * n_strings * sizeof(int32_t))
            self.calls = <int32_t*>calloc(2 * n_strings, sizeof(int32_t))
            if self.numbers == NULL or self.calls == NULL:
                raise MemoryError(f"cannot allocate places for {n_strings} forms")
            self.capacity, self.call = 2 * n_strings, 0
        if self.call == 0x7FFFFFFF:
            memset(self.calls, 0, self.capacity * sizeof(int32_t))
            self.call = 0
        self.call += 1
        return 0


cdef class Forms:
    """Finds the rows of forms and affixes. What it finds never changes, so threads may share it."""

    def __init__(self, inputs):
        """Args: inputs: an `Inputs`, of which tags and features are not read."""
        self.forms, self.affixes = rows_of(inputs.form), rows_of(inputs.affix)
        self.longest, self.most_grams = inputs.longest_affix, inputs.most_grams
        self.lexicon = inputs.lexicon
        self.most = <int32_t>(2 + 2 * self.longest + self.most_grams + inputs.codes)
        self.known_size = (sizeof(Known) + self.most * sizeof(int32_t) + 7) // 8 * 8
        self.idle = []

    cdef Memory take(self):
        """Memory for a call; whoever takes it gives it back if all went well."""
        cdef Memory memory
        try:                            # to take one is a single step: threads get different ones
            return self.idle.pop()
        except IndexError:
            memory = Memory()
        # Untouched until it is used.
        memory.known = <unsigned char*>calloc(KNOWN, self.known_size)
        if memory.known == NULL:
            raise MemoryError(f"cannot allocate {KNOWN} times {self.known_size} bytes")
        return memory

    cdef void give_back(self, Memory memory):
        if memory.capacity <= LARGEST_KEPT:
            self.idle.append(memory)

    def read(self, StringTable table not None, const int32_t[::1] used not None):
        """Rows of the root, and of some strings of a table.

        Args:
            used: their places in the table.

        Returns:
            Rows of forms and of affixes, string by string, the root first; and where those of a string and group end
            (int32 [1 + len(used), 2]): as a Scratch takes words of two segments.
        """
        cdef Memory memory = self.take()
        cdef Py_ssize_t n = used.shape[0], i
        memory.begin(0)
        put_root(memory.forms, OF_FORMS)
        require_places(&used[0] if n else NULL, 0, n, table)
        for i in range(n):
            self.read_known(memory, table, used[i])
        found = array_of(&memory.forms.items), array_of(&memory.forms.stops).reshape(-1, OF_FORMS)
        self.give_back(memory)
        return found

    cdef int number(self, Memory memory, StringTable table, const int32_t* forms, int64_t n, int32_t* into) except -1:
        """Number the distinct forms of some words in the order in which they come, and read them.

        Args:
            into: gets the number of each word's form.
        """
        cdef int64_t i
        cdef int32_t place
        cdef int status = 0
        if forms == NULL and n:
            raise ValueError(f"{n} words without forms")
        memory.begin(table.begins.size)
        require_places(forms, 0, n, table)
        with nogil:
            status = put_root(memory.forms, OF_FORMS)
            for i in range(n):
                place = forms[i]
                if memory.calls[place] != memory.call:
                    memory.calls[place] = memory.call
                    memory.numbers[place] = <int32_t>memory.met.size
                    status = put(&memory.met, place) or self.read_known(memory, table, place)
                    if status:
                        break
                into[i] = memory.numbers[place]
        if status:
            raise MemoryError(f"no memory to read {n} words")
        return 0

    cdef int read_known(self, Memory memory, StringTable table, int32_t place) noexcept nogil:
        """Rows of a form, as it is read or was found before; -1 without memory."""
        cdef const unsigned char* form = (
            <const unsigned char*>PyBytes_AS_STRING(<PyObject*>table.source)
            + (<const int64_t*>table.begins.data)[place])
        cdef int32_t length = (<const int32_t*>table.lengths.data)[place]
        cdef Array* ids = &memory.forms.items
        cdef int64_t at = ids.size
        cdef uint64_t hash = 0
        cdef Known* known = NULL
        if reserve(ids, at + self.most, sizeof(int32_t)):
            return -1
        if length <= LONGEST_KNOWN:
            hash = hash_bytes(form, length)
            known = <Known*>(memory.known + (hash & (KNOWN - 1)) * self.known_size)
            if known.n and known.hash == hash and known.length == length and memcmp(known.form, form, length) == 0:
                memcpy(of(ids) + at, known + 1, known.n * sizeof(int32_t))
                ids.size += known.n
                return put(&memory.forms.stops, <int32_t>at + 1) | put(&memory.forms.stops, <int32_t>ids.size)
        if not self.read_plain(ids, form, length):
            with gil:
                self.read_one(ids, form[:length].decode("utf-8", "replace"))
        if known != NULL:
            known.hash, known.length, known.n = hash, length, <int32_t>(ids.size - at)
            memcpy(known.form, form, length)
            memcpy(known + 1, of(ids) + at, known.n * sizeof(int32_t))
        return put(&memory.forms.stops, <int32_t>at + 1) | put(&memory.forms.stops, <int32_t>ids.size)

    cdef bint read_plain(self, Array* ids, const unsigned char* form, int32_t size) noexcept nogil:
        """Rows of a form if it is ASCII and not long; there is room for them."""
        cdef unsigned char low[LONGEST_PLAIN]
        cdef int32_t i, found
        cdef uint64_t h = 0, key
        if size > LONGEST_PLAIN:
            return False
        for i in range(size):
            if form[i] >= 0x80:
                return False
            low[i] = form[i] + 32 if c"A" <= form[i] <= c"Z" else form[i]
        key = plain_key(low, 0, size, 0)
        found = self.forms.get(key)
        add(ids, found if found >= 0 else UNKNOWN_ROW)
        for i in range(min(<int32_t>self.longest, size)):
            h = step(h, low[i])
            add(ids, self.affixes.get(step(h, c"-")))
            add(ids, self.affixes.get(plain_key(low, size - 1 - i, size, step(0, c"-"))))
        add(ids, self.affixes.get(plain_key_of_shape(form, size)))
        for i in range(min(<int32_t>self.most_grams, size - 2)):
            add(ids, self.affixes.get(plain_key(low, i, i + 3, step(0, c"~"))))
        self.add_codes(ids, key)
        return True

    cdef int read_one(self, Array* ids, str form):
        """Rows of any form; there is room for them."""
        cdef str low = form.lower()
        cdef Py_ssize_t size = len(low), i
        cdef uint64_t h = 0, key = key_between(low, 0, size, 0)
        cdef int32_t found = self.forms.get(key)
        add(ids, found if found >= 0 else UNKNOWN_ROW)
        for i in range(min(self.longest, size)):
            h = step(h, low[i])
            add(ids, self.affixes.get(step(h, u"-")))
            add(ids, self.affixes.get(key_between(low, size - 1 - i, size, step(0, u"-"))))
        add(ids, self.affixes.get(key_of_shape(form)))
        for i in range(min(self.most_grams, size - 2)):
            add(ids, self.affixes.get(key_between(low, i, i + 3, step(0, u"~"))))
        self.add_codes(ids, key)
        return 0

    cdef void add_codes(self, Array* ids, uint64_t key) noexcept nogil:
        """Rows of what the lexicon says of a form in lower case."""
        cdef int64_t place
        cdef int32_t column, code
        cdef uint64_t h
        if self.lexicon is None:
            return
        place = self.lexicon.place(key)
        for column in range(self.lexicon.columns if place >= 0 else 0):
            code = self.lexicon.code(place, column)
            if code:
                h = step(key_of_number(step(0, c"#"), column), c":")
                add(ids, self.affixes.get(key_of_number(h, code)))


cdef inline void add(Array* ids, int32_t found) noexcept nogil:
    """Append a row, if there is one."""
    if found >= 0:
        of(ids)[ids.size] = found
        ids.size += 1


# ── words with tags ──

cdef class Rows:
    """The rows of the strings of a column of tags."""

    cdef object reader          # whose
    cdef Array ids, ends        # int32: rows, and where those of a string end

    def __dealloc__(self):
        discard(&self.ids)
        discard(&self.ends)


cdef struct Met:
    int32_t a, b, c, d          # a form's number and that of its tags; or UPOS, XPOS, FEATS and who said them
    int32_t number              # -1: the slot is free


cdef inline Met* slot_of(const Array* slots, int32_t a, int32_t b, int32_t c, int32_t d) noexcept nogil:
    """Where four numbers are, or go."""
    cdef uint64_t mask = slots.size - 1
    cdef uint64_t at = fold(fold(1, <uint64_t>a << 32 | <uint32_t>b), <uint64_t>c << 32 | <uint32_t>d) & mask
    cdef Met* met = <Met*>slots.data
    while met[at].number >= 0 and not (met[at].a == a and met[at].b == b and met[at].c == c and met[at].d == d):
        at = (at + 1) & mask
    return met + at


cdef int emptied(Array* slots, int64_t size) noexcept nogil:
    """Free slots, a power of two of them: 0, or -1 without memory."""
    if reserve(slots, size, sizeof(Met)):
        return -1
    slots.size = size
    memset(slots.data, 0xFF, size * sizeof(Met))
    return 0


cdef int more(Array* slots) noexcept nogil:
    """Twice the slots."""
    cdef Array larger = Array(NULL, 0, 0)
    cdef int64_t i
    cdef Met* met = <Met*>slots.data
    if emptied(&larger, 2 * slots.size):
        return -1
    for i in range(slots.size):
        if met[i].number >= 0:
            slot_of(&larger, met[i].a, met[i].b, met[i].c, met[i].d)[0] = met[i]
    discard(slots)
    slots[0] = larger
    return 0


cdef class WordReader:
    """Turns columns into ids. It never changes, so threads may share it."""

    cdef Forms forms
    cdef dict tag, feature      # rows by string, without those of what a tagger says
    cdef bint own
    cdef Py_ssize_t most_features
    cdef int32_t n_tags, n_features
    cdef object token           # who reads, for strings that remember what was made of them

    def __init__(self, inputs):
        """Args: inputs: an `Inputs`."""
        self.forms = Forms(inputs)
        self.tag = {string: i + FIRST for i, string in enumerate(inputs.tag)}
        self.feature = {string: i + FIRST for i, string in enumerate(inputs.feature)}
        self.own, self.most_features = inputs.own, inputs.most_features
        self.n_tags, self.n_features = <int32_t>len(self.tag), <int32_t>len(self.feature)
        self.token = object()

    def words(self, treebank, own=False) -> Words:
        """The words of a treebank, each kind of word once.

        Args:
            own: see `Inputs.rows`.
        """
        cdef Sheet sheet = treebank if isinstance(treebank, Sheet) else treebank._sheet()
        cdef Memory memory
        cdef Words found = Words()
        cdef const uint8_t[::1] said = None
        cdef const uint8_t* flags = NULL
        cdef bint flag = own is True
        cdef Rows upos = self.rows_of(sheet.table(UPOS), u"u"), xpos = self.rows_of(sheet.table(XPOS), u"x")
        cdef Rows feats = self.rows_of(sheet.table(FEATS), u"")
        cdef Array numbers = Array(NULL, 0, 0)
        cdef int status
        cdef int k
        if not isinstance(own, bool):
            said = np.ascontiguousarray(np.broadcast_to(np.asarray(own, np.uint8), sheet.n_sentences))
            if sheet.n_sentences:
                flags = &said[0]
        for k in (UPOS, XPOS, FEATS):
            if sheet.ids[k] != NULL:
                require_places(sheet.ids[k], 0, sheet.n_words, sheet.table(k))
        if reserve(&numbers, sheet.n_words + 1, sizeof(int32_t)):
            raise MemoryError(f"no memory to read {sheet.n_words} words")
        memory = self.forms.take()
        try:
            self.forms.number(memory, sheet.table(FORM), sheet.ids[FORM], sheet.n_words, of(&numbers))
            with nogil:
                status = self.put_words(memory, sheet, of(&numbers), flags, flag, upos, xpos, feats, found)
            if status:
                raise MemoryError(f"no memory to read {sheet.n_words} words")
        finally:
            discard(&numbers)
        self.forms.give_back(memory)
        return found

    cdef Rows rows_of(self, StringTable table, str mark):
        """Rows of the strings of a column; features, where there is no mark. A table remembers them."""
        cdef Rows found
        cdef str string
        known = table.read_by
        if isinstance(known, Rows) and (<Rows>known).reader is self.token:
            return known
        found = Rows()
        found.reader = self.token
        for string in table.strings:
            for part in (feature_strings(string)[:self.most_features] if mark == "" else (mark + string,)):
                row = (self.feature if mark == "" else self.tag).get(part)
                if row is not None and put(&found.ids, row):
                    raise MemoryError
            if put(&found.ends, <int32_t>found.ids.size):
                raise MemoryError
        table.read_by = found
        return found

    cdef int put_words(self, Memory memory, Sheet sheet, const int32_t* forms, const uint8_t* flags, bint flag,
                       Rows upos, Rows xpos, Rows feats, Words into) noexcept nogil:
        """Number kinds of words as they come, and put together their rows: 0, or -1 without memory."""
        cdef const int32_t* u = sheet.ids[UPOS]
        cdef const int32_t* x = sheet.ids[XPOS]
        cdef const int32_t* t = sheet.ids[FEATS]
        cdef int64_t s, i
        cdef int32_t n_kinds = 0, n_met = 0, a, b, c
        cdef Met* met
        cdef Array* slots = &memory.slots
        cdef int status = emptied(slots, 64) | put_root(into, OF_WORDS) | reserve(
            &into.kinds, sheet.n_words + sheet.n_sentences, sizeof(int32_t))
        if status:
            return -1
        for s in range(sheet.n_sentences):
            if flags != NULL:
                flag = flags[s] != 0
            status |= put(&into.kinds, 0)
            for i in range(sheet.offsets[s], sheet.offsets[s + 1]):
                a, b, c = u[i] if u != NULL else 0, x[i] if x != NULL else 0, t[i] if t != NULL else 0
                # Tags first: kinds of words refer to them by number. No form's number is less than 0, no tag's -1.
                met = slot_of(slots, a, b, c, -2 - <int32_t>flag)
                if met.number < 0:
                    met.a, met.b, met.c, met.d = a, b, c, -2 - <int32_t>flag
                    met.number = n_met
                    n_met += 1
                    if 2 * (n_met + n_kinds) > slots.size and more(slots):
                        return -1
                    met = slot_of(slots, a, b, c, -2 - <int32_t>flag)
                b = met.number
                met = slot_of(slots, forms[i], b, 0, 0)
                if met.number < 0:
                    met.a, met.b, met.c, met.d = forms[i], b, 0, 0
                    n_kinds += 1
                    met.number = n_kinds
                    status |= put(&into.kinds, n_kinds) | self.put_kind(
                        memory, forms[i], upos, a, xpos, x[i] if x != NULL else 0, feats, c, flag, into)
                    if 2 * (n_met + n_kinds) > slots.size and more(slots):
                        return -1
                else:
                    status |= put(&into.kinds, met.number)
            if status:
                return -1
        return 0

    cdef int put_kind(self, Memory memory, int32_t form, Rows upos, int32_t u, Rows xpos, int32_t x, Rows feats,
                      int32_t t, bint flag, Words into) noexcept nogil:
        """Append the rows of a form with its tags."""
        cdef Array* ids = &into.items
        cdef const int32_t* ends = of(&memory.forms.stops) + OF_FORMS * (form + 1)
        cdef int32_t begin = (ends - 1)[0], n = ends[1] - begin
        cdef int64_t at = ids.size
        cdef int32_t tags = self.n_tags if self.own and flag else 0
        cdef int32_t features = self.n_features if self.own and flag else 0
        if reserve(ids, at + n, sizeof(int32_t)):
            return -1
        memcpy(of(ids) + at, of(&memory.forms.items) + begin, n * sizeof(int32_t))
        ids.size += n
        if put(&into.stops, <int32_t>at + ends[0] - begin) or put(&into.stops, <int32_t>ids.size):
            return -1
        if put_rows(ids, upos, u, tags) or put_rows(ids, xpos, x, tags) or put(&into.stops, <int32_t>ids.size):
            return -1
        return put_rows(ids, feats, t, features) | put(&into.stops, <int32_t>ids.size)


cdef inline int put_rows(Array* ids, Rows rows, int32_t string, int32_t more) noexcept nogil:
    """Append the rows of a string, so many further on: 0, or -1 without memory."""
    cdef int32_t i
    for i in range(of(&rows.ends)[string - 1] if string else 0, of(&rows.ends)[string]):
        if put(ids, of(&rows.ids)[i] + more):
            return -1
    return 0
