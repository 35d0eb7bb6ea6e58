/* Sums, rows, softmax, dropout and Adam, on every instruction set that this processor has,
 * against plain loops in double with libm. The kernels of whole layers stand in
 * test_layer_kernels.c. Every array has exactly its size, so that a sanitizer sees a lane too
 * far. */
#define _POSIX_C_SOURCE 200809L // setenv

#include "base/philox.h"
#include "math/kernels_cases.h"

static void check_vectors(const Kernels *k, size_t n)
{
    real *x = numbers(n, 1, 1), *y = numbers(n, 1, 2);
    double *sum = doubles(n), *scaled = doubles(n), *product = doubles(n);
    for (size_t i = 0; i < n; i++) {
        sum[i] = (double)y[i] + (double)x[i];
        scaled[i] = sum[i] - 0.5 * (double)x[i];
        product[i] = scaled[i] * (double)x[i];
    }
    k->add(y, x, n);
    expect(y, sum, n, 1, k, "add");
    k->add_scaled(y, (real)-0.5, x, n);
    expect(y, scaled, n, 1, k, "add_scaled");
    k->multiply(y, x, n);
    expect(y, product, n, 1, k, "multiply");
    release(x, y, sum, scaled, product);
}

static void check_sums(const Kernels *k, size_t n)
{
    real *x = numbers(n, 1, 1), *y = numbers(n, 1, 2);
    double dot = 0, size = 1, squares = 0;
    for (size_t i = 0; i < n; i++) {
        dot += (double)x[i] * (double)y[i];
        size += fabs((double)x[i] * (double)y[i]);
        squares += (double)x[i] * (double)x[i];
    }
    expect(&(real){k->dot(x, y, n)}, &dot, 1, size, k, "dot");
    ck_assert_double_le(fabs(k->sum_squares(x, n) - squares), 1e-13 * squares);
    ck_assert(k->sum_squares(x, n) == kernels_named("plain")->sum_squares(x, n)); // in one order
    release(x, y);
}

static void check_all_finite(const Kernels *k, size_t n)
{
    static const double bad[] = {INFINITY, -INFINITY, NAN};
    real *x = numbers(n, 1e30, 1);
    ck_assert(k->all_finite(x, n));
    for (size_t i = 0; i < n; i += 1 + n / 20)
        for (size_t b = 0; b < 3; b++) {
            real kept = x[i];
            x[i] = (real)bad[b];
            ck_assert(!k->all_finite(x, n));
            x[i] = kept;
        }
    release(x);
}

static void check_tanh(const Kernels *k, size_t n)
{
    real *y = numbers(n, 2, 1), *bias = numbers(n, 1, 2), *dy = numbers(n, 1, 3);
    double *expected = doubles(n), *dx = doubles(n);
    for (size_t i = 0; i < n; i++) {
        expected[i] = tanh((double)y[i] + (double)bias[i]);
        dx[i] = (double)dy[i] * (1 - expected[i] * expected[i]);
    }
    k->bias_tanh(y, bias, n);
    expect(y, expected, n, 1, k, "bias_tanh");
    real *set = numbers(n, 1, 4);
    k->tanh_backward(set, dy, y, n);
    expect(set, dx, n, 4, k, "tanh_backward");
    k->tanh_backward(dy, dy, y, n);
    expect(dy, dx, n, 4, k, "tanh_backward in place");
    release(y, bias, dy, expected, dx, set);
}

static void check_highest(const Kernels *k, size_t n)
{
    if (n == 0) return;
    real *x = numbers(n, 1, 1);
    for (size_t place = 0; place < n; place += 1 + n / 50) {
        real kept = x[place];
        x[place] = 100;
        ck_assert_uint_eq(k->argmax(x, n), place);
        if (place + 1 < n) { // the first of two
            real other = x[n - 1];
            x[n - 1] = 100;
            ck_assert_uint_eq(k->argmax(x, n), place);
            x[n - 1] = (real)NAN;
            ck_assert_uint_eq(k->argmax(x, n), place);
            x[n - 1] = other;
        }
        x[place] = kept;
    }
    for (size_t i = 0; i < n; i++) x[i] = (real)-INFINITY;
    ck_assert_uint_eq(k->argmax(x, n), 0);
    x[n - 1] = -3;
    ck_assert_uint_eq(k->argmax(x, n), n - 1);
    release(x);
}

