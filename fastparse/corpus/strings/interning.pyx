"""String tables: from cells to ids while reading, from ids to strings and hashes afterwards."""

import numpy

from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcmp, memcpy, memset

from fastparse.corpus.strings.hashing cimport hash_bytes, load
from fastparse.corpus.strings.vectors cimport Array, Vector, discard, reserve

from fastparse.errors import Error


cdef extern from "Python.h":
    const char* PyUnicode_AsUTF8AndSize(object text, Py_ssize_t* size) except NULL

cdef enum:
    FIRST_SIZE = 8              # log2 of the slots of a new table


cdef inline uint64_t word_of(const uint8_t* at, int64_t length, const uint8_t* limit) noexcept nogil:
    """The string itself (at most eight bytes) or a key of all its bytes."""
    cdef uint64_t key
    cdef const uint8_t* last
    if length <= 8:
        if limit - at < 8:
            return load(at, length)
        key = load(at, 8)
        return key if length == 8 else key & ((<uint64_t>1 << (8 * length)) - 1)
    key = 0
    last = at + length - 8
    while at < last:
        key = ((key << 23 | key >> 41) ^ load(at, 8)) * <uint64_t>0xD1342543DE82EF95
        at += 8
    return ((key << 23 | key >> 41) ^ load(last, 8)) * <uint64_t>0xD1342543DE82EF95


cdef inline uint64_t spread(uint64_t word, int64_t length) noexcept nogil:
    """Top bits that depend on every bit of the word."""
    return (word ^ word >> 32 ^ <uint64_t>length << 58) * <uint64_t>0x9E3779B97F4A7C15


cdef int prepare(Interner* self, const uint8_t* source, const uint8_t* limit) noexcept nogil:
    """An empty table for strings within [source, limit): 0, or -1 without memory."""
    memset(self, 0, sizeof(Interner))
    self.source = source
    self.limit = limit
    self.n_slots = 1 << FIRST_SIZE
    self.shift = 64 - FIRST_SIZE
    self.slots = <Slot*>malloc(self.n_slots * sizeof(Slot))
    if self.slots == NULL:
        return -1
    memset(self.slots, 0xFF, self.n_slots * sizeof(Slot))
    return 0


cdef int32_t intern(Interner* self, const uint8_t* at, int64_t length) noexcept nogil:
    """The id of a string, known or new: ids count strings in order of appearance. -1 without memory."""
    cdef uint64_t word = word_of(at, length, self.limit)
    cdef uint64_t index = spread(word, length) >> self.shift
    cdef const int64_t* begins = <const int64_t*>self.begins.data
    cdef Slot* slot
    while True:
        slot = self.slots + index
        if slot.id < 0:
            return add(self, slot, word, at - self.source, <int32_t>length)
        if slot.word == word and slot.length == length:
            if length <= 8 or memcmp(self.source + begins[slot.id], at, <size_t>length) == 0:
                return slot.id
        index = (index + 1) & (self.n_slots - 1)


cdef int32_t intern_copied(
    Interner* self, Array* pool, const uint8_t* at, int64_t length, const uint8_t* limit
) noexcept nogil:
    """The same of a string anywhere before `limit`: a new one is copied to the pool, which is the interner's source."""
    cdef uint64_t word = word_of(at, length, limit)
    cdef uint64_t index = spread(word, length) >> self.shift
    cdef Slot* slot
    while True:
        slot = self.slots + index
        if slot.id < 0:
            break
        if slot.word == word and slot.length == length:
            if length <= 8 or memcmp(
                    pool.data + (<const int64_t*>self.begins.data)[slot.id], at, <size_t>length) == 0:
                return slot.id
        index = (index + 1) & (self.n_slots - 1)
    if reserve(pool, pool.size + length, 1):
        return -1
    memcpy(pool.data + pool.size, at, <size_t>length)
    pool.size += length
    return add(self, slot, word, pool.size - length, <int32_t>length)


cdef int32_t add(Interner* self, Slot* slot, uint64_t word, int64_t begin, int32_t length) noexcept nogil:
    cdef int64_t new = self.begins.size
    if reserve(&self.begins, new + 1, sizeof(int64_t)) or reserve(&self.lengths, new + 1, sizeof(int32_t)):
        return -1
    (<int64_t*>self.begins.data)[new] = begin
    (<int32_t*>self.lengths.data)[new] = length
    self.begins.size = self.lengths.size = new + 1
    slot.word = word
    slot.length = length
    slot.id = <int32_t>new
    if <uint64_t>(new + 1) * 2 > self.n_slots and grow(self):
        return -1
    return <int32_t>new


