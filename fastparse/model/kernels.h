/* Sums of rows of compiled weights: the innermost loops of parsing.
 *
 * A table is a hash table in groups of 16 slots. One tag byte per slot (0: empty) is kept apart from the slots, so that a
 * feature the model does not know, the common case, costs one look at 16 tags and no slot. A group that is full passes
 * what does not fit to the next one. A slot is a 32-bit check followed by one signed byte per move (moves), or by the
 * position of a row of (count, (label, weight)...) items in a pool (labels). The low two bits of a check tell by how much
 * the weights of its row are shifted left (0, 2, 4 or 6 bits), so that rows of large weights need no more room.
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
#if FP_VECTORS && defined(__SSE2__)
#include <emmintrin.h>
#endif
#if defined(__GNUC__) || defined(__clang__)
#define FP_RARELY(x) __builtin_expect(!!(x), 0)
#else
#define FP_RARELY(x) (x)
#endif

#define FP_MAX_KEYS 512
#define FP_GROUP 16

typedef struct {
    const uint8_t *tags;    /* [groups * 16]  0 marks an empty slot */
    const uint8_t *slots;   /* [groups * 16 * slot_bytes] */
    const uint8_t *pool;    /* labels only; items of item_bytes */
    uint64_t groups;        /* below 2^28 */
    int32_t slot_bytes;
    int32_t item_bytes;     /* 2: label and weight are bytes; 4: label is 16 bits, weight a signed byte */
    int32_t width;
} FpCompiled;

static inline uint64_t fp_group(uint64_t key, uint64_t groups) { return ((key >> 32) * groups) >> 32; }

static inline uint8_t fp_tag(uint64_t key) {
    const uint8_t tag = (uint8_t)(key >> 24);
    return tag ? tag : 1;
}

static inline uint32_t fp_check(uint64_t key) { return (uint32_t)key & ~(uint32_t)3; }

static inline int fp_shift(uint32_t check) { return 2 * (int)(check & 3); }

static inline uint32_t fp_load32(const uint8_t *p) {
    uint32_t x;
    memcpy(&x, p, 4);
    return x;
}

static inline int fp_lowest(uint32_t mask) {
#if defined(__GNUC__) || defined(__clang__)
    return __builtin_ctz(mask);
#else
    int i = 0;
    while (!(mask >> i & 1)) i++;
    return i;
#endif
}

/* A bit per slot of a group whose tag is `tag`. */
static inline uint32_t fp_match(const uint8_t *group, uint8_t tag) {
#if FP_VECTORS && defined(__SSE2__)
    const __m128i tags = _mm_loadu_si128((const __m128i *)group);
    return (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(tags, _mm_set1_epi8((char)tag)));
#else
    uint32_t mask = 0;
    for (int i = 0; i < FP_GROUP; i++) mask |= (uint32_t)(group[i] == tag) << i;
    return mask;
#endif
}

#if FP_VECTORS
typedef int8_t fp_i8x4 __attribute__((vector_size(4)));
typedef int32_t fp_i32x4 __attribute__((vector_size(16)));
#endif

/* The slot of a key in the groups from `group` on, or NULL. Some group has an empty slot (see the checks on loading). */
static const uint8_t *fp_find_from(const FpCompiled *t, uint64_t key, uint64_t group) {
    const uint32_t check = fp_check(key);
    const uint8_t tag = fp_tag(key);
    for (;;) {
        const uint8_t *tags = t->tags + group * FP_GROUP;
        for (uint32_t mask = fp_match(tags, tag); mask; mask &= mask - 1) {
            const uint8_t *slot = t->slots + (group * FP_GROUP + (uint64_t)fp_lowest(mask)) * (uint64_t)t->slot_bytes;
            if ((fp_load32(slot) & ~(uint32_t)3) == check) return slot;
        }
        if (fp_match(tags, 0)) return 0;
        if (++group == t->groups) group = 0;
    }
}

/* The slots of those keys the table knows; returns their number. Memory is asked for before it is looked at: first the
 * tags of all keys, then the slots whose tags fit, then what these hold. */
