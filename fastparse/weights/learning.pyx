"""The hash table weights are learnt in: feature key -> sparse row of (class, weight), with running averages."""

import numpy as np

from libc.stdlib cimport calloc, free, realloc
from libc.string cimport memcpy, memset

from fastparse.features.plan cimport MAX_KEYS
from fastparse.weights.perceptron cimport average, change

cdef extern from "fastparse/features/compiler.h" nogil:
    void prefetch "FP_FETCH"(const void* p)


STATE = {"keys": np.uint64, "counts": np.int32, "classes": np.int32, "weights": np.int32, "drift": np.int64}


cdef inline uint64_t slot_key(uint64_t key) noexcept nogil:
    return key if key != 0 else 1


cdef void add(const void* data, const uint64_t* keys, int32_t n, int32_t* out) noexcept nogil:
    cdef const Weights* w = <const Weights*>data
    cdef const Feature* found[MAX_KEYS]
    cdef const Feature* f
    cdef const Entry* e
    cdef uint64_t key, at
    cdef int32_t i, j, n_found = 0
    for i in range(n):
        prefetch(&w.features[keys[i] & w.mask])
    for i in range(n):
        key = slot_key(keys[i])
        at = key & w.mask
        while w.features[at].key != 0:
            if w.features[at].key == key:
                f = &w.features[at]
                prefetch(&w.entries[f.start])
                found[n_found] = f
                n_found += 1
                break
            at = (at + 1) & w.mask
    for i in range(n_found):
        e = &w.entries[found[i].start]
        for j in range(found[i].n_entries):
            out[e[j].cls] += e[j].weight


cdef void add_jobs(const void* data, const uint64_t* keys, const int32_t* ends, int32_t n_jobs, int32_t* out,
                   int32_t stride) noexcept nogil:
    cdef int32_t i, first = 0
    for i in range(n_jobs):
        memset(out + <Py_ssize_t>i * stride, 0, (<const Weights*>data).width * sizeof(int32_t))
        add(data, keys + first, ends[i] - first, out + <Py_ssize_t>i * stride)
        first = ends[i]