cdef int grow(Interner* self) noexcept nogil:
    """Double the slots. Strings go in by id, so that a later one never stands in the way of an earlier one."""
    cdef uint64_t n_slots = self.n_slots * 2, i, index
    cdef int64_t n_strings = self.begins.size, id
    cdef int shift = self.shift - 1
    cdef Slot* slots = <Slot*>malloc(n_slots * sizeof(Slot))
    cdef uint64_t* words = <uint64_t*>malloc(<size_t>n_strings * sizeof(uint64_t))
    cdef const int32_t* lengths = <const int32_t*>self.lengths.data
    if slots == NULL or words == NULL:
        free(slots)
        free(words)
        return -1
    memset(slots, 0xFF, n_slots * sizeof(Slot))
    for i in range(self.n_slots):
        if self.slots[i].id >= 0:
            words[self.slots[i].id] = self.slots[i].word
    for id in range(n_strings):
        index = spread(words[id], lengths[id]) >> shift
        while slots[index].id >= 0:
            index = (index + 1) & (n_slots - 1)
        slots[index].word = words[id]
        slots[index].length = lengths[id]
        slots[index].id = <int32_t>id
    free(words)
    free(self.slots)
    self.slots = slots
    self.n_slots = n_slots
    self.shift = shift
    return 0


cdef void forget(Interner* self, int64_t n_strings) noexcept nogil:
    """Remove the strings after the first `n_strings`; the newest go first, so no probe sequence is broken."""
    cdef const uint8_t* at
    cdef int64_t id
    cdef int32_t length
    cdef uint64_t index
    while self.begins.size > n_strings:
        id = self.begins.size - 1
        at = self.source + (<int64_t*>self.begins.data)[id]
        length = (<int32_t*>self.lengths.data)[id]
        index = spread(word_of(at, length, self.limit), length) >> self.shift
        while self.slots[index].id != id:
            index = (index + 1) & (self.n_slots - 1)
        self.slots[index].id = -1
        self.begins.size = self.lengths.size = id


cdef StringTable finish(Interner* self, bytes source):
    """Hand the strings over; `source` is the object whose bytes they lie in."""
    free(self.slots)
    self.slots = NULL
    return StringTable(source, Vector.adopt(&self.begins, b"q"), Vector.adopt(&self.lengths, b"i"))


cdef void drop(Interner* self) noexcept nogil:
    free(self.slots)
    self.slots = NULL
    discard(&self.begins)
    discard(&self.lengths)


