"""Sentences in columns as compiled code makes and takes them: a `Treebank` becomes arrays of one when it is looked at.

A sheet never changes once whoever made it has handed it over. What a component adds goes into a copy, which shares all
columns that stay.
"""

import numpy as np

from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.string cimport memcpy

from fastparse.corpus.conllu.tokenization cimport Tokenization
from fastparse.corpus.strings.hashing cimport hash_bytes
from fastparse.corpus.strings.index cimport Index
from fastparse.corpus.strings.interning cimport (
    BLANK, FULL, Interner, StringTable, drop, finish, intern_copied, prepare)
from fastparse.corpus.strings.vectors cimport Array, Vector, discard, reserve


from fastparse.corpus.arrays import frozen as frozen_array
from fastparse.corpus.strings.interning import joined_cells

cdef tuple NAMES = ("form", "lemma", "upos", "xpos", "feats")
cdef StringTable NOTHING = StringTable.of_model(["_"])
cdef frozenset AS_IT_WAS = frozenset()


cdef int require_places(const int32_t* ids, int64_t first, int64_t last, StringTable table) except -1:
    cdef int64_t i, size = table.begins.size
    for i in range(first, last):
        if not 0 <= ids[i] < size:
            raise IndexError(f"string {ids[i]} of a table of {size}")
    return 0