cdef class LearningTable(BaseTable):
    """Weights of one plan's features for `width` classes (moves or labels)."""

    def __cinit__(self, int width):
        self.width = self.w.width = width
        self.w.mask = (1 << 16) - 1
        self.w.features = <Feature*>calloc(1 << 16, sizeof(Feature))
        self.w.entry_capacity = 1 << 16
        self.w.entries = <Entry*>calloc(self.w.entry_capacity, sizeof(Entry))
        self.w.drift = <int64_t*>calloc(self.w.entry_capacity, sizeof(int64_t))
        self.w.n_used = 1
        if self.w.features == NULL or self.w.entries == NULL or self.w.drift == NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self.w.features)
        free(self.w.entries)
        free(self.w.drift)
        free(self.seen)

    cdef Table table(self) except *:
        return Table(width=self.width, room=self.width, data=&self.w, add=add, add_jobs=add_jobs)

    @property
    def n_features(self) -> int:
        return self.w.n_features

    @property
    def bytes(self) -> int:
        """Memory held."""
        return (self.w.mask + 1) * sizeof(Feature) + self.w.entry_capacity * (sizeof(Entry) + sizeof(int64_t))

    cdef int grow_for(self, int64_t features) except -1 nogil:
        """Room for so many more features and one new entry for each; call it before a batch of updates."""
        cdef Weights* w = &self.w
        cdef Feature* old = w.features
        cdef Feature* new
        cdef uint64_t size = w.mask + 1, at, i
        cdef uint64_t entries
        cdef void* larger
        while (w.n_features + features) * 10 > <int64_t>size * 6:
            size *= 2
        if size != w.mask + 1:
            new = <Feature*>calloc(size, sizeof(Feature))
            if new == NULL:
                with gil:
                    raise MemoryError
            for i in range(w.mask + 1):
                if old[i].key != 0:
                    at = old[i].key & (size - 1)
                    while new[at].key != 0:
                        at = (at + 1) & (size - 1)
                    new[at] = old[i]
            free(old)
            w.features = new
            w.mask = size - 1
        # At worst every touched row moves to a block of twice its size.
        entries = 2
        while entries < 2 * <uint64_t>self.width:
            entries *= 2
        entries = w.n_used + <uint64_t>features * entries
        if entries > w.entry_capacity:
            entries += entries // 2
            if entries > <uint64_t>0xFFFFFFF0:
                with gil:
                    raise MemoryError("more weights than fit; raise the feature cut-off or use fewer templates")
            larger = realloc(w.entries, entries * sizeof(Entry))
            if larger == NULL:
                with gil:
                    raise MemoryError
            w.entries = <Entry*>larger
            larger = realloc(w.drift, entries * sizeof(int64_t))
            if larger == NULL:
                with gil:
                    raise MemoryError
            w.drift = <int64_t*>larger
            w.entry_capacity = <uint32_t>entries
        return 0

    cdef void update(self, const uint64_t* keys, int32_t n, int32_t cls, int32_t delta, int64_t clock) noexcept nogil:
        cdef Weights* w = &self.w
        cdef Feature* f
        cdef Entry* e
        cdef uint64_t key, at
        cdef int32_t i, j
        for i in range(n):
            prefetch(&w.features[keys[i] & w.mask])
        for i in range(n):
            key = slot_key(keys[i])
            at = key & w.mask
            while w.features[at].key != 0 and w.features[at].key != key:
                at = (at + 1) & w.mask
            f = &w.features[at]
            if f.key == 0:
                f.key = key
                f.n_entries = 0
                f.room = 2
                f.start = take(w, 1)
                w.n_features += 1
            e = &w.entries[f.start]
            for j in range(f.n_entries):
                if e[j].cls == cls:
                    change(&e[j].weight, &w.drift[f.start + j], delta, clock)
                    break
            else:
                if f.n_entries == f.room:
                    enlarge(w, f)
                    e = &w.entries[f.start]
                j = f.n_entries
                e[j].cls = cls
                e[j].weight = delta
                w.drift[f.start + j] = delta * clock
                f.n_entries += 1

    def learn(self, keys, int32_t cls, int32_t delta, int64_t clock) -> None:
        """Add delta to the weight some features have for a class, at a time of the clock averages are taken by."""
        cdef uint64_t[::1] k = np.array(keys, dtype=np.uint64)
        if not 0 <= cls < self.width:
            raise ValueError(f"class {cls} is not one of {self.width}")
        self.grow_for(len(k))
        if len(k):
            self.update(&k[0], <int32_t>len(k), cls, delta, clock)

    def begin_counting(self) -> None:
        """Set all occurrences to zero; no feature may be added until they have been read."""
        free(self.seen)
        self.seen = <uint32_t*>calloc(self.w.mask + 1, sizeof(uint32_t))
        if self.seen == NULL:
            raise MemoryError

    cdef void count(self, const uint64_t* keys, int32_t n) noexcept nogil:
        cdef uint64_t key, at
        cdef int32_t i
        for i in range(n):
            prefetch(&self.w.features[keys[i] & self.w.mask])
        for i in range(n):
            key = slot_key(keys[i])
            at = key & self.w.mask
            while self.w.features[at].key != 0:
                if self.w.features[at].key == key:
                    self.seen[at] += 1
                    break
                at = (at + 1) & self.w.mask

    def occurrences(self, const uint64_t[::1] keys) -> np.ndarray:
        """How often each of these features was counted; 1 each before counting."""
        cdef int64_t i
        cdef uint64_t at
        if self.seen == NULL:
            return np.ones(len(keys), dtype=np.int64)
        result = np.zeros(len(keys), dtype=np.int64)
        cdef int64_t[::1] r = result
        for i in range(len(keys)):
            at = keys[i] & self.w.mask
            while self.w.features[at].key != 0:
                if self.w.features[at].key == keys[i]:
                    r[i] = self.seen[at]
                    break
                at = (at + 1) & self.w.mask
        return result

    def averages(self, int64_t clock, double scale):
        """Averaged weights times scale, rounded: (keys uint64, starts int64, classes int32, weights int32).

        Entries that round to zero and features without entries are left out; features are sorted by key.
        """
        cdef Weights* w = &self.w
        cdef int64_t i, n = 0, m = 0, start
        cdef int32_t j, value
        cdef const Entry* e
        cdef double mean
        keys = np.empty(w.n_features, dtype=np.uint64)
        starts = np.empty(w.n_features + 1, dtype=np.int64)
        classes = np.empty(w.n_used, dtype=np.int32)
        weights = np.empty(w.n_used, dtype=np.int32)
        cdef uint64_t[::1] k = keys
        cdef int64_t[::1] s = starts
        cdef int32_t[::1] c = classes
        cdef int32_t[::1] v = weights
        for i in range(<int64_t>w.mask + 1):
            if w.features[i].key == 0:
                continue
            start = m
            for j in range(w.features[i].n_entries):
                e = &w.entries[w.features[i].start + j]
                mean = average(e.weight, w.drift[w.features[i].start + j], clock) * scale
                value = <int32_t>(mean + (0.5 if mean >= 0 else -0.5))
                if value != 0:
                    c[m] = e.cls
                    v[m] = value
                    m += 1
            if m > start:
                k[n] = w.features[i].key
                s[n] = start
                n += 1
        s[n] = m
        return keys[:n], starts[:n + 1], classes[:m], weights[:m]

    def state(self):
        """Everything, as arrays, in an order that does not depend on the table's history."""
        cdef Weights* w = &self.w
        cdef int64_t i, n = 0, m = 0
        cdef int32_t j
        keys = np.empty(w.n_features, dtype=np.uint64)
        counts = np.empty(w.n_features, dtype=np.int32)
        cdef uint64_t[::1] k = keys
        cdef int32_t[::1] c = counts
        for i in range(<int64_t>w.mask + 1):
            if w.features[i].key != 0:
                k[n] = w.features[i].key
                c[n] = w.features[i].n_entries
                m += w.features[i].n_entries
                n += 1
        classes = np.empty(m, dtype=np.int32)
        weights = np.empty(m, dtype=np.int32)
        drift = np.empty(m, dtype=np.int64)
        cdef int32_t[::1] cls = classes
        cdef int32_t[::1] wt = weights
        cdef int64_t[::1] dr = drift
        m = 0
        for i in range(<int64_t>w.mask + 1):
            if w.features[i].key != 0:
                for j in range(w.features[i].n_entries):
                    cls[m] = w.entries[w.features[i].start + j].cls
                    wt[m] = w.entries[w.features[i].start + j].weight
                    dr[m] = w.drift[w.features[i].start + j]
                    m += 1
        return {"keys": keys, "counts": counts, "classes": classes, "weights": weights, "drift": drift}

    def restore(self, dict arrays):
        """Fill an empty table with what `state` gave.

        Raises:
            ValueError: for arrays that no table has given; the table is empty then.
        """
        fault = state_fault(arrays, self.width)
        if fault is not None:
            raise ValueError(fault)
        cdef const uint64_t[::1] k = arrays["keys"]
        cdef const int32_t[::1] c = arrays["counts"]
        cdef const int32_t[::1] cls = arrays["classes"]
        cdef const int32_t[::1] wt = arrays["weights"]
        cdef const int64_t[::1] dr = arrays["drift"]
        cdef Weights* w = &self.w
        cdef int64_t i, m = 0
        cdef int32_t j, _
        cdef Feature* f
        for i in range(len(k)):
            self.grow_for(16)
            for _ in range(c[i]):
                self.update(&k[i], 1, cls[m], wt[m], 0)
                m += 1
        m = 0
        for i in range(len(k)):
            f = lookup(w, k[i])
            for j in range(c[i]):
                w.drift[f.start + j] = dr[m]
                m += 1


