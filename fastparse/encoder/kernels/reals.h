/* Arithmetic of floats that gives the same bytes on every machine: products of matrices, exponentials, logarithms.
 *
 * A number of a product is a sum over k: in blocks of FP_DEEP, each added up by itself from the left, one fused
 * multiplication and addition after the other, and added to the blocks before it. Vectors hold numbers that lie side
 * by side in a row of the outcome, so their width changes nothing. Where the processor cannot fuse, the same is
 * computed in double precision, exactly, but many times slower.
 */
#ifndef FASTPARSE_ENCODER_REALS_H
#define FASTPARSE_ENCODER_REALS_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#if (defined(__GNUC__) || defined(__clang__)) && !defined(FASTPARSE_PORTABLE)
#if defined(__x86_64__)
#define FP_REALS_X86 1
#include <immintrin.h>
#elif defined(__aarch64__)
#define FP_REALS_ARM 1
#include <arm_neon.h>
#endif
#endif

#define FP_DEEP 256             /* of a block of sums: the outcome depends on it */
#define FP_HIGH 96              /* rows that are packed together, a multiple of the rows of every tile */
#define FP_MOST_WIDE 32

/* A matrix of which number (i, k) is at[i * row + k * column]. */
typedef struct {
    const float *at;
    ptrdiff_t row, column;
} FpMatrix;

/* A tile of the outcome: `rows` rows, at most `high`, and `wide` columns, from packed numbers. */
typedef void (*FpTile)(const float *a, const float *b, ptrdiff_t n, int rows, float *out, ptrdiff_t stride, int add);

typedef struct {
    const char *name;
    int high, wide;
    FpTile tile;
} FpProducts;

#if defined(__GNUC__) || defined(__clang__)
#define FP_UNROLLED _Pragma("GCC unroll 16")
#define FP_ALWAYS inline __attribute__((always_inline))
#else
#define FP_UNROLLED
#define FP_ALWAYS inline
#endif

/* ── a * b + c, rounded once, on any processor ── */

static inline float fp_fused(float a, float b, float c)
{
    const double p = (double)a * b;             /* exact */
    const double s = p + c, t = s - p, e = (p - (s - t)) + (c - t);     /* s + e is exact */
    int64_t bits;
    double odd;
    /* Rounded to odd where bits are lost, the sum can be rounded once more without harm. */
    memcpy(&bits, &s, sizeof bits);
    if (e != 0) bits = (bits - ((e < 0) != (s < 0))) | 1;
    memcpy(&odd, &bits, sizeof odd);
    return (float)odd;
}

#ifdef FP_REALS_X86
/* The same for two numbers, of a and b as doubles. */
static FP_ALWAYS __m128d fp_fused_pair(__m128d a, __m128d b, __m128d c)
{
    const __m128d p = _mm_mul_pd(a, b), s = _mm_add_pd(p, c), t = _mm_sub_pd(s, p);
    const __m128d e = _mm_add_pd(_mm_sub_pd(p, _mm_sub_pd(s, t)), _mm_sub_pd(c, t));
    const __m128i lost = _mm_srli_epi64(_mm_castpd_si128(_mm_cmpneq_pd(e, _mm_setzero_pd())), 63);
    const __m128i apart = _mm_and_si128(_mm_srli_epi64(_mm_castpd_si128(_mm_xor_pd(e, s)), 63), lost);
    return _mm_castsi128_pd(_mm_or_si128(_mm_sub_epi64(_mm_castpd_si128(s), apart), lost));
}

static FP_ALWAYS __m128 fp_fused_four(__m128 c, __m128 a, __m128 b)
{
    const __m128d low = fp_fused_pair(_mm_cvtps_pd(a), _mm_cvtps_pd(b), _mm_cvtps_pd(c));
    const __m128d high = fp_fused_pair(_mm_cvtps_pd(_mm_movehl_ps(a, a)), _mm_cvtps_pd(_mm_movehl_ps(b, b)),
                                       _mm_cvtps_pd(_mm_movehl_ps(c, c)));
    return _mm_movelh_ps(_mm_cvtpd_ps(low), _mm_cvtpd_ps(high));
}
#else
static void fp_tile_plain(const float *a, const float *b, ptrdiff_t n, int rows, float *out, ptrdiff_t stride, int add)
{
    float c[4][8] = {{0}};
    for (ptrdiff_t k = 0; k < n; k++)
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < 8; j++)
                c[i][j] = fp_fused(a[4 * k + i], b[8 * k + j], c[i][j]);
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < 8; j++)
            out[i * stride + j] = add ? out[i * stride + j] + c[i][j] : c[i][j];
}
#endif

