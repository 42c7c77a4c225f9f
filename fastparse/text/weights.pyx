"""Building tables of weights, and checking those of a file."""

import numpy as np

from fastparse.errors import ModelFormatError

LOAD = 0.45         # slots in use; one key in twenty then finds its bucket full
LARGEST = 32767


cdef class WeightTable:
    """A read-only table over an array of buckets.

    Attributes:
        buckets: uint64, a power of two of them.
        bias: the sum for a case without any known feature.
    """

    def __init__(self, buckets, int32_t bias):
        """Raises: ModelFormatError: for an array that cannot be a table."""
        if not isinstance(buckets, np.ndarray) or buckets.dtype != np.uint64 or buckets.ndim != 1:
            raise ModelFormatError("tokenizer: weights are not a row of uint64. Train the model again.")
        n = len(buckets)
        if n < 1 or n & (n - 1):
            raise ModelFormatError(f"tokenizer: {n} buckets of weights are no power of two. Train the model again.")
        if not -(1 << 20) < bias < 1 << 20:
            raise ModelFormatError(f"tokenizer: a bias of {bias} is out of range. Train the model again.")
        self.buckets = np.ascontiguousarray(buckets)
        cdef const uint64_t[::1] b = self.buckets
        self.w = Weights(&b[0], n - 1, bias)

    @property
    def bias(self) -> int:
        return self.w.bias

    @staticmethod
    def build(keys, weights, int32_t bias):
        """A table of these keys; of two with the same bucket and tag, and of more than fit, the largest stay."""
        weights = np.clip(weights, -LARGEST, LARGEST).astype(np.int32)
        order = np.lexsort((keys, -np.abs(weights)))
        cdef const uint64_t[::1] k = np.ascontiguousarray(np.asarray(keys, np.uint64)[order])
        cdef const int32_t[::1] v = np.ascontiguousarray(weights[order])
        cdef uint64_t size = 1, bucket
        while size * 2 * LOAD < len(k):
            size *= 2
        buckets = np.zeros(size, np.uint64)
        cdef uint64_t[::1] b = buckets
        cdef uint64_t slot
        cdef Py_ssize_t i
        for i in range(len(k)):
            bucket = b[k[i] & (size - 1)]
            slot = tag_of(k[i]) | <uint64_t><uint16_t><int16_t>v[i] << 16
            if bucket == 0:
                b[k[i] & (size - 1)] = slot
            elif bucket >> 32 == 0 and (bucket & 0xFFFF) != tag_of(k[i]):
                b[k[i] & (size - 1)] = bucket | slot << 32
        return WeightTable(buckets, bias)