// `shift` moves all values: softmax does not change, and exp alone would overflow.
static void check_softmax_shifted(const Kernels *k, size_t n, double shift)
{
    real *x = numbers(n, 3, 1), *dalpha = numbers(n, 1, 2), *de = numbers(n, 1, 3);
    double *alpha = doubles(n), *expected = doubles(n), sum = 0, mean = 0;
    for (size_t i = 0; i < n; i++) {
        x[i] += (real)shift;
        alpha[i] = exp((double)x[i] - shift);
        sum += alpha[i];
    }
    for (size_t i = 0; i < n; i++) alpha[i] /= sum;
    for (size_t i = 0; i < n; i++) mean += alpha[i] * (double)dalpha[i];
    for (size_t i = 0; i < n; i++) expected[i] = alpha[i] * ((double)dalpha[i] - mean);
    k->softmax(x, n);
    expect(x, alpha, n, 1, k, "softmax");
    k->softmax_backward(de, dalpha, x, n);
    expect(de, expected, n, 1, k, "softmax_backward");
    k->softmax_backward(dalpha, dalpha, x, n);
    expect(dalpha, expected, n, 1, k, "softmax_backward in place");
    release(x, dalpha, de, alpha, expected);
}

static void check_softmax(const Kernels *k, size_t n)
{
    if (n == 0) return;
    static const double shifts[] = {0, 100, -100, 1e4, -1e4};
    for (size_t i = 0; i < sizeof shifts / sizeof *shifts; i++)
        check_softmax_shifted(k, n, shifts[i]);
}

TEST(softmax_at_the_edges)
{
    for (size_t i = 0; i < 3; i++) {
        const Kernels *k = kernels_named(INSTRUCTION_SETS[i]);
        if (!k) continue;
        real one[] = {-1e4f}, far[] = {0, -1e4f, (real)-INFINITY, 3e38f}, bad[20] = {0};
        k->softmax(one, 1);
        ck_assert(one[0] == 1);
        k->softmax(far, 4);
        ck_assert(far[0] == 0 && far[1] == 0 && far[2] == 0 && far[3] == 1);
        bad[7] = (real)NAN;
        k->softmax(bad, 20);
        for (size_t j = 0; j < 20; j++) ck_assert(isnan(bad[j])); // not hidden
        bad[0] = (real)INFINITY;
        ck_assert(!isfinite(k->sum_squares(bad, 1)));
        bad[0] = 1e30f; // its square is beyond float
        ck_assert_double_eq_tol(k->sum_squares(bad, 1), 1e60, 1e54);
        // 2⁻¹⁴⁹ is a denormal
        bad[0] = 0x1p-149f;
        k->bias_tanh(bad, (real[]){0}, 1);
        ck_assert(bad[0] == 0x1p-149f);
    }
}

static void check_rows(const Kernels *k, size_t width)
{
    enum { S = 7 };
    real *rows = numbers(S * width, 1, 1), *weights = numbers(S, 1, 2), *x = numbers(width, 1, 3);
    real *out = numbers(width, 1, 4), *dots = numbers(S, 1, 5);
    double *sum = doubles(width), expected[S] = {0};
    for (size_t j = 0; j < S; j++)
        for (size_t i = 0; i < width; i++) {
            sum[i] += (double)weights[j] * (double)rows[j * width + i];
            expected[j] += (double)rows[j * width + i] * (double)x[i];
        }
    k->gemv_transposed(out, weights, rows, S, width, width);
    expect(out, sum, width, S, k, "gemv_transposed");
    k->gemv(dots, rows, x, S, width, width);
    expect(dots, expected, S, 1 + (double)width, k, "gemv");
    memset(sum, 0, width * sizeof *sum);
    k->gemv_transposed(out, weights, rows, 0, width, width);
    expect(out, sum, width, 1, k, "gemv_transposed of none");
    size_t columns = width / 2; // of wider rows
    for (size_t j = 0; j < S; j++)
        for (size_t i = 0; i < columns; i++) sum[i] += (double)rows[j * width + i];
    k->add_rows(out, rows, S, columns, width);
    expect(out, sum, width, S, k, "add_rows");
    release(rows, weights, x, out, dots, sum);
}

static void check_picked_rows(const Kernels *k, size_t width)
{
    enum {
        ROWS = 9,
        MOST = 7,
        STRIDE = 8
    }; // as many vectors and picks as fill groups, and some more
    static const int32_t picks[MOST] = {8, 0, 3, 3, 1, 7, 2};
    real *rows = numbers(ROWS * width, 1, 1), *x = numbers(MOST * width, 1, 2);
    for (size_t n = 0; n <= MOST; n++)
        for (size_t count = 0; count <= MOST; count++) {
            real y[MOST * STRIDE];
            double expected[MOST * STRIDE];
            for (size_t i = 0; i < MOST * STRIDE; i++) expected[i] = (double)(y[i] = 77);
            for (size_t i = 0; i < n; i++)
                for (size_t j = 0; j < count; j++) {
                    double sum = 0;
                    for (size_t l = 0; l < width; l++)
                        sum +=
                            (double)x[i * width + l] * (double)rows[(size_t)picks[j] * width + l];
                    expected[i * STRIDE + j] = sum;
                }
            k->gemv_gathered(y, STRIDE, x, n, rows, picks, count, width);
            expect(y, expected, MOST * STRIDE, 1 + (double)width, k, "gemv_gathered");
        }
    release(rows, x);
}

