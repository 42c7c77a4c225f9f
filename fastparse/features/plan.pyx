"""Compiled templates: building plans and extracting keys."""

from libc.stddef cimport size_t
from libc.stdlib cimport calloc, free

from fastparse.machine.operations cimport mix
from fastparse.machine.spec cimport OVER_WORDS, Spec
from fastparse.machine.state cimport Arena, Cell, NO_LABEL, NONE, State
from fastparse.machine.words cimport cell_of

cdef extern from "fastparse/features/keys.h" nogil:
    enum:
        FP_KEY_LANES
        FP_KEY_FEW
        FP_KEY_ATOMS
    const uint64_t* FP_PLACE
    uint64_t fp_mixed(uint64_t key)
    bint fp_has_wide_keys()
    void fp_wide_keys(int32_t n_blocks, const uint8_t* n_places, const uint32_t* picked, const uint64_t* seeds,
                      const uint32_t* atoms, int32_t n_atoms, uint64_t* keys)


cdef Cell NOTHING
NOTHING.word = NONE
NOTHING.below = NONE
NOTHING.head = NONE
NOTHING.grandhead = NONE
NOTHING.left[0] = NOTHING.left[1] = NOTHING.right[0] = NOTHING.right[1] = NONE
NOTHING.label = NOTHING.head_label = NO_LABEL
NOTHING.left_label[0] = NOTHING.left_label[1] = NO_LABEL
NOTHING.right_label[0] = NOTHING.right_label[1] = NO_LABEL
NOTHING.n_left = NOTHING.n_right = 255
NOTHING.left_set[0] = NOTHING.left_set[1] = NOTHING.right_set[0] = NOTHING.right_set[1] = 0
NOTHING.key = <uint64_t>0x123456789ABCDEFULL

cdef const Cell* nothing() noexcept nogil:
    return &NOTHING


# Position names as templates write them.
POSITION_NAMES = ("S0", "S1", "S2", "B0", "B1", "B2", "B3", "R1", "R2", "T0", "H", "D", "R3")
PAIR_KINDS = {"dist": DISTANCE, "arc": ARC, "dir": DIRECTION, "between": BETWEEN, "path": PATH, "ahead": AHEAD}

cdef size_t at(const void* base, const void* field) noexcept:
    return <size_t>field - <size_t>base


def _word_fields() -> dict:
    cdef Cell c
    return {
        "": at(&c, &c.word), "head": at(&c, &c.head), "head2": at(&c, &c.grandhead),
        "l1": at(&c, &c.left[0]), "l2": at(&c, &c.left[1]), "r1": at(&c, &c.right[0]), "r2": at(&c, &c.right[1]),
    }


def _cell_fields() -> dict:
    """(relation, attribute) -> (offset, width)."""
    cdef Cell c
    return {
        ("", "deprel"): (at(&c, &c.label), 2),
        ("head", "deprel"): (at(&c, &c.head_label), 2),
        ("l1", "deprel"): (at(&c, &c.left_label[0]), 2),
        ("l2", "deprel"): (at(&c, &c.left_label[1]), 2),
        ("r1", "deprel"): (at(&c, &c.right_label[0]), 2),
        ("r2", "deprel"): (at(&c, &c.right_label[1]), 2),
        ("", "heads"): (at(&c, &c.n_heads), 1),
        ("", "lval"): (at(&c, &c.n_left), 1),
        ("", "rval"): (at(&c, &c.n_right), 1),
        ("", "lset"): (at(&c, &c.left_set), SET_OF_32),
        ("", "rset"): (at(&c, &c.right_set), SET_OF_32),
        ("", "llabels"): (at(&c, &c.left_set), SET_OF_128),
        ("", "rlabels"): (at(&c, &c.right_set), SET_OF_128),
    }


WORD_FIELDS = _word_fields()
CELL_FIELDS = _cell_fields()


