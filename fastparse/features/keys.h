/* Keys of many templates at once.
 *
 * A key is mix(seed + sum over places j of atom[j] * FP_PLACE[j]). Sixteen templates are computed together where the
 * machine has AVX-512: their atoms are picked out of registers that hold all atoms of a group. One template at a time
 * gives the same keys everywhere else.
 */
#ifndef FASTPARSE_KEYS_H
#define FASTPARSE_KEYS_H

#include <stdint.h>
#include "fastparse/features/compiler.h"

#define FP_KEY_LANES 16
#define FP_KEY_FEW 64       /* atoms that four registers hold */
#define FP_KEY_ATOMS 128    /* and eight; the last one of either is 0 and stands for places a template does not use */

_Static_assert(FP_MAX_KEYS % FP_KEY_LANES == 0, "whole blocks of keys fit where the keys of a group do");
_Static_assert(FP_KEY_ATOMS <= FP_MAX_ATOMS, "the atoms of a block fit where those of a group do");
_Static_assert(FP_MAX_PARTS == 6, "there is a factor for each place, here and in extract_singly");

static const uint64_t FP_PLACE[FP_MAX_PARTS] = {
    0x9E3779B97F4A7C15ULL, 0xC2B2AE3D27D4EB4FULL, 0xD6E8FEB86659FD93ULL,
    0xA0761D6478BD642FULL, 0xE7037ED1A0B428DBULL, 0x8EBC6AF09C88C6E3ULL,
};
#define FP_KEY_FACTOR 0xBF58476D1CE4E5B9ULL

static inline uint64_t fp_mixed(uint64_t key) {
    key ^= key >> 32;
    key *= FP_KEY_FACTOR;
    return key ^ (key >> 29);
}

#if FP_VECTORS && defined(__x86_64__)
#define FP_WIDE_KEYS 1
#include <immintrin.h>

static inline int fp_has_wide_keys(void) {
    return fp_level() == FP_WITH_AVX512;
}

#define FP_WIDE static inline __attribute__((always_inline, target("avx512f,avx512dq")))

/* The atoms at 16 places of 64. */
FP_WIDE __m512i fp_pick(const __m512i *atoms, __m512i at) {
    return _mm512_mask_blend_epi32(
        _mm512_test_epi32_mask(at, _mm512_set1_epi32(32)), _mm512_permutex2var_epi32(atoms[0], at, atoms[1]),
        _mm512_permutex2var_epi32(atoms[2], at, atoms[3]));
}

FP_WIDE void fp_keys_of_blocks(int32_t n_blocks, const uint8_t *n_places, const uint32_t *picked, const uint64_t *seeds,
                               const uint32_t *values, int many, uint64_t *keys) {
    const __m512i factor = _mm512_set1_epi64((long long)FP_KEY_FACTOR);
    __m512i atoms[8];
    for (int i = 0; i < (many ? 8 : 4); i++) atoms[i] = _mm512_loadu_si512(values + 16 * i);
    for (int32_t k = 0; k < n_blocks; k++) {
        __m512i low = _mm512_loadu_si512(seeds), high = _mm512_loadu_si512(seeds + 8);
        for (int32_t j = 0; j < n_places[k]; j++) {
            const __m512i at = _mm512_loadu_si512(picked + FP_KEY_LANES * j);
            const __m512i place = _mm512_set1_epi64((long long)FP_PLACE[j]);
            __m512i value = fp_pick(atoms, at);
            if (many)
                value = _mm512_mask_blend_epi32(
                    _mm512_test_epi32_mask(at, _mm512_set1_epi32(64)), value, fp_pick(atoms + 4, at));
            low = _mm512_add_epi64(
                low, _mm512_mullo_epi64(_mm512_cvtepu32_epi64(_mm512_castsi512_si256(value)), place));
            high = _mm512_add_epi64(
                high, _mm512_mullo_epi64(_mm512_cvtepu32_epi64(_mm512_extracti64x4_epi64(value, 1)), place));
        }
        low = _mm512_mullo_epi64(_mm512_xor_si512(low, _mm512_srli_epi64(low, 32)), factor);
        high = _mm512_mullo_epi64(_mm512_xor_si512(high, _mm512_srli_epi64(high, 32)), factor);
        _mm512_storeu_si512(keys, _mm512_xor_si512(low, _mm512_srli_epi64(low, 29)));
        _mm512_storeu_si512(keys + 8, _mm512_xor_si512(high, _mm512_srli_epi64(high, 29)));
        keys += FP_KEY_LANES;
        seeds += FP_KEY_LANES;
        picked += FP_KEY_LANES * FP_MAX_PARTS;
    }
}

/* For each block of 16 templates: how many places they use at most, the atoms at each place, the seeds. `n_atoms` is
 * FP_KEY_FEW or FP_KEY_ATOMS. Writes whole blocks of keys. */
__attribute__((target("avx512f,avx512dq")))
static void fp_wide_keys(int32_t n_blocks, const uint8_t *n_places, const uint32_t *picked, const uint64_t *seeds,
                         const uint32_t *atoms, int32_t n_atoms, uint64_t *keys) {
    if (n_atoms <= FP_KEY_FEW) fp_keys_of_blocks(n_blocks, n_places, picked, seeds, atoms, 0, keys);
    else fp_keys_of_blocks(n_blocks, n_places, picked, seeds, atoms, 1, keys);
}
#else
#define FP_WIDE_KEYS 0
static inline int fp_has_wide_keys(void) { return 0; }
static inline void fp_wide_keys(int32_t n_blocks, const uint8_t *n_places, const uint32_t *picked, const uint64_t *seeds,
                                const uint32_t *atoms, int32_t n_atoms, uint64_t *keys) {
    (void)n_blocks, (void)n_places, (void)picked, (void)seeds, (void)atoms, (void)n_atoms, (void)keys;
}
#endif
#endif
