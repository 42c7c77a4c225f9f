"""What speaks for a script, as 64-bit keys."""

import numpy

from libc.stdint cimport int64_t, uint64_t

from fastparse.corpus.strings.hashing cimport fold, hash_bytes

cdef enum:
    # What a key is of; model files hold the keys, so these never change.
    TAGS = 16, SHAPE, SHAPE_AND_TAGS, FIRST, SHORT, SUFFIX, SUFFIX_AND_TAGS, PREFIX


cdef uint64_t hash_text(str text) except? 0:
    """`hash_bytes` of a text in UTF-8."""
    cdef bytes data = text.encode("utf-8", "surrogatepass")
    return hash_bytes(<const unsigned char*>data, len(data))


cdef int form_keys(str form, str lowered, uint64_t upos, uint64_t feats, uint64_t* keys):
    """Fill in the keys of a form with the hashes of its tags; their number, at most MAX_KEYS."""
    cdef uint64_t tags = fold(upos, feats), h = 0, suffix_2 = 0
    cdef Py_ssize_t size = len(lowered), i
    cdef uint64_t shape = shape_of(form)
    cdef int n = 4
    keys[0] = fold(TAGS, tags)
    keys[1] = fold(fold(SHAPE, upos), shape)
    keys[2] = fold(fold(SHAPE_AND_TAGS, tags), shape & 7)
    keys[3] = fold(fold(FIRST, upos), form[0] if len(form) else 0)
    for i in range(min(size, LONGEST_SUFFIX)):
        h = fold(h + 1, lowered[size - 1 - i])
        if i == 1:
            suffix_2 = h
        keys[n] = fold(fold(SUFFIX, upos), h)
        keys[n + 1] = fold(fold(SUFFIX_AND_TAGS, tags), h)
        n += 2
    h = 0
    for i in range(min(size, LONGEST_PREFIX)):
        h = fold(h + 1, lowered[i])
        keys[n] = fold(fold(PREFIX, upos), h)
        n += 1
    # Short words are often irregular.
    if size < 5:
        keys[n] = fold(fold(fold(SHORT, tags), <uint64_t>size), suffix_2)
        n += 1
    return n


cdef uint64_t shape_of(str form):
    """Bits: begins with a capital, goes on with one, is all capitals; has a digit, a hyphen."""
    cdef uint64_t shape = form.isupper() << 2
    cdef Py_UCS4 character
    cdef Py_ssize_t i, size = len(form)
    for i in range(size):
        character = form[i]
        if i < 2 and character.isupper():
            shape |= 1 << i
        if character.isdigit():
            shape |= 8
        elif character == u"-":
            shape |= 16
    return shape


def triple_keys(
    const uint64_t[::1] forms not None, const uint64_t[::1] upos not None, const uint64_t[::1] feats not None
):
    """`triple_key` of columns of hashes."""
    cdef int64_t i, n = forms.shape[0]
    if upos.shape[0] != n or feats.shape[0] != n:
        raise ValueError(f"columns of {n}, {upos.shape[0]} and {feats.shape[0]} hashes")
    keys_ = numpy.empty(n, numpy.uint64)
    cdef uint64_t[::1] keys = keys_
    for i in range(n):
        keys[i] = triple_key(forms[i], upos[i], feats[i])
    return keys_