static void check_log_sum_exp(const Kernels *k, size_t n)
{
    if (n == 0) return;
    real *x = numbers(n, 3, 1), *bias = numbers(n, 1, 2);
    size_t spans = (n + KERNELS_SPAN - 1) / KERNELS_SPAN;
    real *maxima = numbers(spans, 1, 3);
    double *sums = doubles(n), *largest = doubles(spans), total = 0;
    for (size_t i = 0; i < spans; i++) largest[i] = -INFINITY;
    for (size_t i = 0; i < n; i++) {
        sums[i] = (double)(x[i] + bias[i]);
        total += exp(sums[i]);
        largest[i / KERNELS_SPAN] = fmax(largest[i / KERNELS_SPAN], sums[i]);
    }
    expect(&(real){k->log_sum_exp(x, maxima, bias, n)}, &(double){log(total)}, 1, 10, k,
           "log_sum_exp");
    expect(x, sums, n, 0, k, "what it adds");
    expect(maxima, largest, spans, 0, k, "what it finds highest");
    for (size_t i = 0; i < n; i++) bias[i] = 1000;
    expect(&(real){k->log_sum_exp(x, maxima, bias, n)}, &(double){1000 + log(total)}, 1, 2000, k,
           "log_sum_exp of large values");
    // what is not a number is passed over in a maximum and shows in the sum; what is far below is
    // not
    x[n / 2] = NAN;
    ck_assert(isnan(k->log_sum_exp(x, maxima, bias, n)));
    ck_assert(n == 1 || !isnan(maxima[n / 2 / KERNELS_SPAN]));
    x[n / 2] = -INFINITY;
    ck_assert(n == 1 || isfinite(k->log_sum_exp(x, maxima, bias, n)));
    release(x, bias, maxima, sums, largest);
}

static void check_adam(const Kernels *k, size_t n)
{
    real *values = numbers(n, 1, 1), *m = numbers(n, 1, 2), *v = numbers(n, 1, 3);
    real *g = numbers(n, 1, 4);
    double *new_values = doubles(n), *new_m = doubles(n), *new_v = doubles(n);
    OptimiserStep step = {(real)0.01, (real)0.9, (real)0.98, 2, (real)1e-3, (real)0.5};
    for (size_t i = 0; i < n; i++) {
        v[i] = (real)fabs((double)v[i]);
        double gradient = (double)g[i] * 0.5;
        new_m[i] = 0.9 * (double)m[i] + 0.1 * gradient;
        new_v[i] = 0.98 * (double)v[i] + 0.02 * gradient * gradient;
        new_values[i] = (double)values[i] - 0.01 * new_m[i] / (sqrt(new_v[i] * 2) + 1e-3);
    }
    k->adam(values, m, v, g, &step, n);
    expect(m, new_m, n, 1, k, "adam's first moment");
    expect(v, new_v, n, 1, k, "adam's second moment");
    expect(values, new_values, n, 1, k, "adam's values");
    release(values, m, v, g, new_values, new_m, new_v);
}

static void check_adadelta(const Kernels *k, size_t n)
{
    real *values = numbers(n, 1, 1), *m = numbers(n, 1, 2), *v = numbers(n, 1, 3);
    real *g = numbers(n, 1, 4);
    double *new_values = doubles(n), *new_m = doubles(n), *new_v = doubles(n);
    OptimiserStep step = {
        .rate = (real)0.5, .beta2 = (real)0.75, .epsilon = (real)0.125, .gradient_scale = 2};
    for (size_t i = 0; i < n; i++) {
        m[i] = (real)fabs((double)m[i]);
        v[i] = (real)fabs((double)v[i]);
        double gradient = (double)g[i] * 2;
        new_v[i] = 0.75 * (double)v[i] + 0.25 * gradient * gradient;
        double change = sqrt((double)m[i] + 0.125) / sqrt(new_v[i] + 0.125) * gradient;
        new_m[i] = 0.75 * (double)m[i] + 0.25 * change * change;
        new_values[i] = (double)values[i] - 0.5 * change;
    }
    k->adadelta(values, m, v, g, &step, n);
    expect(m, new_m, n, 1, k, "adadelta's mean square of changes");
    expect(v, new_v, n, 1, k, "adadelta's mean square of gradients");
    expect(values, new_values, n, 1, k, "adadelta's values");
    release(values, m, v, g, new_values, new_m, new_v);
}

