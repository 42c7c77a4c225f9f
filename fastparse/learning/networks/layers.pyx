"""The layers around the matrix products, forward and backward, over rows of float32: one row per word.

Gradients are added to what is there, but for those of a layer's own input to its product. Dropout draws its bits from a
seed and the place of a number, so that nothing is kept of it: backward draws the same again.
"""

from libc.math cimport sqrt
from libc.stdint cimport int32_t, uint8_t, uint64_t
from libc.string cimport memcpy, memset

from fastparse.encoder.reals cimport exp, log
from fastparse.learning.networks.numbers cimport add_to, bits_at, dot, threshold_of

cdef enum:
    DROPPED = 0x80              # in `which`: the number was dropped
    PIECE = 0x7F


def clear(float[::1] x):
    """Zeros."""
    if x.shape[0]:
        with nogil:
            memset(&x[0], 0, x.shape[0] * sizeof(float))


# ── inputs ──

def embed(const int32_t[:, ::1] ids, int first, int last, const float[:, ::1] table, float[:, ::1] out, int at):
    """out[i, at:] = sum of the table's rows ids[i, first:last]; id 0 stands for nothing."""
    cdef Py_ssize_t i
    cdef int c, size = table.shape[1]
    with nogil:
        for i in range(ids.shape[0]):
            memset(&out[i, at], 0, size * sizeof(float))
            for c in range(first, last):
                if ids[i, c] > 0:
                    add_to(&out[i, at], &table[ids[i, c], 0], size)


def embed_backward(const int32_t[:, ::1] ids, int first, int last, const float[:, ::1] d_out, int at,
                   float[:, ::1] d_table):
    cdef Py_ssize_t i
    cdef int c, size = d_table.shape[1]
    with nogil:
        for i in range(ids.shape[0]):
            for c in range(first, last):
                if ids[i, c] > 0:
                    add_to(&d_table[ids[i, c], 0], &d_out[i, at], size)


def drop(float[:, ::1] x, uint64_t seed, double rate):
    """Dropout in place; on a gradient with the same seed, its backward."""
    cdef Py_ssize_t i, k, width = x.shape[1]
    cdef uint64_t bits = 0
    cdef int least = threshold_of(rate)
    cdef float scale = <float>(256.0 / (256 - least))
    if least <= 0:
        return
    with nogil:
        for i in range(x.shape[0]):
            for k in range(width):
                if k & 7 == 0:
                    bits = bits_at(seed, i * width + k)
                x[i, k] = x[i, k] * scale if <int>(bits & 255) >= least else 0
                bits >>= 8


# ── convolution ──

def neighbours(const float[:, ::1] x, const int32_t[::1] start, const int32_t[::1] end, int distance,
               float[:, ::1] out):
    """out[i] = [x[i - distance]; x[i]; x[i + distance]], zeros outside the sentence start[i]..end[i] - 1 of row i."""
    cdef Py_ssize_t i
    cdef int width = x.shape[1]
    with nogil:
        for i in range(x.shape[0]):
            if i - distance >= start[i]:
                memcpy(&out[i, 0], &x[i - distance, 0], width * sizeof(float))
            else:
                memset(&out[i, 0], 0, width * sizeof(float))
            memcpy(&out[i, width], &x[i, 0], width * sizeof(float))
            if i + distance < end[i]:
                memcpy(&out[i, 2 * width], &x[i + distance, 0], width * sizeof(float))
            else:
                memset(&out[i, 2 * width], 0, width * sizeof(float))


def neighbours_backward(const float[:, ::1] d_out, const int32_t[::1] start, const int32_t[::1] end, int distance,
                        float[:, ::1] d_x):
    cdef Py_ssize_t i
    cdef int width = d_x.shape[1]
    with nogil:
        for i in range(d_x.shape[0]):
            add_to(&d_x[i, 0], &d_out[i, width], width)
            if i - distance >= start[i]:
                add_to(&d_x[i - distance, 0], &d_out[i, 0], width)
            if i + distance < end[i]:
                add_to(&d_x[i + distance, 0], &d_out[i, 2 * width], width)


# ── maxout, layer norm, dropout, residual sum ──