cdef void* room(list items, size_t size) except NULL:
    cdef void* p = calloc(len(items) + 1, size)
    if p == NULL:
        raise MemoryError
    return p


cdef class Plan:
    """Templates compiled for extraction; see fastparse.features.templates.plan_of."""

    def __init__(self, groups):
        """Args: groups, a list of dicts with slots, words, cells, pairs, templates as lists of tuples."""
        cdef Group* g
        cdef int i, j
        self.c.groups = <Group*>room(groups, sizeof(Group))
        self.c.n_groups = len(groups)
        for i, group in enumerate(groups):
            g = &self.c.groups[i]
            if len(group["words"]) + len(group["cells"]) + len(group["pairs"]) > MAX_ATOMS:
                raise ValueError(f"more than {MAX_ATOMS} different values in one set of templates")
            if len(group["slots"]) > MAX_ATOMS:
                raise ValueError(f"more than {MAX_ATOMS} different words in one set of templates")
            if len(group["templates"]) > MAX_KEYS:
                raise ValueError(f"more than {MAX_KEYS} templates")
            g.slots = <Slot*>room(group["slots"], sizeof(Slot))
            g.words = <WordAtom*>room(group["words"], sizeof(WordAtom))
            g.cells = <CellAtom*>room(group["cells"], sizeof(CellAtom))
            g.pairs = <PairAtom*>room(group["pairs"], sizeof(PairAtom))
            g.templates = <Template*>room(group["templates"], sizeof(Template))
            for position, offset, delta in group["slots"]:
                g.slots[g.n_slots].position = position
                g.slots[g.n_slots].offset = offset
                g.slots[g.n_slots].delta = delta
                g.positions |= <uint32_t>1 << <int>position
                g.n_slots += 1
            for slot, attribute in group["words"]:
                g.words[g.n_words].slot, g.words[g.n_words].attribute = slot, attribute
                g.n_words += 1
            for position, offset, width in group["cells"]:
                g.cells[g.n_cells].position = position
                g.cells[g.n_cells].offset = offset
                g.cells[g.n_cells].width = width
                g.positions |= <uint32_t>1 << <int>position
                g.n_cells += 1
            for kind, a, b, which in group["pairs"]:
                g.pairs[g.n_pairs].kind, g.pairs[g.n_pairs].which = kind, which
                g.pairs[g.n_pairs].a, g.pairs[g.n_pairs].b = a, b
                g.positions |= (<uint32_t>1 << <int>a) | (<uint32_t>1 << <int>b)
                g.n_pairs += 1
            for atoms, seed in group["templates"]:
                if len(atoms) > MAX_PARTS:
                    raise ValueError(f"a template reads more than {MAX_PARTS} values")
                g.templates[g.n_templates].n = len(atoms)
                g.templates[g.n_templates].seed = seed
                for j in range(len(atoms)):
                    g.templates[g.n_templates].atom[j] = atoms[j]
                g.n_templates += 1
            lay_out(g)
            for position in group["whole"]:
                g.whole |= <uint32_t>1 << <int>position
            g.required = g.positions & OPTIONAL
            for j in range(N_POSITIONS):
                if g.positions >> j & 1:
                    g.hashes[g.n_hashes] = j if g.whole >> j & 1 else N_POSITIONS + j
                    g.n_hashes += 1
            self.c.n_templates += g.n_templates
            self.c.positions |= g.positions
            self.c.whole |= g.whole
        self.n_templates = self.c.n_templates

    def __dealloc__(self):
        cdef int i
        if self.c.groups == NULL:
            return
        for i in range(self.c.n_groups):
            free(self.c.groups[i].slots)
            free(self.c.groups[i].words)
            free(self.c.groups[i].cells)
            free(self.c.groups[i].pairs)
            free(self.c.groups[i].templates)
            free(self.c.groups[i].blocks.n_places)
            free(self.c.groups[i].blocks.picked)
            free(self.c.groups[i].blocks.seeds)
        free(self.c.groups)