/* ── tiles of vectors ── */

#define FP_TILE(form, target, V, W, HIGH, LOAD, STORE, SET, FUSED, ADD)                                               \
    target static FP_ALWAYS void fp_sums_##form(const float *a, const float *b, ptrdiff_t n, const int rows,          \
                                                float *out, ptrdiff_t stride, int add) {                              \
        V c[HIGH][2];                                                                                                 \
        FP_UNROLLED for (int i = 0; i < rows; i++) c[i][0] = c[i][1] = SET(0.0f);                                     \
        for (ptrdiff_t k = 0; k < n; k++, a += HIGH, b += 2 * W) {                                                    \
            const V left = LOAD(b), right = LOAD(b + W);                                                              \
            FP_UNROLLED for (int i = 0; i < rows; i++) {                                                              \
                const V x = SET(a[i]);                                                                                \
                c[i][0] = FUSED(c[i][0], x, left);                                                                    \
                c[i][1] = FUSED(c[i][1], x, right);                                                                   \
            }                                                                                                         \
        }                                                                                                             \
        FP_UNROLLED for (int i = 0; i < rows; i++, out += stride) {                                                   \
            if (add) {                                                                                                \
                c[i][0] = ADD(LOAD(out), c[i][0]);                                                                    \
                c[i][1] = ADD(LOAD(out + W), c[i][1]);                                                                \
            }                                                                                                         \
            STORE(out, c[i][0]);                                                                                      \
            STORE(out + W, c[i][1]);                                                                                  \
        }                                                                                                             \
    }                                                                                                                 \
    target static void fp_tile_##form(const float *a, const float *b, ptrdiff_t n, int rows, float *out,              \
                                      ptrdiff_t stride, int add) {                                                    \
        while (rows > 0) {                                                                                            \
            const int now = rows >= HIGH ? HIGH : rows >= 4 ? 4 : rows;                                               \
            if (now == HIGH) fp_sums_##form(a, b, n, HIGH, out, stride, add);                                         \
            else if (now == 4) fp_sums_##form(a, b, n, 4, out, stride, add);                                          \
            else if (now == 3) fp_sums_##form(a, b, n, 3, out, stride, add);                                          \
            else if (now == 2) fp_sums_##form(a, b, n, 2, out, stride, add);                                          \
            else fp_sums_##form(a, b, n, 1, out, stride, add);                                                        \
            a += now, out += now * stride, rows -= now;                                                               \
        }                                                                                                             \
    }

#ifdef FP_REALS_X86
#define FP_FUSED_256(c, x, y) _mm256_fmadd_ps(x, y, c)
#define FP_FUSED_512(c, x, y) _mm512_fmadd_ps(x, y, c)
FP_TILE(plain, , __m128, 4, 4, _mm_loadu_ps, _mm_storeu_ps, _mm_set1_ps, fp_fused_four, _mm_add_ps)
FP_TILE(avx2, __attribute__((target("avx2,fma"))), __m256, 8, 6, _mm256_loadu_ps, _mm256_storeu_ps, _mm256_set1_ps,
        FP_FUSED_256, _mm256_add_ps)
FP_TILE(avx512, __attribute__((target("avx512f"))), __m512, 16, 12, _mm512_loadu_ps, _mm512_storeu_ps, _mm512_set1_ps,
        FP_FUSED_512, _mm512_add_ps)
#endif
#ifdef FP_REALS_ARM
FP_TILE(neon, , float32x4_t, 4, 8, vld1q_f32, vst1q_f32, vdupq_n_f32, vfmaq_f32, vaddq_f32)
#endif

