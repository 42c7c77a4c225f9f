"""What a tagger does with sentences: forms in, a class for each word out, and its strings as columns."""

import numpy as np

from libc.stdint cimport int32_t, int64_t
from libc.string cimport memcpy

from fastparse.corpus.sheet cimport FEATS, FORM, UPOS, XPOS, Sheet
from fastparse.corpus.strings.interning cimport StringTable
from fastparse.corpus.strings.vectors cimport Array, Vector, discard, reserve
from fastparse.encoder.encoder cimport Encoder
from fastparse.encoder.reading cimport Forms, Memory
from fastparse.encoder.scratch cimport Scratch, best_values, encode, renew

cdef dict PLACES = {"upos": UPOS, "xpos": XPOS, "feats": FEATS}

cdef enum:
    WORDS_AT_A_TIME = 512       # that are encoded before their tags are said; a longer sentence is encoded alone
    MOST_KEPT = 1 << 16         # rows that memory which waits for the next call may have room for


cdef class Seat:
    """What one thread needs for a call."""

    cdef Scratch scratch
    cdef Array rows             # int32: of each word and root, the number of its form and 1; 0 for roots
    cdef Array given            # int32, a row for each of these
    cdef Array lengths          # int32, of sentences with their roots
    cdef Array said             # int32: the class of each

    def __dealloc__(self):
        discard(&self.rows)
        discard(&self.given)
        discard(&self.lengths)
        discard(&self.said)


