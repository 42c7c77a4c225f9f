"""Compiled templates: from the cells at named positions of a state to 64-bit feature keys.

A plan is a list of groups. A group holds the templates that read one set of positions, so that a search may compute
their summed weights once per combination of cells. Within a group extraction has two stages: atoms (32-bit values, each
computed once) and keys (a mix of one to six atoms with the template's seed; keys.h computes sixteen at a time where it
can).
"""

from fastparse.machine.operations cimport mix
from fastparse.machine.spec cimport Spec
from fastparse.machine.state cimport (
    Arena, Cell, NONE, State, int8_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t)

cdef extern from "fastparse/features/compiler.h" nogil:
    enum:
        MAX_KEYS "FP_MAX_KEYS"
        MAX_ATOMS "FP_MAX_ATOMS"
        MAX_PARTS "FP_MAX_PARTS"

cdef enum:
    # Positions. H and D are the head and the dependent of the arc a label is chosen for.
    S0 = 0, S1, S2, B0, B1, B2, B3, R1, R2, T0, H, D, R3, N_POSITIONS
    # Those that are empty most of the time: registers, the inactive stack.
    OPTIONAL = (1 << R1) | (1 << R2) | (1 << R3) | (1 << T0)
    # Kinds of pair atoms.
    DISTANCE = 0                # binned number of words from a to b
    ARC = 1                     # 0 none, 1 a -> b, 2 b -> a
    DIRECTION = 2               # 1 when a < b
    BETWEEN = 3                 # words of a counted class strictly between, capped; `which` is the class
    PATH = 4                    # how heads lead from one to the other, see plan.pyx
    AHEAD = 5                   # whether the head of a, and its outermost right child, are b, or lie right of b

cdef enum:
    # Kinds of set, besides widths of 1 and 2 bytes.
    SET_OF_32 = 4
    SET_OF_128 = 16

cdef struct Slot:
    # A word reachable from a position: the cell's own word, a child, its head, or a neighbour in the sentence.
    uint8_t position
    uint8_t offset              # of an int32 word in Cell
    int8_t delta                # neighbour: words to the right

cdef struct WordAtom:
    uint16_t slot
    uint16_t attribute

cdef struct CellAtom:
    uint8_t position
    uint8_t offset              # in Cell
    uint8_t width               # 1 or 2 bytes, or a kind of set

cdef struct PairAtom:
    uint8_t kind
    uint8_t a
    uint8_t b
    uint8_t which

cdef struct Template:
    uint16_t atom[MAX_PARTS]
    uint16_t n
    uint64_t seed

cdef struct Blocks:
    # The templates of a group once more, for keys.h; none if the group does not suit it.
    int32_t n
    int32_t n_atoms             # FP_KEY_FEW or FP_KEY_ATOMS
    uint8_t* n_places           # [n]
    uint32_t* picked            # [n][MAX_PARTS][FP_KEY_LANES]
    uint64_t* seeds             # [n][FP_KEY_LANES]

cdef struct Group:
    uint32_t positions          # bit per position read
    uint32_t whole              # those of which more is read than which word stands there
    uint8_t n_hashes
    uint8_t hashes[2 * N_POSITIONS]     # places of what it reads among the hashes of a state: whole cells, then words
    uint32_t required           # positions of OPTIONAL it reads: where one is empty, the group has nothing to say
    int32_t n_slots
    int32_t n_words
    int32_t n_cells
    int32_t n_pairs
    int32_t n_templates
    Slot* slots                 # at most MAX_ATOMS
    WordAtom* words             # atoms 0 ..
    CellAtom* cells             # atoms n_words ..
    PairAtom* pairs             # atoms n_words + n_cells ..
    Template* templates         # sorted by number of parts
    Blocks blocks

cdef struct PlanC:
    int32_t n_groups
    Group* groups
    int32_t n_templates         # in all groups
    uint32_t positions          # read by any group
    uint32_t whole              # of which some group reads more than which word stands there

cdef struct SentenceRows:
    # What templates read of a sentence.
    int32_t n
    int32_t n_attributes
    const uint32_t* values      # row of word w at values + w * n_attributes, for w = -1 (nothing), 0 (root), 1..n
    int32_t n_counted
    const uint8_t* between      # [(n + 1)][n_counted] words of each counted class up to w, modulo 256
    const int32_t* heads        # [n] of words 1..n: the tree beside which a graph is built; NULL for other systems
    const int32_t* deprels      # [n] ids of its labels

cdef class Plan:
    cdef PlanC c
    cdef readonly int n_templates

# The cells at the positions of a state; H and D are empty.
cdef void locate(const Spec* spec, const Arena* a, const State* c, const Cell** at) noexcept nogil
# Hashes of what is at some positions: at place p of all there is, at N_POSITIONS + p of the word alone.
cdef void hash_positions(uint32_t positions, const Cell* const* at, uint64_t* hashes) noexcept nogil
# A hash of what is read at some positions, of `whole` ones all there is, of others the word.
cdef uint64_t key_of(uint32_t positions, uint32_t whole, uint64_t salt, const uint64_t* hashes) noexcept nogil

# The same for what a group reads.
cdef inline uint64_t group_key(const Group* group, uint64_t salt, const uint64_t* hashes) noexcept nogil:
    cdef uint64_t sum = salt
    cdef int32_t i
    for i in range(group.n_hashes):
        sum += hashes[group.hashes[i]]
    return mix(sum, salt)

# The optional positions that are empty.
cdef uint32_t empty_positions(const Cell* const* at) noexcept nogil
# Keys of a group's templates; returns their number. `keys` has room for MAX_KEYS.
cdef int32_t extract(const Group* group, const SentenceRows* sentence, const Cell* const* at,
                     uint64_t* keys) noexcept nogil
# The same, one template at a time.
cdef int32_t extract_singly(const Group* group, const SentenceRows* sentence, const Cell* const* at,
                            uint64_t* keys) noexcept nogil
# The cell at a position where no word is.
cdef const Cell* nothing() noexcept nogil

# The one walk over a plan: its groups that have something to say of the cells at hand, in order.
#
#     cdef Walk walk = walk_over(plan, sentence, at)
#     n = next_keys(&walk, keys)
#     while n >= 0:
#         ...                     # n features of a group
#         n = next_keys(&walk, keys)
cdef struct Walk:
    const PlanC* plan
    const SentenceRows* sentence
    const Cell* const* at       # [N_POSITIONS]  filled in where the plan reads
    uint32_t absent             # optional positions that are empty: what reads one of them is silent
    int32_t group               # the next to look at


cdef inline Walk walk_over(const PlanC* plan, const SentenceRows* sentence, const Cell* const* at) noexcept nogil:
    cdef uint32_t absent = empty_positions(at) if plan.positions & OPTIONAL else 0
    return Walk(plan=plan, sentence=sentence, at=at, absent=absent, group=0)


cdef inline int32_t next_group(Walk* walk) noexcept nogil:
    """The place of the next group that speaks; NONE at the end."""
    cdef int32_t g
    while walk.group < walk.plan.n_groups:
        g = walk.group
        walk.group += 1
        if not walk.plan.groups[g].required & walk.absent:
            return g
    return NONE


cdef inline int32_t next_keys(Walk* walk, uint64_t* keys) noexcept nogil:
    """Writes the keys of the next group that speaks, at most MAX_KEYS; returns their number, NONE at the end."""
    cdef int32_t g = next_group(walk)
    return extract(&walk.plan.groups[g], walk.sentence, walk.at, keys) if g >= 0 else NONE
