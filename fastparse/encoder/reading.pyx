"""Reading of words for search: each word with its tags is looked up once, however often it occurs.

The rows are those that `inputs.Reader` finds, without a string for each affix.
"""

import threading

import numpy as np

cimport cython
from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcmp, memcpy

from fastparse.corpus.strings.hashing cimport hash_bytes
from fastparse.corpus.strings.index cimport Index
from fastparse.corpus.strings.interning cimport StringTable
from fastparse.encoder.lexicon cimport Lexicon, key_between, step

from fastparse.corpus.strings.index import distinct_triples
from fastparse.encoder.inputs import FIRST, ROOT, UNKNOWN, Words, feature_strings

cdef enum:
    LONGEST_SHAPE = 10          # as inputs.shape
    KNOWN = 1 << 14             # places for forms whose rows are kept from batch to batch, a power of two
    LONGEST_KNOWN = 32          # bytes of these

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


cdef Index rows_of(strings):
    """Rows of strings, from FIRST on, by their keys."""
    cdef Py_ssize_t i
    cdef str text
    keys_ = np.empty(len(strings), np.uint64)
    cdef uint64_t[::1] keys = keys_
    for i, text in enumerate(strings):
        keys[i] = key_between(text, 0, len(text), 0)
    return Index(keys_, np.arange(FIRST, FIRST + len(strings), dtype=np.int32))


cdef class Forms:
    """Finds the rows of forms and affixes. What it finds never changes, so threads may share it."""

    cdef Index forms, affixes               # rows, by the keys of strings
    cdef Py_ssize_t longest, most_grams     # affix; sequences of three characters
    cdef int32_t most                       # ids of a word
    cdef Lexicon lexicon                    # None: without
    cdef unsigned char* known               # [KNOWN] a Known, then `most` rows; untouched memory until it is used
    cdef size_t known_size                  # bytes of one of these
    cdef object turn                        # whose turn it is to use them

    def __init__(self, inputs):
        """Args: inputs: an `Inputs`, of which tags and features are not read."""
        self.forms, self.affixes = rows_of(inputs.form), rows_of(inputs.affix)
        self.longest, self.most_grams = inputs.longest_affix, inputs.most_grams
        self.lexicon = inputs.lexicon
        self.most = <int32_t>(2 + 2 * self.longest + self.most_grams + inputs.codes)
        self.known_size = (sizeof(Known) + self.most * sizeof(int32_t) + 7) // 8 * 8
        self.turn = threading.Lock()
        free(self.known)
        self.known = <unsigned char*>calloc(KNOWN, self.known_size)
        if self.known == NULL:
            raise MemoryError(f"cannot allocate {KNOWN} times {self.known_size} bytes")

    def __dealloc__(self):
        free(self.known)

    def read(self, StringTable table not None, const int32_t[::1] used not None):
        """Rows of the root, and of some strings of a table.

        Args:
            used: their places in the table.

        Returns:
            Rows of forms and of affixes, string by string, the root first; and where those of a string and group end
            (int32 [1 + len(used), 2]): as a Scratch takes words of two segments.
        """
        cdef Py_ssize_t n = used.shape[0], i
        cdef int32_t at = 2
        cdef const unsigned char* source = <const unsigned char*>table.source
        cdef const int64_t* begins = <const int64_t*>table.begins.data
        cdef const int32_t* lengths = <const int32_t*>table.lengths.data
        ids_ = np.empty(self.most * (n + 1), np.int32)
        ends_ = np.empty((n + 1, 2), np.int32)
        cdef int32_t[::1] ids = ids_
        cdef int32_t[:, ::1] ends = ends_
        ids[0] = ids[1] = ROOT
        ends[0, 0], ends[0, 1] = 1, 2
        with self.turn:
            for i in range(n):
                if not 0 <= used[i] < table.begins.size:
                    raise IndexError(f"string {used[i]} of a table of {table.begins.size}")
                at = self.read_known(source + begins[used[i]], lengths[used[i]], ids, ends, i + 1, at)
        return ids_[:at], ends_

    cdef int32_t read_known(self, const unsigned char* form, int32_t length, int32_t[::1] ids, int32_t[:, ::1] ends,
                            Py_ssize_t row, int32_t at) except -1:
        """`read_one`, or what it has found before."""
        cdef uint64_t hash
        cdef Known* known
        cdef int32_t end
        if length > LONGEST_KNOWN:
            return self.read_one(form[:length].decode("utf-8"), ids, ends, row, at)
        hash = hash_bytes(form, length)
        known = <Known*>(self.known + (hash & (KNOWN - 1)) * self.known_size)
        if known.n and known.hash == hash and known.length == length and memcmp(known.form, form, length) == 0:
            end = at + known.n
            memcpy(&ids[at], known + 1, known.n * sizeof(int32_t))
            ends[row, 0], ends[row, 1] = at + 1, end
            return end
        end = self.read_one(form[:length].decode("utf-8"), ids, ends, row, at)
        known.hash, known.length, known.n = hash, length, end - at
        memcpy(known.form, form, length)
        memcpy(known + 1, &ids[at], known.n * sizeof(int32_t))
        return end

    cdef int32_t read_one(self, str form, int32_t[::1] ids, int32_t[:, ::1] ends, Py_ssize_t row, int32_t at) except -1:
        """Rows of a form from place `at` on; where they end."""
        cdef str low = form.lower()
        cdef Py_ssize_t size = len(low), i
        cdef uint64_t h = 0, key = key_between(low, 0, size, 0)
        cdef int32_t found = self.forms.get(key), column, code
        cdef int64_t place
        ids[at] = found if found >= 0 else UNKNOWN
        at += 1
        ends[row, 0] = at
        for i in range(min(self.longest, size)):
            h = step(h, low[i])
            at = put(ids, at, self.affixes.get(step(h, u"-")))
            at = put(ids, at, self.affixes.get(key_between(low, size - 1 - i, size, step(0, u"-"))))
        at = put(ids, at, self.affixes.get(key_of_shape(form)))
        for i in range(min(self.most_grams, size - 2)):
            at = put(ids, at, self.affixes.get(key_between(low, i, i + 3, step(0, u"~"))))
        if self.lexicon is not None:
            place = self.lexicon.place(key)
            for column in range(self.lexicon.columns if place >= 0 else 0):
                code = self.lexicon.code(place, column)
                if code:
                    h = step(key_of_number(step(0, u"#"), column), u":")
                    at = put(ids, at, self.affixes.get(key_of_number(h, code)))
        ends[row, 1] = at
        return at