cdef enum:
    FEWEST = 5                  # templates for which a block is worth its price

cdef int lay_out(Group* g) except -1:
    """Fills in the blocks of a group, where the machine can use them."""
    cdef Blocks* b = &g.blocks
    cdef int32_t i, j, k, n = (g.n_templates + FP_KEY_LANES - 1) // FP_KEY_LANES
    cdef int32_t n_atoms = g.n_words + g.n_cells + g.n_pairs
    cdef const Template* t
    if not fp_has_wide_keys() or g.n_templates < FEWEST or n_atoms >= FP_KEY_ATOMS:
        return 0
    b.n_atoms = FP_KEY_FEW if n_atoms < FP_KEY_FEW else FP_KEY_ATOMS
    b.n_places = <uint8_t*>calloc(n, 1)
    b.picked = <uint32_t*>calloc(n * MAX_PARTS * FP_KEY_LANES, sizeof(uint32_t))
    b.seeds = <uint64_t*>calloc(n * FP_KEY_LANES, sizeof(uint64_t))
    if b.n_places == NULL or b.picked == NULL or b.seeds == NULL:
        raise MemoryError
    for i in range(n * MAX_PARTS * FP_KEY_LANES):
        b.picked[i] = b.n_atoms - 1
    for i in range(g.n_templates):
        t = &g.templates[i]
        k = i // FP_KEY_LANES
        b.n_places[k] = max(b.n_places[k], t.n)
        b.seeds[i] = t.seed
        for j in range(t.n):
            b.picked[(k * MAX_PARTS + j) * FP_KEY_LANES + i % FP_KEY_LANES] = t.atom[j]
    b.n = n
    return 0


cdef void locate(const Spec* spec, const Arena* a, const State* c, const Cell** at) noexcept nogil:
    cdef const Cell* cells = a.cells
    cdef int32_t id, word, depth
    at[H] = at[D] = &NOTHING
    if spec.traits & OVER_WORDS:
        locate_words(spec, a, c, at)
        return
    id = c.stack[0]
    for depth in range(3):
        if id >= 0:
            at[S0 + depth] = &cells[id]
            id = cells[id].below
        else:
            at[S0 + depth] = &NOTHING
    id, word = c.returned, c.next
    for depth in range(4):
        if id >= 0:
            at[B0 + depth] = &cells[id]
            id = cells[id].below
        elif word <= a.n:
            at[B0 + depth] = &cells[word]
            word += 1
        else:
            at[B0 + depth] = &NOTHING
    at[R1] = &cells[c.reg[0]] if c.reg[0] >= 0 else &NOTHING
    at[R2] = &cells[c.reg[1]] if c.reg[1] >= 0 else &NOTHING
    at[R3] = &cells[c.reg[2]] if c.reg[2] >= 0 else &NOTHING
    at[T0] = &NOTHING


# Odd numbers, one per position.
cdef uint64_t[N_POSITIONS] FACTORS
FACTORS[:] = [
    0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0xD6E8FEB86659FD93, 0xA0761D6478BD642F, 0xE7037ED1A0B428DB,
    0x8EBC6AF09C88C6E3, 0x589965CC75374CC3, 0x1D8E4E27C47D124F, 0xEB44ACCAB455D165, 0xF1357AEA2E62A9C5,
    0xBF58476D1CE4E5B9, 0x94D049BB133111EB, 0xD1B54A32D192ED03]


cdef void hash_positions(uint32_t positions, const Cell* const* at, uint64_t* hashes) noexcept nogil:
    cdef int32_t p
    for p in range(N_POSITIONS):
        if positions >> p & 1:
            hashes[p] = at[p].key * FACTORS[p]
            hashes[N_POSITIONS + p] = <uint64_t>(at[p].word + 2) * FACTORS[p]   # the root is 0: it must not vanish


