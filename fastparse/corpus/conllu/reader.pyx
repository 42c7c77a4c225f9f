"""The reader of CoNLL-U and CoNLL-X: bytes in, columns of ids out, in one pass without the GIL.

Lines end with a line feed; carriage returns before it belong to the line end. Nothing else ends a line. A sentence is
a run of lines that are not blank; a run of comments alone is no sentence and stays where it is in the source.
"""

from libc.stdint cimport INT32_MAX, int32_t, int64_t, uint8_t
from libc.string cimport memchr

from fastparse.corpus.conllu.lines cimport Row, Scanner, is_blank, next_row, number, place_of, start_scan
from fastparse.corpus.conllu.utf8 cimport first_invalid
from fastparse.corpus.strings.interning cimport Interner, drop, finish, forget, intern, prepare
from fastparse.corpus.strings.vectors cimport Array, Vector, append, discard, reserve

cdef enum:
    MAX_REPORTED = 1000         # problems of one block described in full; the others are counted
    MAX_WORDS = 0x7FFFFFFE      # of one block: ids and counts are 32 bits wide
    AFTER_ID = 0                # which tab follows a column
    AFTER_FEATS = 5
    N_FIELDS = 6                # of a multiword token: first, stop, form begin, form end, MISC begin, MISC end

cdef dict FAULTS = {
    WRONG_COLUMNS: "columns", WRONG_ID: "id", ID_OUT_OF_ORDER: "order", WRONG_RANGE: "range", WRONG_NODE: "node",
    HEAD_NOT_A_NUMBER: "head", HEAD_OUT_OF_RANGE: "head-range", NOT_UTF8: "utf-8", NO_WORDS: "no-words",
    LINE_TOO_LONG: "line", TOO_MANY_WORDS: "words",
}


cdef struct Sentence:
    # The sentence being read, and what to return to when it has a problem.
    int64_t begin, line
    int64_t n_words_before
    int64_t n_strings_before[N_COLUMNS]
    int64_t n_words
    int64_t last_covered        # last word any multiword line covers
    int64_t last_covered_line   # and that line: number, begin, end
    int64_t last_covered_begin, last_covered_end
    int64_t max_head
    int64_t max_head_line, max_head_begin, max_head_end
    bint has_nodes


cdef class Columns:
    """What one block of a treebank holds, and how far it was read."""

    def __cinit__(self, bytes source not None):
        cdef int i
        cdef const uint8_t* begin = <const uint8_t*>source
        self.source = source
        for i in range(N_COLUMNS):
            if prepare(&self.interners[i], begin, begin + len(source)):
                raise MemoryError("cannot allocate string tables")

    def __dealloc__(self):
        cdef int i
        for i in range(N_COLUMNS):
            discard(&self.ids[i])
            drop(&self.interners[i])
        discard(&self.heads)
        discard(&self.head_at)
        discard(&self.offsets)
        discard(&self.begins)
        discard(&self.ends)
        discard(&self.lines)
        discard(&self.left_out)

    def release(self) -> dict:
        """Everything that was read, as numpy arrays and string tables; the object is empty afterwards."""
        cdef int i
        cdef list ids = [], tables = []
        for i in range(N_COLUMNS):
            ids.append(Vector.adopt(&self.ids[i], b"i").array())
            tables.append(finish(&self.interners[i], self.source))
        return {
            "ids": ids,
            "tables": tables,
            "heads": Vector.adopt(&self.heads, b"i").array(),
            "head_at": Vector.adopt(&self.head_at, b"q").array(),
            "offsets": Vector.adopt(&self.offsets, b"q").array(),
            "begins": Vector.adopt(&self.begins, b"q").array(),
            "ends": Vector.adopt(&self.ends, b"q").array(),
            "lines": Vector.adopt(&self.lines, b"q").array(),
            "left_out": Vector.adopt(&self.left_out, b"q").array(),
        }


