"""The words that wait for a head in the second and third step of the three-step system, and the tree they are in."""

from libc.stdint cimport int32_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

from fastparse.machine.state cimport NONE

cdef struct Theta:
    # The words that wait for a head. Under one label they form a stack: the last one gets a head first. The tops of
    # these stacks, the words that DIST can reach, are a list from the last to the oldest; so are all that wait.
    int32_t room                # words there is place for
    int32_t n_labels
    int32_t* top                # [n_labels] the last word that waits under a label
    int32_t* below              # [room] the one before it under the same label
    int32_t first               # list of all: the last word that waits
    int32_t* older              # [room]
    int32_t* newer              # [room]
    int32_t first_top           # list of tops
    int32_t* older_top          # [room]
    int32_t* newer_top          # [room]
    # The tree that the pass begins with, numbered: a word is below another one if it was entered before that was left.
    int32_t* enters             # [room]
    int32_t* leaves             # [room]
    int32_t* child              # [room] first child; when the pass is over, who has seen the word
    int32_t* sibling            # [room] next child of the same head


cdef inline void theta_close(Theta* t) noexcept nogil:
    free(t.top)
    free(t.below)
    memset(t, 0, sizeof(Theta))


cdef inline int theta_start(Theta* t, int32_t n) noexcept nogil:
    cdef int32_t k
    if n + 1 > t.room:
        free(t.below)
        t.room = n + n // 2 + 64
        t.below = <int32_t*>malloc(9 * <size_t>t.room * sizeof(int32_t))
        if t.below == NULL:
            t.room = 0
            return -1
        t.older, t.newer = t.below + t.room, t.below + 2 * <size_t>t.room
        t.older_top, t.newer_top = t.below + 3 * <size_t>t.room, t.below + 4 * <size_t>t.room
        t.enters, t.leaves = t.below + 5 * <size_t>t.room, t.below + 6 * <size_t>t.room
        t.child, t.sibling = t.below + 7 * <size_t>t.room, t.below + 8 * <size_t>t.room
    for k in range(t.n_labels):
        t.top[k] = NONE
    t.first = t.first_top = NONE
    return 0


cdef inline void link_between(int32_t* older, int32_t* newer, int32_t* first, int32_t word, int32_t after,
                              int32_t before) noexcept nogil:
    """Puts a word into a list behind the newer word `after` and before the older one."""
    newer[word], older[word] = after, before
    if after >= 0:
        older[after] = word
    else:
        first[0] = word
    if before >= 0:
        newer[before] = word


cdef inline void unlink(int32_t* older, int32_t* newer, int32_t* first, int32_t word) noexcept nogil:
    if newer[word] >= 0:
        older[newer[word]] = older[word]
    else:
        first[0] = older[word]
    if older[word] >= 0:
        newer[older[word]] = newer[word]


# ── the tree ──

cdef inline void number_words(Theta* t, int32_t n, const int32_t* heads) noexcept nogil:
    """Numbers the words as a walk through the tree enters them, and says how far it has come when it leaves them."""
    cdef int32_t w, entered = 0
    for w in range(n + 1):
        t.child[w] = NONE
    t.sibling[0] = NONE
    for w in range(n, 0, -1):
        t.sibling[w] = t.child[heads[w - 1]]
        t.child[heads[w - 1]] = w
    w = 0
    while True:
        t.enters[w] = entered
        entered += 1
        if t.child[w] >= 0:
            w = t.child[w]
            continue
        while w > 0 and t.sibling[w] < 0:
            t.leaves[w] = entered
            w = heads[w - 1]
        t.leaves[w] = entered
        if w == 0:
            return
        w = t.sibling[w]


cdef inline bint is_below(const Theta* t, int32_t word, int32_t top) noexcept nogil:
    """Whether a word is another one or below it in the tree that was numbered."""
    return t.enters[top] <= t.enters[word] < t.leaves[top]
