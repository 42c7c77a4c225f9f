/* Sums of rows of compiled weights: the innermost loops of parsing.
 *
 * A table is a hash table in groups of 16 slots. One tag byte per slot (0: empty) is kept apart from the slots, so that a
 * feature the model does not know, the common case, costs one look at 16 tags and no slot. A group that is full passes
 * what does not fit to the next one; slots fill in order, so the last tag tells a full group. A slot is a 32-bit check
 * followed by one signed byte per move (moves), or by the position of a row in a pool (labels). Such a row is a count and
 * (label, weight) items, or, where a feature knows many labels, FP_DENSE and a weight for each label. The low two bits of
 * a check tell by how much the weights of its row are shifted left (0, 2, 4 or 6 bits), so that rows of large weights
 * need no more room.
 *
 * The same code is compiled for several sets of vector instructions; fp_level() says which of them this machine has.
 */
#ifndef FASTPARSE_KERNELS_H
#define FASTPARSE_KERNELS_H

#include <stdint.h>
#include <string.h>
#include "../features/bounds.h"
#include "../features/compiler.h"

#if FP_VECTORS && defined(__SSE2__)
#include <emmintrin.h>
#endif

#define FP_GROUP 16         /* slots that share a look at their tags */
#define FP_DENSE 255        /* in place of a count: a weight per label follows */
#define FP_LANES 16         /* rows of many weights are read so many at a time, beyond their end if need be */
#define FP_CHECK_BYTES 4    /* of a slot, before its weights or the position of its row */
#define FP_MOST_MOVES 28    /* weights in the widest slot */

_Static_assert(FP_GROUP == 16 && FP_LANES == 16, "vectors have room for 16 tags and 16 weights");

#if FP_VECTORS && defined(__x86_64__)
#define FP_LEVELS 3
#define FP_AVX2 __attribute__((target("avx2,bmi,bmi2")))
#define FP_AVX512 __attribute__((target("avx2,bmi,bmi2,avx512f,avx512bw,avx512vl")))
#else
#define FP_LEVELS 1
#endif

typedef struct {
    const uint8_t *tags;    /* [groups * 16]  0 marks an empty slot */
    const uint8_t *slots;   /* [groups * 16 * slot_bytes] */
    const uint8_t *pool;    /* labels only; items of item_bytes */
    uint64_t groups;        /* below 2^28 */
    int32_t slot_bytes;
    int32_t item_bytes;     /* 2: label and weight are bytes; 4: label is 16 bits, weight a signed byte */
    int32_t width;
} FpCompiled;

/* The bytes of a slot: of a table of moves, those of the smallest with a weight for each. */
FP_INLINE int32_t fp_slot_bytes(int for_moves, int32_t width) {
    if (!for_moves || width <= 8 - FP_CHECK_BYTES) return 8;
    return width <= 16 - FP_CHECK_BYTES ? 16 : FP_MOST_MOVES + FP_CHECK_BYTES;
}

/* The sums that adding a row may write to: all weights of a slot, or whole lanes. */
FP_INLINE int32_t fp_sums(int for_moves, int32_t width) {
    if (for_moves) return fp_slot_bytes(for_moves, width) - FP_CHECK_BYTES;
    return (width + FP_LANES - 1) / FP_LANES * FP_LANES;
}

FP_INLINE uint64_t fp_group(uint64_t key, uint64_t groups) { return ((key >> 32) * groups) >> 32; }

FP_INLINE uint8_t fp_tag(uint64_t key) {
    const uint8_t tag = (uint8_t)(key >> 24);
    return tag ? tag : 1;
}

FP_INLINE uint32_t fp_check(uint64_t key) { return (uint32_t)key & ~(uint32_t)3; }

FP_INLINE int fp_shift(uint32_t check) { return 2 * (int)(check & 3); }

FP_INLINE uint32_t fp_load32(const uint8_t *p) {
    uint32_t x;
    memcpy(&x, p, 4);
    return x;
}

FP_INLINE int fp_lowest(uint32_t mask) {
#if defined(__GNUC__) || defined(__clang__)
    return __builtin_ctz(mask);
#else
    int i = 0;
    while (!(mask >> i & 1)) i++;
    return i;
#endif
}

/* A bit per slot of a group whose tag is `tag`. */
FP_INLINE uint32_t fp_match(const uint8_t *group, uint8_t tag) {
#if FP_VECTORS && defined(__SSE2__)
    const __m128i tags = _mm_loadu_si128((const __m128i *)group);
    return (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(tags, _mm_set1_epi8((char)tag)));
#else
    uint32_t mask = 0;
    for (int i = 0; i < FP_GROUP; i++) mask |= (uint32_t)(group[i] == tag) << i;
    return mask;
#endif
}