/* Slowest first. */
static const FpProducts fp_products_known[] = {
    {"plain", 4, 8, fp_tile_plain},
#ifdef FP_REALS_X86
    {"avx2", 6, 16, fp_tile_avx2},
    {"avx512", 12, 32, fp_tile_avx512},
#endif
#ifdef FP_REALS_ARM
    {"neon", 8, 8, fp_tile_neon},
#endif
};

/* How many of them this machine can run: the first ones. */
static inline int fp_products_here(void)
{
#ifdef FP_REALS_X86
    __builtin_cpu_init();
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) return 1;
    return __builtin_cpu_supports("avx512f") ? 3 : 2;
#else
    return (int)(sizeof fp_products_known / sizeof fp_products_known[0]);
#endif
}

/* ── packing: what a step over k reads lies together ── */

/* out[k * room + i] = number (i, k), zeros for i from `lanes` on. */
static inline void fp_packed(FpMatrix m, ptrdiff_t lanes, ptrdiff_t room, ptrdiff_t n, float *out)
{
    if (lanes < room) memset(out, 0, (size_t)(n * room) * sizeof(float));
    if (m.row == 1) {
        for (ptrdiff_t k = 0; k < n; k++) memcpy(out + k * room, m.at + k * m.column, (size_t)lanes * sizeof(float));
        return;
    }
    ptrdiff_t i = 0;
#ifdef FP_REALS_X86
    if (m.column == 1)
        for (; i + 4 <= lanes; i += 4) {
            const float *x = m.at + i * m.row;
            ptrdiff_t k = 0;
            for (; k + 4 <= n; k += 4) {
                __m128 a = _mm_loadu_ps(x + k), b = _mm_loadu_ps(x + m.row + k);
                __m128 c = _mm_loadu_ps(x + 2 * m.row + k), d = _mm_loadu_ps(x + 3 * m.row + k);
                _MM_TRANSPOSE4_PS(a, b, c, d);
                _mm_storeu_ps(out + k * room + i, a);
                _mm_storeu_ps(out + (k + 1) * room + i, b);
                _mm_storeu_ps(out + (k + 2) * room + i, c);
                _mm_storeu_ps(out + (k + 3) * room + i, d);
            }
            for (; k < n; k++)
                for (int j = 0; j < 4; j++) out[k * room + i + j] = x[j * m.row + k];
        }
#endif
    for (; i < lanes; i++)
        for (ptrdiff_t k = 0; k < n; k++) out[k * room + i] = m.at[i * m.row + k * m.column];
}

static inline ptrdiff_t fp_least(ptrdiff_t a, ptrdiff_t b) { return a < b ? a : b; }

/* out[i * stride + j] = (add: what is there, +) the sum of a(i, k) * b(j, k); 0 if there was no memory. */
static inline int fp_product(const FpProducts *p, FpMatrix a, FpMatrix b, ptrdiff_t rows, ptrdiff_t columns,
                             ptrdiff_t deep, float *out, ptrdiff_t stride, int add)
{
    const ptrdiff_t high = p->high, wide = p->wide, panels = (columns + wide - 1) / wide;
    const ptrdiff_t most = fp_least(deep, FP_DEEP);
    float *const memory = malloc((size_t)((panels * wide + FP_HIGH) * most + 16) * sizeof(float));
    if (!memory) return 0;
    float *const whole_b = (float *)(((uintptr_t)memory + 63) & ~(uintptr_t)63);
    float *const whole_a = whole_b + panels * wide * most;
    float edge[12 * FP_MOST_WIDE];
    for (ptrdiff_t first = 0; first < deep; first += FP_DEEP, add = 1) {
        const ptrdiff_t n = fp_least(FP_DEEP, deep - first);
        for (ptrdiff_t j = 0; j < columns; j += wide) {
            const FpMatrix part = {b.at + j * b.row + first * b.column, b.row, b.column};
            fp_packed(part, fp_least(wide, columns - j), wide, n, whole_b + j * n);
        }
        for (ptrdiff_t top = 0; top < rows; top += FP_HIGH) {
            const ptrdiff_t bottom = fp_least(rows, top + FP_HIGH);
            for (ptrdiff_t i = top; i < bottom; i += high) {
                const FpMatrix part = {a.at + i * a.row + first * a.column, a.row, a.column};
                fp_packed(part, fp_least(high, bottom - i), high, n, whole_a + (i - top) * n);
            }
            for (ptrdiff_t j = 0; j < columns; j += wide)
                for (ptrdiff_t i = top; i < bottom; i += high) {
                    const int n_rows = (int)fp_least(high, bottom - i);
                    const ptrdiff_t n_columns = fp_least(wide, columns - j);
                    float *const to = out + i * stride + j;
                    if (n_columns == wide) {
                        p->tile(whole_a + (i - top) * n, whole_b + j * n, n, n_rows, to, stride, add);
                        continue;
                    }
                    p->tile(whole_a + (i - top) * n, whole_b + j * n, n, n_rows, edge, wide, 0);
                    for (int r = 0; r < n_rows; r++)
                        for (ptrdiff_t k = 0; k < n_columns; k++)
                            to[r * stride + k] = add ? to[r * stride + k] + edge[r * wide + k] : edge[r * wide + k];
                }
        }
    }
    free(memory);
    return 1;
}

