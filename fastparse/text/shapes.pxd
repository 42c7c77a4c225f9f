"""The shape of a token: what its kinds of characters make of it, for words unseen and marks alike."""

from libc.stdint cimport int32_t, uint8_t

cdef enum:
    NO_TOKEN                    # beyond the ends of a unit
    LOWER_WORD, TITLE_WORD, CAPITALS, INITIAL, MIXED_CASE, CASELESS
    ABBREVIATION                # letters and full stops, the last a full stop
    COMPOUND                    # letters and other marks: e-mail, AT&T
    CLITIC                      # begins with an apostrophe and a letter
    DIGITS, ORDINAL, NUMERIC    # 1999; 3. ; 3.5, 3rd, 10:30
    ADDRESS                     # of the web or of mail
    STOP, QUESTION, EXCLAMATION, ELLIPSIS, MANY_STOPS       # the last: several marks that end sentences
    COMMA, COLON, SEMICOLON, HYPHEN, QUOTE, APOSTROPHE, OPENED, CLOSED
    BULLET, PICTURE, EMOTICON, OTHER
    N_SHAPES

cdef uint8_t shape_of(const uint8_t* kinds, const int32_t* folded, int32_t n) noexcept nogil