cdef uint64_t key_of(uint32_t positions, uint32_t whole, uint64_t salt, const uint64_t* hashes) noexcept nogil:
    cdef uint64_t sum = salt
    cdef int32_t p
    for p in range(N_POSITIONS):
        if positions >> p & 1:
            sum += hashes[p] if whole >> p & 1 else hashes[N_POSITIONS + p]
    return mix(sum, salt)


cdef uint32_t empty_positions(const Cell* const* at) noexcept nogil:
    return ((<uint32_t>(at[R1].word < 0) << R1) | (<uint32_t>(at[R2].word < 0) << R2)
            | (<uint32_t>(at[R3].word < 0) << R3) | (<uint32_t>(at[T0].word < 0) << T0))


cdef void locate_words(const Spec* spec, const Arena* a, const State* c, const Cell** at) noexcept nogil:
    """The same for systems over Words; without stacks (covington) the left focus stands for the stack top."""
    cdef int32_t link = c.stack[0], depth, word
    for depth in range(3):
        at[S0 + depth] = &NOTHING
        if spec.n_stacks == 0:
            if c.focus - depth >= 0:
                at[S0 + depth] = &a.cells[cell_of(a, c, c.focus - depth)]
        elif link >= 0:
            at[S0 + depth] = &a.cells[cell_of(a, c, a.links[link].word)]
            link = a.links[link].below
    for depth in range(4):
        word = c.next + depth
        at[B0 + depth] = &a.cells[cell_of(a, c, word)] if word <= a.n else &NOTHING
    at[T0] = &NOTHING
    if spec.n_stacks > 1 and c.stack[1] >= 0:
        at[T0] = &a.cells[cell_of(a, c, a.links[c.stack[1]].word)]
    at[R1] = &NOTHING
    at[R2] = &NOTHING
    at[R3] = &NOTHING


cdef inline uint32_t bin_distance(int32_t d) noexcept nogil:
    """1, 2, 3, 4, 5-6, 7-10, 11-20, more."""
    if d < 0:
        d = -d
    if d <= 4:
        return <uint32_t>d
    if d <= 6:
        return 5
    if d <= 10:
        return 6
    return 7 if d <= 20 else 8


cdef inline uint32_t place_of(int32_t word, int32_t other) noexcept nogil:
    return 2 if word > other else word == other


cdef inline uint32_t path_between(const Cell* a, const Cell* b) noexcept nogil:
    """1 b is the head of a, 2 the head of its head; 3, 4 the other way round; 5 they have one head; 6 the head of a is
    the head of the head of b, 7 the other way round; 8 the heads of their heads are one; 0 nothing of that."""
    if a.head >= 0:
        if a.head == b.word:
            return 1
        if a.grandhead == b.word:
            return 2
        if a.head == b.head:
            return 5
        if a.head == b.grandhead:
            return 6
    if b.head >= 0:
        if b.head == a.word:
            return 3
        if b.grandhead == a.word:
            return 4
        if b.head == a.grandhead:
            return 7
    return 8 if a.grandhead >= 0 and a.grandhead == b.grandhead else 0


cdef inline uint32_t pair_value(const PairAtom* pair, const SentenceRows* sentence,
                                const Cell* const* at) noexcept nogil:
    cdef const Cell* a = at[pair.a]
    cdef const Cell* b = at[pair.b]
    cdef int32_t low, high, count
    if a.word < 0 or b.word < 0:
        return 15
    if pair.kind == DISTANCE:
        return bin_distance(b.word - a.word)
    if pair.kind == ARC:
        return 1 if b.head == a.word else (2 if a.head == b.word else 0)
    if pair.kind == DIRECTION:
        return a.word < b.word
    if pair.kind == PATH:
        return path_between(a, b)
    if pair.kind == AHEAD:
        return 3 * place_of(a.head, b.word) + place_of(a.right[0], b.word)
    low, high = a.word, b.word
    if low > high:
        low, high = high, low
    if high - low < 2:
        return 0
    count = <uint8_t>(sentence.between[(high - 1) * sentence.n_counted + pair.which]
                      - sentence.between[low * sentence.n_counted + pair.which])
    return count if count < 3 else 3


