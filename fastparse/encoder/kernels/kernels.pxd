"""Forms of the byte arithmetic (form.h): which there are, and packing of layers for one of them."""

from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t

cdef extern from "fastparse/encoder/kernels/form.h" nogil:
    enum:
        LANES "FP_LANES"                # outputs of a vector of a panel
        ZERO_POINT "FP_ZERO_POINT"      # the byte that stands for 0
        LARGEST_WEIGHT "FP_LARGEST_WEIGHT"
        NORM_LIMIT "FP_NORM_LIMIT"
    ctypedef struct Dense "FpDense":
        const void* weights
        const int32_t* bias
        int32_t taps
        int32_t width
        int32_t vectors
        int32_t panels
        int32_t shift
        int32_t limit
    ctypedef struct Segment "FpSegment":
        const int8_t* rows
        int32_t n
        int32_t width
        int32_t shift
    ctypedef struct Norm "FpNorm":
        const float* gain
        const float* offset
        double epsilon
        float scale
        int32_t residual
    ctypedef struct Form "FpForm":
        const char* name
        void (*maxout)(const Dense*, const uint8_t** rows, int32_t n, int16_t* out, int64_t stride) noexcept nogil
        void (*project)(const Dense*, const uint8_t** rows, int32_t n, int16_t* out, int64_t stride, int32_t panels,
                        int64_t block_stride) noexcept nogil
        void (*sums)(const Dense*, const uint8_t** rows, int32_t n, int32_t* out, int64_t stride) noexcept nogil
        void (*output)(const Dense*, const uint8_t* row, int32_t* out) noexcept nogil
        void (*embed)(const Segment*, int32_t n_segments, const int32_t* ids, const int32_t* ends, int32_t begin,
                      int32_t n, uint8_t* out, int32_t width) noexcept nogil
        void (*norm)(const Norm*, const int16_t* sums, int32_t n, int32_t width, float* values,
                     uint8_t* bytes) noexcept nogil
        void (*hidden)(const int16_t** rows, int32_t n, int32_t hidden, int32_t shift, uint8_t* out) noexcept nogil
        int32_t (*dot)(const uint8_t* bytes, const int8_t* weights, int32_t n) noexcept nogil
        int32_t (*largest)(const int32_t* x, int32_t n) noexcept nogil

# The form of a name, one of kernels(); NULL and an error for others.
cdef const Form* form_named(str name) except NULL
# Bytes that the weights of a layer take when packed for a form.
cdef int64_t packed_size(const Form* form, const Dense* dense) noexcept nogil
# Packs weights [outputs][taps * width] and their bias; see fp_pack.
cdef void pack(const Form* form, const Dense* dense, const int8_t* weights, const int32_t* bias, int32_t outputs,
               int32_t step, void* packed_weights, int32_t* packed_bias) noexcept nogil
