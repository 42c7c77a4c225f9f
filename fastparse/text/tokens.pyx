"""Splitting chunks, what stands between white space, into tokens: certain gaps by table, the others by weights."""

from libc.stdint cimport int32_t, uint8_t, uint64_t
from libc.string cimport memset

from fastparse.text.characters cimport (
    DIGIT, FORMAT, JOINER, LETTER, LOWER, MARK, N_KINDS, NUMBER, PARAGRAPH, REGIONAL, SPACE,
)
from fastparse.text.gaps cimport (
    HAS_AT, HAS_DOTS, HAS_FIGURE, HAS_HYPHEN, HAS_SCHEME, HAS_SLASH, HAS_WWW, N_GAP_FEATURES, Chunk, gap_features,
)
from fastparse.text.model cimport ASK, GAP, JOIN, SPLIT, TOKEN_BEGINS, decide
from fastparse.text.shapes cimport shape_of
from fastparse.text.unit cimport AROUND, Token
from fastparse.text.weights cimport mix


cdef enum:
    FIGURES = DIGIT
    DIGITS_END = NUMBER + 1
    LETTERS = LOWER * N_KINDS + LOWER


cdef inline bint is_space(uint8_t kind) noexcept nogil:
    return SPACE <= kind <= PARAGRAPH


cdef inline void add_token(Unit* u, int32_t begin, int32_t end, uint64_t hash) noexcept nogil:
    cdef Token* t = &u.tokens[u.n_tokens]
    t.begin = begin
    t.end = end
    t.hash = hash
    t.shape = shape_of(u.kinds + begin, u.folded + begin, end - begin)
    t.suffix = <uint64_t>u.folded[end - 1]
    if end - begin > 1:
        t.suffix |= <uint64_t>u.folded[end - 2] << 21
    if end - begin > 2:
        t.suffix |= <uint64_t>u.folded[end - 3] << 42
    t.space = u.kinds[end] if end < u.n and is_space(u.kinds[end]) else 0
    t.ends = False
    u.n_tokens += 1


cdef inline uint64_t hash_of(const int32_t* folded, int32_t begin, int32_t end) noexcept nogil:
    cdef uint64_t hash = 0
    cdef int32_t i
    for i in range(begin, end):
        hash = mix(hash, folded[i])
    return hash


cdef inline bint may_continue(const Model* m, const Unit* u, int32_t end) noexcept nogil:
    """Whether a token may go on after the single space at `end`."""
    return (end + 1 < u.n and u.kinds[end] == SPACE
            and m.spaces[u.kinds[end - 1] * N_KINDS + u.kinds[end + 1]] != SPLIT)


cdef void split_tokens(const Model* m, Unit* u) noexcept nogil:
    """Fill the tokens of a unit."""
    cdef const uint8_t* kinds = u.kinds
    cdef int32_t begin = 0, end
    cdef uint64_t hash
    cdef bint letters = m.gaps[LETTERS] == JOIN
    u.n_tokens = 0
    while begin < u.n:
        end = begin
        hash = 0
        if letters:
            while end < u.n and kinds[end] < LETTER:
                hash = mix(hash, u.folded[end])
                end += 1
        if end > begin and (end == u.n or is_space(kinds[end])) and not may_continue(m, u, end):
            add_token(u, begin, end, hash)
        else:
            while True:
                while end < u.n and not is_space(kinds[end]):
                    end += 1
                if not may_continue(m, u, end):
                    break
                end += 1
            split_chunk(m, u, begin, end)
        begin = end + 1
    finish(u)


cdef void split_at_spaces(const Model* m, Unit* u) noexcept nogil:
    """Fill the tokens of a unit whose tokens stand between white space."""
    cdef int32_t begin = 0, end
    u.n_tokens = 0
    while begin < u.n:
        end = begin
        while end < u.n and not is_space(u.kinds[end]):
            end += 1
        add_token(u, begin, end, hash_of(u.folded, begin, end))
        begin = end + 1
    finish(u)


