"""Tables of embeddings in pieces, see packing.pyx."""

from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t

# Writes `n` rows of `places` pieces, each of `size` numbers; `pieces` has 256 of them for each place.
cdef void unpack(const uint8_t* codes, int64_t n, int64_t places, const int8_t* pieces, int32_t size,
                 int8_t* rows) noexcept nogil