cdef class StringTable:
    """The strings of one column by id, decoded when first asked for."""

    def __init__(self, bytes source, Vector begins not None, Vector lengths not None):
        self.source = source
        self.begins = begins
        self.lengths = lengths

    def __reduce__(self):
        """The strings alone: what was found out about them is found out again."""
        return StringTable, (self.source, self.begins, self.lengths)

    @staticmethod
    def of(strings):
        """A table of the given strings, in this order."""
        cdef list given = list(strings)
        cdef Py_ssize_t n = len(given), size = 0, length = 0, i
        cdef Array begins = Array(NULL, 0, 0), lengths = Array(NULL, 0, 0)
        cdef const char* text
        cdef bytes data
        cdef char* at
        for string in given:
            if not isinstance(string, str):
                raise Error(f"a cell is a string, not {string!r}: convert the column to strings first")
            try:
                PyUnicode_AsUTF8AndSize(string, &length)
            except UnicodeEncodeError:
                raise Error(
                    f"{string!r} cannot be written in UTF-8: it holds half of a surrogate pair. "
                    f"Decode the text with errors='replace', or remove the character."
                ) from None
            size += length
        data = PyBytes_FromStringAndSize(NULL, size)
        if reserve(&begins, n, sizeof(int64_t)) or reserve(&lengths, n, sizeof(int32_t)):
            discard(&begins)
            discard(&lengths)
            raise MemoryError(f"cannot allocate a table of {n} strings")
        at = <char*>data
        for i in range(n):
            text = PyUnicode_AsUTF8AndSize(given[i], &length)
            (<int64_t*>begins.data)[i] = at - <char*>data
            (<int32_t*>lengths.data)[i] = <int32_t>length
            memcpy(at, text, length)
            at += length
        begins.size = lengths.size = n
        return StringTable(data, Vector.adopt(&begins, b"q"), Vector.adopt(&lengths, b"i"))

    @staticmethod
    def of_cells(bytes data not None, const int32_t[::1] offsets not None):
        """A table of strings that lie one behind the other: string i is data[offsets[i]:offsets[i + 1]], in UTF-8."""
        cdef Array begins = Array(NULL, 0, 0), lengths = Array(NULL, 0, 0)
        cdef int64_t i, n = offsets.shape[0] - 1
        if n < 0 or offsets[0] < 0 or offsets[n] > len(data):
            raise IndexError(f"offsets of strings in {len(data)} bytes run from 0 to that number")
        for i in range(n):
            if offsets[i + 1] < offsets[i]:
                raise IndexError(f"offsets of strings never fall, but number {i + 1} does")
        if reserve(&begins, n, sizeof(int64_t)) or reserve(&lengths, n, sizeof(int32_t)):
            discard(&begins)
            discard(&lengths)
            raise MemoryError(f"cannot allocate a table of {n} strings")
        for i in range(n):
            (<int64_t*>begins.data)[i] = offsets[i]
            (<int32_t*>lengths.data)[i] = offsets[i + 1] - offsets[i]
        begins.size = lengths.size = n
        return StringTable(data, Vector.adopt(&begins, b"q"), Vector.adopt(&lengths, b"i"))

    def extended(self, strings) -> StringTable:
        """A table of these strings, `_` in place of those that are empty, and others behind them."""
        cdef StringTable more = StringTable.of(strings)
        cdef Array begins = Array(NULL, 0, 0), lengths = Array(NULL, 0, 0)
        cdef int64_t i, n = self.begins.size, n_more = more.begins.size, size = len(more.source)
        cdef const int64_t* old_begins = <const int64_t*>self.begins.data
        cdef const int32_t* old_lengths = <const int32_t*>self.lengths.data
        cdef const char* source = <const char*>self.source
        cdef bytes whole
        cdef char* out
        cdef char* at
        for i in range(n):
            size += max(1, old_lengths[i])
        whole = PyBytes_FromStringAndSize(NULL, size)
        if reserve(&begins, n + n_more, sizeof(int64_t)) or reserve(&lengths, n + n_more, sizeof(int32_t)):
            discard(&begins)
            discard(&lengths)
            raise MemoryError(f"cannot allocate a table of {n + n_more} strings")
        out = at = <char*>whole
        for i in range(n):
            (<int64_t*>begins.data)[i] = at - out
            (<int32_t*>lengths.data)[i] = max(1, old_lengths[i])
            if old_lengths[i] == 0:
                at[0] = c"_"
            else:
                memcpy(at, source + old_begins[i], old_lengths[i])
            at += max(1, old_lengths[i])
        for i in range(n_more):
            (<int64_t*>begins.data)[n + i] = (at - out) + (<const int64_t*>more.begins.data)[i]
            (<int32_t*>lengths.data)[n + i] = (<const int32_t*>more.lengths.data)[i]
        memcpy(at, <const char*>more.source, size - (at - out))
        begins.size = lengths.size = n + n_more
        return StringTable(whole, Vector.adopt(&begins, b"q"), Vector.adopt(&lengths, b"i"))

    def __len__(self):
        return self.begins.size

    @property
    def filled(self):
        """Which strings say something, neither empty nor `_`: an array of bool by id."""
        cdef int64_t i
        cdef const int64_t* begins = <const int64_t*>self.begins.data
        cdef const int32_t* lengths = <const int32_t*>self.lengths.data
        cdef const char* source = <const char*>self.source
        found = numpy.empty(self.begins.size, numpy.bool_)
        cdef uint8_t[::1] out = found.view(numpy.uint8)
        for i in range(self.begins.size):
            out[i] = lengths[i] > 1 or (lengths[i] == 1 and source[begins[i]] != c"_")
        return found

    cdef int fullness(self) noexcept:
        """How many say something."""
        cdef int64_t i, n = self.begins.size, n_filled = 0
        cdef const int64_t* begins = <const int64_t*>self.begins.data
        cdef const int32_t* lengths = <const int32_t*>self.lengths.data
        cdef const char* source = <const char*>self.source
        if self.known_fullness == UNKNOWN_FULLNESS:
            for i in range(n):
                n_filled += lengths[i] > 1 or (lengths[i] == 1 and source[begins[i]] != c"_")
            self.known_fullness = FULL if n_filled == n else SOME if n_filled else BLANK
        return self.known_fullness

    cdef str at(self, int64_t id):
        """A string, which is decoded alone."""
        cdef const char* begin
        if self.decoded is not None:
            return self.decoded[id]
        begin = <const char*>self.source + (<const int64_t*>self.begins.data)[id]
        return begin[:(<const int32_t*>self.lengths.data)[id]].decode("utf-8")

    @staticmethod
    def of_model(strings) -> StringTable:
        """A table of strings that belong to a model, for many sentences."""
        cdef StringTable found = StringTable.of(strings)
        found.lasting = True
        return found

    @property
    def strings(self) -> list:
        """The strings, a list by id. Treat it as read-only: it is shared."""
        cdef int64_t i
        cdef const int64_t* begins = <const int64_t*>self.begins.data
        cdef const int32_t* lengths = <const int32_t*>self.lengths.data
        cdef const char* source = <const char*>self.source
        cdef list decoded
        if self.decoded is None:
            decoded = []
            for i in range(self.begins.size):
                decoded.append((source + begins[i])[:lengths[i]].decode("utf-8"))
            self.decoded = decoded
        return self.decoded

    @property
    def hashes(self):
        """`hash_bytes` of every string, a uint64 array by id."""
        self.hash_row()
        return self.hashed.array()

    cdef const uint64_t* hash_row(self) except NULL:
        """`hash_bytes` of every string."""
        cdef int64_t i, n = self.begins.size
        cdef const int64_t* begins = <const int64_t*>self.begins.data
        cdef const int32_t* lengths = <const int32_t*>self.lengths.data
        cdef const uint8_t* source = <const uint8_t*>self.source
        cdef Array values = Array(NULL, 0, 0)
        cdef uint64_t* out
        if self.hashed is None:
            if reserve(&values, n, sizeof(uint64_t)):
                raise MemoryError(f"cannot allocate {n} hashes")
            values.size = n
            out = <uint64_t*>values.data
            with nogil:
                for i in range(n):
                    out[i] = hash_bytes(source + begins[i], lengths[i])
            self.hashed = Vector.adopt(&values, b"Q")
        return <const uint64_t*>self.hashed.data


