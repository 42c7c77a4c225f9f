"""Tags of words by an encoder that reads forms alone.

What the input layer makes of a word depends on its form only. It is computed once for each of the forms of a batch;
the words of sentences begin with a copy of that. The result is the same as that of Scratch.encode and Scratch.tags.
"""

import numpy as np

from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.string cimport memcpy, memset

from fastparse.encoder.encoder cimport ZERO_POINT, Encoder, EncoderC, int16_t, room

from fastparse.errors import Error

cdef enum:
    BLOCK = 128                 # words that are encoded together, besides `reach` on both sides
    LINE = 16                   # words whose outputs are made together
    MOST_COLUMNS = 8

cdef struct Work:
    # Memory of one thread; `room` = BLOCK + 2 * reach words.
    const float* form_values    # [forms][width]  what the input layer makes of each form
    const uint8_t* form_bytes   # [forms][width]
    uint8_t* bytes              # [room][width]
    float* values               # [room][width]
    int16_t* sums               # [room][width]
    int32_t* begin              # [room]  first word of the block that is of the same sentence
    int32_t* end                # [room]  word behind the last such word
    const uint8_t** pointers    # [3 * room]
    uint8_t* zeros              # [width]  the bytes of a vector of zeros
    int32_t* outputs            # [LINE][outputs rounded up to 32]

cdef struct Classes:
    # The outputs of the encoder, each a value for each of some columns.
    int32_t n
    int32_t columns
    const int32_t* values       # [n][columns]
    int32_t* given              # [rows][columns]  values that a word has already, -1 for none; NULL: no word has any


cdef class Lexicon:
    """What the input layer makes of forms."""

    cdef Encoder encoder
    cdef list owned
    cdef float* values
    cdef uint8_t* bytes
    cdef int32_t n

    def __init__(self, Encoder encoder not None, const int32_t[::1] ids not None, const int32_t[:, ::1] ends not None):
        """Args: ids, ends: as for Scratch.encode, a row for each form."""
        cdef const EncoderC* e = &encoder.c
        cdef list owned = []
        cdef int32_t n = <int32_t>ends.shape[0], first, count, i
        cdef uint8_t* inputs
        cdef int16_t* sums
        cdef const uint8_t** pointers
        steps = np.diff(np.asarray(ends).reshape(-1), prepend=0)
        if ends.shape[1] != e.n_segments or (n and (steps.min() < 0 or ends[n - 1, ends.shape[1] - 1] > ids.shape[0])):
            raise Error(f"ends must be [forms, {e.n_segments}] growing places in {ids.shape[0]} ids")
        self.encoder, self.owned, self.n = encoder, [], n
        self.values = <float*>room(self.owned, <int64_t>n * e.width * sizeof(float))
        self.bytes = <uint8_t*>room(self.owned, <int64_t>n * e.width)
        inputs = <uint8_t*>room(owned, BLOCK * e.inputs)
        sums = <int16_t*>room(owned, BLOCK * e.width * sizeof(int16_t))
        pointers = <const uint8_t**>room(owned, BLOCK * sizeof(uint8_t*))
        for i in range(BLOCK):
            pointers[i] = inputs + i * e.inputs
        with nogil:
            first = 0
            while first < n:
                count = min(<int32_t>BLOCK, n - first)
                e.form.embed(e.segments, e.n_segments, &ids[0], &ends[first, 0],
                             ends[first - 1, e.n_segments - 1] if first else 0, count, inputs, e.inputs)
                e.form.maxout(&e.layers[0], pointers, count, sums, e.width)
                e.form.norm(&e.norms[0], sums, count, e.width, self.values + <int64_t>first * e.width,
                            self.bytes + <int64_t>first * e.width)
                first += count

    def said(self, const int32_t[::1] forms not None, const int32_t[::1] lengths not None,
             const int32_t[:, ::1] classes not None, int32_t[:, ::1] given=None) -> np.ndarray:
        """The best output of each word of some sentences, the lower one of equals.

        Args:
            forms: of each word, a place among the lexicon's; each sentence begins with its root.
            lengths: words of each sentence, the root included.
            classes: [outputs, columns] the value of each output in each column.
            given: [words, columns] values that the output must have, -1 for any; if no output has them, it is free.
        """
        cdef const EncoderC* e = &self.encoder.c
        cdef list owned = []
        cdef Work w
        cdef Classes c
        cdef int32_t words = BLOCK + 2 * e.reach, n = <int32_t>forms.shape[0]
        found = np.zeros(n, np.int32)
        cdef int32_t[::1] out = found
        if e.n_tags != 1 or classes.shape[0] != e.n_values[0] or classes.shape[1] > MOST_COLUMNS:
            raise Error(f"the encoder has {e.n_tags} tags, the first with other than {classes.shape[0]} values")
        if given is not None and (given.shape[0] != n or given.shape[1] != classes.shape[1]):
            raise Error(f"given must be [{n}, {classes.shape[1]}]")
        if n != np.sum(lengths, dtype=np.int64) or (n and (np.min(lengths) < 1 or np.min(forms) < 0
                                                           or np.max(forms) >= self.n)):
            raise Error(f"forms are places among {self.n}, and lengths are 1 and more")
        if n == 0:
            return found
        w.form_values, w.form_bytes = self.values, self.bytes
        w.bytes = <uint8_t*>room(owned, words * e.width)
        w.values = <float*>room(owned, words * e.width * sizeof(float))
        w.sums = <int16_t*>room(owned, words * e.width * sizeof(int16_t))
        w.begin = <int32_t*>room(owned, words * sizeof(int32_t))
        w.end = <int32_t*>room(owned, words * sizeof(int32_t))
        w.pointers = <const uint8_t**>room(owned, max(3 * words, LINE) * sizeof(uint8_t*))
        w.zeros = <uint8_t*>room(owned, e.width)
        memset(w.zeros, ZERO_POINT, e.width)
        w.outputs = <int32_t*>room(owned, LINE * e.tags[0].panels * 32 * sizeof(int32_t))
        c.n, c.columns, c.values = <int32_t>classes.shape[0], <int32_t>classes.shape[1], &classes[0, 0]
        c.given = NULL if given is None else &given[0, 0]
        with nogil:
            say(e, &w, &c, &forms[0], &lengths[0], <int32_t>lengths.shape[0], &out[0])
        return found


