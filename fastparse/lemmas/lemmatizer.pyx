"""A lemmatizer: a dictionary of forms with their tags, and weights that choose a script for the others."""

import numpy

from cpython.bytes cimport PyBytes_FromStringAndSize
from cpython.object cimport PyObject
from libc.stdint cimport int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from fastparse.corpus.sheet cimport FEATS, FORM, LEMMA, UPOS, Sheet, require_places
from fastparse.corpus.strings.hashing cimport fold, hash_bytes
from fastparse.corpus.strings.index cimport Index
from fastparse.corpus.strings.interning cimport Interner, StringTable, drop, finish, intern_copied, prepare
from fastparse.corpus.strings.vectors cimport Array, Vector, discard, reserve
from fastparse.lemmas.evidence cimport MAX_KEYS, form_keys, hash_text, known_key, triple_key
from fastparse.lemmas.ranking cimport Choice, Scripts, Sums, choose

from fastparse.errors import ModelFormatError
from fastparse.lemmas.checking import checked_arrays, unpacked_scripts

cdef enum:
    MOST_CACHED = 1 << 18       # lemmas that are remembered; then the cache begins anew
    LONGEST_CACHED = 64         # characters of a form
    MOST_TEXT = 1 << 22         # bytes of lemmas, and
    MOST_MET = 1 << 17          # distinct words of a call, that memory which waits may have room for
    PLACES = 1 << 15            # of lemmas that a thread remembers, a power of two

cdef frozenset REPLACED = frozenset(("lemma",))

cdef extern from "Python.h":
    # As a pointer, so that no lock is needed.
    char* PyBytes_AS_STRING(PyObject* string) nogil

cdef struct Met:
    # A form with its tags that a call has met, and where its lemma lies in `texts`.
    uint64_t key
    int32_t form, upos, feats
    int32_t size                # bytes; -1: not known yet
    int64_t begin
    int32_t id                  # of the lemma in this call

cdef struct Place:
    # A lemma that the thread remembers, at the place its key says: the newest stays. `size` is less than 0 for none.
    uint64_t key
    int64_t begin
    int32_t size

cdef struct Slot:
    int32_t form, upos, feats
    int32_t number              # among those that were met; -1: the slot is free