def joined_cells(list parts not None):
    """The cells of columns that follow each other: ids (int32) and a table of the strings that occur, in this order.

    Args:
        parts: of each ids (int32, -1 for `_`) and the StringTable they are of.
    """
    cdef Array all_ids = Array(NULL, 0, 0), pool = Array(NULL, 0, 0)
    cdef Interner interner
    cdef StringTable table
    cdef const int32_t[::1] ids
    cdef const uint8_t* source
    cdef const uint8_t* limit
    cdef int64_t i, n = 0
    cdef int32_t id
    cdef int32_t* known = NULL
    cdef int32_t* out
    cdef bint failed = prepare(&interner, NULL, NULL) != 0
    try:
        for given, table in parts:
            ids = given
            source = <const uint8_t*>table.source
            limit = source + len(table.source)
            known = <int32_t*>malloc((table.begins.size + 1) * sizeof(int32_t))
            if failed or known == NULL or reserve(&all_ids, n + ids.shape[0], sizeof(int32_t)):
                raise MemoryError("cannot allocate a column")
            memset(known, 0xFF, (table.begins.size + 1) * sizeof(int32_t))
            out = <int32_t*>all_ids.data + n
            for i in range(ids.shape[0]):
                id = ids[i]
                if not -1 <= id < table.begins.size:
                    raise ValueError(f"id {id} is none of {table.begins.size} strings")
                if known[id + 1] < 0:
                    known[id + 1] = (
                        intern_copied(&interner, &pool, b"_", 1, NULL) if id < 0 else
                        intern_copied(&interner, &pool, source + (<int64_t*>table.begins.data)[id],
                                      (<int32_t*>table.lengths.data)[id], limit))
                    if known[id + 1] < 0:
                        raise MemoryError("cannot allocate a column")
                out[i] = known[id + 1]
            n += ids.shape[0]
            all_ids.size = n
            free(known)
            known = NULL
        return (Vector.adopt(&all_ids, b"i").array(),
                finish(&interner, PyBytes_FromStringAndSize(pool.data, pool.size)))
    finally:
        free(known)
        drop(&interner)
        discard(&all_ids)
        discard(&pool)


def hash_of(text: str | bytes) -> int:
    """The 64-bit hash of a byte string, or of a text in UTF-8.

    Example:
        >>> hash_of("dog") == hash_of(b"dog")
        True
    """
    cdef bytes data = text.encode("utf-8") if isinstance(text, str) else bytes(text)
    return hash_bytes(<const unsigned char*>data, len(data))