cdef class Sheet:
    """Columns of sentences, in C."""

    def __cinit__(self):
        self.tables = [NOTHING] * N_STRINGS
        self.owners = [None] * N_STRINGS
        self.label_names = ["_"]
        self.replaced = AS_IT_WAS

    @staticmethod
    def of(treebank) -> Sheet:
        """The columns of a treebank of arrays; heads and labels are copied, since they may be written to."""
        cdef Sheet self = Sheet.__new__(Sheet)
        cdef const int64_t[::1] offsets = np.ascontiguousarray(treebank._offsets, np.int64)
        cdef const int32_t[::1] ids
        cdef int k
        self.n_sentences, self.n_words = offsets.shape[0] - 1, len(treebank._heads)
        if self.n_sentences < 0 or offsets[self.n_sentences] != self.n_words:
            raise ValueError(f"offsets of {self.n_words} words end elsewhere")
        self.offsets, self.offsets_owner = &offsets[0], offsets.base
        self.others = {}
        for name, found in treebank._ids.items():
            if name not in NAMES:
                self.others[name] = found, treebank._tables[name]
                continue
            k = NAMES.index(name)
            ids = np.ascontiguousarray(found, np.int32)
            if ids.shape[0] != self.n_words:
                raise ValueError(f"{ids.shape[0]} cells of {name} for {self.n_words} words")
            self.tables[k], self.owners[k] = treebank._tables[name], ids.base
            self.ids[k] = &ids[0] if self.n_words else NULL
        self.heads, self.labels = of_array(treebank._heads), of_array(treebank._deprel_ids)
        self.label_names = treebank._deprel_table
        self.source, self.failures = treebank._source, treebank._failures
        self.sent_ids, self.replaced = treebank._sent_ids, treebank._replaced
        return self

    @staticmethod
    def of_tokens(Tokenization tokens not None) -> Sheet:
        """The sentences of running text, with forms alone."""
        cdef Sheet self = Sheet.__new__(Sheet)
        self.source = tokens
        self.n_sentences, self.n_words = len(tokens), tokens.ids_.size
        self.offsets, self.offsets_owner = <const int64_t*>tokens.offsets_.data, tokens.offsets_
        self.set_cells(FORM, tokens.ids_, tokens.forms)
        return self

    @staticmethod
    def of_words(sentences not None) -> Sheet:
        """Sentences that are lists of words, and nothing else; None if they are something else.

        What words cannot be is left to those who say so.
        """
        cdef Sheet self = Sheet.__new__(Sheet)
        cdef Array ids = Array(NULL, 0, 0), offsets = Array(NULL, 0, 0)
        cdef dict known = {}
        cdef list forms
        cdef int64_t n = 0
        cdef bint failed = reserve(&offsets, len(sentences) + 1, sizeof(int64_t)) != 0
        try:
            if failed:
                raise MemoryError("cannot allocate a column")
            (<int64_t*>offsets.data)[0] = 0
            for sentence in sentences:
                if type(sentence) is not list:
                    return None
                if reserve(&ids, n + len(<list>sentence), sizeof(int32_t)):
                    raise MemoryError("cannot allocate a column")
                for form in <list>sentence:
                    if type(form) is not str:
                        return None
                    (<int32_t*>ids.data)[n] = known.setdefault(form, len(known))
                    n += 1
                self.n_sentences += 1
                (<int64_t*>offsets.data)[self.n_sentences] = n
            forms = list(known)
            for form in forms:
                if "\n" in <str>form or "\t" in <str>form or "\r" in <str>form:
                    return None
            ids.size, offsets.size = n, self.n_sentences + 1
            self.n_words = n
            self.set_cells(FORM, Vector.adopt(&ids, b"i"), StringTable.of(forms))
            self.offsets_owner = Vector.adopt(&offsets, b"q")
            self.offsets = <const int64_t*>(<Vector>self.offsets_owner).data
            return self
        except UnicodeEncodeError:
            return None
        finally:
            discard(&ids)
            discard(&offsets)

    def into(self, treebank, no_failures) -> None:
        """Fill a treebank that has nothing yet; what it may write to is its own from now on."""
        treebank._heads = np.full(self.n_words, -1, np.int32) if self.heads is None else self.heads.array()
        treebank._deprel_ids = np.zeros(self.n_words, np.int32) if self.labels is None else self.labels.array()
        treebank._deprel_table = list(self.label_names)
        treebank._offsets = frozen(self.offsets_owner)
        treebank._ids, treebank._tables = self.cells()
        treebank._source, treebank._sent_ids = self.source, self.sent_ids
        treebank._failures = no_failures if self.failures is None else self.failures
        treebank._replaced, treebank._running = self.replaced, None

    cdef tuple cells(self):
        """Arrays of ids and tables, by column."""
        cdef dict ids = {}, tables = {}
        cdef int k
        nothing = None
        for k in range(N_STRINGS):
            if self.owners[k] is None and nothing is None:
                nothing = frozen(Vector.zeros(self.n_words, b"i"))
            ids[NAMES[k]] = nothing if self.owners[k] is None else frozen(self.owners[k])
            tables[NAMES[k]] = self.tables[k]
        if self.others:
            for name, (found, table) in self.others.items():
                ids[name], tables[name] = found, table
        return ids, tables

    cdef int set_cells(self, int column, Vector ids, StringTable table) except -1:
        if ids.size != self.n_words:
            raise ValueError(f"{ids.size} cells for {self.n_words} words")
        self.ids[column] = <const int32_t*>ids.data
        self.owners[column] = ids
        self.tables[column] = table
        return 0

    cdef Sheet copied(self, bint trees):
        """A sheet to add to; with heads and labels of its own, or without any."""
        cdef Sheet found = Sheet.__new__(Sheet)
        found.n_sentences, found.n_words = self.n_sentences, self.n_words
        found.offsets, found.offsets_owner = self.offsets, self.offsets_owner
        memcpy(found.ids, self.ids, sizeof(self.ids))
        found.tables, found.owners = self.tables.copy(), self.owners.copy()
        found.others = self.others
        found.source, found.failures, found.sent_ids = self.source, self.failures, self.sent_ids
        found.replaced = self.replaced
        if trees:
            found.label_names = self.label_names
            found.heads, found.labels = copy_of(self.heads), copy_of(self.labels)
        return found

    def with_trees(self, Vector heads not None, Vector labels not None, list names not None) -> Sheet:
        """The same sentences with other heads and labels, which nobody else writes to."""
        cdef Sheet found = self.copied(False)
        if heads.size != self.n_words or labels.size != self.n_words:
            raise ValueError(f"{heads.size} heads and {labels.size} labels for {self.n_words} words")
        found.heads, found.labels, found.label_names = heads, labels, names
        return found

    def blank(self, str column) -> bool:
        """Whether a column has something for no word, as can be told from its strings alone."""
        cdef int k = NAMES.index(column)
        return self.ids[k] == NULL or self.table(k).fullness() == BLANK

    def full(self, str column) -> bool:
        """Whether it has something for every word, in the same sense."""
        cdef int k = NAMES.index(column)
        return self.ids[k] != NULL and self.table(k).fullness() == FULL

    def table_of(self, str column) -> StringTable:
        """The strings of a column."""
        return self.table(NAMES.index(column))

    def count_filled(self, str column) -> int:
        """The words that have something in a column."""
        cdef int k = NAMES.index(column)
        cdef StringTable table = self.table(k)
        cdef const int64_t* begins = <const int64_t*>table.begins.data
        cdef const int32_t* lengths = <const int32_t*>table.lengths.data
        cdef const char* source = <const char*>table.source
        cdef const int32_t* ids = self.ids[k]
        cdef int64_t i, n = 0
        if ids == NULL or table.fullness() == BLANK:
            return 0
        if table.fullness() == FULL:
            return self.n_words
        require_places(ids, 0, self.n_words, table)
        for i in range(self.n_words):
            n += lengths[ids[i]] > 1 or (lengths[ids[i]] == 1 and source[begins[ids[i]]] != c"_")
        return n

    def count_unknown(self, Index known not None, Py_ssize_t n) -> int:
        """How many of the first n words have a form whose hash is not among some keys."""
        cdef StringTable table = self.table(FORM)
        cdef const uint8_t* source = <const uint8_t*>table.source
        cdef const int32_t* ids = self.ids[FORM]
        cdef int64_t i, found = 0
        if not 0 <= n <= self.n_words or n and ids == NULL:
            raise IndexError(f"{n} words of {self.n_words}")
        require_places(ids, 0, n, table)
        for i in range(n):
            found += known.get(hash_bytes(source + (<int64_t*>table.begins.data)[ids[i]],
                                          (<int32_t*>table.lengths.data)[ids[i]])) < 0
        return found

    def bounds(self, int64_t words) -> list:
        """Sentences between which they are divided, so that a part has at most so many words, or one sentence."""
        cdef list found = [0]
        cdef Py_ssize_t i = 0, last
        while i < self.n_sentences:
            last = i + 1
            while last < self.n_sentences and self.offsets[last + 1] - self.offsets[i] <= words:
                last += 1
            found.append(last)
            i = last
        return found

    def words_before(self, Py_ssize_t sentence) -> int:
        """The words before a sentence, or all of them."""
        if not 0 <= sentence <= self.n_sentences:
            raise IndexError(f"sentence {sentence} of {self.n_sentences}")
        return self.offsets[sentence]

    def strings(self, str column, Py_ssize_t begin, Py_ssize_t end) -> list:
        """What some words have in a column."""
        cdef int k = NAMES.index(column)
        cdef StringTable table = self.table(k)
        cdef list known = table.strings, found = []
        cdef const int32_t* ids = self.ids[k]
        cdef Py_ssize_t i
        if not 0 <= begin <= end <= self.n_words:
            raise IndexError(f"words {begin} to {end} of {self.n_words}")
        if ids != NULL:
            require_places(ids, begin, end, table)
        for i in range(begin, end):
            found.append(known[ids[i] if ids != NULL else 0])
        return found

    def heads_between(self, Py_ssize_t begin, Py_ssize_t end) -> list:
        """The heads of some words."""
        cdef Py_ssize_t i
        if not 0 <= begin <= end <= self.n_words:
            raise IndexError(f"words {begin} to {end} of {self.n_words}")
        if self.heads is None:
            return [-1] * (end - begin)
        return [(<int32_t*>self.heads.data)[i] for i in range(begin, end)]

    def labels_between(self, Py_ssize_t begin, Py_ssize_t end) -> list:
        """The labels of some words; None if one of them is not in the list of names."""
        cdef Py_ssize_t i
        cdef list found = []
        cdef int32_t id
        if not 0 <= begin <= end <= self.n_words:
            raise IndexError(f"words {begin} to {end} of {self.n_words}")
        for i in range(begin, end):
            id = (<int32_t*>self.labels.data)[i] if self.labels is not None else 0
            if id >= len(self.label_names):
                return None
            found.append(self.label_names[id] if id >= 0 else "_")
        return found


