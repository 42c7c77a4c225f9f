"""Edit scripts: how a lemma is made of a form.

    case            the form is taken
    LOWER           in lower case
    AS_IS           as it is
    CAPITAL         with a capital and the rest in lower case
    UPPER           in upper case
    WHOLE           not at all: the lemma is the text to add before

Then so many characters are taken from its beginning and its end, and texts are added in their places.
"""

cdef enum:
    LOWER, AS_IS, CAPITAL, UPPER, WHOLE, N_CASES

cdef str cased(str form, str lowered, int case)
cdef str edited(str form, str lowered, int case, Py_ssize_t strip_before, str before, Py_ssize_t strip_after, str after)