cdef class Memory:
    """What one thread needs to give lemmas, and those it gave last."""

    cdef Array met              # Met, in the order in which they come
    cdef Array slots            # Slot, by form and tags
    cdef Array texts            # lemmas, one behind the other
    cdef Array places           # Place
    cdef Array pool
    cdef Interner interner      # of the lemmas of a call
    cdef Sums sums              # None until a lemma has to be computed

    def __dealloc__(self):
        drop(&self.interner)
        discard(&self.met)
        discard(&self.slots)
        discard(&self.texts)
        discard(&self.places)
        discard(&self.pool)

    cdef int number(self, Sheet sheet, StringTable forms, const uint64_t* upos, const uint64_t* feats,
                    int32_t* into) noexcept nogil:
        """Number forms with their tags as they come, and look for their lemmas: 0, or -1 without memory.

        Args:
            upos, feats: hashes of the strings.
            into: gets the number of each word.
        """
        cdef const uint8_t* source = <const uint8_t*>PyBytes_AS_STRING(<PyObject*>forms.source)
        cdef const int64_t* begins = <const int64_t*>forms.begins.data
        cdef const int32_t* lengths = <const int32_t*>forms.lengths.data
        cdef int64_t i
        cdef int32_t f, u, t
        cdef Slot* slot
        cdef Met* met
        cdef Place* place
        if self.places.size == 0 or self.texts.size > MOST_TEXT:
            if reserve(&self.places, PLACES, sizeof(Place)):
                return -1
            self.places.size, self.texts.size = PLACES, 0
            memset(self.places.data, 0xFF, PLACES * sizeof(Place))
        self.met.size = 0
        if emptied(&self.slots, 64):
            return -1
        for i in range(sheet.n_words):
            f = sheet.ids[FORM][i]
            u = sheet.ids[UPOS][i] if sheet.ids[UPOS] != NULL else 0
            t = sheet.ids[FEATS][i] if sheet.ids[FEATS] != NULL else 0
            slot = slot_of(&self.slots, f, u, t)
            if slot.number < 0:
                slot.form, slot.upos, slot.feats, slot.number = f, u, t, <int32_t>self.met.size
                if reserve(&self.met, self.met.size + 1, sizeof(Met)):
                    return -1
                met = <Met*>self.met.data + self.met.size
                self.met.size += 1
                met.form, met.upos, met.feats = f, u, t
                met.key = triple_key(hash_bytes(source + begins[f], lengths[f]), upos[u], feats[t])
                place = <Place*>self.places.data + (met.key & (PLACES - 1))
                met.size, met.begin = -1, place.begin
                if place.size >= 0 and place.key == met.key:
                    met.size = place.size
                into[i] = slot.number
                if 2 * self.met.size > self.slots.size and more(&self.slots):
                    return -1
            else:
                into[i] = slot.number
        return 0

    cdef int remember(self, Met* met, const char* lemma, int64_t size) noexcept nogil:
        """Keep a lemma: 0, or -1 without memory."""
        cdef Place* place = <Place*>self.places.data + (met.key & (PLACES - 1))
        if reserve(&self.texts, self.texts.size + size, 1):
            return -1
        memcpy(self.texts.data + self.texts.size, lemma, size)
        met.begin, met.size = self.texts.size, <int32_t>size
        place.key, place.begin, place.size = met.key, met.begin, met.size
        self.texts.size += size
        return 0

    cdef int intern_all(self, int32_t* numbers, int64_t n) noexcept nogil:
        """Give each word, in place of its number, the id of its lemma: 0, or -1 without memory."""
        cdef int64_t i
        cdef const uint8_t* texts = <const uint8_t*>self.texts.data
        cdef Met* met = <Met*>self.met.data
        self.pool.size = 0
        if prepare(&self.interner, NULL, NULL):
            return -1
        for i in range(self.met.size):
            met[i].id = intern_copied(&self.interner, &self.pool, texts + met[i].begin, met[i].size,
                                      texts + self.texts.size)
            if met[i].id < 0:
                return -1
        for i in range(n):
            numbers[i] = met[numbers[i]].id
        return 0


cdef inline Slot* slot_of(const Array* slots, int32_t form, int32_t upos, int32_t feats) noexcept nogil:
    """The slot of a form with its tags, or the free one where it goes."""
    cdef uint64_t mask = slots.size - 1
    cdef uint64_t at = fold(fold(1, <uint64_t>form << 32 | <uint32_t>upos), <uint32_t>feats) & mask
    cdef Slot* slot = <Slot*>slots.data
    while slot[at].number >= 0 and not (slot[at].form == form and slot[at].upos == upos and slot[at].feats == feats):
        at = (at + 1) & mask
    return slot + at


cdef int emptied(Array* slots, int64_t size) noexcept nogil:
    """So many free slots: 0, or -1 without memory."""
    if reserve(slots, size, sizeof(Slot)):
        return -1
    slots.size = size
    memset(slots.data, 0xFF, size * sizeof(Slot))
    return 0