/* Whether a group passes rows on to the next one. */
FP_INLINE int fp_full(const uint8_t *group) { return group[FP_GROUP - 1] != 0; }

#if FP_VECTORS
typedef int8_t fp_i8x16 __attribute__((vector_size(16)));
typedef int16_t fp_i16x16 __attribute__((vector_size(32)));
typedef int32_t fp_i32x16 __attribute__((vector_size(64)));
#endif

/* The slot of a key in the groups from `group` on, or NULL. Some group is not full (see the checks on loading). */
static const uint8_t *fp_find_from(const FpCompiled *t, uint64_t key, uint64_t group) {
    const uint32_t check = fp_check(key);
    const uint8_t tag = fp_tag(key);
    for (;;) {
        const uint8_t *tags = t->tags + group * FP_GROUP;
        for (uint32_t mask = fp_match(tags, tag); mask; mask &= mask - 1) {
            const uint8_t *slot = t->slots + (group * FP_GROUP + (uint64_t)fp_lowest(mask)) * (uint64_t)t->slot_bytes;
            if ((fp_load32(slot) & ~(uint32_t)3) == check) return slot;
        }
        if (!fp_full(tags)) return 0;
        if (++group == t->groups) group = 0;
    }
}

/* A key that a look at the tags of its group has not ruled out. */
typedef struct {
    const uint8_t *slot;    /* the first whose tag fits; any if none does and the group is full */
    uint64_t key;
} FpLikely;

/* Memory is asked for before it is looked at: first the tags of all keys, then the slots whose tags fit. Returns the
 * number of likely keys. */
FP_INLINE int32_t fp_likely(const FpCompiled *t, const uint64_t *keys, int32_t n, uint64_t slot_bytes,
                            FpLikely *likely) {
    uint32_t places[FP_MAX_KEYS];
    const uint64_t groups = t->groups;
    const uint8_t *const all_tags = t->tags, *const slots = t->slots;
    int32_t found = 0;
    for (int32_t i = 0; i < n; i++) {
        places[i] = (uint32_t)fp_group(keys[i], groups) * FP_GROUP;
        FP_FETCH(all_tags + places[i]);
    }
    for (int32_t i = 0; i < n; i++) {
        const uint8_t *tags = all_tags + places[i];
        const uint32_t mask = fp_match(tags, fp_tag(keys[i]));
        const uint8_t *slot = slots + ((uint64_t)places[i] + (uint64_t)fp_lowest(mask | 1u << 15)) * slot_bytes;
        FP_FETCH(slot);
        likely[found].slot = slot;
        likely[found].key = keys[i];
        found += (mask != 0) | fp_full(tags);
    }
    return found;
}

/* The slot of a likely key, or NULL. */
FP_INLINE const uint8_t *fp_sure(const FpCompiled *t, const FpLikely *likely) {
    if (FP_RARELY((fp_load32(likely->slot) & ~(uint32_t)3) != fp_check(likely->key)))
        return fp_find_from(t, likely->key, fp_group(likely->key, t->groups));
    return likely->slot;
}

FP_INLINE void fp_add_bytes(const int8_t *row, int n, int32_t factor, int32_t *out) {
    for (int m = 0; m < n; m++) out[m] += row[m] * factor;
}

#if FP_VECTORS && defined(__SSE2__)
/* Four signed bytes in the low, or high, half of 16-bit lanes that hold them above a zero byte; times 2**shift. */
FP_INLINE __m128i fp_low(__m128i lanes, __m128i count) {
    return _mm_sra_epi32(_mm_unpacklo_epi16(_mm_setzero_si128(), lanes), count);
}

FP_INLINE __m128i fp_high(__m128i lanes, __m128i count) {
    return _mm_sra_epi32(_mm_unpackhi_epi16(_mm_setzero_si128(), lanes), count);
}

FP_INLINE __m128i fp_count(const uint8_t *slot) { return _mm_cvtsi32_si128(24 - fp_shift(fp_load32(slot))); }
#endif

