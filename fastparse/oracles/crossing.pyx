"""Crossing intervals: maximal groups of crossed arcs whose spans touch."""

from fastparse.machine.state cimport NONE


cdef int32_t crossed_arcs(const Gold* gold, int32_t* crossed, int32_t* work, int32_t* more) noexcept nogil:
    """An arc (l, r) is crossed iff a word strictly inside has a neighbour right of r, or one left of l.

    The words with a neighbour right of r form a stack as r grows: r only ever forgets words at the top, and an arc asks
    for the rightmost of them. Likewise from right to left.
    """
    cdef const int32_t* head = gold.head
    cdef int32_t* farthest = work       # [word] its rightmost, then its leftmost neighbour
    cdef int32_t* stack = more
    cdef int32_t n = gold.n, top = 0, w, child, n_crossed = 0
    for w in range(n + 1):
        farthest[w] = head[w] if head[w] > w else w
        crossed[w] = False
    for w in range(1, n + 1):
        if head[w] >= 0 and farthest[head[w]] < w:
            farthest[head[w]] = w
    for w in range(n + 1):
        while top and farthest[stack[top - 1]] <= w:
            top -= 1
        if top:
            if 0 <= head[w] < w and stack[top - 1] > head[w]:
                crossed[w] = True
                n_crossed += 1
            child = gold.first_child[w]
            while 0 <= child < w:
                if stack[top - 1] > child:
                    crossed[child] = True
                    n_crossed += 1
                child = gold.next_child[child]
        if farthest[w] > w:
            stack[top] = w
            top += 1
    # Where no arc is crossed from inside to the right, none is crossed at all.
    if n_crossed == 0:
        return 0
    for w in range(n + 1):
        farthest[w] = head[w] if 0 <= head[w] < w else w
    for w in range(1, n + 1):
        if head[w] >= 0 and farthest[head[w]] > w:
            farthest[head[w]] = w
    top = 0
    for w in range(n, -1, -1):
        while top and farthest[stack[top - 1]] >= w:
            top -= 1
        if top:
            if head[w] > w and stack[top - 1] < head[w] and not crossed[w]:
                crossed[w] = True
                n_crossed += 1
            child = gold.first_child[w]
            while child >= 0:
                if child > w and stack[top - 1] < child and not crossed[child]:
                    crossed[child] = True
                    n_crossed += 1
                child = gold.next_child[child]
        if farthest[w] < w:
            stack[top] = w
            top += 1
    return n_crossed


cdef inline int32_t reach(const Gold* gold, const int32_t* crossed, int32_t word) noexcept nogil:
    """The rightmost end of the crossed arcs at a word; NONE when it has none."""
    cdef int32_t child = gold.first_child[word], end = NONE
    if crossed[word]:
        end = gold.head[word] if gold.head[word] > word else word
    while child >= 0:
        if crossed[child]:
            end = max(end, child, word)
        child = gold.next_child[child]
    return end


cdef bint crossing_interval(const Gold* gold, const int32_t* crossed, int32_t start, int32_t* left,
                            int32_t* right) noexcept nogil:
    cdef int32_t w = start, end = NONE
    while w <= gold.n:
        end = reach(gold, crossed, w)
        if end >= 0:
            break
        w += 1
    if w > gold.n:
        return False
    left[0] = w
    while w < end:
        w += 1
        end = max(end, reach(gold, crossed, w))
    right[0] = end
    return True


cdef bint pair_is_valid(const Gold* gold, const int32_t* crossed, int32_t left, int32_t right, int32_t a,
                        int32_t b) noexcept nogil:
    cdef const int32_t* head = gold.head
    cdef int32_t w, h
    if not left <= a < b <= right:
        return False
    for w in range(left, right + 1):
        if w == 0 or not crossed[w]:
            continue
        h = head[w]
        if w != a and w != b and h != a and h != b:
            return False
        # The arc to a child beyond the word's own head is always crossed.
        if h != a and h != b and h > 0 and (h < head[h] < w or w < head[h] < h):
            return False
    return True


cdef int valid_pair(const Gold* gold, const int32_t* crossed, int32_t left, int32_t right,
                    int32_t* pair) noexcept nogil:
    """One word of the pair is an end of any one crossed arc, the other an end of any that does not touch the first."""
    cdef const int32_t* head = gold.head
    cdef int32_t first = left, other, i, j, x, y, a, b, found = NO_PAIR
    cdef int32_t above_a = pair[0], above_b = pair[1]
    while not crossed[first]:
        first += 1
    for i in range(2):
        x = first if i else head[first]
        other = left
        while other <= right and (not crossed[other] or other == x or head[other] == x):
            other += 1
        if other > right:
            continue
        for j in range(2):
            y = other if j else head[other]
            a, b = min(x, y), max(x, y)
            if a < above_a or (a == above_a and b <= above_b):
                continue
            if found != NO_PAIR and (a > pair[0] or (a == pair[0] and b >= pair[1])):
                continue
            if pair_is_valid(gold, crossed, left, right, a, b):
                pair[0], pair[1] = a, b
                found = 0
    return found