cdef int more(Array* slots) noexcept nogil:
    """Twice the slots: 0, or -1 without memory."""
    cdef Array larger = Array(NULL, 0, 0)
    cdef Slot* slot = <Slot*>slots.data
    cdef int64_t i
    if emptied(&larger, 2 * slots.size):
        return -1
    for i in range(slots.size):
        if slot[i].number >= 0:
            slot_of(&larger, slot[i].form, slot[i].upos, slot[i].feats)[0] = slot[i]
    discard(slots)
    slots[0] = larger
    return 0


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
    cdef list idle              # Memory that waits for the next call

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
        self.cache, self.idle = {}, []

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
        cdef Memory memory = Memory()
        cdef list lemmas = []
        cdef str form, tag, features
        cdef uint64_t upos_hash, feats_hash
        if not len(forms) == len(upos) == len(feats):
            raise ValueError(f"{len(forms)} forms, {len(upos)} tags and {len(feats)} features: give one each")
        for form, tag, features in zip(forms, upos, feats):
            upos_hash, feats_hash = hash_text(tag), hash_text(features)
            lemmas.append(self.lemma(form, triple_key(hash_text(form), upos_hash, feats_hash), upos_hash, feats_hash,
                                     memory))
        return lemmas

    def lemmatize(self, treebank):
        """The lemma of each word of a treebank, as ids (int32 per word) and the lemmas by id."""
        cdef Sheet sheet = treebank if isinstance(treebank, Sheet) else treebank._sheet()
        ids, table = self.lemmas(sheet)
        return ids.array(), table.strings

    def lemmatized(self, Sheet sheet not None) -> Sheet:
        """The sentences with the lemmas of all their words."""
        cdef Sheet found = sheet.copied(True)
        ids, table = self.lemmas(sheet)
        found.set_cells(LEMMA, ids, table)
        found.replaced = sheet.replaced | REPLACED
        return found

    cdef tuple lemmas(self, Sheet sheet):
        """The lemma of each word as ids, and the table they are of."""
        cdef Vector ids = Vector.zeros(sheet.n_words, b"i")
        cdef StringTable forms = sheet.table(FORM), upos = sheet.table(UPOS), feats = sheet.table(FEATS)
        cdef const uint64_t* upos_hashes = upos.hash_row()
        cdef const uint64_t* feats_hashes = feats.hash_row()
        cdef Memory memory
        cdef int64_t i, n
        cdef int status = 0
        cdef Met* met
        cdef str lemma
        cdef bytes written
        cdef int k
        for k in (FORM, UPOS, FEATS):
            if sheet.ids[k] != NULL:
                require_places(sheet.ids[k], 0, sheet.n_words, sheet.table(k))
            elif k == FORM and sheet.n_words:
                raise ValueError(f"{sheet.n_words} words without forms")
        try:                            # to take one is a single step: threads get different ones
            memory = self.idle.pop()
        except IndexError:
            memory = Memory()
        with nogil:
            status = memory.number(sheet, forms, upos_hashes, feats_hashes, <int32_t*>ids.data)
        if status:
            raise MemoryError(f"no memory for the lemmas of {sheet.n_words} words")
        n = memory.met.size
        for i in range(n):              # what has not been met before, or was forgotten
            met = <Met*>memory.met.data + i
            if met.size < 0:
                form = forms.at(met.form)
                lemma = self.lemma(form, met.key, upos_hashes[met.upos], feats_hashes[met.feats], memory)
                written = lemma.encode("utf-8", "surrogatepass")
                if memory.remember(met, <const char*>written, len(written)):
                    raise MemoryError(f"no memory for the lemmas of {sheet.n_words} words")
        with nogil:
            status = memory.intern_all(<int32_t*>ids.data, sheet.n_words)
        if status:
            raise MemoryError(f"no memory for the lemmas of {sheet.n_words} words")
        table = finish(&memory.interner, PyBytes_FromStringAndSize(memory.pool.data, memory.pool.size))
        if memory.texts.size <= MOST_TEXT and memory.met.capacity <= MOST_MET:
            self.idle.append(memory)
        return ids, table

    cdef str lemma(self, str form, uint64_t key, uint64_t upos, uint64_t feats, Memory memory):
        """The lemma of a form, of which with its tags the key is given."""
        cdef object found = self.cache.get(key)
        if found is not None:
            return found
        if memory.sums is None:
            memory.sums = Sums(self.scripts.n)
        found = self.computed(form, key, upos, feats, memory.sums)
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