cdef inline void finish(Unit* u) noexcept nogil:
    memset(u.tokens + u.n_tokens, 0, AROUND * sizeof(Token))


cdef void look_at(const Unit* u, Chunk* c) noexcept nogil:
    """What a chunk contains, and the word after it."""
    cdef int32_t i, stop
    cdef const int32_t* f = u.folded
    cdef int32_t n_dots = 0, last_dot = -2
    c.contents = 0
    c.mark = c.end
    c.hash = hash_of(f, c.begin, c.end)
    for i in range(c.begin, c.end):
        if u.kinds[i] < DIGITS_END:
            if u.kinds[i] >= FIGURES:
                c.contents |= HAS_FIGURE
            elif f[i] == c"w" and i + 3 < c.end and f[i + 1] == c"w" == f[i + 2] and f[i + 3] == c".":
                c.contents |= HAS_WWW
                c.mark = i if i < c.mark else c.mark
        elif f[i] == c".":
            n_dots += i > last_dot + 1
            last_dot = i
        elif f[i] == c"@" and i > c.begin:
            c.contents |= HAS_AT
            c.mark = c.begin
        elif f[i] == c"/":
            c.contents |= HAS_SLASH
            if i + 1 < c.end and f[i + 1] == c"/" and i > c.begin and f[i - 1] == c":":
                c.contents |= HAS_SCHEME
                c.mark = i if i < c.mark else c.mark
        elif f[i] == c"-":
            c.contents |= HAS_HYPHEN
    if n_dots > 1:
        c.contents |= HAS_DOTS
    c.next_word = 0
    i = c.end + 1
    stop = i + 12 if i + 12 < u.n else u.n
    while i < stop and u.kinds[i] <= NUMBER:
        c.next_word = mix(c.next_word, f[i])
        i += 1


cdef void split_chunk(const Model* m, Unit* u, int32_t begin, int32_t end) noexcept nogil:
    """Add the tokens between two pieces of white space."""
    cdef const uint8_t* kinds = u.kinds
    cdef uint64_t keys[N_GAP_FEATURES]
    cdef Chunk c
    cdef int32_t left = begin, right, base = -1     # base: the last character that is no mark and invisible
    cdef int32_t n_regional = 0
    cdef uint8_t state
    cdef bint looked = False, known, split, run_open = False
    c.begin = c.token = begin
    c.end = end
    c.token_hash = c.head_hash = c.run_hash = 0
    c.run = begin
    while left < end:
        c.token_hash = mix(c.token_hash, u.folded[left])
        c.head_hash = mix(c.head_hash, u.folded[left])
        if kinds[left] <= NUMBER:
            if not run_open:
                c.run_hash = 0
                c.run = left
            c.run_hash = mix(c.run_hash, u.folded[left])
            run_open = True
            base = left
        elif not MARK <= kinds[left] <= FORMAT:
            run_open = False
            base = left
        right = left + 1
        if right == end:
            break
        n_regional = n_regional + 1 if kinds[left] == REGIONAL else 0
        if MARK <= kinds[right] <= JOINER or kinds[left] == JOINER or base < 0:
            left = right
            continue
        if is_space(kinds[right]):
            right += 1
            state = m.spaces[kinds[base] * N_KINDS + kinds[right]]
        else:
            state = m.gaps[kinds[base] * N_KINDS + kinds[right]]
        if kinds[left] == REGIONAL == kinds[right]:
            state = SPLIT if n_regional % 2 == 0 else JOIN
        if state == ASK:
            if not looked:
                look_at(u, &c)
                looked = True
            gap_features(u, &c, left, right, keys)
            known = m.marks != NULL and m.marks[u.at[right]] & TOKEN_BEGINS != 0
            split = decide(m, GAP, keys, N_GAP_FEATURES, known)
        else:
            split = state == SPLIT
        if split:
            add_token(u, c.token, left + 1, c.token_hash)
            c.token = right
            c.token_hash = 0
        elif right == left + 2:
            c.token_hash = mix(c.token_hash, u.folded[left + 1])
        left = right
    add_token(u, c.token, end, c.token_hash)