def maxout_norm(float[:, ::1] pieces, const float[::1] bias, const float[::1] gain, const float[::1] shift,
                const float[:, ::1] residual, float[:, ::1] out, float[:, ::1] normal, float[::1] inverse,
                uint8_t[:, ::1] which, uint64_t seed, double rate):
    """out = residual + dropout(gain * normal + shift), normal being the layer norm of the largest piece.

    Args:
        pieces: piece p of number k in column p * width + k, without the bias.
        residual: None: zeros.
        normal, inverse, which: kept for backward: the normalised numbers, 1 / their deviation, the piece that won.
    """
    cdef Py_ssize_t i
    cdef int k, width = out.shape[1], n_pieces = pieces.shape[1] // out.shape[1], least = threshold_of(rate)
    cdef float scale = <float>(256.0 / (256 - least)), mean, variance, y, factor
    cdef float* x
    cdef float* row
    cdef uint64_t bits = 0
    cdef bint has_residual = residual is not None
    with nogil:
        for i in range(out.shape[0]):
            row = &normal[i, 0]
            x = &pieces[i, 0]
            add_to(x, &bias[0], n_pieces * width)
            largest(x, n_pieces, width, row, &which[i, 0])
            mean = total(row, width) / width
            for k in range(width):
                row[k] -= mean
            variance = dot(row, row, width) / width
            factor = <float>(1 / sqrt(variance + 1e-5))
            inverse[i] = factor
            for k in range(width):
                row[k] *= factor
            for k in range(width):
                if k & 7 == 0:
                    bits = bits_at(seed, i * width + k)
                if <int>(bits & 255) < least:
                    which[i, k] |= DROPPED
                    y = 0
                else:
                    y = (gain[k] * row[k] + shift[k]) * scale
                bits >>= 8
                out[i, k] = y + residual[i, k] if has_residual else y


cdef inline void largest(const float* x, int n_pieces, int width, float* best, uint8_t* which) noexcept nogil:
    """The largest piece of each number; in a tie the first."""
    cdef int p, k
    memcpy(best, x, width * sizeof(float))
    for p in range(1, n_pieces):
        for k in range(width):
            best[k] = x[p * width + k] if x[p * width + k] > best[k] else best[k]
    for k in range(width):
        which[k] = 0
    for p in range(n_pieces - 2, -1, -1):       # without branches, which would be mispredicted half of the time
        for k in range(width):
            which[k] = <uint8_t>((x[p * width + k] != best[k]) * (which[k] + 1))


cdef inline float total(const float* x, int n) noexcept nogil:
    cdef float s0 = 0, s1 = 0, s2 = 0, s3 = 0
    cdef int i
    for i in range(0, n, 4):
        s0 += x[i]
        s1 += x[i + 1]
        s2 += x[i + 2]
        s3 += x[i + 3]
    return (s0 + s1) + (s2 + s3)


def maxout_norm_backward(const float[:, ::1] d_out, const float[::1] gain, const float[:, ::1] normal,
                         const float[::1] inverse, const uint8_t[:, ::1] which, double rate, float[:, ::1] d_pieces,
                         float[::1] d_bias, float[::1] d_gain, float[::1] d_shift, float[::1] scratch):
    """The residual's gradient is d_out itself; d_pieces is overwritten. scratch: room for a row."""
    cdef Py_ssize_t i
    cdef int k, width = d_out.shape[1], n_pieces = d_pieces.shape[1] // d_out.shape[1]
    cdef int least = threshold_of(rate)
    cdef float scale = <float>(256.0 / (256 - least)), mean, along, d
    cdef const float* row
    cdef float* g = &scratch[0]
    cdef float* x
    with nogil:
        for i in range(d_out.shape[0]):
            row = &normal[i, 0]
            x = &d_pieces[i, 0]
            for k in range(width):
                d = 0 if which[i, k] & DROPPED else d_out[i, k] * scale
                d_gain[k] += d * row[k]
                d_shift[k] += d
                g[k] = d * gain[k]
            mean = total(g, width) / width
            along = dot(g, row, width) / width
            memset(x, 0, n_pieces * width * sizeof(float))
            for k in range(width):
                x[(which[i, k] & PIECE) * width + k] = inverse[i] * (g[k] - mean - row[k] * along)
            add_to(&d_bias[0], x, n_pieces * width)


# ── outputs ──

