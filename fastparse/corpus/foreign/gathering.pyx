"""Objects of other libraries, word by word: cells to ids, and heads and labels back into the objects.

Every cell is looked up once, where it stands: no lists of cells are made in between.
"""

from cpython.dict cimport PyDict_GetItemWithError
from cpython.object cimport PyObject
from libc.stdint cimport int32_t, uint64_t

from fastparse.corpus.strings.vectors cimport Array, Vector, discard, reserve

from fastparse.corpus.foreign.cells import features_text, head_number
from fastparse.errors import Error

cdef tuple NUMBERS = tuple(map(str, range(256)))        # heads as text, made once


cdef class Column:
    """The cells of one column, as ids in order of appearance."""
    cdef readonly str name
    cdef dict known             # cell -> id
    cdef dict keys              # key of a cell -> id
    cdef Array ids

    def __cinit__(self, str name):
        self.name = name
        self.known, self.keys = {}, {}

    def __dealloc__(self):
        discard(&self.ids)

    cdef inline int add(self, cell) except -1:
        cdef PyObject* found
        try:
            found = PyDict_GetItemWithError(self.known, cell)
        except TypeError:       # it cannot be looked up
            raise Error(
                f"word {self.ids.size + 1} of the batch: {self.name} is {cell!r}, not a string: convert the column "
                f"first") from None
        if found == NULL:
            self.known[cell] = len(self.known)
            return self.put(<int32_t>len(self.known) - 1)
        return self.put(<int32_t><object>found)

    cdef inline int add_key(self, uint64_t key, spelt) except -1:
        """Add the cell spelt(key), which is asked for once."""
        cdef object number = key
        cdef PyObject* found = PyDict_GetItemWithError(self.keys, number)
        if found != NULL:
            return self.put(<int32_t><object>found)
        self.add(spelt(number))
        self.keys[number] = (<int32_t*>self.ids.data)[self.ids.size - 1]
        return 0

    cdef inline int put(self, int32_t id) except -1:
        if self.ids.size == self.ids.capacity and reserve(&self.ids, self.ids.size + 1, sizeof(int32_t)):
            raise MemoryError
        (<int32_t*>self.ids.data)[self.ids.size] = id
        self.ids.size += 1
        return 0

    def finish(self):
        """Ids per word and the cells by id; the column is empty then."""
        cells, self.known, self.keys = list(self.known), {}, {}
        return Vector.adopt(&self.ids, b"i").array(), cells