/* ── exponentials and logarithms ── */

/* e to the power of x; 0 below -708, that of 709 above it. Errors are below 2e-16 of the outcome. */
static inline double fp_exp(double x)
{
    const double shifter = 6755399441055744.0;  /* 1.5 * 2^52: numbers added to it are rounded to integers */
    double n, r, y, factor;
    int64_t bits;
    x = x > 709.0 ? 709.0 : x;
    n = x * 1.44269504088896338700 + shifter;
    memcpy(&bits, &n, sizeof bits);
    n -= shifter;
    r = (x - n * 6.93147180369123816490e-01) - n * 1.90821492927058770002e-10;
    y = 1.0 / 6227020800.0;
    y = y * r + 1.0 / 479001600.0;
    y = y * r + 1.0 / 39916800.0;
    y = y * r + 1.0 / 3628800.0;
    y = y * r + 1.0 / 362880.0;
    y = y * r + 1.0 / 40320.0;
    y = y * r + 1.0 / 5040.0;
    y = y * r + 1.0 / 720.0;
    y = y * r + 1.0 / 120.0;
    y = y * r + 1.0 / 24.0;
    y = y * r + 1.0 / 6.0;
    y = y * r + 0.5;
    y = y * r + 1.0;
    y = y * r + 1.0;
    bits = (int64_t)((uint64_t)(bits + 1023) << 52);
    memcpy(&factor, &bits, sizeof factor);
    return x < -708.0 ? 0.0 : y * factor;
}

/* The natural logarithm of a number that is finite; of what is not above 2^-1022 (0, negative numbers) that of it. */
static inline double fp_log(double x)
{
    int64_t bits, n;
    double f, s, z, y;
    x = x < 2.2250738585072014e-308 ? 2.2250738585072014e-308 : x;
    memcpy(&bits, &x, sizeof bits);
    /* x = 2^n * (1 + f), 1 + f between the roots of 1/2 and of 2. */
    n = (bits - 0x3fe6a09e667f3bcdLL) >> 52;
    bits -= (int64_t)((uint64_t)n << 52);
    memcpy(&f, &bits, sizeof f);
    f -= 1.0;
    s = f / (2.0 + f);
    z = s * s;
    y = 1.0 / 23.0;
    y = y * z + 1.0 / 21.0;
    y = y * z + 1.0 / 19.0;
    y = y * z + 1.0 / 17.0;
    y = y * z + 1.0 / 15.0;
    y = y * z + 1.0 / 13.0;
    y = y * z + 1.0 / 11.0;
    y = y * z + 1.0 / 9.0;
    y = y * z + 1.0 / 7.0;
    y = y * z + 1.0 / 5.0;
    y = y * z + 1.0 / 3.0;
    y = 2.0 * s + 2.0 * s * z * y;
    return (double)n * 6.93147180369123816490e-01 + ((double)n * 1.90821492927058770002e-10 + y);
}

#endif
