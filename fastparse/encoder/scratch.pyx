"""Sentences turned into vectors of their words."""

import numpy as np

from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

from fastparse.encoder.encoder cimport ZERO_POINT, room, rounded_up

from fastparse.errors import Error


cdef enum:
    LARGEST_BLOCK = 1 << 16
    LARGEST_WINDOW = 1 << 16


cdef class Scratch:
    """The words of one batch of sentences, for one thread.

    Args:
        block: words that are encoded together; more than that are a long sentence, encoded in pieces.
        window: words whose slot rows are kept, a power of two.
    """

    def __init__(self, Encoder encoder, int block=128, int window=256):
        if not (1 <= block <= LARGEST_BLOCK and LINE * AHEAD <= window <= LARGEST_WINDOW) or window & (window - 1):
            raise Error(f"block={block}, window={window}: a block has 1 to {LARGEST_BLOCK} words, "
                        f"a window is a power of two from {LINE * AHEAD} to {LARGEST_WINDOW}")
        cdef const EncoderC* e = &encoder.c
        cdef ScratchC* w = &self.c
        cdef int32_t words = block + 2 * e.reach, most = 0, i
        self.encoder, self.owned = encoder, []
        w.block, w.window = block, window
        w.inputs = <uint8_t*>room(self.owned, words * e.inputs)
        w.bytes = <uint8_t*>room(self.owned, words * e.width)
        w.values = <float*>room(self.owned, words * e.width * sizeof(float))
        w.sums = <int16_t*>room(self.owned, words * max(e.width, rounded_up(e.arc_size, 64)) * sizeof(int16_t))
        w.begin = <int32_t*>room(self.owned, words * sizeof(int32_t))
        w.end = <int32_t*>room(self.owned, words * sizeof(int32_t))
        w.pointers = <const uint8_t**>room(self.owned, max(3 * words, LINE * AHEAD) * sizeof(uint8_t*))
        w.zeros = <uint8_t*>room(self.owned, e.width)
        memset(w.zeros, ZERO_POINT, e.width)
        w.known = <int32_t*>room(self.owned, KNOWN * sizeof(int32_t))
        w.known_since = <int64_t*>room(self.owned, KNOWN * sizeof(int64_t))
        w.known_values = <float*>room(self.owned, KNOWN * e.width * sizeof(float))
        w.known_bytes = <uint8_t*>room(self.owned, KNOWN * e.width)
        w.fresh = <int32_t*>room(self.owned, words * sizeof(int32_t))
        w.source = <int32_t*>room(self.owned, words * sizeof(int32_t))
        w.fresh_values = <float*>room(self.owned, words * e.width * sizeof(float))
        w.fresh_bytes = <uint8_t*>room(self.owned, words * e.width)
        renew(w)
        set_slot_rows(self, &e.moves, &w.moves)
        set_slot_rows(self, &e.labels, &w.labels)
        most = max(e.moves.hidden, e.labels.hidden)
        w.hidden = <uint8_t*>room(self.owned, most)
        w.move_scores = <int32_t*>room(self.owned, rounded_up(e.moves.n_outputs, 32) * sizeof(int32_t))
        w.label_scores = <int32_t*>room(self.owned, rounded_up(e.labels.n_outputs, 32) * sizeof(int32_t))
        most = 0
        for i in range(e.n_tags):
            most = max(most, e.tags[i].panels * 32)
        w.tag_sums = <int32_t*>room(self.owned, LINE * most * sizeof(int32_t))

    def __dealloc__(self):
        release(&self.c)

    def encode(self, ids, ends, lengths, kinds=None) -> None:
        """Take a batch of sentences in.

        Args:
            ids: rows of the embeddings, int32, segment by segment and kind by kind; those outside a table are none.
            ends: [kinds, segments] where in ids the ids of a kind of word and segment end, int32.
            lengths: words of each sentence, the root included, int32.
            kinds: of each word, int32; by default each is of a kind of its own.
        """
        cdef const int32_t[::1] i = np.ascontiguousarray(ids, np.int32)
        cdef const int32_t[:, ::1] e = np.ascontiguousarray(ends, np.int32)
        cdef const int32_t[::1] n = np.ascontiguousarray(lengths, np.int32)
        cdef const int32_t[::1] k = np.arange(len(ends), dtype=np.int32) if kinds is None else np.ascontiguousarray(
            kinds, np.int32)
        cdef Py_ssize_t r, g
        cdef int64_t rows = 0
        cdef int32_t end = 0
        cdef int done = 0
        cdef bint growing = e.shape[1] == self.encoder.c.n_segments
        for r in range(n.shape[0]):
            if n[r] < 1:
                raise Error("every sentence has its root: lengths are 1 and more")
            rows += n[r]
        for r in range(e.shape[0]):
            for g in range(e.shape[1]):
                growing = growing and end <= e[r, g] <= i.shape[0]
                end = e[r, g]
        if not growing or kinds is None and e.shape[0] != rows:
            raise Error(f"ends must be [{rows}, {self.encoder.c.n_segments}] growing places in {len(i)} ids")
        for r in range(k.shape[0]):
            if not 0 <= k[r] < e.shape[0]:
                rows = -1
        if k.shape[0] != rows:
            raise Error(f"kinds are a number below {e.shape[0]} for each word, not {k.shape[0]} such numbers")
        if n.shape[0] == 0:
            self.c.n_rows = 0
            return
        with nogil:
            renew(&self.c)
            done = encode(&self.encoder.c, &self.c, &i[0] if i.shape[0] else NULL, &e[0, 0], &k[0], &n[0],
                          <int32_t>n.shape[0])
        if done < 0:
            raise MemoryError

    def vectors(self) -> np.ndarray:
        """The bytes of all words of the batch, [rows, width]."""
        vectors = np.empty((self.c.n_rows, self.encoder.c.width), np.uint8)
        cdef uint8_t[:, ::1] v = vectors
        if self.c.n_rows:
            memcpy(&v[0, 0], self.c.encoded, vectors.size)
        return vectors

    def tags(self, int tag, classes=None, given=None) -> np.ndarray:
        """The best value of a tag for each word of the batch, the lower one of equals.

        Args:
            classes: [values, columns] what each value of the tag says in some columns.
            given: [words, columns] what the value must say there, -1 for anything; where no value does, it is free.
        """
        cdef const EncoderC* e = &self.encoder.c
        cdef const int32_t[:, ::1] c = np.zeros((0, 0), np.int32) if classes is None else classes
        cdef const int32_t[:, ::1] g
        cdef const int32_t* wanted = NULL
        values = np.empty(self.c.n_rows, np.int32)
        cdef int32_t[::1] v = values
        if not 0 <= tag < e.n_tags:
            raise Error(f"tag {tag}: the encoder has {e.n_tags}")
        if classes is not None and c.shape[0] != e.n_values[tag]:
            raise Error(f"classes must be [{e.n_values[tag]}, columns], not {list(classes.shape)}")
        if given is not None:
            g = np.ascontiguousarray(given, np.int32)
            if g.shape[0] != self.c.n_rows or g.shape[1] != c.shape[1]:
                raise Error(f"given must be [{self.c.n_rows}, {c.shape[1]}], not {list(given.shape)}")
            if g.shape[0] and g.shape[1]:
                wanted = &g[0, 0]
        if self.c.n_rows:
            with nogil:
                best_values(e, &self.c, tag, &c[0, 0] if wanted != NULL else NULL, wanted, <int32_t>c.shape[1], &v[0])
        return values