FP_INLINE void fp_moves8(const FpCompiled *t, const uint64_t *keys, int32_t n, int32_t *out) {
    FpLikely likely[FP_MAX_KEYS + 1];
    const int32_t known = fp_likely(t, keys, n, 8, likely);
#if FP_VECTORS && defined(__SSE2__)
    __m128i sum = _mm_loadu_si128((const __m128i *)out);
    for (int32_t i = 0; i < known; i++) {
        const uint8_t *slot = fp_sure(t, &likely[i]);
        __m128i row;
        if (FP_RARELY(!slot)) continue;
        row = _mm_unpacklo_epi8(_mm_setzero_si128(), _mm_loadl_epi64((const __m128i *)slot));
        sum = _mm_add_epi32(sum, fp_high(row, fp_count(slot)));
    }
    _mm_storeu_si128((__m128i *)out, sum);
#else
    for (int32_t i = 0; i < known; i++) {
        const uint8_t *slot = fp_sure(t, &likely[i]);
        if (slot) fp_add_bytes((const int8_t *)slot + FP_CHECK_BYTES, 4, 1 << fp_shift(fp_load32(slot)), out);
    }
#endif
}

FP_INLINE void fp_moves16(const FpCompiled *t, const uint64_t *keys, int32_t n, int32_t *out) {
    FpLikely likely[FP_MAX_KEYS + 1];
    const int32_t known = fp_likely(t, keys, n, 16, likely);
#if FP_VECTORS && defined(__SSE2__)
    __m128i *const sums = (__m128i *)out;
    __m128i a = _mm_loadu_si128(sums), b = _mm_loadu_si128(sums + 1), c = _mm_loadu_si128(sums + 2);
    for (int32_t i = 0; i < known; i++) {
        const uint8_t *slot = fp_sure(t, &likely[i]);
        __m128i row, low, high, count;
        if (FP_RARELY(!slot)) continue;
        row = _mm_loadu_si128((const __m128i *)slot);
        count = fp_count(slot);
        low = _mm_unpacklo_epi8(_mm_setzero_si128(), row);
        high = _mm_unpackhi_epi8(_mm_setzero_si128(), row);
        a = _mm_add_epi32(a, fp_high(low, count));
        b = _mm_add_epi32(b, fp_low(high, count));
        c = _mm_add_epi32(c, fp_high(high, count));
    }
    _mm_storeu_si128(sums, a);
    _mm_storeu_si128(sums + 1, b);
    _mm_storeu_si128(sums + 2, c);
#else
    for (int32_t i = 0; i < known; i++) {
        const uint8_t *slot = fp_sure(t, &likely[i]);
        if (slot) fp_add_bytes((const int8_t *)slot + FP_CHECK_BYTES, 12, 1 << fp_shift(fp_load32(slot)), out);
    }
#endif
}

FP_INLINE void fp_moves32(const FpCompiled *t, const uint64_t *keys, int32_t n, int32_t *out) {
    FpLikely likely[FP_MAX_KEYS + 1];
    const int32_t known = fp_likely(t, keys, n, 32, likely);
    for (int32_t i = 0; i < known; i++) {
        const uint8_t *slot = fp_sure(t, &likely[i]);
        if (!slot) continue;
        fp_add_bytes((const int8_t *)slot + FP_CHECK_BYTES, FP_MOST_MOVES, 1 << fp_shift(fp_load32(slot)), out);
    }
}

/* Adds dense rows whose weights are not shifted, at most 256 of them: their sums fit 16 bits. Lanes behind the last
 * label get what follows a row in the pool; nobody reads them. */
FP_INLINE void fp_add_dense(const uint8_t *const *rows, int32_t n, int32_t width, int32_t *out) {
#if FP_VECTORS
    for (int32_t first = 0; first < width; first += FP_LANES) {
        fp_i16x16 sum = {0};
        fp_i32x16 wide;
        for (int32_t i = 0; i < n; i++) {
            fp_i8x16 row;
            memcpy(&row, rows[i] + first, FP_LANES);
            sum += __builtin_convertvector(row, fp_i16x16);
        }
        memcpy(&wide, out + first, sizeof wide);
        wide += __builtin_convertvector(sum, fp_i32x16);
        memcpy(out + first, &wide, sizeof wide);
    }
#else
    for (int32_t i = 0; i < n; i++) fp_add_bytes((const int8_t *)rows[i], width, 1, out);
#endif
}