def softmax_loss(const float[:, ::1] scores, const float[::1] offset, const int32_t[::1] gold, double weight,
                 float[:, ::1] d_scores, float[::1] d_offset, int32_t[::1] best, const float[:, ::1] said=None,
                 double share=0):
    """Loss -log softmax(scores + offset)[gold], times weight, of the rows whose gold is not negative.

    Args:
        said, share: probabilities of the classes of each row that have this share in what is aimed at.

    Returns:
        The loss without its weight, and the number of rows in which the gold class has the highest score; `best` gets
        the class that has.
    """
    cdef Py_ssize_t i
    cdef int k, n = scores.shape[1], right = 0
    cdef double loss = 0, sum_, top
    cdef float factor, of_said = <float>(share * weight)
    cdef bint taught = said is not None
    with nogil:
        for i in range(scores.shape[0]):
            if gold[i] < 0:
                memset(&d_scores[i, 0], 0, n * sizeof(float))
                best[i] = -1
                continue
            top, best[i] = scores[i, 0] + offset[0], 0
            for k in range(1, n):
                if scores[i, k] + offset[k] > top:
                    top, best[i] = scores[i, k] + offset[k], k
            sum_ = 0
            for k in range(n):
                d_scores[i, k] = <float>exp(scores[i, k] + offset[k] - top)
                sum_ += d_scores[i, k]
            loss += top + log(sum_) - (1 - share) * (scores[i, gold[i]] + offset[gold[i]])
            factor = <float>(weight / sum_)
            for k in range(n):
                d_scores[i, k] *= factor
            d_scores[i, gold[i]] -= <float>((1 - share) * weight)
            if taught:
                for k in range(n):
                    loss -= share * said[i, k] * (scores[i, k] + offset[k])
                    d_scores[i, k] -= of_said * said[i, k]
            add_to(&d_offset[0], &d_scores[i, 0], n)
            right += best[i] == gold[i]
    return loss, right


# ── optimisation ──

def merge(float[::1] gradient, const float[::1] other):
    """Adds another gradient (None: nothing); returns the sum of the squares, in double precision."""
    cdef Py_ssize_t i
    cdef double s = 0
    cdef bint two = other is not None
    with nogil:
        for i in range(gradient.shape[0]):
            if two:
                gradient[i] += other[i]
            s += <double>gradient[i] * gradient[i]
    return s


def adam(float[::1] x, const float[::1] gradient, float[::1] first, float[::1] second, double rate, double keep_first,
         double keep_second, double decay, double factor, int step, float[::1] mean=None, double share=0):
    """One step of Adam with decoupled decay.

    Args:
        first, second: the running means of the gradient and its square.
        factor: of the gradient (clipping).
        step: counts from 1.
        mean: if given, a running mean of x, which comes nearer to x by this share.
    """
    cdef Py_ssize_t i
    cdef float near = <float>share
    cdef FpAdam a
    a.factor, a.keep_first, a.keep_second = <float>factor, <float>keep_first, <float>keep_second
    a.size, a.shrink = <float>(rate / (1 - power(keep_first, step))), <float>(1 - rate * decay)
    a.spread = <float>(1 / (1 - power(keep_second, step)))
    if x.shape[0] == 0:
        return
    with nogil:
        fp_adam(&a, x.shape[0], &x[0], &gradient[0], &first[0], &second[0])
        if mean is not None:
            for i in range(x.shape[0]):
                mean[i] += near * (x[i] - mean[i])


cdef double power(double x, int n) noexcept nogil:
    cdef double y = 1
    while n:
        if n & 1:
            y *= x
        x *= x
        n >>= 1
    return y


def probabilities(float[:, ::1] scores, const float[::1] offset, double share):
    """Puts softmax(scores + offset) of each row, times share, in the place of the scores."""
    cdef Py_ssize_t i
    cdef int k, n = scores.shape[1]
    cdef double sum_
    cdef float top, factor
    with nogil:
        for i in range(scores.shape[0]):
            top, sum_ = scores[i, 0] + offset[0], 0
            for k in range(n):
                scores[i, k] += offset[k]
                top = scores[i, k] if scores[i, k] > top else top
            for k in range(n):
                scores[i, k] = <float>exp(scores[i, k] - top)
                sum_ += scores[i, k]
            factor = <float>(share / sum_)
            for k in range(n):
                scores[i, k] *= factor


cdef extern from "fastparse/learning/networks/adam.h" nogil:
    ctypedef struct FpAdam:
        float factor, keep_first, keep_second, size, spread, shrink
    void fp_adam(const FpAdam* a, Py_ssize_t n, float* x, const float* gradient, float* first, float* second)
