// The kernels of the loss: a row's exponentials, in full, in bf16 and not kept, and what is done with them.

#include "math/elementary.h"
#include "math/kernels_cases.h"

// What is 1e-5 off before it is rounded to eight bits, by half a unit of the last.
static const double BF16_ERROR = 1.0 / 256 + 1e-5;

static void check_exponentials(const Kernels *k, size_t n)
{
    if (n == 0) return;
    real *x = numbers(n, 3, 1), *bias = numbers(n, 1, 2), *p = numbers(n, 1, 3);
    double *expected = doubles(n), sum = 0, total = 0, most = -INFINITY;
    const real reference = 2;
    for (size_t i = 0; i < n; i++) {
        double above = (double)x[i] + (double)bias[i] - (double)reference;
        most = fmax(most, (double)(x[i] + bias[i]));
        expected[i] = exp(above);
        sum += expected[i];
        total += above;
    }
    ck_assert((double)k->max(x, bias, n) == most);
    uint16_t *bf16 = malloc(n * sizeof *bf16);
    const ExponentialSums sums[] = {
        k->exponentials((Elements){.values = p}, x, bias, reference, n),
        k->exponentials((Elements){0}, x, bias, reference, n),
        k->exponentials((Elements){.bf16 = bf16}, x, bias, reference, n),
    };
    expect(p, expected, n, 10, k, "exponentials");
    for (size_t i = 0; i < n; i++)
        ck_assert(fabs((double)real_of_bf16(bf16[i]) - expected[i]) <= BF16_ERROR * expected[i]);
    for (size_t i = 0; i < 3; i++) {
        expect(&sums[i].sum, &sum, 1, i == 2 ? 8 * sum : sum, k, "their sum");
        expect(&sums[i].total, &total, 1, 5 * (double)n, k, "the sum of what they are of");
    }
    release(x, bias, p, expected, bf16);
}

// Far from the reference, and with a NaN, which the sums keep wherever the exponentials go.
static void check_edges(const Kernels *k, size_t n)
{
    if (n == 0) return;
    real *x = numbers(n, 1, 1), *bias = numbers(n, 0, 2), *p = numbers(n, 1, 3);
    uint16_t *bf16 = malloc(n * sizeof *bf16);
    for (int kept = 0; kept < 3; kept++) {
        const Elements place = {kept == 0 ? p : NULL, kept == 1 ? bf16 : NULL};
        for (size_t i = 0; i < n; i++) x[i] = (real)-INFINITY;
        ExponentialSums sums = k->exponentials(place, x, bias, 0, n);
        ck_assert((double)sums.sum < 1e-30 && isinf(sums.total));
        if (kept == 0) ck_assert(p[n - 1] == 0);
        if (kept == 1) ck_assert((double)real_of_bf16(bf16[n / 2]) < 1e-37);
        for (size_t i = 0; i < n; i++) x[i] = 80;
        x[n / 2] = 1000; // 88
        sums = k->exponentials(place, x, bias, 0, n);
        if (sizeof(real) == sizeof(float))
            ck_assert(isfinite(sums.sum) && (double)sums.sum > 1.6e38);
        x[n / 2] = (real)NAN;
        sums = k->exponentials(place, x, bias, 0, n);
        ck_assert(isnan(sums.sum) && isnan(sums.total));
        if (kept == 0) ck_assert(isnan(p[n / 2]));
        if (kept == 1) ck_assert(isnan(real_of_bf16(bf16[n / 2])));
    }
    release(x, bias, p, bf16);
}

static void check_scale(const Kernels *k, size_t n)
{
    real *p = numbers(n, 1, 1), *before = numbers(n, 1, 1);
    uint16_t *bf16 = malloc((n + 1) * sizeof *bf16), *rounded = malloc((n + 1) * sizeof *rounded);
    k->to_bf16(bf16, p, n);
    k->scale((Elements){.values = p}, (real)0.125, n);
    k->scale((Elements){.bf16 = bf16}, (real)0.125, n);
    k->scale((Elements){0}, 0, n);
    for (size_t i = 0; i < n; i++) ck_assert(p[i] == before[i] / 8);
    k->to_bf16(rounded, p, n);
    ck_assert_mem_eq(bf16, rounded, n * sizeof *bf16);
    release(p, before, bf16, rounded);
}

enum { ROWS = 5 };

static void check_add_scaled_rows(const Kernels *k, size_t n)
{
    real *p = numbers(ROWS * n, 1, 1), *a = numbers(ROWS, 1, 2);
    real *y = numbers(n, 1, 3), *again = numbers(n, 1, 3);
    uint16_t *bf16 = malloc((ROWS * n + 1) * sizeof *bf16);
    double *expected = doubles(n), *of_halves = doubles(n);
    k->to_bf16(bf16, p, ROWS * n);
    for (size_t j = 0; j < n; j++) {
        expected[j] = of_halves[j] = (double)y[j];
        for (size_t i = 0; i < ROWS; i++) {
            expected[j] += (double)a[i] * (double)p[i * n + j];
            of_halves[j] += (double)a[i] * (double)real_of_bf16(bf16[i * n + j]);
        }
    }
    k->add_scaled_rows(y, a, (Elements){.values = p}, ROWS, n);
    k->add_scaled_rows(again, a, (Elements){.bf16 = bf16}, ROWS, n);
    expect(y, expected, n, 10, k, "add_scaled_rows");
    expect(again, of_halves, n, 10, k, "add_scaled_rows of bf16");
    release(p, a, y, again, bf16, expected, of_halves);
}

EVERYWHERE(test_exponentials, check_exponentials)
EVERYWHERE(test_edges, check_edges)
EVERYWHERE(test_shrink, check_scale)
EVERYWHERE(test_add_scaled_rows, check_add_scaled_rows)

int main(void)
{
    Suite *suite = suite_create("exponentials");
    suite_add(suite, "exponentials", test_exponentials);
    suite_add(suite, "far away, and NaN", test_edges);
    suite_add(suite, "shrink", test_shrink);
    suite_add(suite, "add_scaled_rows", test_add_scaled_rows);
    return suite_run(suite);
}
