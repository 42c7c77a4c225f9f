/* Finding the separators of a line, 64 bytes at a time.
 *
 * A Scanner walks a buffer once and hands out the positions of its tabs and line feeds in order. It never reads outside
 * [0, size): the last, partial block is copied into a padded one. `high` is sticky: it is set when a block seen since
 * the caller cleared it holds a byte of a multi-byte character (or an invalid one), so that ASCII text pays nothing for
 * the check of its encoding.
 */
#ifndef FASTPARSE_SCANNING_H
#define FASTPARSE_SCANNING_H

#include <stdint.h>
#include <string.h>

#if !defined(FASTPARSE_PORTABLE) && (defined(__SSE2__) || (defined(_MSC_VER) && defined(_M_X64)))
#include <emmintrin.h>
#define FASTPARSE_SSE2 1
#endif
#if defined(_MSC_VER)
#include <intrin.h>
#endif

typedef struct {
    const uint8_t *data;
    int64_t size;
    int64_t block;      /* offset of the block `mask` speaks of; a multiple of 64 from where the scan began */
    uint64_t mask;      /* bit i: data[block + i] is a separator not handed out yet */
    int block_high;     /* whether the current block holds a byte >= 0x80 */
    int high;
} FastparseScanner;

static inline int fastparse_lowest_bit(uint64_t mask) {
#if defined(_MSC_VER)
    unsigned long at;
    _BitScanForward64(&at, mask);
    return (int)at;
#else
    return __builtin_ctzll(mask);
#endif
}

#ifdef FASTPARSE_SSE2
static inline uint64_t fastparse_block_mask(const uint8_t *at, int *high) {
    const __m128i tab = _mm_set1_epi8('\t'), feed = _mm_set1_epi8('\n');
    uint64_t mask = 0;
    int i, any = 0;
    for (i = 0; i < 4; i++) {
        __m128i bytes = _mm_loadu_si128((const __m128i *)(at + 16 * i));
        __m128i found = _mm_or_si128(_mm_cmpeq_epi8(bytes, tab), _mm_cmpeq_epi8(bytes, feed));
        mask |= (uint64_t)(uint32_t)_mm_movemask_epi8(found) << (16 * i);
        any |= _mm_movemask_epi8(bytes);
    }
    *high = any != 0;
    return mask;
}
#else
/* Bytes equal to `value`, as the low eight bits; the multiplication gathers the top bit of every byte. */
static inline uint64_t fastparse_equal_bytes(uint64_t word, uint64_t value) {
    const uint64_t low7 = 0x7f7f7f7f7f7f7f7fULL;
    uint64_t x = word ^ (value * 0x0101010101010101ULL);
    uint64_t zero = ~(((x & low7) + low7) | x | low7);
    return ((zero >> 7) * 0x0102040810204080ULL) >> 56;
}

static inline uint64_t fastparse_block_mask(const uint8_t *at, int *high) {
    uint64_t mask = 0, any = 0;
    int i, j;
    for (i = 0; i < 8; i++) {
        uint64_t word = 0;
        for (j = 7; j >= 0; j--)  /* little-endian on every machine; compilers make one load of it */
            word = (word << 8) | at[8 * i + j];
        mask |= (fastparse_equal_bytes(word, '\t') | fastparse_equal_bytes(word, '\n')) << (8 * i);
        any |= word & 0x8080808080808080ULL;
    }
    *high = any != 0;
    return mask;
}
#endif

static inline void fastparse_scanner_load(FastparseScanner *s) {
    int64_t left = s->size - s->block;
    if (left >= 64) {
        s->mask = fastparse_block_mask(s->data + s->block, &s->block_high);
    } else {
        uint8_t padded[64] = {0};
        if (left > 0)
            memcpy(padded, s->data + s->block, (size_t)left);
        s->mask = fastparse_block_mask(padded, &s->block_high);
    }
    s->high |= s->block_high;
}

static inline void fastparse_scanner_start(FastparseScanner *s, const uint8_t *data, int64_t begin, int64_t size) {
    s->data = data;
    s->size = size;
    s->block = begin;
    s->high = 0;
    fastparse_scanner_load(s);
}

/* The position of the next tab or line feed, or `size` when there is none. */
static inline int64_t fastparse_scanner_next(FastparseScanner *s) {
    int64_t at;
    while (s->mask == 0) {
        if (s->size - s->block <= 64)
            return s->size;
        s->block += 64;
        fastparse_scanner_load(s);
    }
    at = s->block + fastparse_lowest_bit(s->mask);
    s->mask &= s->mask - 1;
    return at;
}

#endif
