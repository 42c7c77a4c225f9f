/* Compiled weights in memory: where the row of a feature lies.
 *
 * A key belongs to a bucket, by its upper half; a bucket has a displacement, a byte, found when the table was built,
 * that sends each of its keys to a slot of its own. So a look costs two reads, wherever it ends, and no row is ever in
 * the way of another. A slot is a 32-bit check, the lower half of its key without the lowest two bits, and 4 bytes or
 * more of weights.
 *
 * Moves: a signed byte for each of up to 4, 12 or 28 moves. The low two bits of the check tell by how many pairs of
 * bits the weights are shifted left, so that rows of large weights need no more room.
 *
 * Labels: the low two bits of the check tell what the other four bytes, the code, are:
 *   FP_INLINE_ROW  the row itself, of at most two items, or of one if labels need 16 bits
 *   FP_DENSE_ROW   the place in the pool of a weight for every label
 *   FP_SPARSE_ROW  the place of its items, times 16, and the number of their pieces, less one
 *   FP_LONG_ROW    the place of a row with a header, for what is rare: shifted weights, or a great many items
 * Places are counted in pieces of 16 bytes. An item is a label and a signed byte, padded to 4 bytes if labels need 16
 * bits. A piece that is not full ends in items whose label is 0 and whose weight is 0. An empty slot is all zeros: a
 * row that adds nothing. Rows that are short enough lie within one cache line.
 */
#ifndef FASTPARSE_MODEL_LAYOUT_H
#define FASTPARSE_MODEL_LAYOUT_H

#include <stdint.h>
#include <string.h>
#include "fastparse/features/compiler.h"

#define FP_CHECK_BYTES 4    /* of a slot, before its weights or its code */
#define FP_MOST_MOVES 28    /* weights in the widest slot */
#define FP_LANES 16         /* sums of labels come in so many */
#define FP_WHOLE 32         /* weights that are added together: dense rows are a multiple of them */
#define FP_PIECE 16         /* bytes in which the pool is counted */
#define FP_MOST_PIECES 16   /* of a sparse row without a header */
#define FP_BYTE_LABELS 256  /* so many labels have numbers of one byte */
#define FP_SPREAD 0x9E3779B1u

enum { FP_INLINE_ROW, FP_DENSE_ROW, FP_SPARSE_ROW, FP_LONG_ROW };

typedef struct {
    const uint8_t *displacements;   /* [buckets] */
    const uint8_t *slots;           /* [places * slot_bytes] */
    const uint8_t *pool;            /* labels only; [pieces * FP_PIECE] */
    uint32_t buckets;               /* at least 1 */
    uint32_t places;                /* at least 1 */
    uint32_t pieces;
    int32_t slot_bytes;
    int32_t width;
} FpCompiled;

/* The bytes of a slot: of a table of moves, those of the smallest with a weight for each. */
FP_INLINE int32_t fp_slot_bytes(int for_moves, int32_t width) {
    if (!for_moves || width <= 8 - FP_CHECK_BYTES) return 8;
    return width <= 16 - FP_CHECK_BYTES ? 16 : FP_MOST_MOVES + FP_CHECK_BYTES;
}

/* The bytes of a dense row. */
FP_INLINE int32_t fp_row_bytes(int32_t width) { return (width + FP_WHOLE - 1) / FP_WHOLE * FP_WHOLE; }

/* The sums that adding a row may write to: all weights of a slot, or of a dense row. */
FP_INLINE int32_t fp_sums(int for_moves, int32_t width) {
    return for_moves ? fp_slot_bytes(for_moves, width) - FP_CHECK_BYTES : fp_row_bytes(width);
}

FP_INLINE int fp_byte_labels(int32_t width) { return width <= FP_BYTE_LABELS; }

FP_INLINE uint32_t fp_bucket(uint64_t key, uint32_t buckets) { return (uint32_t)((key >> 32) * buckets >> 32); }

/* The slot of a key under the displacement of its bucket. */
FP_INLINE uint32_t fp_place(uint64_t key, uint32_t displacement, uint32_t places) {
    const uint32_t spread = (uint32_t)(key >> 32) * FP_SPREAD + (uint32_t)key * displacement;
    return (uint32_t)((uint64_t)spread * places >> 32);
}

FP_INLINE uint32_t fp_check(uint64_t key) { return (uint32_t)key & ~(uint32_t)3; }

FP_INLINE uint32_t fp_load32(const uint8_t *p) {
    uint32_t x;
    memcpy(&x, p, 4);
    return x;
}

FP_INLINE uint64_t fp_load64(const uint8_t *p) {
    uint64_t x;
    memcpy(&x, p, 8);
    return x;
}

/* The slot that a key leads to, whoever it belongs to. */
FP_INLINE const uint8_t *fp_slot(const FpCompiled *t, uint64_t key) {
    const uint32_t displacement = t->displacements[fp_bucket(key, t->buckets)];
    return t->slots + (uint64_t)fp_place(key, displacement, t->places) * (uint64_t)t->slot_bytes;
}

FP_INLINE void fp_add_bytes(const int8_t *row, int n, int32_t factor, int32_t *out) {
    for (int m = 0; m < n; m++) out[m] += row[m] * factor;
}

/* Adds the items of so many pieces. */
FP_INLINE void fp_add_items(const uint8_t *piece, uint32_t n_pieces, int byte_labels, int32_t factor, int32_t *out) {
    const uint8_t *const end = piece + FP_PIECE * n_pieces;
    if (byte_labels)
        for (; piece != end; piece += 2) out[piece[0]] += (int8_t)piece[1] * factor;
    else
        for (; piece != end; piece += 4) out[piece[0] | piece[1] << 8] += (int8_t)piece[2] * factor;
}

/* The header of a long row: bits of the shift, whether it is dense, its pieces. The row begins a piece later. */
FP_INLINE int32_t fp_long_shift(const uint8_t *row) { return row[0]; }
FP_INLINE int fp_long_is_dense(const uint8_t *row) { return row[1]; }
FP_INLINE uint32_t fp_long_pieces(const uint8_t *row) { return fp_load32(row + 4); }

FP_INLINE void fp_add_long(const FpCompiled *t, uint32_t code, int32_t *out) {
    const uint8_t *row = t->pool + (uint64_t)code * FP_PIECE;
    const int32_t factor = 1 << fp_long_shift(row);
    if (fp_long_is_dense(row))
        fp_add_bytes((const int8_t *)row + FP_PIECE, t->width, factor, out);
    else
        fp_add_items(row + FP_PIECE, fp_long_pieces(row), fp_byte_labels(t->width), factor, out);
}

FP_INLINE void fp_add_inline(uint32_t code, int byte_labels, int32_t *out) {
    if (byte_labels) {
        out[code & 255] += (int8_t)(code >> 8);
        out[code >> 16 & 255] += (int8_t)(code >> 24);
    } else {
        out[code & 0xFFFF] += (int8_t)(code >> 16);
    }
}
#endif