def read_block(bytes source, int64_t begin, int64_t end, *, bint final, int64_t max_words, int n_columns,
               bint go_on, bint heads=True):
    """Read sentences from source[begin:end] until there are `max_words` words or no complete sentence is left.

    Args:
        source: the bytes; tables and spans refer to them.
        begin: the first line of a sentence, or a place between sentences.
        end: where the block ends.
        final: whether the input ends there too; otherwise a last sentence without its blank line is left unread.
        max_words: stop after the sentence that reaches this number.
        n_columns: 10 or 8 columns per line; 0 takes what the first line has.
        go_on: whether to read on after a sentence with a problem; it is left out.
        heads: whether to read the column HEAD; otherwise it may hold anything, and all heads are -1.

    Returns:
        What was read (see `Columns.release`, and "consumed", "n_lines", "n_columns", "n_problems"), and a list of
        problems: (fault, line, begin, end, detail, sentence begin, sentence end).
    """
    if not 0 <= begin <= end <= len(source):
        raise IndexError(f"block {begin}..{end} lies outside the {len(source)} bytes given")
    cdef Columns columns = Columns(source)
    cdef Problem problem
    cdef list problems = []
    cdef int64_t expected = min((end - begin) // 60, max_words + max_words // 4) + 16
    cdef bint stopped = True
    columns.consumed = begin
    columns.n_columns = n_columns
    columns.heads_read = heads
    if append(&columns.offsets, 0) or make_room(columns, expected):
        raise MemoryError(f"cannot allocate columns of {expected} words")
    while stopped:
        with nogil:
            stopped = read_sentences(columns, end, final, max_words, &problem)
        if not stopped:
            break
        if problem.fault == NO_MEMORY:
            raise MemoryError(f"cannot allocate columns of more than {columns.heads.size} words")
        if columns.n_problems < MAX_REPORTED:
            problems.append((
                FAULTS[problem.fault], problem.line, problem.begin, problem.end, problem.detail,
                problem.sentence_begin, problem.sentence_end,
            ))
        columns.n_problems += 1
        if not go_on:
            break
        if leave_out(columns, problem.sentence_begin, problem.sentence_end):
            raise MemoryError("cannot allocate the list of sentences left out")
    found = columns.release()
    found["consumed"] = columns.consumed
    found["n_lines"] = columns.n_lines
    found["n_columns"] = columns.n_columns
    found["n_problems"] = columns.n_problems
    return found, problems


def line_feeds(const uint8_t[::1] data not None):
    """How many there are, faster than `bytes.count`."""
    cdef int64_t n = data.shape[0], begin = 0, found = 0, i
    cdef uint8_t some
    with nogil:
        while begin < n:            # a byte counts so many at most: sixteen of them are added at once
            some = 0
            for i in range(begin, min(begin + 255, n)):
                some += data[i] == c"\n"
            found += some
            begin += 255
    return found


cdef int make_room(Columns columns, int64_t n_words) noexcept nogil:
    """Room for that many words in every column: 0, or -1 without memory."""
    cdef int i
    for i in range(N_COLUMNS):
        if reserve(&columns.ids[i], n_words, sizeof(int32_t)):
            return -1
    if reserve(&columns.heads, n_words, sizeof(int32_t)):
        return -1
    return reserve(&columns.head_at, n_words, sizeof(int64_t))


cdef int leave_out(Columns columns, int64_t begin, int64_t end) noexcept nogil:
    cdef int64_t n = columns.left_out.size
    if n and (<int64_t*>columns.left_out.data)[n - 1] == begin:
        (<int64_t*>columns.left_out.data)[n - 1] = end
        return 0
    return append(&columns.left_out, begin) or append(&columns.left_out, end)


cdef bint read_sentences(Columns columns, int64_t end, bint final, int64_t max_words, Problem* problem) noexcept nogil:
    """Read on from `columns.consumed`; True when a sentence has a problem, which is then behind us."""
    cdef const uint8_t* source = columns.interners[0].source
    cdef Scanner scanner
    cdef Row row
    cdef Sentence sentence
    cdef int64_t line = columns.n_lines
    cdef Fault fault
    row.next = columns.consumed
    start_scan(&scanner, source, columns.consumed, end)
    begin_sentence(columns, &sentence, row.next, line)
    problem.fault = NO_FAULT
    while next_row(&scanner, source, end, final, &row):
        line += 1
        fault = NO_FAULT
        if row.end == row.begin or (source[row.begin] <= c" " and is_blank(source + row.begin, row.end - row.begin)):
            if problem.fault or sentence.n_words or sentence.has_nodes:
                if end_sentence(columns, &sentence, row.next, line, problem):
                    return True
            columns.consumed = row.next
            columns.n_lines = line
            begin_sentence(columns, &sentence, row.next, line)
            if columns.heads.size >= max_words:
                # Further blank lines go with the sentence before them.
                while row.next < end and next_row(&scanner, source, end, final, &row) and is_blank(
                        source + row.begin, row.end - row.begin):
                    columns.consumed = row.next
                    columns.n_lines += 1
                return False
            continue
        if problem.fault:
            continue
        if scanner.high:
            problem.detail = first_invalid(source + row.begin, row.end - row.begin)
            if problem.detail >= 0:
                fault = NOT_UTF8
        if fault == NO_FAULT and source[row.begin] != c"#":
            fault = read_line(columns, &sentence, source, &row, line, problem)
        if fault:
            problem.fault = fault
            problem.line = line
            problem.begin = row.begin
            problem.end = row.end
            if fault == NO_MEMORY:
                return True
    if not final:
        roll_back(columns, &sentence)
        return False
    if problem.fault or sentence.n_words or sentence.has_nodes:
        if end_sentence(columns, &sentence, end, line, problem):
            return True
    columns.consumed = end
    columns.n_lines = line
    return False


cdef inline void begin_sentence(Columns columns, Sentence* sentence, int64_t begin, int64_t line) noexcept nogil:
    cdef int i
    sentence.begin = begin
    sentence.line = line + 1
    sentence.n_words_before = columns.heads.size
    sentence.n_words = sentence.last_covered = sentence.max_head = 0
    sentence.has_nodes = False
    for i in range(N_COLUMNS):
        sentence.n_strings_before[i] = columns.interners[i].begins.size


cdef void roll_back(Columns columns, Sentence* sentence) noexcept nogil:
    """Undo what the unfinished or broken sentence has added."""
    cdef int i
    for i in range(N_COLUMNS):
        forget(&columns.interners[i], sentence.n_strings_before[i])
        columns.ids[i].size = sentence.n_words_before
    columns.heads.size = columns.head_at.size = sentence.n_words_before


cdef bint end_sentence(Columns columns, Sentence* sentence, int64_t end, int64_t line, Problem* problem) noexcept nogil:
    """Check what only the whole sentence shows, then keep it; True when it has a problem."""
    if problem.fault == NO_FAULT:
        if sentence.n_words == 0:
            problem.fault = NO_WORDS
            problem.line = sentence.line
            problem.begin = problem.end = sentence.begin
        elif sentence.max_head > sentence.n_words:
            problem.fault = HEAD_OUT_OF_RANGE
            problem.detail = sentence.n_words
            problem.line = sentence.max_head_line
            problem.begin = sentence.max_head_begin
            problem.end = sentence.max_head_end
        elif sentence.last_covered > sentence.n_words:
            problem.fault = WRONG_RANGE
            problem.detail = sentence.n_words + 1
            problem.line = sentence.last_covered_line
            problem.begin = sentence.last_covered_begin
            problem.end = sentence.last_covered_end
        elif append(&columns.offsets, columns.heads.size) or append(&columns.begins, sentence.begin) or append(
                &columns.ends, end) or append(&columns.lines, sentence.line):
            problem.fault = NO_MEMORY
        else:
            return False
    problem.sentence_begin = sentence.begin
    problem.sentence_end = end
    roll_back(columns, sentence)
    columns.consumed = end
    columns.n_lines = line
    return True


cdef inline Fault read_line(
    Columns columns, Sentence* sentence, const uint8_t* source, Row* row, int64_t line, Problem* problem
) noexcept nogil:
    """Check one line of a sentence and add its word, if it holds one."""
    cdef int64_t id, head, size, begin, stop
    cdef int64_t n = columns.heads.size
    cdef int32_t cell
    cdef int i
    if row.n_tabs + 1 != columns.n_columns:
        if columns.n_columns == 0 and (row.n_tabs == 9 or row.n_tabs == 7):
            columns.n_columns = <int>row.n_tabs + 1
        else:
            problem.detail = row.n_tabs + 1
            return WRONG_COLUMNS
    if row.end - row.begin > INT32_MAX:
        return LINE_TOO_LONG
    size = row.tabs[AFTER_ID] - row.begin
    id = number(source + row.begin, size)
    if id < 0 or (id == 0 and size == 1):
        return read_surface(sentence, source, row, line, problem)
    if id != sentence.n_words + 1:
        problem.detail = sentence.n_words + 1
        return ID_OUT_OF_ORDER
    if n >= MAX_WORDS:
        return TOO_MANY_WORDS
    begin = row.tabs[AFTER_FEATS] + 1
    size = row.tabs[AFTER_FEATS + 1] - begin
    head = number(source + begin, size) if columns.heads_read else -1
    if head < 0 and columns.heads_read and not (size == 1 and source[begin] == c"_"):
        return HEAD_NOT_A_NUMBER
    if n >= columns.head_at.capacity and make_room(columns, n + 1):
        return NO_MEMORY
    (<int32_t*>columns.heads.data)[n] = <int32_t>head
    (<int64_t*>columns.head_at.data)[n] = begin
    columns.heads.size = columns.head_at.size = n + 1
    if head > sentence.max_head:
        sentence.max_head = head
        sentence.max_head_line = line
        sentence.max_head_begin = row.begin
        sentence.max_head_end = row.end
    for i in range(N_COLUMNS):
        begin = row.tabs[i + (i == DEPREL)] + 1
        # In CoNLL-X of eight columns, DEPREL is the last and ends with the line.
        stop = row.tabs[i + 1 + (i == DEPREL)] if i + 1 + (i == DEPREL) < row.n_tabs else row.end
        cell = intern(&columns.interners[i], source + begin, stop - begin)
        if cell < 0:
            return NO_MEMORY
        (<int32_t*>columns.ids[i].data)[n] = cell
        columns.ids[i].size = n + 1
    sentence.n_words += 1
    return NO_FAULT


cdef Fault read_surface(
    Sentence* sentence, const uint8_t* source, Row* row, int64_t line, Problem* problem
) noexcept nogil:
    """Check a line that holds no word: a multiword token `2-3` or an empty node `8.1`."""
    cdef const uint8_t* id = source + row.begin
    cdef int64_t size = row.tabs[AFTER_ID] - row.begin
    cdef int64_t at = place_of(c"-", id, size), first, last
    if at > 0:
        first = number(id, at)
        last = number(id + at + 1, size - at - 1)
        if first < 1 or last < 1:
            return WRONG_ID
        if first != sentence.n_words + 1 or last < first or first <= sentence.last_covered:
            problem.detail = sentence.n_words + 1
            return WRONG_RANGE
        sentence.last_covered = last
        sentence.last_covered_line = line
        sentence.last_covered_begin = row.begin
        sentence.last_covered_end = row.end
        sentence.has_nodes = True
        return NO_FAULT
    at = place_of(c".", id, size)
    if at < 1:
        return WRONG_ID
    first = number(id, at)
    last = number(id + at + 1, size - at - 1)
    if first < 0 or last < 1:
        return WRONG_ID
    if first != sentence.n_words:
        problem.detail = sentence.n_words
        return WRONG_NODE
    sentence.has_nodes = True
    return NO_FAULT


# What few ask for: the columns right of DEPREL and the lines of multiword tokens, looked up in the source afterwards.


def read_tail(bytes source not None, const int64_t[::1] head_at not None, int column):
    """The ids and strings of DEPS (column 8) or MISC (9).

    Args:
        source: the bytes.
        head_at: where the cell HEAD of each word begins.
        column: which one, ID being column 0.

    Returns:
        The ids (int32 per word) and their StringTable.
    """
    cdef Array ids = Array(NULL, 0, 0)
    cdef Interner interner
    cdef int64_t n_words = head_at.shape[0], size = len(source), i
    cdef const uint8_t* begin = <const uint8_t*>source
    cdef int32_t cell = 0
    for i in range(n_words):
        if not 0 <= head_at[i] < size:
            raise IndexError(f"no word of {size} bytes begins at {head_at[i]}")
    if prepare(&interner, begin, begin + size):
        raise MemoryError("cannot allocate a string table")
    if reserve(&ids, n_words, sizeof(int32_t)) == 0:
        with nogil:
            for i in range(n_words):
                cell = intern_tail(&interner, head_at[i], column)
                if cell < 0:
                    break
                (<int32_t*>ids.data)[i] = cell
                ids.size = i + 1
    if ids.size < n_words:
        discard(&ids)
        drop(&interner)
        raise MemoryError(f"cannot allocate a column of {n_words} words")
    return Vector.adopt(&ids, b"i").array(), finish(&interner, source)


cdef inline int32_t intern_tail(Interner* interner, int64_t head_at, int column) noexcept nogil:
    """The id of a cell right of HEAD; a line without it, of CoNLL-X, gives the empty string."""
    cdef const uint8_t* at = interner.source + head_at
    cdef const uint8_t* begin
    cdef int tabs = column - 6
    while at < interner.limit and at[0] != c"\n" and tabs > 0:
        tabs -= at[0] == c"\t"
        at += 1
    begin = at
    while at < interner.limit and at[0] != c"\n" and at[0] != c"\t":
        at += 1
    if at == interner.limit or at[0] == c"\n":
        while at > begin and (at - 1)[0] == c"\r":
            at -= 1
    return intern(interner, begin, at - begin)


def read_ranges(bytes source not None, const int64_t[::1] begins not None, const int64_t[::1] ends not None):
    """Where the multiword tokens of some sentences stand.

    Args:
        source: the bytes, as the reader has accepted them.
        begins: where each sentence begins.
        ends: where it ends.

    Returns:
        An int64 array of six numbers per multiword token, in order: its first word and the one after its last, counted
        from 0 through all sentences; begin and end of its form and of its MISC in the source.
    """
    cdef Array found = Array(NULL, 0, 0)
    cdef const uint8_t* bytes_ = <const uint8_t*>source
    cdef int64_t size = len(source), n = begins.shape[0], i, n_words = 0
    if ends.shape[0] != n:
        raise IndexError(f"{n} sentences begin and {ends.shape[0]} end")
    for i in range(n):
        if not 0 <= begins[i] <= ends[i] <= size:
            raise IndexError(f"no sentence of {size} bytes stands at {begins[i]}..{ends[i]}")
    with nogil:
        for i in range(n):
            n_words = read_ranges_of(&found, bytes_, begins[i], ends[i], n_words)
            if n_words < 0:
                break
    if n_words < 0:
        discard(&found)
        raise MemoryError("cannot allocate the list of multiword tokens")
    return Vector.adopt(&found, b"q").array().reshape(-1, N_FIELDS)


cdef int64_t read_ranges_of(
    Array* found, const uint8_t* source, int64_t at, int64_t end, int64_t n_words
) noexcept nogil:
    """Add the ranges of one sentence; the number of words so far, or -1 without memory."""
    cdef const uint8_t* feed
    cdef int64_t stop, first, last, id_end
    cdef int64_t before = n_words
    while at < end:
        feed = <const uint8_t*>memchr(source + at, c"\n", <size_t>(end - at))
        stop = end if feed == NULL else feed - source
        first = number_at(source, at, stop, &id_end)
        if id_end > at and id_end < stop:
            if source[id_end] == c"\t":
                n_words += 1
            elif source[id_end] == c"-":
                last = number_at(source, id_end + 1, stop, &id_end)
                if add_range(found, source, id_end, stop, before + first - 1, before + last):
                    return -1
        at = stop + 1
    return n_words


cdef inline int64_t number_at(const uint8_t* source, int64_t at, int64_t end, int64_t* after) noexcept nogil:
    """The number at a place, and where it ends; the reader has seen that it is small."""
    cdef int64_t value = 0
    while at < end and c"0" <= source[at] <= c"9":
        value = value * 10 + (source[at] - c"0")
        at += 1
    after[0] = at
    return value


cdef int add_range(
    Array* found, const uint8_t* source, int64_t at, int64_t end, int64_t first, int64_t stop
) noexcept nogil:
    """One multiword token whose ID ends at `at` and whose line ends at `end`: 0, or -1 without memory."""
    cdef int64_t form = at + 1, form_end = at + 1, misc
    while end > form and source[end - 1] == c"\r":
        end -= 1
    while form_end < end and source[form_end] != c"\t":
        form_end += 1
    misc = end
    while misc > form_end and source[misc - 1] != c"\t":
        misc -= 1
    return (
        append(found, first) or append(found, stop) or append(found, form) or append(found, form_end)
        or append(found, misc) or append(found, end)
    )