cdef inline uint32_t set_value(const uint64_t* labels, int kind) noexcept nogil:
    """A set of labels as one number: label mod 32 decides on a bit, or sets of 128 labels are told apart."""
    cdef uint64_t both = labels[0] | labels[1]
    if kind == SET_OF_32:
        return <uint32_t>(both | both >> 32)
    if labels[1] == 0 and labels[0] >> 32 == 0:
        return <uint32_t>labels[0]
    return <uint32_t>(mix(mix(labels[0], 1), labels[1]) >> 32)


cdef inline void read_atoms(const Group* group, const SentenceRows* sentence, const Cell* const* at,
                            uint32_t* atoms) noexcept nogil:
    cdef const uint32_t* rows[MAX_ATOMS]
    cdef int32_t i, word, k = 0
    cdef const Slot* slot
    cdef const CellAtom* cell
    cdef const unsigned char* raw
    cdef int32_t width = sentence.n_attributes
    for i in range(group.n_slots):
        slot = &group.slots[i]
        word = (<const int32_t*>(<const unsigned char*>at[slot.position] + slot.offset))[0]
        if slot.delta != 0 and word >= 0:
            word += slot.delta
            if word < 1 or word > sentence.n:
                word = NONE
        rows[i] = sentence.values + <Py_ssize_t>word * width
    for i in range(group.n_words):
        atoms[k] = rows[group.words[i].slot][group.words[i].attribute]
        k += 1
    for i in range(group.n_cells):
        cell = &group.cells[i]
        raw = <const unsigned char*>at[cell.position] + cell.offset
        if cell.width == 2:
            atoms[k] = (<const uint16_t*>raw)[0]
        elif cell.width == 1:
            atoms[k] = raw[0]
        else:
            atoms[k] = set_value(<const uint64_t*>raw, cell.width)
        k += 1
    for i in range(group.n_pairs):
        atoms[k] = pair_value(&group.pairs[i], sentence, at)
        k += 1


cdef int32_t extract(const Group* group, const SentenceRows* sentence, const Cell* const* at,
                     uint64_t* keys) noexcept nogil:
    cdef uint32_t atoms[MAX_ATOMS]
    if group.blocks.n == 0:
        return extract_singly(group, sentence, at, keys)
    read_atoms(group, sentence, at, atoms)
    atoms[group.blocks.n_atoms - 1] = 0
    fp_wide_keys(group.blocks.n, group.blocks.n_places, group.blocks.picked, group.blocks.seeds, atoms,
                 group.blocks.n_atoms, keys)
    return group.n_templates


cdef int32_t extract_singly(const Group* group, const SentenceRows* sentence, const Cell* const* at,
                            uint64_t* keys) noexcept nogil:
    cdef uint32_t atoms[MAX_ATOMS]
    cdef int32_t i = 0
    cdef const Template* t = group.templates
    cdef const Template* end = t + group.n_templates
    cdef uint64_t key
    read_atoms(group, sentence, at, atoms)
    while t < end:
        key = t.seed + atoms[t.atom[0]] * FP_PLACE[0]
        if t.n > 1:
            key += atoms[t.atom[1]] * FP_PLACE[1]
            if t.n > 2:
                key += atoms[t.atom[2]] * FP_PLACE[2]
                if t.n > 3:
                    key += atoms[t.atom[3]] * FP_PLACE[3]
                    if t.n > 4:
                        key += atoms[t.atom[4]] * FP_PLACE[4]
                        if t.n > 5:
                            key += atoms[t.atom[5]] * FP_PLACE[5]
        keys[i] = fp_mixed(key)
        i += 1
        t += 1
    return i