/* Element 128 g + 16 h + l is decided by half h of the words of block 16 g + l. */
static void check_dropout_mask(const Kernels *k, size_t n)
{
    const uint32_t counter[] = {3, 5, 7, 11};
    const uint64_t key = 0x123456789abcdef;
    real *mask = numbers(n, 1, 1);
    k->dropout_mask(mask, counter, key, 20000, (real)1.5, n);
    for (size_t i = 0; i < n; i++) {
        uint32_t half = (uint32_t)(i % 128 / 16), number = (uint32_t)(i / 128 * 16 + i % 16);
        const uint32_t block[] = {3 + 4 * number, 5, 7, 11};
        uint32_t words[4];
        philox(words, block, key);
        uint32_t draw = words[half / 2] >> 16 * (half % 2) & 0xffff;
        ck_assert(mask[i] == (draw < 20000 ? 0 : (real)1.5));
    }
    release(mask);
}

/* The same numbers at another address give the same bits: nothing is summed in another order. */
static void expect_address_free(const Kernels *k, size_t n)
{
    if (n == 0) return;
    real *x = numbers(n, 2, 1), *bias = numbers(n, 1, 2), *room = numbers(2 * (n + 16), 1, 3);
    real first[5] = {0}, *alpha = numbers(n, 1, 4), *maxima = numbers(n, 1, 5);
    for (size_t offset = 0; offset < 16; offset++) {
        real *moved = room + offset, *moved_bias = room + n + 16 + (offset * 7) % 16, found[5];
        memcpy(moved, x, n * sizeof *x);
        memcpy(moved_bias, bias, n * sizeof *bias);
        found[0] = k->dot(moved, moved_bias, n);
        found[1] = (real)k->sum_squares(moved, n);
        found[2] = k->log_sum_exp(moved, maxima, moved_bias, n);
        memcpy(moved, x, n * sizeof *x);
        ExponentialSums sums = k->exponentials((Elements){0}, moved, moved_bias, 1, n);
        found[3] = sums.sum;
        found[4] = sums.total;
        memcpy(moved, x, n * sizeof *x);
        k->softmax(moved, n);
        if (offset == 0) {
            memcpy(first, found, sizeof first);
            memcpy(alpha, moved, n * sizeof *alpha);
        }
        ck_assert_mem_eq(first, found, sizeof first);
        ck_assert_mem_eq(alpha, moved, n * sizeof *alpha);
    }
    release(x, bias, room, alpha, maxima);
}

EVERYWHERE(vectors, check_vectors)
EVERYWHERE(sums, check_sums)
EVERYWHERE(all_finite, check_all_finite)
EVERYWHERE(tanh, check_tanh)
EVERYWHERE(highest, check_highest)
EVERYWHERE(softmax, check_softmax)
EVERYWHERE(rows, check_rows)
EVERYWHERE(picked_rows, check_picked_rows)
EVERYWHERE(log_sum_exp, check_log_sum_exp)
EVERYWHERE(dropout_mask, check_dropout_mask)
EVERYWHERE(adam, check_adam)
EVERYWHERE(adadelta, check_adadelta)
EVERYWHERE(address_free, expect_address_free)

TEST(choice)
{
    ck_assert_ptr_null(kernels_named("sse"));
    ck_assert_ptr_null(kernels_named(""));
    ck_assert_str_eq(kernels_named("plain")->name, "plain");
    const char *forced = getenv("REGARD_ISA");
    if (forced && kernels_named(forced)) ck_assert_ptr_eq(kernels(), kernels_named(forced));
    ck_assert_ptr_eq(kernels(), kernels_named(kernels()->name));
}

// Each test is a process of its own, and what is chosen here is chosen for it alone; unless a
// debugger or valgrind wants one process.
TEST(forced)
{
    const char *fork = getenv("CK_FORK");
    if (fork && !strcmp(fork, "no")) return;
    setenv("REGARD_ISA", "plain", 1);
    ck_assert_str_eq(kernels()->name, "plain");
    setenv("REGARD_ISA", "avx2", 1);
    ck_assert_str_eq(kernels()->name, "plain"); // it stays
}

TEST(an_unknown_name_is_passed_over)
{
    setenv("REGARD_ISA", "itanium", 1);
    ck_assert_ptr_nonnull(kernels());
}
