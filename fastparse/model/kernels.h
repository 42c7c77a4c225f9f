/* Sums of rows of compiled weights: the innermost loops of parsing.
 *
 * A moves table is an open-addressing array of slots of 8, 16 or 32 bytes: a 32-bit check and one signed byte per move,
 * so that one feature costs one memory access. A labels table has slots of 8 bytes (check, start) into a pool of
 * (count, (label, weight)...) items. The low two bits of a check tell by how much the weights of its row are shifted
 * left (0, 2, 4 or 6 bits), so that rows of large weights need no more room. A check of 0 marks an empty slot.
 */
#ifndef FASTPARSE_KERNELS_H
#define FASTPARSE_KERNELS_H

#include <stdint.h>
#include <string.h>

#if defined(__GNUC__) || defined(__clang__)
#define FP_FETCH(p) __builtin_prefetch(p)
#define FP_VECTORS 1
#else
#define FP_FETCH(p) ((void)0)
#define FP_VECTORS 0
#endif
#ifdef FASTPARSE_PLAIN
#undef FP_VECTORS
#define FP_VECTORS 0
#endif

#define FP_MAX_KEYS 512

typedef struct {
    const uint8_t *slots;   /* [capacity * slot_bytes] */
    const uint8_t *pool;    /* labels only; items of item_bytes */
    uint64_t capacity;      /* slots; below 2^32 */
    int32_t slot_bytes;
    int32_t item_bytes;     /* 2: label and weight are bytes; 4: label is 16 bits, weight a signed byte */
    int32_t width;
} FpCompiled;

static inline uint64_t fp_slot(uint64_t key, uint64_t capacity) { return ((key >> 32) * capacity) >> 32; }

static inline uint32_t fp_check(uint64_t key) {
    const uint32_t check = (uint32_t)key & ~(uint32_t)3;
    return check ? check : 4;
}

static inline int fp_shift(uint32_t check) { return 2 * (int)(check & 3); }

static inline uint32_t fp_load32(const uint8_t *p) {
    uint32_t x;
    memcpy(&x, p, 4);
    return x;
}

#if FP_VECTORS
typedef int8_t fp_i8x4 __attribute__((vector_size(4)));
typedef int32_t fp_i32x4 __attribute__((vector_size(16)));
typedef int16_t fp_i16x8 __attribute__((vector_size(16)));
typedef int8_t fp_i8x8 __attribute__((vector_size(8)));
#endif

/* The slot of a key, or NULL. */
static inline const uint8_t *fp_find(const FpCompiled *t, uint64_t key, int32_t slot_bytes) {
    uint64_t at = fp_slot(key, t->capacity);
    const uint32_t check = fp_check(key);
    for (;;) {
        const uint8_t *slot = t->slots + at * (uint64_t)slot_bytes;
        const uint32_t found = fp_load32(slot);
        if ((found & ~(uint32_t)3) == check) return slot;
        if (found == 0) return 0;
        if (++at == t->capacity) at = 0;
    }
}

static inline void fp_add_bytes(const int8_t *row, int n, int32_t factor, int32_t *out) {
    for (int m = 0; m < n; m++) out[m] += row[m] * factor;
}

static void fp_add_moves8(const FpCompiled *t, const uint64_t *keys, int32_t n, int32_t *out) {
    for (int32_t i = 0; i < n; i++) FP_FETCH(t->slots + fp_slot(keys[i], t->capacity) * 8);
#if FP_VECTORS
    fp_i32x4 sum;
    memcpy(&sum, out, 16);
    for (int32_t i = 0; i < n; i++) {
        const uint8_t *slot = fp_find(t, keys[i], 8);
        if (slot) {
            fp_i8x4 row;
            memcpy(&row, slot + 4, 4);
            sum += __builtin_convertvector(row, fp_i32x4) << fp_shift(fp_load32(slot));
        }
    }
    memcpy(out, &sum, 16);
#else
    for (int32_t i = 0; i < n; i++) {
        const uint8_t *slot = fp_find(t, keys[i], 8);
        if (slot) fp_add_bytes((const int8_t *)slot + 4, 4, 1 << fp_shift(fp_load32(slot)), out);
    }
#endif
}

static void fp_add_moves16(const FpCompiled *t, const uint64_t *keys, int32_t n, int32_t *out) {
    for (int32_t i = 0; i < n; i++) FP_FETCH(t->slots + fp_slot(keys[i], t->capacity) * 16);
#if FP_VECTORS
    fp_i32x4 sum[3];
    memcpy(sum, out, 48);
    for (int32_t i = 0; i < n; i++) {
        const uint8_t *slot = fp_find(t, keys[i], 16);
        if (slot) {
            const int shift = fp_shift(fp_load32(slot));
            fp_i8x4 row[3];
            memcpy(row, slot + 4, 12);
            sum[0] += __builtin_convertvector(row[0], fp_i32x4) << shift;
            sum[1] += __builtin_convertvector(row[1], fp_i32x4) << shift;
            sum[2] += __builtin_convertvector(row[2], fp_i32x4) << shift;
        }
    }
    memcpy(out, sum, 48);
#else
    for (int32_t i = 0; i < n; i++) {
        const uint8_t *slot = fp_find(t, keys[i], 16);
        if (slot) fp_add_bytes((const int8_t *)slot + 4, 12, 1 << fp_shift(fp_load32(slot)), out);
    }
#endif
}

static void fp_add_moves32(const FpCompiled *t, const uint64_t *keys, int32_t n, int32_t *out) {
    for (int32_t i = 0; i < n; i++) FP_FETCH(t->slots + fp_slot(keys[i], t->capacity) * 32);
    for (int32_t i = 0; i < n; i++) {
        const uint8_t *slot = fp_find(t, keys[i], 32);
        if (slot) fp_add_bytes((const int8_t *)slot + 4, 28, 1 << fp_shift(fp_load32(slot)), out);
    }
}

static void fp_add_labels(const FpCompiled *t, const uint64_t *keys, int32_t n, int32_t *out) {
    const uint8_t *rows[FP_MAX_KEYS];
    int32_t factors[FP_MAX_KEYS];
    int32_t found = 0;
    for (int32_t i = 0; i < n; i++) FP_FETCH(t->slots + fp_slot(keys[i], t->capacity) * 8);
    for (int32_t i = 0; i < n; i++) {
        const uint8_t *slot = fp_find(t, keys[i], 8);
        if (slot) {
            const uint8_t *row = t->pool + (uint64_t)fp_load32(slot + 4) * (uint64_t)t->item_bytes;
            FP_FETCH(row);
            factors[found] = 1 << fp_shift(fp_load32(slot));
            rows[found++] = row;
        }
    }
    if (t->item_bytes == 2) {
        for (int32_t i = 0; i < found; i++) {
            const uint8_t *row = rows[i];
            const uint8_t *end = row + 2 + 2 * (uint32_t)row[0];
            for (row += 2; row != end; row += 2) out[row[0]] += (int8_t)row[1] * factors[i];
        }
    } else {
        for (int32_t i = 0; i < found; i++) {
            const uint8_t *row = rows[i];
            const uint32_t count = (uint32_t)row[0] | (uint32_t)row[1] << 8;
            const uint8_t *end = row + 4 + 4 * count;
            for (row += 4; row != end; row += 4) 
                out[(uint32_t)row[0] | (uint32_t)row[1] << 8] += (int8_t)row[2] * factors[i];
        }
    }
}
#endif
