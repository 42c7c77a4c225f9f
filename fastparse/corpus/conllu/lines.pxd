"""The lines of a buffer: where they end, where their tabs are, and what their cells say."""

from libc.stdint cimport int64_t, uint8_t

cdef extern from "fastparse/corpus/conllu/scanning.h":
    ctypedef struct Scanner "FastparseScanner":
        int high
        int block_high
    void start_scan "fastparse_scanner_start"(
        Scanner* s, const uint8_t* data, int64_t begin, int64_t size) noexcept nogil
    int64_t next_separator "fastparse_scanner_next"(Scanner* s) noexcept nogil

cdef enum:
    MAX_TABS = 10               # tabs of a line whose places are remembered; more are only counted

cdef struct Row:
    # One line, as far as it is known.
    int64_t begin, end          # without the line end
    int64_t next                # where the next line begins
    int64_t tabs[MAX_TABS]
    int64_t n_tabs

cdef inline int64_t number(const uint8_t* text, int64_t size) noexcept nogil:
    """A decimal number of at most nine digits without leading zeros, or -1."""
    cdef int64_t value = 0, i
    cdef unsigned int digit
    if size < 1 or size > 9 or (text[0] == c"0" and size > 1):
        return -1
    for i in range(size):
        digit = <unsigned int>text[i] - <unsigned int>c"0"
        if digit > 9:
            return -1
        value = value * 10 + digit
    return value

cdef inline int64_t place_of(uint8_t byte, const uint8_t* text, int64_t size) noexcept nogil:
    cdef int64_t i
    for i in range(size):
        if text[i] == byte:
            return i
    return -1

cdef inline bint is_blank(const uint8_t* text, int64_t size) noexcept nogil:
    cdef int64_t i
    for i in range(size):
        if text[i] != c" " and text[i] != c"\t" and text[i] != c"\r":
            return False
    return True

cdef inline bint next_row(Scanner* scanner, const uint8_t* source, int64_t end, bint final, Row* row) noexcept nogil:
    """The line that begins at `row.next`; False when there is none, or none that is complete."""
    cdef int64_t at
    if row.next >= end:
        return False
    row.begin = row.next
    row.n_tabs = 0
    scanner.high = scanner.block_high
    while True:
        at = next_separator(scanner)
        if at >= end:
            if not final:
                return False
            row.end = row.next = end
            break
        if source[at] == c"\n":
            row.end = at
            row.next = at + 1
            break
        if row.n_tabs < MAX_TABS:
            row.tabs[row.n_tabs] = at
        row.n_tabs += 1
    while row.end > row.begin and source[row.end - 1] == c"\r":
        row.end -= 1
    return True
