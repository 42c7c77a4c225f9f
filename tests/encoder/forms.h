/* All forms that this machine can run against the plain one, on random layers of many shapes, some with nothing but the
 * largest values. Prints the forms, a hash of all results, and which function of which form differs. */
#include <stdio.h>
#include <stdlib.h>
#include "fastparse/encoder/kernels/kernels.h"

enum { TRIALS = 100, MOST_WORDS = 40, MOST_WIDTH = 256, MOST_OUTPUTS = 3 * 512 };

static uint32_t state = 1;

static int32_t between(int32_t low, int32_t high) {
    state = state * 1664525u + 1013904223u;
    return low + (int32_t)((state >> 8) % (uint32_t)(high - low + 1));
}

static void *zeros(size_t size) {
    void *place = aligned_alloc(64, (size + 127) / 64 * 64);
    if (!place) exit(2);
    return memset(place, 0, (size + 127) / 64 * 64);
}

static uint64_t hash(const void *data, size_t size) {
    uint64_t h = 14695981039346656037u;
    for (size_t i = 0; i < size; i++) h = (h ^ ((const uint8_t *)data)[i]) * 1099511628211u;
    return h;
}

typedef struct {
    int32_t width, pieces, taps, words, shift, hidden, slots, outputs, n_rows;
    int8_t *weights;        /* [MOST_OUTPUTS][3 * MOST_WIDTH] */
    int32_t *bias;
    uint8_t *bytes;         /* [MOST_WORDS][MOST_WIDTH] */
    const uint8_t **rows;   /* [MOST_WORDS][3] */
    int16_t *state_rows;    /* [20][1024] */
    float *gain, *offset;
    int32_t *ids, *ends;
} Case;

static Case drawn(int extreme) {
    Case c = {0};
    c.width = 16 * between(1, MOST_WIDTH / 16), c.pieces = between(2, 3), c.taps = between(0, 1) ? 3 : 1;
    c.words = between(1, MOST_WORDS), c.shift = between(0, 8), c.hidden = 32 * between(1, 8), c.slots = between(1, 3);
    c.outputs = between(1, 100), c.n_rows = between(1, 20);
    c.weights = zeros(MOST_OUTPUTS * 3 * MOST_WIDTH), c.bias = zeros(MOST_OUTPUTS * 4);
    c.bytes = zeros(MOST_WORDS * MOST_WIDTH), c.rows = zeros(MOST_WORDS * 3 * sizeof(uint8_t *));
    c.state_rows = zeros(20 * 1024 * 2), c.gain = zeros(MOST_WIDTH * 4), c.offset = zeros(MOST_WIDTH * 4);
    c.ids = zeros(MOST_WORDS * 2 * 9 * 4), c.ends = zeros(MOST_WORDS * 2 * 4);
    for (int32_t i = 0; i < MOST_OUTPUTS * 3 * MOST_WIDTH; i++)
        c.weights[i] = (int8_t)(extreme ? 126 * between(0, 1) - 63 : between(-63, 63));
    for (int32_t i = 0; i < MOST_OUTPUTS; i++) c.bias[i] = between(-20000, 20000);
    for (int32_t i = 0; i < MOST_WORDS * MOST_WIDTH; i++)
        c.bytes[i] = (uint8_t)(extreme ? 127 * between(0, 1) : between(0, 127));
    for (int32_t i = 0; i < MOST_WORDS * 3; i++) c.rows[i] = c.bytes + MOST_WIDTH * between(0, MOST_WORDS - 1);
    for (int32_t i = 0; i < 20 * 1024; i++) c.state_rows[i] = (int16_t)between(-1500, 1500);
    for (int32_t i = 0; i < MOST_WIDTH; i++) {
        c.gain[i] = (float)between(-1000, 1000) / 300.0f;
        c.offset[i] = (float)between(-1000, 1000) / 700.0f;
    }
    for (int32_t i = 0, end = 0; i < MOST_WORDS * 2; i++) {
        for (int32_t n = between(0, 9); n; n--) c.ids[end++] = between(-1, 100);
        c.ends[i] = end;
    }
    return c;
}

static FpDense packed(const FpForm *form, const Case *c, int32_t vectors, int32_t taps, int32_t outputs, int maxout) {
    const int32_t panel = (maxout ? 1 : vectors) * FP_LANES;
    FpDense d = {0};
    d.taps = taps, d.width = c->width, d.vectors = vectors, d.shift = c->shift, d.limit = maxout ? FP_NORM_LIMIT : 1400;
    d.panels = ((maxout ? c->width : outputs) + panel - 1) / panel;
    d.weights = zeros((size_t)fp_packed_size(form, &d));
    d.bias = zeros((size_t)d.panels * vectors * FP_LANES * 4);
    fp_pack(form, &d, c->weights, c->bias, outputs, maxout ? c->width : FP_LANES, (void *)d.weights, (int32_t *)d.bias);
    return d;
}