FP_INLINE void fp_labels(const FpCompiled *t, const uint64_t *keys, int32_t n, int32_t *out) {
    FpLikely likely[FP_MAX_KEYS + 1];
    const uint8_t *slots[FP_MAX_KEYS + 1];
    const uint8_t *dense[FP_MAX_KEYS + 1];
    const int32_t candidates = fp_likely(t, keys, n, 8, likely);
    int32_t known = 0;
    for (int32_t i = 0; i < candidates; i++) {
        const uint8_t *slot = fp_sure(t, &likely[i]);
        const uint8_t *row;
        if (FP_RARELY(!slot)) continue;
        row = t->pool + (uint64_t)fp_load32(slot + FP_CHECK_BYTES) * (uint64_t)t->item_bytes;
        FP_FETCH(row);
        FP_FETCH(row + 60);
        slots[known++] = slot;
    }
    if (t->item_bytes == 2) {
        /* Which rows are dense is hard to foretell: they are set apart without a branch. */
        int32_t n_dense = 0, n_sparse = 0;
        for (int32_t i = 0; i < known; i++) {
            const uint32_t shifted = fp_load32(slots[i]) & 3;
            const uint8_t *row = t->pool + (uint64_t)fp_load32(slots[i] + FP_CHECK_BYTES) * 2;
            const int is_dense = (row[0] == FP_DENSE) & !shifted;
            dense[n_dense] = row + 2;
            n_dense += is_dense;
            slots[n_sparse] = slots[i];
            n_sparse += !is_dense;
        }
        for (int32_t i = 0; i < n_sparse; i++) {
            const int32_t factor = 1 << fp_shift(fp_load32(slots[i]));
            const uint8_t *row = t->pool + (uint64_t)fp_load32(slots[i] + FP_CHECK_BYTES) * 2;
            const uint8_t *end = row + 2 + 2 * (uint32_t)row[0];
            if (FP_RARELY(row[0] == FP_DENSE)) {
                fp_add_bytes((const int8_t *)row + 2, t->width, factor, out);
                continue;
            }
            for (row += 2; row != end; row += 2) out[row[0]] += (int8_t)row[1] * factor;
        }
        for (int32_t i = 0; i < n_dense; i += 256)
            fp_add_dense(dense + i, n_dense - i < 256 ? n_dense - i : 256, t->width, out);
    } else {
        for (int32_t i = 0; i < known; i++) {
            const int32_t factor = 1 << fp_shift(fp_load32(slots[i]));
            const uint8_t *row = t->pool + (uint64_t)fp_load32(slots[i] + FP_CHECK_BYTES) * 4;
            const uint32_t count = (uint32_t)row[0] | (uint32_t)row[1] << 8;
            const uint8_t *end = row + 4 + 4 * count;
            for (row += 4; row != end; row += 4)
                out[(uint32_t)row[0] | (uint32_t)row[1] << 8] += (int8_t)row[2] * factor;
        }
    }
}

/* ── the same for each set of instructions ── */

typedef void (*FpAdd)(const void *, const uint64_t *, int32_t, int32_t *);

#define FP_COMPILE(name, body, instructions)                                                         \
    instructions static void name(const void *table, const uint64_t *keys, int32_t n, int32_t *out) { \
        body((const FpCompiled *)table, keys, n, out);                                                \
    }
#define FP_BASIC
#if FP_LEVELS == 3
#define FP_COMPILE_ALL(name, body)        \
    FP_COMPILE(name##_0, body, FP_BASIC)  \
    FP_COMPILE(name##_1, body, FP_AVX2)   \
    FP_COMPILE(name##_2, body, FP_AVX512) \
    static const FpAdd name##_all[] = {name##_0, name##_1, name##_2};
#else
#define FP_COMPILE_ALL(name, body)       \
    FP_COMPILE(name##_0, body, FP_BASIC) \
    static const FpAdd name##_all[] = {name##_0};
#endif

FP_COMPILE_ALL(fp_add_moves8, fp_moves8)
FP_COMPILE_ALL(fp_add_moves16, fp_moves16)
FP_COMPILE_ALL(fp_add_moves32, fp_moves32)
FP_COMPILE_ALL(fp_add_labels, fp_labels)

/* The best level this machine can run: 0 what every machine of its kind has, 1 AVX2, 2 AVX-512. */
static inline int fp_level(void) {
#if FP_LEVELS == 3
    __builtin_cpu_init();
    if (!(__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2"))) return 0;
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl"))
        return 2;
    return 1;
#else
    return 0;
#endif
}

/* The function for the slots of a table; `level` must be one that fp_level() allows. */
static inline FpAdd fp_choose(int for_moves, int32_t slot_bytes, int level) {
    if (!for_moves) return fp_add_labels_all[level];
    if (slot_bytes == 8) return fp_add_moves8_all[level];
    return (slot_bytes == 16 ? fp_add_moves16_all : fp_add_moves32_all)[level];
}
#endif
