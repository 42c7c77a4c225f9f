/* Dense layers of one set of vector instructions. Included once per form, with these defined:
 *
 *     FP_FORM, FP_TITLE     suffix of the names; the form's name as text
 *     FP_TARGET             attributes of functions that use the instructions
 *     FP_V, FP_WIDE         a vector of FP_WIDE int32 sums
 *     FP_QUADS              quads of inputs per step
 *     FP_ROWS_2, .._3, .._4  words per tile with two, three and four vectors
 *     FP_START(p)           the vector of biases at p
 *     FP_WEIGHTS_2(p) ..    loads the weights of a step, if they are kept in registers
 *     FP_INPUT(i, p)        loads the inputs of word i for a step
 *     FP_MULTIPLY(i, v, nv, p)   adds to c<i>_<v>
 *     FP_SUM(c)             the sums of c, where several lanes are for one
 *     FP_MAX(a, b)          the larger sums
 *     FP_NARROW(a, shift, limit), FP_PUT_HALF(p, h), FP_PUT(p, a)    int16 results; sums as they are
 *     FP_F, FP_FLOATS(p)    a vector of FP_WIDE floats; FP_WIDE int16 as such
 *     FP_SET_F, FP_LOAD_F, FP_STORE_F, FP_ADD_F, FP_SUB_F, FP_MUL_F
 *     FP_PUT_BYTES(p, f)    floats below 2**22 rounded, halves to even, as bytes
 *
 *     FP_PUT_PAIR(i, v, u), FP_CROSSED    if outputs are packed crossed (form.h), 1, and what puts two vectors then
 *
 * and the functions add, hidden, dot and row_sums; with FP_OWN_OUTPUT also output, with FP_OWN_LARGEST largest.
 * Sums are kept in variables with names, since compilers spill arrays of vectors.
 */
#define FP_PASTE_(name, form) fp_##name##_##form
#define FP_PASTE(name, form) FP_PASTE_(name, form)
#define FP_NAME(name) FP_PASTE(name, FP_FORM)
#define FP_TILE_NAME_(name, vectors, rows, form) fp_##name##vectors##_##rows##_##form
#define FP_TILE_NAME__(name, vectors, rows, form) FP_TILE_NAME_(name, vectors, rows, form)
#define FP_TILE_NAME(name, vectors, rows) FP_TILE_NAME__(name, vectors, rows, FP_FORM)

#ifndef FASTPARSE_ENCODER_TILE_H
#define FASTPARSE_ENCODER_TILE_H
typedef struct {
    const uint8_t *const *rows; /* [words of the tile][taps] */
    const int8_t *weights;      /* of the panel, from the part of the outputs on that the tile is for */
    const int32_t *bias;
    int32_t taps, width, shift, limit;
    void *out;
    int64_t stride;
} FpTile;
typedef void (*FpTileRun)(const FpTile *);

#define FP_EACH_1(F) F(0)
#define FP_EACH_2(F) FP_EACH_1(F) F(1)
#define FP_EACH_3(F) FP_EACH_2(F) F(2)
#define FP_EACH_4(F) FP_EACH_3(F) F(3)
#define FP_EACH_5(F) FP_EACH_4(F) F(4)
#define FP_EACH_6(F) FP_EACH_5(F) F(5)
#define FP_EACH_7(F) FP_EACH_6(F) F(6)
#define FP_EACH_8(F) FP_EACH_7(F) F(7)

