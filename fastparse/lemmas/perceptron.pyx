"""The averaged perceptron that learns which script a form wants."""

import numpy

from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.stdlib cimport calloc, free, realloc

from fastparse.corpus.strings.index cimport Index
from fastparse.lemmas.evidence cimport MAX_KEYS, form_keys, hash_text, known_key, lemma_key
from fastparse.lemmas.ranking cimport Choice, Scripts, Sums, choose
from fastparse.weights.perceptron cimport average, change


cdef struct Cell:
    int32_t script
    int32_t weight
    int64_t drift               # see averaging.pxd

cdef struct Row:
    Cell* cells                 # owned
    int32_t size
    int32_t capacity


cdef class Perceptron:
    """Weights that are learnt form by form.

    A form has a key for each of its ends, and so on (`evidence.form_keys`); a key has a row of weights, one per script
    it has ever been wrong about. The weight of a known lemma, one per UPOS tag, stands in a row of its own.
    """

    cdef Scripts scripts
    cdef Sums sums
    cdef Index known
    cdef Row* rows              # [n_rows]  owned
    cdef int64_t n_rows
    cdef int64_t n_steps
    cdef list forms
    cdef list lemmas
    cdef const int32_t[::1] wanted
    cdef const uint64_t[::1] upos
    cdef const uint64_t[::1] own
    cdef const int32_t[:, ::1] of_form  # rows of each form, the first for known lemmas; -1 where there are no more
    cdef readonly object keys

    def __cinit__(self, scripts, list forms, list lemmas, wanted, upos, feats):
        """Prepare to learn.

        Args:
            scripts: all scripts.
            forms: the forms; one that has several tags comes several times.
            lemmas: the lemma of each.
            wanted: the script that makes it, int32.
            upos, feats: hashes of the tags of each, uint64.
        """
        cdef int64_t n = len(forms), i
        cdef int k = 0
        cdef uint64_t buffer[MAX_KEYS]
        cdef const uint64_t[::1] upos_ = upos, feats_ = feats
        cdef str form
        if not n == len(lemmas) == len(wanted) == len(upos) == len(feats):
            raise ValueError("forms, lemmas, scripts and tags differ in number")
        self.scripts = Scripts(scripts)
        self.sums = Sums(self.scripts.n)
        self.forms, self.lemmas, self.wanted, self.upos = forms, lemmas, wanted, upos
        keys = numpy.zeros((n, MAX_KEYS + 1), numpy.uint64)
        used = numpy.zeros((n, MAX_KEYS + 1), numpy.bool_)
        own = numpy.empty(n, numpy.uint64)
        cdef uint64_t[:, ::1] keys_ = keys
        cdef uint64_t[::1] own_ = own
        for i in range(n):
            form = forms[i]
            keys_[i, 0] = known_key(upos_[i])
            for k in range(form_keys(form, form.lower(), upos_[i], feats_[i], buffer)):
                keys_[i, k + 1] = buffer[k]
            used[i, :k + 2] = True
            own_[i] = lemma_key(hash_text(lemmas[i]), upos_[i])
        self.own = own
        self.known = Index(*(part.astype(kind) for part, kind in zip(
            numpy.unique(own, return_counts=True), (numpy.uint64, numpy.int32))))
        self.keys, places = numpy.unique(keys[used], return_inverse=True)
        of_form = numpy.full(keys.shape, -1, numpy.int32)
        of_form[used] = places.reshape(-1)
        self.of_form = of_form
        self.n_rows = len(self.keys)
        self.rows = <Row*>calloc(self.n_rows + 1, sizeof(Row))
        if self.rows == NULL:
            raise MemoryError(f"cannot allocate {self.n_rows} rows of weights")

    def __dealloc__(self):
        cdef int64_t i
        if self.rows != NULL:
            for i in range(self.n_rows):
                free(self.rows[i].cells)
        free(self.rows)

    @property
    def known_lemmas(self):
        """The keys of all lemmas with their UPOS, rising."""
        return numpy.unique(self.own)

    def learn(self, order, bint with_known=True) -> int:
        """Go through the forms in an order; the number of lemmas that were wrong.

        Args:
            order: which forms, and when.
            with_known: whether it counts that a lemma is known from other forms. Without it weights learn to do alone.
        """
        cdef int64_t i
        cdef int n_wrong = 0
        for i in order:
            self.n_steps += 1
            n_wrong += self.step(i, with_known)
        return n_wrong

    cdef int step(self, int64_t i, bint with_known) except -1:
        """Look at one form: 1 if its lemma was wrong, and weights have changed."""
        cdef str form = self.forms[i], lemma = self.lemmas[i], lowered = form.lower()
        cdef int k = 0
        cdef int32_t c, is_known
        cdef Row* row
        cdef Choice choice
        for k in range(1, MAX_KEYS + 1):
            if self.of_form[i, k] < 0:
                break
            row = &self.rows[self.of_form[i, k]]
            for c in range(row.size):
                self.sums.add(row.cells[c].script, row.cells[c].weight)
        row = &self.rows[self.of_form[i, 0]]
        found = choose(
            self.sums, self.scripts, form, lowered, self.upos[i], self.known,
            row.cells[0].weight if row.size and with_known else 0, self.own[i], &choice
        )
        if found == lemma:
            return 0
        is_known = self.known.get(self.own[i]) > 1
        if with_known and is_known != choice.known:
            self.move(row, 0, is_known - choice.known)
        for k in range(1, MAX_KEYS + 1):
            if self.of_form[i, k] < 0:
                break
            row = &self.rows[self.of_form[i, k]]
            self.move(row, self.wanted[i], 1)
            if choice.script >= 0:
                self.move(row, choice.script, -1)
        return 1

    cdef int move(self, Row* row, int32_t script, int32_t by) except -1:
        cdef int32_t c = 0, capacity
        cdef Cell* cells
        while c < row.size and row.cells[c].script != script:
            c += 1
        if c == row.size:
            if c == row.capacity:
                capacity = 2 * c + 2
                cells = <Cell*>realloc(row.cells, capacity * sizeof(Cell))
                if cells == NULL:
                    raise MemoryError("cannot allocate weights")
                row.cells, row.capacity = cells, capacity
            row.cells[c] = Cell(script, 0, 0)
            row.size += 1
        change(&row.cells[c].weight, &row.cells[c].drift, by, self.n_steps)
        return 0

    def averaged(self):
        """The averages of all weights: where the row of each of `keys` begins, scripts (int32), weights (float64)."""
        cdef int64_t n = 0, i, at = 0
        cdef int32_t c
        for i in range(self.n_rows):
            n += self.rows[i].size
        begins = numpy.zeros(self.n_rows + 1, numpy.int64)
        scripts, weights = numpy.empty(n, numpy.int32), numpy.empty(n)
        cdef int64_t[::1] begins_ = begins
        cdef int32_t[::1] scripts_ = scripts
        cdef double[::1] weights_ = weights
        cdef Cell* cell
        for i in range(self.n_rows):
            for c in range(self.rows[i].size):
                cell = &self.rows[i].cells[c]
                scripts_[at] = cell.script
                weights_[at] = average(cell.weight, cell.drift, max(1, self.n_steps))
                at += 1
            begins_[i + 1] = at
        return begins, scripts, weights