cdef class Part:
    """One of several texts that were tokenized and annotated together: cut out when somebody looks at it."""

    cdef Sheet whole
    cdef Py_ssize_t document, first
    cdef readonly Py_ssize_t n_sentences, n_words

    def __init__(self, Sheet whole not None, Py_ssize_t document):
        """Args: whole: sentences of a `Tokenization` of several texts."""
        cdef Tokenization tokens = whole.source
        first, last = tokens.bounds_of(document)
        if last > whole.n_sentences:
            raise IndexError(f"sentence {last} of {whole.n_sentences}")
        self.whole, self.document, self.first = whole, document, first
        self.n_sentences, self.n_words = last - first, whole.offsets[last] - whole.offsets[first]

    def words_before(self, Py_ssize_t sentence) -> int:
        """The words before a sentence of the text, or all of them."""
        if not 0 <= sentence <= self.n_sentences:
            raise IndexError(f"sentence {sentence} of {self.n_sentences}")
        return self.whole.offsets[self.first + sentence] - self.whole.offsets[self.first]

    def strings(self, str column, Py_ssize_t begin, Py_ssize_t end) -> list:
        """What some words have in a column."""
        return self.whole.strings(column, *self.between(begin, end))

    def heads_between(self, Py_ssize_t begin, Py_ssize_t end) -> list:
        """The heads of some words."""
        return self.whole.heads_between(*self.between(begin, end))

    def labels_between(self, Py_ssize_t begin, Py_ssize_t end) -> list:
        """The labels of some words."""
        return self.whole.labels_between(*self.between(begin, end))

    cdef tuple between(self, Py_ssize_t begin, Py_ssize_t end):
        cdef int64_t before = self.whole.offsets[self.first]
        if not 0 <= begin <= end <= self.n_words:
            raise IndexError(f"words {begin} to {end} of {self.n_words}")
        return before + begin, before + end

    def sheet(self) -> Sheet:
        """The sentences alone, with strings and memory of their own."""
        cdef Sheet whole = self.whole, found
        cdef Tokenization tokens = (<Tokenization>whole.source).cut(self.document)
        cdef int64_t begin = whole.offsets[self.first]
        cdef int k
        found = Sheet.of_tokens(tokens)
        for k in range(FORM + 1, N_STRINGS):
            if whole.ids[k] != NULL:
                cut_cells(found, k, whole.ids[k] + begin, whole.table(k))
        if whole.others:
            found.others = {}
            for name, (cells, table) in whole.others.items():
                cells, table = joined_cells([(cells[begin : begin + found.n_words], table)])
                found.others[name] = frozen_array(cells), table
        found.label_names, found.replaced = whole.label_names, whole.replaced
        if whole.heads is not None:
            found.heads, found.labels = slice_of(whole.heads, begin, found.n_words), slice_of(
                whole.labels, begin, found.n_words)
        return found