cdef inline int32_t put(int32_t[::1] ids, int32_t at, int32_t found):
    """Write a row, if there is one; where the next goes."""
    if found < 0:
        return at
    ids[at] = found
    return at + 1


# ── words ──

cdef class WordReader:
    """Turns columns into ids. It never changes, so threads may share it."""

    cdef object forms
    cdef dict tag, feature      # rows by string, without those of what a tagger says
    cdef bint own
    cdef Py_ssize_t most_features

    def __init__(self, inputs):
        """Args: inputs: an `Inputs`."""
        self.forms = Forms(inputs)
        self.tag = {string: i + FIRST for i, string in enumerate(inputs.tag)}
        self.feature = {string: i + FIRST for i, string in enumerate(inputs.feature)}
        self.own, self.most_features = inputs.own, inputs.most_features

    def words(self, treebank, own=False):
        """The words of a treebank as `Words`.

        Args:
            own: see `Inputs.rows`.
        """
        cdef const int64_t[::1] offsets = np.ascontiguousarray(treebank.offsets, np.int64)
        cdef Py_ssize_t n = offsets.shape[0] - 1, n_words = offsets[n], i, s
        form_, upos, xpos, feats_ = (
            np.ascontiguousarray(treebank.ids(name), np.int32) for name in ("form", "upos", "xpos", "feats"))
        marked_, rows_ = np.empty(n_words, np.int32), np.empty(n_words + n, np.int32)
        cdef const int32_t[::1] feats = feats_
        cdef int32_t[::1] marked = marked_, rows = rows_, kinds
        cdef const uint8_t[::1] said = None
        cdef int32_t flag = own is True
        zeros = np.zeros(n_words, np.int32)
        if not isinstance(own, bool):
            said = np.ascontiguousarray(np.broadcast_to(np.asarray(own, np.uint8), n))
        for s in range(n):
            if said is not None:
                flag = said[s]
            for i in range(offsets[s], offsets[s + 1]):
                marked[i] = 2 * feats[i] + flag
        tags, of_tags = distinct_triples(upos, xpos, marked_)
        kinds_, of_kinds = distinct_triples(form_, tags, zeros)
        used, zeros = form_[of_kinds], zeros[:len(of_kinds)]
        forms, of_forms = distinct_triples(used, zeros, zeros)
        form_ids, form_ends = self.forms.read(treebank.cells("form")[1], used[of_forms])
        tag_ids, tag_ends = self.read_tags(
            treebank.table("upos"), upos, treebank.table("xpos"), xpos, treebank.table("feats"), marked_, of_tags)
        kinds = kinds_
        for s in range(n):
            rows[offsets[s] + s] = 0
            for i in range(offsets[s], offsets[s + 1]):
                rows[i + s + 1] = kinds[i] + 1
        ids, ends = joined(form_ids, form_ends, forms, tag_ids, tag_ends, tags[of_kinds])
        return Words(ids, ends, rows_)

    @cython.boundscheck(True)           # the strings of a column are in the hands of users
    cdef read_tags(self, list upos, const int32_t[::1] upos_ids, list xpos, const int32_t[::1] xpos_ids, list feats,
                   const int32_t[::1] marked, const int32_t[::1] words):
        """Rows of the root, then of the tags of some words, and their ends; marks are odd where a tagger said them."""
        cdef list ids = [ROOT, ROOT], ends = [1, 2]
        cdef Py_ssize_t i, word, more_tags, more_features
        for i in range(words.shape[0]):
            word = words[i]
            more_tags = len(self.tag) if self.own and marked[word] & 1 else 0
            more_features = len(self.feature) if self.own and marked[word] & 1 else 0
            for string in ("u" + <str>upos[upos_ids[word]], "x" + <str>xpos[xpos_ids[word]]):
                row = self.tag.get(string)
                if row is not None:
                    ids.append(row + more_tags)
            ends.append(len(ids))
            for string in feature_strings(feats[marked[word] >> 1])[:self.most_features]:
                row = self.feature.get(string)
                if row is not None:
                    ids.append(row + more_features)
            ends.append(len(ids))
        return np.array(ids, np.int32), np.array(ends, np.int32).reshape(-1, 2)