def state_fault(arrays, int32_t width) -> str | None:
    """Why arrays cannot be the state of a table of this width, or None: afterwards `restore` stays within its rows.

    A row without entries would not be made, and then be sought for ever; of two equal keys or classes only one row or
    entry would be made, and the next ones written behind it.
    """
    for name, kind in STATE.items():
        if arrays[name].dtype != kind or arrays[name].ndim != 1:
            return f"{name} are {arrays[name].dtype} of {arrays[name].ndim} dimensions, expected {kind.__name__} of one"
    keys, counts, classes = arrays["keys"], arrays["counts"], arrays["classes"]
    n_entries = int(counts.sum(dtype=np.int64))
    if len(counts) != len(keys):
        return f"there are {len(keys)} keys and {len(counts)} counts"
    if any(len(arrays[name]) != n_entries for name in ("classes", "weights", "drift")):
        return f"the counts ask for {n_entries} classes, weights and drifts, and there are others"
    if not len(keys):
        return None
    if counts.min() < 1 or counts.max() > width:
        return f"a key has {counts.min() if counts.min() < 1 else counts.max()} entries, expected 1 to {width}"
    if keys.min() == 0 or len(np.unique(keys)) != len(keys):
        return "a key is 0 or stands there twice"
    if classes.min() < 0 or classes.max() >= width:
        return f"classes run from {classes.min()} to {classes.max()}, expected 0 to {width - 1}"
    entries = np.repeat(np.arange(len(keys), dtype=np.int64), counts) * width + classes
    if len(np.unique(entries)) != n_entries:
        return "a class stands twice at a key"
    return None


cdef Feature* lookup(Weights* w, uint64_t key) noexcept nogil:
    cdef uint64_t at = key & w.mask
    while w.features[at].key != key:
        at = (at + 1) & w.mask
    return &w.features[at]


cdef uint32_t take(Weights* w, int power) noexcept nogil:
    """A block of 2**power entries."""
    cdef uint32_t block = w.spare[power]
    if block != 0:
        w.spare[power] = <uint32_t>w.entries[block].weight
        return block
    block = w.n_used
    w.n_used += <uint32_t>1 << power
    return block


cdef void enlarge(Weights* w, Feature* f) noexcept nogil:
    """Moves a full row into a block twice as large."""
    cdef int power = 0
    cdef uint32_t block
    while (1 << power) < f.room:
        power += 1
    block = take(w, power + 1)
    memcpy(&w.entries[block], &w.entries[f.start], f.n_entries * sizeof(Entry))
    memcpy(&w.drift[block], &w.drift[f.start], f.n_entries * sizeof(int64_t))
    w.entries[f.start].weight = <int32_t>w.spare[power]
    w.spare[power] = f.start
    f.start = block
    f.room = <uint16_t>(f.room * 2)