cdef int cut_cells(Sheet sheet, int column, const int32_t* ids, StringTable table) except -1:
    """Give a column some of the ids of a longer one, and its strings: those of a model as they are, others anew."""
    cdef Vector cells = Vector.zeros(sheet.n_words, b"i")
    cdef int32_t* out = <int32_t*>cells.data
    cdef Array pool = Array(NULL, 0, 0)
    cdef Interner interner
    cdef const uint8_t* source = <const uint8_t*>table.source
    cdef int64_t i
    if table.lasting:
        memcpy(out, ids, sheet.n_words * sizeof(int32_t))
        return sheet.set_cells(column, cells, table)
    require_places(ids, 0, sheet.n_words, table)
    if prepare(&interner, NULL, NULL):
        raise MemoryError("cannot allocate a column")
    try:
        for i in range(sheet.n_words):
            out[i] = intern_copied(&interner, &pool, source + (<int64_t*>table.begins.data)[ids[i]],
                                   (<int32_t*>table.lengths.data)[ids[i]], source + len(table.source))
            if out[i] < 0:
                raise MemoryError("cannot allocate a column")
        return sheet.set_cells(
            column, cells, finish(&interner, PyBytes_FromStringAndSize(pool.data, pool.size)))
    finally:
        drop(&interner)
        discard(&pool)


cdef Vector slice_of(Vector items, int64_t begin, int64_t n):
    cdef Vector found = Vector.zeros(n, b"i")
    if begin + n > items.size:
        raise IndexError(f"items {begin} to {begin + n} of {items.size}")
    memcpy(found.data, <int32_t*>items.data + begin, n * sizeof(int32_t))
    return found


cdef frozen(owner):
    """What holds memory as an array that nobody can write to."""
    return (<Vector>owner).frozen() if isinstance(owner, Vector) else frozen_array(owner)


cdef Vector of_array(array):
    cdef const int32_t[::1] given = np.ascontiguousarray(array, np.int32)
    cdef Vector found = Vector.zeros(given.shape[0], b"i")
    if given.shape[0]:
        memcpy(found.data, &given[0], given.shape[0] * sizeof(int32_t))
    return found


cdef Vector copy_of(Vector items):
    cdef Vector found
    if items is None:
        return None
    found = Vector.zeros(items.size, items.code)
    memcpy(found.data, items.data, items.size * items.itemsize)
    return found
