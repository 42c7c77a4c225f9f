"""What is known of words from outside: a code in each of some columns, such as the cluster that a word is in.

Words are lower-cased and not kept: the first bits of a word's key name a bucket, of some three words, and the next
eight tell these apart. So one in a hundred of the words that are not there is taken for another one. Many words are
alike in all columns: each has the number of its kind, and kinds have the codes. A code of 0 says nothing.

    counts                    u1 [buckets]    words of each bucket; buckets are a power of two
    checks                    u1 [words]      eight bits of the keys, rising within a bucket
    kinds                     u2 [words]
    sizes                     u1 [columns]    bytes of a code, 1 or 2
    codes                     u1 [kinds, bytes]   low bytes first
"""

import numpy as np

from fastparse.errors import ModelFormatError

NAMES = ("counts", "checks", "kinds", "sizes", "codes")
MOST_COLUMNS = 64
MOST_KINDS = 1 << 16
MOST_BITS = 24                  # of the number of a bucket
CHECKS = 256
WORDS_OF_A_BUCKET = 3


cdef inline uint32_t short_key(uint64_t key) noexcept nogil:
    return <uint32_t>(fold(1, key) >> 32)


cdef class Lexicon:
    """See above. It never changes, so threads may share it.

    Attributes:
        parts: its arrays.
        columns: how many codes a word has.
    """

    def __init__(self, counts, checks, kinds, sizes, codes):
        """Raises ModelFormatError for what cannot be used."""
        arrays = dict(zip(NAMES, (counts, checks, kinds, sizes, codes)))
        types = {name: np.uint16 if name == "kinds" else np.uint8 for name in NAMES}
        shapes = {name: 2 if name == "codes" else 1 for name in NAMES}
        sound = all(array.dtype == types[name] and array.ndim == shapes[name] for name, array in arrays.items())
        sound = sound and counts.size in [1 << bits for bits in range(MOST_BITS + 1)]
        sound = sound and int(counts.sum(dtype=np.int64)) == len(checks) == len(kinds)
        sound = sound and 1 <= len(sizes) <= MOST_COLUMNS and bool(((sizes == 1) | (sizes == 2)).all())
        sound = sound and codes.shape[1] == int(sizes.sum()) and (not kinds.size or int(kinds.max()) < len(codes))
        if not sound:
            raise ModelFormatError("this is not a usable lexicon. Train the model again.")
        self.parts = {name: np.ascontiguousarray(array) for name, array in arrays.items()}
        self.columns = <int32_t>len(sizes)
        self.shift = 32 - (counts.size.bit_length() - 1)
        self.ends = np.concatenate([np.zeros(1, np.int32), np.cumsum(counts, dtype=np.int32)])
        self.checks, self.kinds = self.parts["checks"], self.parts["kinds"]
        wide, at = np.zeros((len(codes), len(sizes)), np.uint16), 0
        for column, size in enumerate(sizes.tolist()):
            for byte in range(size):
                wide[:, column] |= codes[:, at].astype(np.uint16) << (8 * byte)
                at += 1
        self.codes = wide

    @classmethod
    def of(cls, words, codes):
        """A lexicon of words.

        Args:
            words: lower-cased; of those that cannot be told apart the first counts.
            codes: of each word, a row of numbers from 0 to 65,535.

        Raises:
            ValueError: if there are more than 65,536 different rows, or too many words.
        """
        cdef str word
        bits = max(0, (len(words) // WORDS_OF_A_BUCKET).bit_length())
        keys = np.array([short_key(key_between(word, 0, len(word), 0)) for word in words], np.uint32)
        found, first = np.unique(keys >> np.uint32(24 - bits), return_index=True)
        counts = np.bincount(found // CHECKS, minlength=1 << bits)
        rows, kinds = np.unique(np.asarray(codes, np.uint16)[first], axis=0, return_inverse=True)
        if len(rows) > MOST_KINDS or bits > MOST_BITS or int(counts.max(initial=0)) >= CHECKS:
            raise ValueError(f"{len(words):,} words with {len(rows):,} different rows of codes are too many")
        sizes = 1 + (rows.max(axis=0) > 255).astype(np.uint8)
        parts = [rows[:, [k]] >> (8 * byte) for k, size in enumerate(sizes.tolist()) for byte in range(size)]
        return cls(
            counts.astype(np.uint8), (found % CHECKS).astype(np.uint8), kinds.reshape(-1).astype(np.uint16), sizes,
            np.concatenate(parts, axis=1).astype(np.uint8))

    @classmethod
    def among(cls, arrays):
        """The lexicon among the arrays of a component, or None."""
        if not any(f"lexicon.{name}" in arrays for name in NAMES):
            return None
        try:
            return cls(*(np.asarray(arrays[f"lexicon.{name}"]) for name in NAMES))
        except KeyError as error:
            raise ModelFormatError(f"the array {error} is missing. Train the model again.") from None

    def arrays(self):
        """What a file holds of it, by name."""
        return {f"lexicon.{name}": array for name, array in self.parts.items()}

    def __eq__(self, other):
        return isinstance(other, Lexicon) and all(
            np.array_equal(array, other.parts[name]) for name, array in self.parts.items())

    def __hash__(self):
        return hash((len(self), self.columns))

    def __len__(self):
        return self.checks.shape[0]

    def __reduce__(self):
        return Lexicon, tuple(self.parts.values())

    cdef int64_t place(self, uint64_t key) noexcept nogil:
        """Of the word with that key; -1 if there is none."""
        cdef uint64_t wanted = short_key(key)
        cdef uint64_t bucket = wanted >> self.shift
        cdef uint8_t check = <uint8_t>((wanted << 8 >> self.shift) & 255)
        cdef int64_t i
        for i in range(self.ends[bucket], self.ends[bucket + 1]):
            if self.checks[i] == check:
                return i
        return -1

    def strings(self, str form not None):
        """The codes of a form, as strings that say the column, too: `#0:17`."""
        cdef str low = form.lower()
        cdef int64_t place = self.place(key_between(low, 0, len(low), 0))
        cdef int32_t column
        if place < 0:
            return []
        return [f"#{column}:{self.code(place, column)}" for column in range(self.columns) if self.code(place, column)]
