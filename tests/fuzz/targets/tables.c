/* Tables of weights with any content that fastparse/weights/checking.pyx lets pass, and any keys: all kernels stay inside, and
 * give the same sums. docs/robustness.md says how to run it. */
#include <stdlib.h>

#include "fastparse/weights/kernels/kernels.h"

enum { HEADER = 8, MOST_KEYS = 24 };

/* As checking.pyx has it. */
static int labels_fit(const uint8_t *items, int64_t n_bytes, int32_t width) {
    for (int64_t i = 0; i < n_bytes; i += fp_byte_labels(width) ? 2 : 4)
        if ((fp_byte_labels(width) ? items[i] : items[i] | items[i + 1] << 8) >= width) return 0;
    return 1;
}

static int sound(const FpCompiled *t, const uint8_t *slot) {
    const uint32_t kind = slot[0] & 3, code = fp_load32(slot + FP_CHECK_BYTES);
    const int64_t row_pieces = fp_row_bytes(t->width) / FP_PIECE;
    int64_t first = code, n_pieces;
    if (kind == FP_INLINE_ROW) return labels_fit(slot + FP_CHECK_BYTES, 4, t->width);
    if (kind == FP_DENSE_ROW) return fp_byte_labels(t->width) && first + row_pieces <= t->pieces;
    if (kind == FP_SPARSE_ROW) {
        first = code >> 4;
        n_pieces = (code & 15) + 1;
    } else {
        const uint8_t *row;
        if (first >= t->pieces) return 0;
        row = t->pool + first * FP_PIECE;
        if (row[0] > 6) return 0;
        if (row[1]) return fp_byte_labels(t->width) && first + 1 + row_pieces <= t->pieces;
        first++;
        n_pieces = fp_load32(row + 4);
    }
    return first + n_pieces <= t->pieces && labels_fit(t->pool + first * FP_PIECE, n_pieces * FP_PIECE, t->width);
}

static uint8_t *copied(const uint8_t **at, size_t *left, size_t size) {
    uint8_t *copy = size <= *left ? malloc(size + (size == 0)) : NULL;
    if (copy == NULL) return NULL;
    memcpy(copy, *at, size);
    *at += size;
    *left -= size;
    return copy;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    FpCompiled t;
    uint64_t keys[MOST_KEYS] = {0};
    int32_t n = 0, n_sums, level, ok = 1;
    uint8_t *displacements, *slots, *pool;
    int32_t *sums[FP_LEVELS] = {0};
    int for_moves;
    if (size < HEADER) return 0;
    for_moves = data[0] & 1;
    t.width = for_moves ? 1 + data[1] % FP_MOST_MOVES : 1 + (data[1] | data[2] << 8) % 600;
    t.slot_bytes = fp_slot_bytes(for_moves, t.width);
    t.buckets = 1 + data[3] % 8;
    t.places = 1 + data[4] % 16;
    t.pieces = for_moves ? 0 : data[5];
    data += HEADER;
    size -= HEADER;
    displacements = copied(&data, &size, t.buckets);
    slots = copied(&data, &size, (size_t)t.places * (size_t)t.slot_bytes);
    pool = copied(&data, &size, (size_t)t.pieces * FP_PIECE);
    if (displacements && slots && pool) {
        t.displacements = displacements;
        t.slots = slots;
        t.pool = pool;
        for (uint32_t i = 0; !for_moves && i < t.places; i++) ok = ok && sound(&t, slots + 8 * i);
        for (; ok && n < MOST_KEYS && size >= 1; n++) {
            /* Keys of slots that are there are found by a low half from them. */
            const uint8_t *slot = slots + (size_t)(data[0] % t.places) * (size_t)t.slot_bytes;
            keys[n] = (uint64_t)fp_load32(slot) | (size >= 5 ? (uint64_t)fp_load32(data + 1) << 32 : 0);
            data += size >= 5 ? 5 : 1;
            size -= size >= 5 ? 5 : 1;
        }
        n_sums = fp_sums(for_moves, t.width);
        for (level = 0; ok && level <= fp_level(); level++) {
            const int32_t end = n;
            int32_t *jobs = calloc((size_t)n_sums, sizeof(int32_t));
            const FpSums form = fp_choose(for_moves, t.slot_bytes, level);
            sums[level] = calloc((size_t)n_sums, sizeof(int32_t));
            if (jobs && sums[level]) {
                form.add(&t, keys, n, sums[level]);
                form.add_jobs(&t, keys, &end, 1, jobs, n_sums);
                if (memcmp(jobs, sums[level], (size_t)t.width * sizeof(int32_t))) abort();
                if (memcmp(sums[0], sums[level], (size_t)t.width * sizeof(int32_t))) abort();
            }
            free(jobs);
        }
        for (level = 0; level < FP_LEVELS; level++) free(sums[level]);
    }
    free(displacements);
    free(slots);
    free(pool);
    return 0;
}