static void drop(FpDense *d) {
    free((void *)d->weights);
    free((void *)d->bias);
}

enum { RESULTS = 10 };
static const char *const NAMES[RESULTS] = {"maxout", "values", "norm", "project", "sums", "output", "hidden", "dot",
                                           "embed",  "largest"};

static void results_of(const FpForm *form, const Case *c, uint64_t *results) {
    const FpNorm norm = {c->gain, c->offset, 1.5, 17.3f, c->words % 2};
    const FpSegment segments[2] = {{c->weights, 90, 48, 1}, {c->weights, 100, 64, 2}};
    const size_t row = 2 * (size_t)c->hidden, most = MOST_WORDS * 3 * 512 + 1024;
    FpDense layer = packed(form, c, c->pieces, c->taps, c->pieces * c->width, 1);
    FpDense slots = packed(form, c, 4, 1, c->slots * 2 * c->hidden, 0);
    FpDense scores = packed(form, c, 2, 1, c->outputs, 0);
    const int16_t *state[20];
    int16_t *sums = zeros(2 * most);
    float *values = zeros(4 * most);
    uint8_t *bytes = zeros(most);
    int32_t *wide = zeros(4 * most), dot, largest;
    for (int32_t i = 0; i < c->words * c->width; i++) values[i] = (float)i / 1000.0f;
    for (int32_t i = 0; i < 20; i++) state[i] = c->state_rows + 1024 * i;
    form->maxout(&layer, c->rows, c->words, sums, c->width);
    results[0] = hash(sums, 2 * (size_t)(c->words * c->width));
    form->norm(&norm, sums, c->words, c->width, values, bytes);
    results[1] = hash(values, 4 * (size_t)(c->words * c->width));
    results[2] = hash(bytes, (size_t)(c->words * c->width));
    memset(sums, 0, 2 * most);
    form->project(&slots, c->rows, c->words, sums, (int64_t)row, (int32_t)row / 64, (int64_t)row * MOST_WORDS);
    results[3] = hash(sums, 2 * row * MOST_WORDS * (size_t)c->slots);
    form->sums(&scores, c->rows, c->words, wide, 128);
    results[4] = hash(wide, 4 * 128 * (size_t)c->words);
    form->output(&scores, c->rows[0], wide);
    results[5] = hash(wide, 4 * 32 * (size_t)scores.panels);
    form->hidden(state, c->n_rows, c->hidden, c->shift % 5, bytes);
    results[6] = hash(bytes, (size_t)c->hidden);
    dot = form->dot(c->bytes, c->weights, c->width);
    results[7] = hash(&dot, 4);
    form->embed(segments, 2, c->ids, c->ends, 0, c->words, bytes, 112);
    results[8] = hash(bytes, 112 * (size_t)c->words);
    form->sums(&scores, c->rows, 1, wide, 128);
    for (int32_t i = 0; i < c->outputs; i++) wide[i] /= 1 << 12; /* so that some are equal */
    largest = form->largest(wide, c->outputs);
    results[9] = hash(&largest, 4);
    drop(&layer), drop(&slots), drop(&scores);
    free(sums), free(values), free(bytes), free(wide);
}

int main(void) {
    const FpForm *forms[FP_MOST_FORMS];
    const int32_t n = fp_forms(forms);
    uint64_t all = 0, results[FP_MOST_FORMS][RESULTS];
    int differ = 0;
    for (int32_t f = 0; f < n; f++) printf("%s ", forms[f]->name);
    for (int32_t trial = 0; trial < TRIALS; trial++) {
        Case c = drawn(trial % 3 == 0);
        for (int32_t f = 0; f < n; f++) {
            results_of(forms[f], &c, results[f]);
            for (int32_t r = 0; r < RESULTS; r++) {
                all = f ? all : all * 31 + results[0][r];
                if (results[f][r] == results[0][r]) continue;
                printf("\ntrial %d: %s of %s differs", (int)trial, NAMES[r], forms[f]->name);
                differ = 1;
            }
        }
        free(c.weights), free(c.bias), free(c.bytes), free(c.rows), free(c.state_rows), free(c.gain), free(c.offset);
        free(c.ids), free(c.ends);
    }
    printf("\n%016llx\n", (unsigned long long)all);
    return differ;
}