#define FP_OPEN_2(i) FP_V c##i##_0 = b0, c##i##_1 = b1;
#define FP_OPEN_3(i) FP_OPEN_2(i) FP_V c##i##_2 = b2;
#define FP_OPEN_4(i) FP_OPEN_3(i) FP_V c##i##_3 = b3;
#define FP_BIAS_2 const FP_V b0 = FP_START(t->bias), b1 = FP_START(t->bias + 16);
#define FP_BIAS_3 FP_BIAS_2 const FP_V b2 = FP_START(t->bias + 32);
#define FP_BIAS_4 FP_BIAS_3 const FP_V b3 = FP_START(t->bias + 48);
#define FP_POINT(i) const uint8_t *const x##i = t->rows[i * t->taps + tap];
#define FP_STEP_2(i) { FP_INPUT(i, x##i + k) FP_MULTIPLY(i, 0, 2, w) FP_MULTIPLY(i, 1, 2, w) }
#define FP_STEP_3(i) { FP_INPUT(i, x##i + k) FP_MULTIPLY(i, 0, 3, w) FP_MULTIPLY(i, 1, 3, w) FP_MULTIPLY(i, 2, 3, w) }
#define FP_STEP_4(i)                                                                              \
    { FP_INPUT(i, x##i + k) FP_MULTIPLY(i, 0, 4, w) FP_MULTIPLY(i, 1, 4, w) FP_MULTIPLY(i, 2, 4, w) \
      FP_MULTIPLY(i, 3, 4, w) }

#define FP_LARGEST_2(i) FP_MAX(FP_SUM(c##i##_0), FP_SUM(c##i##_1))
#define FP_LARGEST_3(i) FP_MAX(FP_LARGEST_2(i), FP_SUM(c##i##_2))
#define FP_END_maxout2(i) \
    FP_PUT_HALF((int16_t *)t->out + i * t->stride, FP_NARROW(FP_LARGEST_2(i), t->shift, t->limit));
#define FP_END_maxout3(i) \
    FP_PUT_HALF((int16_t *)t->out + i * t->stride, FP_NARROW(FP_LARGEST_3(i), t->shift, t->limit));
#define FP_PUT_NARROW(i, v) \
    FP_PUT_HALF((int16_t *)t->out + i * t->stride + 16 * v, FP_NARROW(FP_SUM(c##i##_##v), t->shift, t->limit));
#define FP_END_project4(i) FP_PUT_PAIR(i, 0, 1) FP_PUT_PAIR(i, 2, 3)
#define FP_END_sums2(i) \
    FP_PUT((int32_t *)t->out + i * t->stride, FP_SUM(c##i##_0)); \
    FP_PUT((int32_t *)t->out + i * t->stride + 16, FP_SUM(c##i##_1));

#define FP_TILE(name, vectors, n_rows)                                         \
    FP_TARGET static void FP_TILE_NAME(name, vectors, n_rows)(const FpTile *t) { \
        const int8_t *w = t->weights;                                          \
        FP_BIAS_##vectors                                                      \
        FP_EACH_##n_rows(FP_OPEN_##vectors)                                    \
        for (int32_t tap = 0; tap < t->taps; tap++) {                          \
            FP_EACH_##n_rows(FP_POINT)                                         \
            for (int64_t k = 0; k < t->width; k += 4 * FP_QUADS) {             \
                FP_WEIGHTS_##vectors(w)                                        \
                FP_EACH_##n_rows(FP_STEP_##vectors)                            \
                w += 64 * vectors * FP_QUADS;                                  \
            }                                                                  \
        }                                                                      \
        FP_EACH_##n_rows(FP_END_##name##vectors)                               \
    }

#define FP_TILES_1(name, vectors) FP_TILE(name, vectors, 1)
#define FP_TILES_2(name, vectors) FP_TILES_1(name, vectors) FP_TILE(name, vectors, 2)
#define FP_TILES_3(name, vectors) FP_TILES_2(name, vectors) FP_TILE(name, vectors, 3)
#define FP_TILES_4(name, vectors) FP_TILES_3(name, vectors) FP_TILE(name, vectors, 4)
#define FP_TILES_5(name, vectors) FP_TILES_4(name, vectors) FP_TILE(name, vectors, 5)
#define FP_TILES_6(name, vectors) FP_TILES_5(name, vectors) FP_TILE(name, vectors, 6)
#define FP_TILES_8(name, vectors) FP_TILES_6(name, vectors) FP_TILE(name, vectors, 7) FP_TILE(name, vectors, 8)
#define FP_LIST_1(name, v) FP_TILE_NAME(name, v, 1)
#define FP_LIST_2(name, v) FP_LIST_1(name, v), FP_TILE_NAME(name, v, 2)
#define FP_LIST_3(name, v) FP_LIST_2(name, v), FP_TILE_NAME(name, v, 3)
#define FP_LIST_4(name, v) FP_LIST_3(name, v), FP_TILE_NAME(name, v, 4)
#define FP_LIST_5(name, v) FP_LIST_4(name, v), FP_TILE_NAME(name, v, 5)
#define FP_LIST_6(name, v) FP_LIST_5(name, v), FP_TILE_NAME(name, v, 6)
#define FP_LIST_8(name, v) FP_LIST_6(name, v), FP_TILE_NAME(name, v, 7), FP_TILE_NAME(name, v, 8)
#define FP_JOIN_(a, b) a##b
#define FP_JOIN(a, b) FP_JOIN_(a, b)
#endif

#ifndef FP_PUT_PAIR
#define FP_PUT_PAIR(i, v, u) FP_PUT_NARROW(i, v) FP_PUT_NARROW(i, u)
#define FP_CROSSED 0
#endif

FP_JOIN(FP_TILES_, FP_ROWS_2)(maxout, 2)
FP_JOIN(FP_TILES_, FP_ROWS_3)(maxout, 3)
FP_JOIN(FP_TILES_, FP_ROWS_4)(project, 4)
FP_JOIN(FP_TILES_, FP_ROWS_2)(sums, 2)

static const FpTileRun FP_NAME(maxout2)[] = {FP_JOIN(FP_LIST_, FP_ROWS_2)(maxout, 2)};
static const FpTileRun FP_NAME(maxout3)[] = {FP_JOIN(FP_LIST_, FP_ROWS_3)(maxout, 3)};
static const FpTileRun FP_NAME(project4)[] = {FP_JOIN(FP_LIST_, FP_ROWS_4)(project, 4)};
static const FpTileRun FP_NAME(sums2)[] = {FP_JOIN(FP_LIST_, FP_ROWS_2)(sums, 2)};

/* All words with one panel; `size` is that of a result. */
static void FP_NAME(panel)(const FpDense *d, int32_t panel, const FpTileRun *run, int32_t most,
                           const uint8_t *const *rows, int32_t n, char *out, int64_t stride, int32_t size) {
    const int64_t outputs = d->vectors * FP_LANES;
    FpTile t = {0};
    t.taps = d->taps, t.width = d->width, t.shift = d->shift, t.limit = d->limit, t.stride = stride;
    for (int32_t r = 0; r < n; r += most) {
        const int32_t left = n - r < most ? n - r : most;
        t.rows = rows + (int64_t)r * d->taps;
        for (int32_t part = 0; part < FP_LANES; part += FP_WIDE) {
            t.weights = (const int8_t *)d->weights + panel * outputs * d->taps * d->width + 4 * part;
            t.bias = d->bias + panel * outputs + part;
            t.out = out + ((int64_t)r * stride + part) * size;
            run[left - 1](&t);
        }
    }
}

static void FP_NAME(maxout)(const FpDense *d, const uint8_t *const *rows, int32_t n, int16_t *out, int64_t stride) {
    const FpTileRun *const run = d->vectors == 2 ? FP_NAME(maxout2) : FP_NAME(maxout3);
    const int32_t most = d->vectors == 2 ? FP_ROWS_2 : FP_ROWS_3;
    for (int32_t p = 0; p < d->panels; p++)
        FP_NAME(panel)(d, p, run, most, rows, n, (char *)(out + p * FP_LANES), stride, 2);
}

static void FP_NAME(project)(const FpDense *d, const uint8_t *const *rows, int32_t n, int16_t *out, int64_t stride,
                             int32_t panels, int64_t block_stride) {
    for (int32_t p = 0; p < d->panels; p++) {
        int16_t *const to = out + (p / panels) * block_stride + (p % panels) * 4 * FP_LANES;
        FP_NAME(panel)(d, p, FP_NAME(project4), FP_ROWS_4, rows, n, (char *)to, stride, 2);
    }
}

static void FP_NAME(sums)(const FpDense *d, const uint8_t *const *rows, int32_t n, int32_t *out, int64_t stride) {
    for (int32_t p = 0; p < d->panels; p++)
        FP_NAME(panel)(d, p, FP_NAME(sums2), FP_ROWS_2, rows, n, (char *)(out + p * 2 * FP_LANES), stride, 4);
}

FP_TARGET static void FP_NAME(embed)(const FpSegment *segments, int32_t n_segments, const int32_t *ids,
                                     const int32_t *ends, int32_t begin, int32_t n, uint8_t *out, int32_t width) {
    fp_embed_rows(segments, n_segments, ids, ends, begin, n, out, width, FP_NAME(add));
}

FP_TARGET static void FP_NAME(norm)(const FpNorm *norm, const int16_t *sums, int32_t n, int32_t width,
                                    float *FP_RESTRICT values, uint8_t *FP_RESTRICT bytes) {
    const FP_F scale = FP_SET_F(norm->scale);
    const float *const gain = norm->gain, *const offset = norm->offset;
    const int32_t residual = norm->residual;
    for (int32_t w = 0; w < n; w++, sums += width, values += width, bytes += width) {
        int32_t sum;
        uint64_t squares;
        float mean, inverse;
        FP_NAME(row_sums)(sums, width, &sum, &squares);
        fp_moments(sum, squares, width, norm->epsilon, &mean, &inverse);
        for (int32_t i = 0; i < width; i += FP_WIDE) {
            FP_F x = FP_MUL_F(FP_SUB_F(FP_FLOATS(sums + i), FP_SET_F(mean)), FP_SET_F(inverse));
            x = FP_ADD_F(FP_MUL_F(x, FP_LOAD_F(gain + i)), FP_LOAD_F(offset + i));
            if (residual) x = FP_ADD_F(FP_LOAD_F(values + i), x);
            FP_STORE_F(values + i, x);
            FP_PUT_BYTES(bytes + i, FP_MUL_F(x, scale));
        }
    }
}

#ifndef FP_OWN_LARGEST
FP_TARGET static int32_t FP_NAME(largest)(const int32_t *x, int32_t n) { return fp_largest_place(x, n); }
#endif

#ifndef FP_OWN_OUTPUT
static void FP_NAME(output)(const FpDense *d, const uint8_t *row, int32_t *out) { FP_NAME(sums)(d, &row, 1, out, 0); }
#endif

static const FpForm FP_NAME(form) = {
    FP_TITLE,        0,              FP_CROSSED,    FP_NAME(maxout), FP_NAME(project), FP_NAME(sums),
    FP_NAME(output), FP_NAME(embed), FP_NAME(norm), FP_NAME(hidden), FP_NAME(dot),     FP_NAME(largest),
};

#undef FP_OWN_OUTPUT
#undef FP_OWN_LARGEST
#undef FP_PUT_PAIR
#undef FP_CROSSED
#undef FP_FORM
#undef FP_TITLE
#undef FP_TARGET
#undef FP_V
#undef FP_WIDE
#undef FP_QUADS
#undef FP_ROWS_2
#undef FP_ROWS_3
#undef FP_ROWS_4
#undef FP_START
#undef FP_WEIGHTS_2
#undef FP_WEIGHTS_3
#undef FP_WEIGHTS_4
#undef FP_INPUT
#undef FP_MULTIPLY
#undef FP_SUM
#undef FP_MAX
#undef FP_NARROW
#undef FP_PUT_HALF
#undef FP_PUT
#undef FP_F
#undef FP_FLOATS
#undef FP_SET_F
#undef FP_LOAD_F
#undef FP_STORE_F
#undef FP_ADD_F
#undef FP_SUB_F
#undef FP_MUL_F
#undef FP_PUT_BYTES
#undef FP_PASTE_
#undef FP_PASTE
#undef FP_NAME
#undef FP_TILE_NAME_
#undef FP_TILE_NAME__
#undef FP_TILE_NAME