static inline int32_t fp_find_all(const FpCompiled *t, const uint64_t *keys, int32_t n, const uint8_t **found) {
    const uint8_t *slots[FP_MAX_KEYS + 1];
    uint64_t wanted[FP_MAX_KEYS + 1];
    uint32_t masks[FP_MAX_KEYS + 1];    /* fitting tags; bit 16: the group is full, the search may go on behind it */
    const uint64_t groups = t->groups, slot_bytes = (uint64_t)t->slot_bytes;
    int32_t likely = 0, known = 0;
    for (int32_t i = 0; i < n; i++) FP_FETCH(t->tags + fp_group(keys[i], groups) * FP_GROUP);
    for (int32_t i = 0; i < n; i++) {
        const uint64_t group = fp_group(keys[i], groups);
        const uint8_t *tags = t->tags + group * FP_GROUP;
        const uint32_t mask = fp_match(tags, fp_tag(keys[i])) | (uint32_t)(fp_match(tags, 0) == 0) << 16;
        const uint8_t *slot = t->slots + (group * FP_GROUP + (uint64_t)(fp_lowest(mask | 1u << 20) & 15)) * slot_bytes;
        FP_FETCH(slot);
        slots[likely] = slot;
        masks[likely] = mask;
        wanted[likely] = keys[i];
        likely += mask != 0;
    }
    for (int32_t i = 0; i < likely; i++) {
        const uint32_t check = fp_check(wanted[i]);
        const uint8_t *slot = slots[i];
        if (FP_RARELY((fp_load32(slot) & ~(uint32_t)3) != check)) {
            uint32_t mask = masks[i] & 0xFFFF;
            const uint64_t group = fp_group(wanted[i], groups);
            slot = 0;
            for (; mask && !slot; mask &= mask - 1) {
                const uint8_t *other = t->slots + (group * FP_GROUP + (uint64_t)fp_lowest(mask)) * slot_bytes;
                if ((fp_load32(other) & ~(uint32_t)3) == check) slot = other;
            }
            if (!slot && masks[i] >> 16) slot = fp_find_from(t, wanted[i], group + 1 == groups ? 0 : group + 1);
            if (!slot) continue;
        }
        found[known++] = slot;
    }
    return known;
}

static inline void fp_add_bytes(const int8_t *row, int n, int32_t factor, int32_t *out) {
    for (int m = 0; m < n; m++) out[m] += row[m] * factor;
}

static void fp_add_moves8(const FpCompiled *t, const uint64_t *keys, int32_t n, int32_t *out) {
    const uint8_t *found[FP_MAX_KEYS];
    const int32_t known = fp_find_all(t, keys, n, found);
#if FP_VECTORS
    fp_i32x4 sum;
    memcpy(&sum, out, 16);
    for (int32_t i = 0; i < known; i++) {
        fp_i8x4 row;
        memcpy(&row, found[i] + 4, 4);
        sum += __builtin_convertvector(row, fp_i32x4) << fp_shift(fp_load32(found[i]));
    }
    memcpy(out, &sum, 16);
#else
    for (int32_t i = 0; i < known; i++)
        fp_add_bytes((const int8_t *)found[i] + 4, 4, 1 << fp_shift(fp_load32(found[i])), out);
#endif
}

static void fp_add_moves16(const FpCompiled *t, const uint64_t *keys, int32_t n, int32_t *out) {
    const uint8_t *found[FP_MAX_KEYS];
    const int32_t known = fp_find_all(t, keys, n, found);
#if FP_VECTORS
    fp_i32x4 sum[3];
    memcpy(sum, out, 48);
    for (int32_t i = 0; i < known; i++) {
        const int shift = fp_shift(fp_load32(found[i]));
        fp_i8x4 row[3];
        memcpy(row, found[i] + 4, 12);
        sum[0] += __builtin_convertvector(row[0], fp_i32x4) << shift;
        sum[1] += __builtin_convertvector(row[1], fp_i32x4) << shift;
        sum[2] += __builtin_convertvector(row[2], fp_i32x4) << shift;
    }
    memcpy(out, sum, 48);
#else
    for (int32_t i = 0; i < known; i++)
        fp_add_bytes((const int8_t *)found[i] + 4, 12, 1 << fp_shift(fp_load32(found[i])), out);
#endif
}

static void fp_add_moves32(const FpCompiled *t, const uint64_t *keys, int32_t n, int32_t *out) {
    const uint8_t *found[FP_MAX_KEYS];
    const int32_t known = fp_find_all(t, keys, n, found);
    for (int32_t i = 0; i < known; i++)
        fp_add_bytes((const int8_t *)found[i] + 4, 28, 1 << fp_shift(fp_load32(found[i])), out);
}

static void fp_add_labels(const FpCompiled *t, const uint64_t *keys, int32_t n, int32_t *out) {
    const uint8_t *found[FP_MAX_KEYS];
    const int32_t known = fp_find_all(t, keys, n, found);
    for (int32_t i = 0; i < known; i++)
        FP_FETCH(t->pool + (uint64_t)fp_load32(found[i] + 4) * (uint64_t)t->item_bytes);
    if (t->item_bytes == 2) {
        for (int32_t i = 0; i < known; i++) {
            const int32_t factor = 1 << fp_shift(fp_load32(found[i]));
            const uint8_t *row = t->pool + (uint64_t)fp_load32(found[i] + 4) * 2;
            const uint8_t *end = row + 2 + 2 * (uint32_t)row[0];
            for (row += 2; row != end; row += 2) out[row[0]] += (int8_t)row[1] * factor;
        }
    } else {
        for (int32_t i = 0; i < known; i++) {
            const int32_t factor = 1 << fp_shift(fp_load32(found[i]));
            const uint8_t *row = t->pool + (uint64_t)fp_load32(found[i] + 4) * 4;
            const uint32_t count = (uint32_t)row[0] | (uint32_t)row[1] << 8;
            const uint8_t *end = row + 4 + 4 * count;
            for (row += 4; row != end; row += 4)
                out[(uint32_t)row[0] | (uint32_t)row[1] << 8] += (int8_t)row[2] * factor;
        }
    }
}
#endif