cdef void say(const EncoderC* e, Work* w, const Classes* c, const int32_t* forms, const int32_t* lengths,
              int32_t n_sentences, int32_t* out) noexcept nogil:
    cdef int32_t s = 0, first = 0, piece, left, right, count, i
    while s < n_sentences:
        if lengths[s] > BLOCK:
            # A word's vector depends on `reach` words on both sides: a long sentence is done in pieces with these.
            piece = 0
            while piece < lengths[s]:
                count = min(<int32_t>BLOCK, lengths[s] - piece)
                left = min(e.reach, piece)
                right = min(e.reach, lengths[s] - piece - count)
                for i in range(left + count + right):
                    w.begin[i], w.end[i] = 0, left + count + right
                encode(e, w, forms + first + piece - left, left + count + right)
                choose(e, w, c, left, first + piece, count, out)
                piece += count
            first += lengths[s]
            s += 1
            continue
        count = 0
        while s < n_sentences and count + lengths[s] <= BLOCK:
            for i in range(count, count + lengths[s]):
                w.begin[i], w.end[i] = count, count + lengths[s]
            count += lengths[s]
            s += 1
        encode(e, w, forms + first, count)
        choose(e, w, c, 0, first, count, out)
        first += count


cdef void encode(const EncoderC* e, Work* w, const int32_t* forms, int32_t n) noexcept nogil:
    """Vectors of words, into w.bytes."""
    cdef int32_t i, l, d, width = e.width
    for i in range(n):
        memcpy(w.values + i * width, w.form_values + <int64_t>forms[i] * width, width * sizeof(float))
        memcpy(w.bytes + i * width, w.form_bytes + <int64_t>forms[i] * width, width)
    for l in range(1, e.n_layers + 1):
        d = e.dilations[l]
        for i in range(n):
            w.pointers[3 * i] = w.bytes + (i - d) * width if i - d >= w.begin[i] else w.zeros
            w.pointers[3 * i + 1] = w.bytes + i * width
            w.pointers[3 * i + 2] = w.bytes + (i + d) * width if i + d < w.end[i] else w.zeros
        e.form.maxout(&e.layers[l], w.pointers, n, w.sums, width)
        e.form.norm(&e.norms[l], w.sums, n, width, w.values, w.bytes)


cdef void choose(const EncoderC* e, Work* w, const Classes* c, int32_t place, int32_t first, int32_t n,
                 int32_t* out) noexcept nogil:
    """The outputs of `n` words of the block, from `place` on, which are those from `first` on."""
    cdef int32_t r = 0, i, rows, stride = e.tags[0].panels * 32
    cdef int32_t* given
    while r < n:
        rows = min(<int32_t>LINE, n - r)
        for i in range(rows):
            w.pointers[i] = w.bytes + (place + r + i) * e.width
        e.form.sums(&e.tags[0], w.pointers, rows, w.outputs, stride)
        for i in range(rows):
            given = NULL if c.given == NULL else c.given + <int64_t>(first + r + i) * c.columns
            out[first + r + i] = best(e, c, w.outputs + i * stride, given)
        r += rows


cdef int32_t best(const EncoderC* e, const Classes* c, const int32_t* sums, const int32_t* given) noexcept nogil:
    cdef int32_t j, k, found = -1
    cdef bint free = True
    if given != NULL:
        for k in range(c.columns):
            free = free and given[k] < 0
        if not free:
            for j in range(c.n):
                for k in range(c.columns):
                    if given[k] >= 0 and given[k] != c.values[j * c.columns + k]:
                        break
                else:
                    if found < 0 or sums[j] > sums[found]:
                        found = j
            if found >= 0:
                return found
    return e.form.largest(sums, c.n)