cdef set_slot_rows(Scratch self, const Choice* c, SlotRows* slots):
    cdef int32_t k, size = 2 * c.hidden
    slots.n_slots = c.n_slots
    slots.rows = <int16_t*>room(self.owned, <int64_t>c.n_own * (1 + self.c.window) * size * sizeof(int16_t))
    slots.single = <int16_t*>room(self.owned, <int64_t>c.n_slots * KEPT * size * sizeof(int16_t))
    slots.single_words = <int32_t*>room(self.owned, c.n_slots * KEPT * sizeof(int32_t))
    slots.lines = <int32_t*>room(self.owned, self.c.window // LINE * sizeof(int32_t))
    for k in range(c.n_own):
        memcpy(slots.rows + <int64_t>k * (1 + self.c.window) * size, c.none + k * size, size * sizeof(int16_t))


cdef void release(ScratchC* w) noexcept nogil:
    free(w.encoded)
    free(w.arc_heads)
    free(w.arc_dependents)
    free(w.arc_offsets)
    w.encoded = w.arc_heads = NULL
    w.arc_dependents = NULL
    w.arc_offsets = NULL
    w.capacity = 0


cdef int reserve(const EncoderC* e, ScratchC* w, int64_t rows) noexcept nogil:
    if rows <= w.capacity:
        return 0
    release(w)
    rows += rows // 4
    w.encoded = <uint8_t*>malloc(rows * e.width)
    w.arc_heads = <uint8_t*>malloc(rows * e.arc_size + 1)
    w.arc_dependents = <int8_t*>malloc(rows * e.arc_size + 1)
    w.arc_offsets = <int32_t*>malloc(rows * sizeof(int32_t))
    if w.encoded == NULL or w.arc_heads == NULL or w.arc_dependents == NULL or w.arc_offsets == NULL:
        release(w)
        return -1
    w.capacity = rows
    return 0


cdef void forget(ScratchC* w, SlotRows* slots) noexcept nogil:
    memset(slots.lines, -1, w.window // LINE * sizeof(int32_t))
    memset(slots.single_words, -1, slots.n_slots * KEPT * sizeof(int32_t))
    slots.frontier = 0


cdef void renew(ScratchC* w) noexcept nogil:
    memset(w.known, -1, KNOWN * sizeof(int32_t))


cdef int encode(const EncoderC* e, ScratchC* w, const int32_t* ids, const int32_t* ends, const int32_t* kinds,
                const int32_t* lengths, int32_t n_sentences) noexcept nogil:
    cdef int64_t total = 0
    cdef int32_t s, i, first = 0, count, piece, left, right
    w.n_rows = 0
    for s in range(n_sentences):
        total += lengths[s]
    if total > 0x7FFFFFF0 or reserve(e, w, total) < 0:
        return -1
    w.n_rows = <int32_t>total
    forget(w, &w.moves)
    forget(w, &w.labels)
    enter(w, 0, lengths[0] - 1)
    s = 0
    while s < n_sentences:
        if lengths[s] > w.block:
            piece = 0
            while piece < lengths[s]:
                # What lies beyond `reach` words away does not matter to the words that are kept.
                count = min(w.block, lengths[s] - piece)
                left = min(e.reach, piece)
                right = min(e.reach, lengths[s] - piece - count)
                for i in range(left + count + right):
                    w.begin[i], w.end[i] = 0, left + count + right
                encode_block(e, w, ids, ends, kinds + first + piece - left, left + count + right)
                keep(e, w, left, first + piece, count)
                piece += count
            first += lengths[s]
            s += 1
            continue
        count = 0
        while s < n_sentences and count + lengths[s] <= w.block:
            for i in range(count, count + lengths[s]):
                w.begin[i], w.end[i] = count, count + lengths[s]
            count += lengths[s]
            s += 1
        encode_block(e, w, ids, ends, kinds + first, count)
        keep(e, w, 0, first, count)
        first += count
    return 0


cdef void read_words(const EncoderC* e, ScratchC* w, const int32_t* ids, const int32_t* ends, const int32_t* kinds,
                     int32_t n) noexcept nogil:
    """What the input layer makes of `n` words, into w.values and w.bytes; computed for kinds that are not known."""
    cdef int32_t i, kind, place, first, last, n_fresh = 0, width = e.width
    cdef int64_t begun = w.n_computed
    cdef const int32_t* own
    for i in range(n):
        kind = kinds[i]
        place = kind & (KNOWN - 1)
        if w.known[place] != kind:
            w.known[place], w.known_since[place] = kind, begun + n_fresh
            w.source[i] = n_fresh
            w.fresh[n_fresh] = kind
            n_fresh += 1
        elif w.known_since[place] >= begun:
            w.source[i] = <int32_t>(w.known_since[place] - begun)
        else:                               # copied at once: another kind may get the place in this block
            w.source[i] = -1
            memcpy(w.values + i * width, w.known_values + place * width, width * sizeof(float))
            memcpy(w.bytes + i * width, w.known_bytes + place * width, width)
    if n_fresh == 0:
        return
    first = 0
    while first < n_fresh:                  # kinds are numbered as they come, so there are few stretches
        last = first + 1
        while last < n_fresh and w.fresh[last] == w.fresh[last - 1] + 1:
            last += 1
        own = ends + <int64_t>w.fresh[first] * e.n_segments
        e.form.embed(e.segments, e.n_segments, ids, own, (own - 1)[0] if w.fresh[first] else 0, last - first,
                     w.inputs + first * e.inputs, e.inputs)
        first = last
    for i in range(n_fresh):
        w.pointers[i] = w.inputs + i * e.inputs
    e.form.maxout(&e.layers[0], w.pointers, n_fresh, w.sums, width)
    e.form.norm(&e.norms[0], w.sums, n_fresh, width, w.fresh_values, w.fresh_bytes)
    for i in range(n):
        if w.source[i] >= 0:
            memcpy(w.values + i * width, w.fresh_values + w.source[i] * width, width * sizeof(float))
            memcpy(w.bytes + i * width, w.fresh_bytes + w.source[i] * width, width)
    for i in range(n_fresh):
        place = w.fresh[i] & (KNOWN - 1)
        if w.known_since[place] == begun + i:
            memcpy(w.known_values + place * width, w.fresh_values + i * width, width * sizeof(float))
            memcpy(w.known_bytes + place * width, w.fresh_bytes + i * width, width)
    w.n_computed += n_fresh


cdef void encode_block(const EncoderC* e, ScratchC* w, const int32_t* ids, const int32_t* ends, const int32_t* kinds,
                       int32_t n) noexcept nogil:
    """Vectors of `n` words, into w.bytes."""
    cdef int32_t i, l, d
    read_words(e, w, ids, ends, kinds, n)
    for l in range(1, e.n_layers + 1):
        d = e.dilations[l]
        for i in range(n):
            w.pointers[3 * i] = w.bytes + (i - d) * e.width if i - d >= w.begin[i] else w.zeros
            w.pointers[3 * i + 1] = w.bytes + i * e.width
            w.pointers[3 * i + 2] = w.bytes + (i + d) * e.width if i + d < w.end[i] else w.zeros
        e.form.maxout(&e.layers[l], w.pointers, n, w.sums, e.width)
        e.form.norm(&e.norms[l], w.sums, n, e.width, w.values, w.bytes)


cdef void keep(const EncoderC* e, ScratchC* w, int32_t place, int32_t first, int32_t n) noexcept nogil:
    """The vectors of `n` words of the block, from `place` on, become those of the rows from `first` on."""
    cdef int32_t i, j, sum, size = e.arc_size, stride = rounded_up(size, 64)
    cdef uint8_t* head
    cdef int8_t* dependent
    cdef const int16_t* value
    memcpy(w.encoded + <int64_t>first * e.width, w.bytes + place * e.width, <size_t>n * e.width)
    if size == 0:
        return
    for i in range(n):
        w.pointers[i] = w.bytes + (place + i) * e.width
    e.form.project(&e.arcs[0], w.pointers, n, w.sums, stride, e.arcs[0].panels, 0)
    for i in range(n):
        head = w.arc_heads + <int64_t>(first + i) * size
        value = w.sums + i * stride
        for j in range(size):
            head[j] = <uint8_t>(value[j] + ZERO_POINT)
    e.form.project(&e.arcs[1], w.pointers, n, w.sums, stride, e.arcs[1].panels, 0)
    for i in range(n):
        dependent = w.arc_dependents + <int64_t>(first + i) * size
        value = w.sums + i * stride
        sum = 0
        for j in range(size):
            dependent[j] = <int8_t>value[j]
            sum += value[j]
        w.arc_offsets[first + i] = -ZERO_POINT * sum


cdef void enter(ScratchC* w, int32_t first, int32_t n) noexcept nogil:
    w.first = first
    w.n = n


cdef void fill(const EncoderC* e, ScratchC* w, const Choice* choice, SlotRows* slots, int32_t line) noexcept nogil:
    cdef int32_t n_lines = AHEAD if line >= slots.frontier else 1, places = w.window // LINE
    cdef int32_t place = line & (places - 1), size = 2 * choice.hidden, n, i
    n_lines = min(n_lines, places - place)
    n = min(n_lines * LINE, w.n_rows - line * LINE)
    for i in range(n_lines):
        slots.lines[place + i] = line + i
    slots.frontier = max(slots.frontier, line + n_lines)
    for i in range(n):
        w.pointers[i] = w.encoded + (<int64_t>line * LINE + i) * e.width
    e.form.project(&choice.projection, w.pointers, n, slots.rows + (1 + place * LINE) * size, size,
                   size // 64, <int64_t>(1 + w.window) * size)


cdef void fill_single(const EncoderC* e, ScratchC* w, const Choice* choice, SlotRows* slots, int32_t slot,
                      int32_t row) noexcept nogil:
    cdef int32_t place = slot * KEPT + (row & (KEPT - 1)), size = 2 * choice.hidden
    cdef const uint8_t* word = w.encoded + <int64_t>row * e.width
    slots.single_words[place] = row
    e.form.project(&choice.each[slot], &word, 1, slots.single + <int64_t>place * size, size, size // 64, 0)


cdef void best_values(const EncoderC* e, ScratchC* w, int32_t tag, const int32_t* classes, const int32_t* given,
                      int32_t columns, int32_t* out) noexcept nogil:
    cdef int32_t r = 0, i, rows, found, stride = e.tags[tag].panels * 32
    while r < w.n_rows:
        rows = min(<int32_t>LINE, w.n_rows - r)
        for i in range(rows):
            w.pointers[i] = w.encoded + <int64_t>(r + i) * e.width
        e.form.sums(&e.tags[tag], w.pointers, rows, w.tag_sums, stride)
        for i in range(rows):
            found = -1
            if given != NULL:
                found = best_agreeing(w.tag_sums + i * stride, e.n_values[tag], classes,
                                      given + <int64_t>(r + i) * columns, columns)
            out[r + i] = found if found >= 0 else e.form.largest(w.tag_sums + i * stride, e.n_values[tag])
        r += rows


cdef int32_t best_agreeing(const int32_t* sums, int32_t n, const int32_t* classes, const int32_t* given,
                           int32_t columns) noexcept nogil:
    """The best value that says what is given; -1 if nothing is, or none does."""
    cdef int32_t j, k, found = -1
    cdef bint anything = True
    for k in range(columns):
        anything = anything and given[k] < 0
    if anything:
        return -1
    for j in range(n):
        if found >= 0 and sums[j] <= sums[found]:
            continue
        for k in range(columns):
            if given[k] >= 0 and given[k] != classes[j * columns + k]:
                break
        else:
            found = j
    return found