cdef class Gatherer:
    """Sentences one after the other; `finish` gives their columns.

    Attributes:
        annotations: whether heads and labels are read; parsing has no use for them.
        sizes, sent_ids: of each sentence so far.
    """
    cdef readonly bint annotations
    cdef readonly list sizes, sent_ids
    cdef Column form, upos, xpos, feats, lemma, deprel
    cdef list heads
    cdef dict features          # the cells of a dict of features, one after the other -> its text

    def __init__(self, bint annotations=True):
        self.annotations = annotations
        self.sizes, self.sent_ids, self.heads, self.features = [], [], [], {}
        self.form, self.upos, self.xpos = Column("form"), Column("upos"), Column("xpos")
        self.feats, self.lemma, self.deprel = Column("feats"), Column("lemma"), Column("deprel")

    def add(self, words) -> None:
        """A sentence given as columns (`adapters.Words`)."""
        cdef Py_ssize_t n = len(words.forms)
        self.extend(self.form, words.forms, "forms", n)
        self.extend(self.upos, words.upos, "upos", n)
        self.extend(self.xpos, words.xpos, "xpos", n)
        self.extend(self.feats, words.feats, "feats", n)
        self.extend(self.lemma, words.lemmas, "lemmas", n)
        if self.annotations:
            self.extend(self.deprel, words.deprels, "deprels", n)
            self.check("heads", words.heads, n)
            self.heads.extend([None] * n if words.heads is None else words.heads)
        self.sizes.append(n)
        self.sent_ids.append(words.sent_id)

    cdef int check(self, str name, cells, Py_ssize_t n) except -1:
        if cells is not None and len(cells) != n:
            raise Error(f"sentence {len(self.sizes) + 1} has {n} forms but {len(cells)} in {name!r}: give one each")
        return 0

    cdef int extend(self, Column column, cells, str name, Py_ssize_t n) except -1:
        cdef Py_ssize_t _, seen = 0
        self.check(name, cells, n)
        if cells is None:
            for _ in range(n):
                column.add(None)
            return 0
        for cell in cells:
            seen += 1
            if seen > n:
                break
            column.add(cell)
        if seen != n:
            raise Error(f"the {name} of sentence {len(self.sizes) + 1} have the length {n}, and are not so many")
        return 0

    def add_tokens(self, list tokens, sent_id) -> None:
        """A sentence of objects with attributes."""
        for token in tokens:
            self.form.add(token.form or "_")
            self.upos.add(token.upos)
            self.xpos.add(getattr(token, "xpos", None))
            self.feats.add(self.text_of(getattr(token, "feats", None)))
            self.lemma.add(getattr(token, "lemma", None))
            if self.annotations:
                self.heads.append(head_number(getattr(token, "head", None)))
                self.deprel.add(getattr(token, "deprel", None))
        self.sizes.append(len(tokens))
        self.sent_ids.append(sent_id)

    def add_dicts(self, list tokens, sent_id) -> None:
        """A sentence of dicts."""
        for token in tokens:
            self.form.add(cell_of(token, "form"))
            self.upos.add(either_of(token, "upos", "upostag"))
            self.xpos.add(either_of(token, "xpos", "xpostag"))
            self.feats.add(self.text_of(cell_of(token, "feats")))
            self.lemma.add(cell_of(token, "lemma"))
            if self.annotations:
                self.heads.append(head_number(cell_of(token, "head")))
                self.deprel.add(cell_of(token, "deprel"))
        self.sizes.append(len(tokens))
        self.sent_ids.append(sent_id)

    def add_keys(self, const uint64_t[:, ::1] keys not None, spelt, heads, sizes) -> None:
        """Sentences, one after the other, given as numbers that stand for cells.

        Args:
            keys: a row per word: form, UPOS, XPOS, FEATS, lemma, label.
            spelt: for each of these, what makes the cell, or None, of a key.
            heads: one per word, where annotations are read.
            sizes: of the sentences.
        """
        cdef tuple columns = (self.form, self.upos, self.xpos, self.feats, self.lemma, self.deprel)
        cdef Py_ssize_t n_columns = len(columns) if self.annotations else len(columns) - 1, k, i
        cdef Column column
        for k in range(n_columns):
            column, cell = columns[k], spelt[k]
            for i in range(keys.shape[0]):
                column.add_key(keys[i, k], cell)
        if self.annotations:
            self.heads.extend(heads)
        self.sizes.extend(sizes)
        self.sent_ids.extend([None] * len(sizes))

    cdef text_of(self, features):
        """See `features_text`; a dict met before in the same order is not sorted again."""
        cdef list cells
        cdef PyObject* found
        if features is None or isinstance(features, str):
            return features or None
        if not isinstance(features, dict):
            return features_text(features)
        if not features:
            return None
        cells = []
        for key, value in (<dict>features).items():
            if isinstance(value, set) and len(<set>value) == 1:
                value = next(iter(value))
            if not isinstance(key, str) or (value is not None and not isinstance(value, str)):
                return features_text(features)
            cells.append(key)
            cells.append(value)
        known = tuple(cells)
        found = PyDict_GetItemWithError(self.features, known)
        if found == NULL:
            self.features[known] = features_text(features)
            return self.features[known]
        return <object>found

    def finish(self):
        """Ids per word and cells by id of each column, and the heads; None for what has not been read."""
        columns = (self.form, self.upos, self.xpos, self.feats, self.lemma, self.deprel)
        found = {column.name: column.finish() for column in columns if self.annotations or column is not self.deprel}
        return found, self.heads if self.annotations else None


cdef inline cell_of(token, str name):
    """What a dict or another mapping has under a name, or None."""
    cdef PyObject* found
    if not isinstance(token, dict):
        return token.get(name)
    found = PyDict_GetItemWithError(token, name)
    return None if found == NULL else <object>found


cdef inline either_of(token, str name, str other):
    cell = cell_of(token, name)
    return cell if cell is not None else cell_of(token, other)


# ── which are words ──

def words_among(tokens) -> list:
    """The tokens that are words: no ranges, no empty nodes."""
    cdef list words = []
    for token in tokens:
        number = getattr(token, "id", "")
        text = number if isinstance(number, str) else str(number)
        if "-" not in <str>text and "." not in <str>text:
            words.append(token)
    return words


def words_among_dicts(tokens) -> list:
    """The same of dicts, where an id that is no number is that of a range or an empty node."""
    cdef list words = []
    cdef Py_ssize_t i = 0
    for token in tokens:
        i += 1
        number = token.get("id", i) if not isinstance(token, dict) else (<dict>token).get("id", i)
        if isinstance(number, int) or str(number).isdigit():
            words.append(token)
    return words


# ── and back ──

def set_in_tokens(list words, list heads, list labels) -> None:
    """Heads and labels as attributes: heads are numbers where some head is one, else text."""
    cdef bint numbers = False
    for word in words:
        if isinstance(getattr(word, "head", None), int):
            numbers = True
            break
    for word, head, label in zip(words, heads, labels, strict=True):
        if head < 0:
            word.head = None
        else:
            word.head = head if numbers else NUMBERS[head] if head < len(NUMBERS) else str(head)
        word.deprel = None if label == "_" else label


def set_in_dicts(list words, list heads, list labels) -> None:
    """Heads, as numbers, and labels as items."""
    for word, head, label in zip(words, heads, labels, strict=True):
        word["head"] = head if head >= 0 else None
        word["deprel"] = label
