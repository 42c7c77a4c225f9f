"""Edit scripts: the shortest one between a form and a lemma, and what a script makes of another form."""

from typing import NamedTuple

from libc.stdlib cimport free, malloc
from libc.string cimport memset

cdef enum:
    LONGEST = 100               # characters compared; longer lemmas than that are whole texts of their own


class Script(NamedTuple):
    """How a lemma is made of a form.

    Attributes:
        case: LOWER, AS_IS, CAPITAL, UPPER or WHOLE, see scripts.pxd.
        strip_before: characters taken from the beginning.
        before: text added there.
        strip_after: characters taken from the end.
        after: text added there.
    """

    case: int
    strip_before: int
    before: str
    strip_after: int
    after: str


cdef str cased(str form, str lowered, int case):
    """The form as a script takes it; `lowered` is it in lower case."""
    if case == AS_IS:
        return form
    if case == CAPITAL:
        return lowered[:1].upper() + lowered[1:]
    return form.upper() if case == UPPER else lowered


cdef str edited(
    str form, str lowered, int case, Py_ssize_t strip_before, str before, Py_ssize_t strip_after, str after
):
    """What a script makes of a form; None if there is not enough to strip, or nothing left."""
    cdef str base
    cdef Py_ssize_t size
    if case == WHOLE:
        return before or None
    base = cased(form, lowered, case)
    size = len(base)
    if strip_before > size or strip_after > size - strip_before:
        return None
    if strip_before or strip_after:
        base = base[strip_before:size - strip_after]
    if before:
        base = before + base
    if after:
        base += after
    return base or None


def apply_script(script, str form not None):
    """What a script makes of a form, or None if it does not fit."""
    return edited(form, form.lower(), script.case, script.strip_before, script.before, script.strip_after, script.after)


def script_of(str form not None, str lemma not None):
    """The shortest script that makes a lemma of a form.

    What stays is the longest text that both share. A script costs a character for each that is stripped or added;
    between equals, lower case comes before the form as it is, a capital and upper case. Where nothing is shared, the
    lemma is a whole text.
    """
    cdef str lowered = form.lower(), base
    cdef Py_ssize_t size, at, place, cost, best = len(form) + len(lemma) + LONGEST
    cdef int case
    found = Script(WHOLE, 0, lemma, 0, "")
    if len(lemma) > LONGEST or len(form) > LONGEST:
        return Script(AS_IS, 0, "", 0, "") if form == lemma else found
    tried = set()
    for case in range(WHOLE):
        base = cased(form, lowered, case)
        if base in tried:
            continue
        tried.add(base)
        size = longest_common(base, lemma, &at, &place)
        cost = len(base) + len(lemma) - 2 * size
        if size and cost < best:
            best = cost
            found = Script(case, at, lemma[:place], len(base) - at - size, lemma[place + size:])
    return found


cdef Py_ssize_t longest_common(str base, str lemma, Py_ssize_t* at, Py_ssize_t* place) except -1:
    """The size of the longest common substring, and where it begins in both, the first of its kind."""
    cdef Py_ssize_t n = len(base), m = len(lemma), i, j, best = 0
    cdef int* row = <int*>malloc((m + 1) * sizeof(int))
    if row == NULL:
        raise MemoryError("cannot allocate a row of common substrings")
    memset(row, 0, (m + 1) * sizeof(int))
    at[0] = place[0] = 0
    for i in range(n):
        # From the end, so that row[j] is still that of the character before.
        for j in range(m - 1, -1, -1):
            row[j + 1] = row[j] + 1 if base[i] == lemma[j] else 0
            if row[j + 1] > best:
                best = row[j + 1]
                at[0] = i + 1 - best
                place[0] = j + 1 - best
    free(row)
    return best