cdef joined(const int32_t[::1] form_ids, const int32_t[:, ::1] form_ends, const int32_t[::1] forms,
            const int32_t[::1] tag_ids, const int32_t[:, ::1] tag_ends, const int32_t[::1] tags):
    """Rows of the root, then of words made of a form and tags: the first and the last two of four groups; and where
    those of a word and group end."""
    cdef Py_ssize_t n = forms.shape[0] + 1, i, f, t, at = 0, room = 0
    cdef int32_t begin, size
    for i in range(n):
        f, t = (forms[i - 1] + 1, tags[i - 1] + 1) if i else (0, 0)
        room += form_ends[f, 1] - (form_ends[f - 1, 1] if f else 0) + tag_ends[t, 1] - (tag_ends[t - 1, 1] if t else 0)
    ids_, ends_ = np.empty(room, np.int32), np.empty((n, 4), np.int32)
    cdef int32_t[::1] ids = ids_
    cdef int32_t[:, ::1] ends = ends_
    for i in range(n):
        f, t = (forms[i - 1] + 1, tags[i - 1] + 1) if i else (0, 0)
        begin = form_ends[f - 1, 1] if f else 0
        size = form_ends[f, 1] - begin
        memcpy(&ids[at], &form_ids[begin], size * sizeof(int32_t))
        ends[i, 0], ends[i, 1] = <int32_t>at + form_ends[f, 0] - begin, <int32_t>at + size
        at += size
        begin = tag_ends[t - 1, 1] if t else 0
        size = tag_ends[t, 1] - begin
        if size:
            memcpy(&ids[at], &tag_ids[begin], size * sizeof(int32_t))
        ends[i, 2], ends[i, 3] = <int32_t>at + tag_ends[t, 0] - begin, <int32_t>at + size
        at += size
    return ids_, ends_