cdef class Tags:
    """Says tags of words by their forms. It never changes, so any number of threads may use one.

    Attributes:
        columns: the StringTable of each column that is said, by its name.
    """

    cdef Forms forms
    cdef Encoder encoder
    cdef readonly dict columns
    cdef object replaced        # the names of these
    cdef object classes_        # int32 [classes, columns], which `classes` points into
    cdef const int32_t* classes
    cdef int32_t n_columns
    cdef list idle

    def __init__(self, Forms forms not None, Encoder encoder not None, columns, classes):
        """Args: columns: strings by name; classes: int32 [n, columns], a place in each of these."""
        cdef const int32_t[:, ::1] c = np.ascontiguousarray(classes, np.int32)
        self.forms, self.encoder = forms, encoder
        self.columns = {name: StringTable.of_model(strings) for name, strings in columns.items()}
        self.replaced = frozenset(columns)
        if c.shape[1] != len(columns) or c.shape[0] != encoder.c.n_values[0]:
            raise ValueError(f"classes of {c.shape[1]} columns and {c.shape[0]} values")
        self.classes_, self.classes, self.n_columns = c.base, &c[0, 0], <int32_t>len(columns)
        self.idle = []

    def tagged(self, Sheet sheet not None) -> Sheet:
        """The sentences with the columns that are said."""
        said = self.room(sheet)
        self.say(sheet, 0, sheet.n_sentences, said)
        return self.filled(sheet, said)

    def room(self, Sheet sheet not None) -> tuple:
        """Where `say` puts what it says: ids for each column."""
        return tuple([Vector.zeros(sheet.n_words, b"i") for _ in self.columns])

    def filled(self, Sheet sheet not None, tuple said) -> Sheet:
        """The sentences with what was said of them."""
        cdef Sheet found = sheet.copied(True)
        for (name, table), ids in zip(self.columns.items(), said):
            found.set_cells(PLACES[name], ids, table)
        found.replaced = sheet.replaced | self.replaced
        return found

    def say(self, Sheet sheet not None, Py_ssize_t first, Py_ssize_t last, tuple into not None, given=None) -> None:
        """Say the tags of sentences first..last-1; releases the lock.

        Args:
            into: gets ids for each column, as `room` gives it.
            given: int32 [words of all sentences, columns]: what a word has already, -1 for nothing; classes that agree
                with it are said, if there are any.
        """
        cdef const int32_t[:, ::1] g = None if given is None else np.ascontiguousarray(given, np.int32)
        cdef const int32_t* own = NULL
        cdef int32_t* out[3]
        cdef Py_ssize_t k
        cdef Seat seat
        cdef Memory memory
        cdef int status = 0
        cdef int64_t begin, n
        if not 0 <= first <= last <= sheet.n_sentences or len(into) != self.n_columns:
            raise ValueError(f"sentences {first} to {last} of {sheet.n_sentences}, and {len(into)} columns")
        if g is not None:
            if g.shape[0] != sheet.n_words or g.shape[1] != self.n_columns:
                raise ValueError(f"{g.shape[0]} rows of {g.shape[1]} columns are given for {sheet.n_words} words")
            own = &g[0, 0] if g.shape[0] else NULL
        begin, n = sheet.offsets[first], sheet.offsets[last] - sheet.offsets[first]
        for k in range(self.n_columns):
            if (<Vector?>into[k]).size != sheet.n_words:
                raise ValueError(f"room for {(<Vector>into[k]).size} words of {sheet.n_words}")
            out[k] = <int32_t*>(<Vector>into[k]).data
        if n == 0:
            return
        try:                            # to take one is a single step: threads get different ones
            seat = self.idle.pop()
        except IndexError:
            seat = Seat()
            seat.scratch = Scratch(self.encoder)
        if reserve(&seat.rows, n + last - first, sizeof(int32_t)) or reserve(&seat.said, n, sizeof(int32_t)):
            raise MemoryError(f"no memory to tag {n} words")
        memory = self.forms.take()
        self.forms.number(memory, sheet.table(FORM), sheet.ids[FORM] + begin, n, <int32_t*>seat.said.data)
        with nogil:
            status = self.run(seat, memory, sheet.offsets, first, last, own, out)
        if status:
            raise MemoryError(f"no memory to tag {n} words")
        self.forms.give_back(memory)
        if seat.scratch.c.capacity <= MOST_KEPT:
            self.idle.append(seat)

    cdef int run(self, Seat seat, Memory memory, const int64_t* offsets, Py_ssize_t first, Py_ssize_t last,
                 const int32_t* given, int32_t** out) noexcept nogil:
        """Say the tags of sentences whose forms are numbered, in seat.said: 0, or -1 without memory."""
        cdef int32_t* forms = <int32_t*>seat.said.data      # which gives way to classes
        cdef int32_t* rows = <int32_t*>seat.rows.data
        cdef int32_t* lengths
        cdef int32_t* own = NULL
        cdef int64_t begin = offsets[first], i, n, at
        cdef Py_ssize_t s = first, j, n_sentences
        cdef int32_t k, column
        renew(&seat.scratch.c)
        while s < last:
            n = n_sentences = 0
            while s + n_sentences < last:
                i = offsets[s + n_sentences + 1] - offsets[s + n_sentences] + 1
                if n_sentences and n + i > WORDS_AT_A_TIME:
                    break
                n += i
                n_sentences += 1
            if (reserve(&seat.lengths, n_sentences, sizeof(int32_t)) or reserve(&seat.rows, n, sizeof(int32_t))
                    or given != NULL and reserve(&seat.given, n * self.n_columns, sizeof(int32_t))):
                return -1
            rows, lengths, own = <int32_t*>seat.rows.data, <int32_t*>seat.lengths.data, <int32_t*>seat.given.data
            at = 0
            for j in range(s, s + n_sentences):
                lengths[j - s] = <int32_t>(offsets[j + 1] - offsets[j] + 1)
                rows[at] = 0
                if given != NULL:
                    for column in range(self.n_columns):
                        own[at * self.n_columns + column] = -1
                at += 1
                for i in range(offsets[j], offsets[j + 1]):
                    rows[at] = forms[i - begin] + 1
                    if given != NULL:
                        memcpy(own + at * self.n_columns, given + i * self.n_columns, self.n_columns * sizeof(int32_t))
                    at += 1
            if encode(&self.encoder.c, &seat.scratch.c, <int32_t*>memory.forms.items.data,
                      <int32_t*>memory.forms.stops.data, rows, lengths, <int32_t>n_sentences):
                return -1
            best_values(&self.encoder.c, &seat.scratch.c, 0, self.classes, own if given != NULL else NULL,
                        self.n_columns, rows)
            at = 0
            for j in range(s, s + n_sentences):
                at += 1
                for i in range(offsets[j], offsets[j + 1]):
                    for k in range(self.n_columns):
                        out[k][i] = self.classes[<int64_t>rows[at] * self.n_columns + k]
                    at += 1
            s += n_sentences
        return 0
