/* What the byte arithmetic needs of a set of vector instructions, and the shapes its functions share.
 *
 * Activations are bytes 0..127 that stand for -64..63; weights are bytes -63..63. A dense layer is packed in panels: the
 * `vectors` times 16 outputs of a panel lie together, so that a panel stays in the first cache while all words pass.
 * The order within a panel is the same for all sets of instructions but the plain one:
 *
 *     weights[panel][input / 4][vector][output % 16][input % 4]        int8
 *     bias[panel][vector][output % 16]                                 int32
 *
 * where the bias holds the rounding of the shift and -64 times the sum of the output's weights, so that a sum over
 * bytes 0..127 is a sum over -64..63. The plain form has int16 weights [panel][vector][output % 16][input]. Forms that
 * narrow two vectors at once, 128 bits by 128 bits, have the outputs of layers of four vectors in another order.
 */
#ifndef FASTPARSE_ENCODER_FORM_H
#define FASTPARSE_ENCODER_FORM_H

#include <stdint.h>

#define FP_ZERO_POINT 64              /* the byte that stands for 0 */
#define FP_LARGEST_BYTE 127
#define FP_LARGEST_WEIGHT 63
#define FP_NORM_LIMIT 8191      /* of what a layer norm reads */
#define FP_LANES 16             /* outputs of a vector of a panel */
#define FP_MOST_INPUTS 1024     /* of a dense layer, taps * width; also the longest row of a state */
#define FP_MOST_IDS 255         /* of a word in a segment: so many int8 fit into an int16 sum */

typedef struct {
    const void *weights;        /* packed, aligned to 64 bytes; owned by the encoder */
    const int32_t *bias;        /* [panels][vectors][16], aligned to 64 bytes; owned by the encoder */
    int32_t taps;               /* rows of bytes that an output reads */
    int32_t width;              /* bytes of such a row, a multiple of 16 */
    int32_t vectors;            /* per panel: the pieces of a maxout (2 or 3), 4 for `project`, 2 for `sums` */
    int32_t panels;
    int32_t shift;              /* sums are divided by 2**shift, rounded (halves up), then clamped to +-limit */
    int32_t limit;
} FpDense;

typedef struct {
    const int8_t *rows;         /* [n][width]; borrowed from the arrays of the model */
    int32_t n;
    int32_t width;              /* a multiple of 16 */
    int32_t shift;              /* sums of rows are divided by 2**shift, rounded (halves up) */
} FpSegment;

typedef struct {
    const float *gain;          /* [width] */
    const float *offset;        /* [width] */
    double epsilon;             /* added to the variance, in squared units of the int16 sums */
    float scale;                /* from values to bytes */
    int32_t residual;           /* 0: the normed values, 1: what they are added to */
} FpNorm;

/* A set of instructions. All functions of all forms give the same integers. */
typedef struct {
    const char *name;
    int32_t plain;              /* weights are packed as int16 in rows */
    int32_t crossed;            /* outputs of layers of four vectors are packed as fp_crossed says */
    /* out[row * stride + panel * 16 + j] = the largest of the `vectors` sums; rows: [n][taps] pointers to bytes. */
    void (*maxout)(const FpDense *, const uint8_t *const *rows, int32_t n, int16_t *out, int64_t stride);
    /* 64 outputs per panel: out[block * block_stride + row * stride + j], `panels` panels to a block; one tap. */
    void (*project)(const FpDense *, const uint8_t *const *rows, int32_t n, int16_t *out, int64_t stride,
                    int32_t panels, int64_t block_stride);
    /* The sums themselves, 32 per panel: out[row * stride + panel * 32 + j]; one tap. */
    void (*sums)(const FpDense *, const uint8_t *const *rows, int32_t n, int32_t *out, int64_t stride);
    /* The same for one row: out[panel * 32 + j]. */
    void (*output)(const FpDense *, const uint8_t *row, int32_t *out);
    /* Bytes of the embeddings of `n` words; `ends` [n][n_segments] are places in `ids`, `begin` the first of them. */
    void (*embed)(const FpSegment *, int32_t n_segments, const int32_t *ids, const int32_t *ends, int32_t begin,
                  int32_t n, uint8_t *out, int32_t width);
    /* values = normed sums (+ values), bytes = values * scale; all [n][width]. */
    void (*norm)(const FpNorm *, const int16_t *sums, int32_t n, int32_t width, float *values, uint8_t *bytes);
    /* out[j] = byte of max(s[j], s[hidden + j]) / 2**shift, s the sum of `n` rows [2 * hidden]; the sum holds 64 and the
     * rounding already. hidden is a multiple of 32. */
    void (*hidden)(const int16_t *const *rows, int32_t n, int32_t hidden, int32_t shift, uint8_t *out);
    /* Sum of the products of bytes 0..127 and int8 within +-63; n is a multiple of 16. */
    int32_t (*dot)(const uint8_t *bytes, const int8_t *weights, int32_t n);
    /* The first place of the largest of n >= 1 numbers. */
    int32_t (*largest)(const int32_t *x, int32_t n);
} FpForm;

#endif
