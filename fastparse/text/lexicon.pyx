"""The keys of the compiled lexicon, as the tokenizer computes them."""

from libc.stdint cimport uint64_t

from fastparse.text.weights cimport mix
from fastparse.text.words cimport form_key as key_of_form


def form_key(str folded) -> int:
    """The key of a folded form."""
    cdef uint64_t hash = 0
    for character in folded:
        hash = mix(hash, ord(character))
    return key_of_form(hash)


def suffix_key(str folded) -> int:
    """The key of a folded ending."""
    cdef uint64_t hash = 0x5F
    for character in reversed(folded):
        hash = mix(hash, ord(character))
    return hash | 1
