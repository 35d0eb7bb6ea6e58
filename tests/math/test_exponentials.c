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

// Two rows of exponentials, kept as they are and in bf16: their ratios, and the rows drawn together.
static void check_drawing(const Kernels *k, size_t n, bool rounded)
{
    real *p = numbers(n, 2, 1), *q = numbers(n, 2, 2), *l = numbers(n, 1, 3);
    uint16_t *bf16[2] = {malloc((n + 1) * sizeof **bf16), malloc((n + 1) * sizeof **bf16)};
    double *new_p = doubles(n), *new_q = doubles(n), *ratios = doubles(n), of_p = 0, of_q = 0;
    const DrawingFactors f = {(real)0.5, {(real)1.5, (real)0.75}, {(real)0.25, (real)2}};
    for (size_t i = 0; i < n; i++) p[i] = (real)exp((double)p[i]), q[i] = (real)exp((double)q[i]);
    if (n > 2) p[1] = q[2] = 0;
    k->to_bf16(bf16[0], p, n);
    k->to_bf16(bf16[1], q, n);
    if (rounded) k->from_bf16(p, bf16[0], n);
    if (rounded) k->from_bf16(q, bf16[1], n);
    for (size_t i = 0; i < n; i++) {
        double x = (double)p[i], y = (double)q[i], least = (double)RATIO_LEAST;
        ratios[i] = log(fmax(x, least) / fmax(y, least)) + 0.125;
        of_p += x * ratios[i];
        of_q += y * ratios[i];
        new_p[i] = x * (1.5 + 0.5 * ratios[i]) - 0.25 * y;
        new_q[i] = y * (0.75 - 0.5 * ratios[i]) - 2 * x;
    }
    Elements of[2] = {{.values = p}, {.values = q}};
    if (rounded) of[0] = (Elements){.bf16 = bf16[0]}, of[1] = (Elements){.bf16 = bf16[1]};
    RatioSums sums = k->log_ratios(l, of[0], of[1], (real)0.125, n);
    expect(l, ratios, n, 50, k, "log_ratios");
    expect(&sums.of_p, &of_p, 1, 500 * (double)n, k, "their sum by p");
    expect(&sums.of_q, &of_q, 1, 500 * (double)n, k, "their sum by q");
    k->draw_together(of[0], of[1], l, &f, n);
    for (size_t i = 0; rounded && i < n; i++) {
        ck_assert(fabs((double)real_of_bf16(bf16[0][i]) - new_p[i]) <=
                  BF16_ERROR * (fabs(new_p[i]) + 0.01));
        ck_assert(fabs((double)real_of_bf16(bf16[1][i]) - new_q[i]) <=
                  BF16_ERROR * (fabs(new_q[i]) + 0.01));
    }
    if (!rounded) expect(p, new_p, n, 5000, k, "p drawn to q");
    if (!rounded) expect(q, new_q, n, 5000, k, "q drawn to p");
    release(p, q, l, bf16[0], bf16[1], new_p, new_q, ratios);
}

static void check_draw_together(const Kernels *k, size_t n)
{
    check_drawing(k, n, false);
    check_drawing(k, n, true);
}

static void check_log(const Kernels *k, size_t n)
{
    real *x = numbers(n, 3, 1);
    double *expected = doubles(n);
    for (size_t i = 0; i < n; i++) {
        x[i] = i % 7 == 3 ? 0 : (real)exp(4 * (double)x[i]);
        expected[i] = log(fmax((double)x[i], 1e-37));
    }
    k->log(x, x, n);
    expect(x, expected, n, 50, k, "log");
    release(x, expected);
}

EVERYWHERE(log, check_log)
EVERYWHERE(draw_together, check_draw_together)
EVERYWHERE(exponentials, check_exponentials)
EVERYWHERE(edges, check_edges)
EVERYWHERE(shrink, check_scale)
EVERYWHERE(add_scaled_rows, check_add_scaled_rows)
