"""A lemmatizer: a dictionary of forms with their tags, and weights that choose a script for the others."""

import numpy

from libc.stdint cimport int16_t, int32_t, int64_t, uint16_t, uint64_t

from fastparse.corpus.strings.index cimport Index
from fastparse.lemmas.evidence cimport MAX_KEYS, form_keys, hash_text, known_key, triple_key
from fastparse.lemmas.ranking cimport Choice, Scripts, Sums, choose

from fastparse.corpus.strings.index import distinct_triples
from fastparse.errors import Error, ModelFormatError
from fastparse.lemmas.checking import checked_arrays, unpacked_scripts

cdef enum:
    MOST_CACHED = 1 << 18       # lemmas that are remembered; then the cache begins anew
    LONGEST_CACHED = 64         # characters of a form


cdef class Lemmatizer:
    """Gives each form with its UPOS and FEATS a lemma.

    What the dictionary has is looked up; otherwise the script with the greatest sum of weights is applied, a lemma
    known from training being worth something of its own. Lemmas are remembered: a form costs time when it first comes.
    """

    cdef dict arrays
    cdef Scripts scripts
    cdef Index dictionary       # from triples to scripts
    cdef Index rows             # from keys to rows of weights
    cdef Index known            # from lemmas with UPOS to 1
    cdef const int32_t[::1] row_begins
    cdef const uint16_t[::1] row_scripts
    cdef const int16_t[::1] row_weights
    cdef dict cache             # from the key of a triple to a lemma

    def __init__(self, arrays):
        """A lemmatizer of the arrays that `to_arrays` gives; see `from_arrays`."""
        self.arrays = checked_arrays(arrays)
        self.scripts = Scripts(unpacked_scripts(self.arrays))
        try:
            self.dictionary = Index(self.arrays["dictionary"], self.arrays["dictionary_scripts"].astype(numpy.int32))
            self.rows = Index(self.arrays["keys"])
            self.known = Index(self.arrays["known"], numpy.ones(len(self.arrays["known"]), numpy.int32))
        except ValueError as error:
            raise ModelFormatError(f"the lemmatizer is damaged: {error}. Train the model again.") from None
        self.row_begins = self.arrays["row_begins"]
        self.row_scripts = self.arrays["row_scripts"]
        self.row_weights = self.arrays["row_weights"]
        self.cache = {}

    @staticmethod
    def from_arrays(arrays):
        """The lemmatizer that `to_arrays` describes.

        Raises:
            ModelFormatError: if the arrays are not what a lemmatizer is made of.
        """
        return Lemmatizer(arrays)

    def to_arrays(self) -> dict:
        """All it knows as numpy arrays by name; do not write to them."""
        return dict(self.arrays)

    @property
    def n_scripts(self) -> int:
        return self.scripts.n

    def apply(self, forms, upos, feats) -> list:
        """The lemmas of forms with their tags: three sequences of strings of the same length."""
        cdef Sums sums = Sums(self.scripts.n)
        cdef list lemmas = []
        cdef str form, tag, features
        if not len(forms) == len(upos) == len(feats):
            raise ValueError(f"{len(forms)} forms, {len(upos)} tags and {len(feats)} features: give one each")
        for form, tag, features in zip(forms, upos, feats):
            lemmas.append(self.lemma(form, hash_text(form), hash_text(tag), hash_text(features), sums))
        return lemmas

    def lemmatize(self, treebank):
        """The lemma of each word of a treebank, as ids (int32 per word) and the lemmas by id."""
        cdef Sums sums = Sums(self.scripts.n)
        cdef list forms = treebank.table("form"), lemmas = []
        cdef dict places = {}
        cdef int64_t i
        cdef str lemma
        columns = [numpy.ascontiguousarray(treebank.ids(name), numpy.int32) for name in ("form", "upos", "feats")]
        triple_of_word, words = distinct_triples(*columns)
        of_triple = numpy.empty(len(words), numpy.int32)
        cdef const int32_t[::1] form_ids = columns[0][words]
        cdef const uint64_t[::1] form_hashes = treebank.hashes("form")
        cdef const uint64_t[::1] upos = treebank.hashes("upos")[columns[1][words]]
        cdef const uint64_t[::1] feats = treebank.hashes("feats")[columns[2][words]]
        cdef int32_t[::1] place = of_triple
        if len(forms) != form_hashes.shape[0]:      # the list is in the hands of users
            raise Error("the strings of the column form have been changed: they are not to be written to")
        for i in range(place.shape[0]):
            lemma = self.lemma(forms[form_ids[i]], form_hashes[form_ids[i]], upos[i], feats[i], sums)
            known = places.get(lemma)
            if known is None:
                known = places[lemma] = len(lemmas)
                lemmas.append(lemma)
            place[i] = known
        return of_triple[triple_of_word], lemmas

    cdef str lemma(self, str form, uint64_t form_hash, uint64_t upos, uint64_t feats, Sums sums):
        """The lemma of a form, of which as of its tags the hash is given."""
        cdef uint64_t key = triple_key(form_hash, upos, feats)
        cdef object found = self.cache.get(key)
        if found is not None:
            return found
        found = self.computed(form, key, upos, feats, sums)
        if len(form) <= LONGEST_CACHED:
            if len(self.cache) >= MOST_CACHED:
                self.cache = {}
            self.cache[key] = found
        return found

    cdef str computed(self, str form, uint64_t key, uint64_t upos, uint64_t feats, Sums sums):
        cdef uint64_t keys[MAX_KEYS]
        cdef str lowered = form.lower(), found
        cdef int32_t script = self.dictionary.get(key), row, bonus = 0, begin, end
        cdef int n, k
        cdef Choice choice
        if script >= 0:
            found = self.scripts.lemma(script, form, lowered)
            if found is not None:
                return found
        n = form_keys(form, lowered, upos, feats, keys)
        for k in range(n):
            row = self.rows.get(keys[k])
            if row >= 0:
                begin, end = self.row_begins[row], self.row_begins[row + 1]
                if begin < end:
                    sums.add_row(&self.row_scripts[begin], &self.row_weights[begin], end - begin)
        row = self.rows.get(known_key(upos))
        if row >= 0 and self.row_begins[row] < self.row_begins[row + 1]:
            bonus = self.row_weights[self.row_begins[row]]
        found = choose(sums, self.scripts, form, lowered, upos, self.known, bonus, 0, &choice)
        return form if found is None else found
