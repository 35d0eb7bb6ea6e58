/* The kernels of the GRU's step, of additive attention and of layer normalisation, on every instruction set, against plain
 * loops in double with libm. */
#include "math/kernels_cases.h"

#include <string.h>

static double sigmoid(double x)
{
    return 1 / (1 + exp(-x));
}

typedef struct Step {
    double *gates, *hn, *h;               // forward's results: (3H), (H), (H)
    double *dgates, *dhidden, *dh_before; // backward's
} Step;

static Step step_new(size_t H)
{
    return (Step){doubles(3 * H), doubles(H),     doubles(H),
                  doubles(3 * H), doubles(3 * H), doubles(H)};
}

static void step_free(Step *step)
{
    release(step->gates, step->hn, step->h, step->dgates, step->dhidden, step->dh_before);
}

/* One step of the equations in layers/gru.h, element by element, and its derivatives by the chain
 * rule. */
static void step_by_loops(Step *step, const real *gates, const real *hidden, const real *input_bias,
                          const real *bias, const real *before, const real *dh, size_t H)
{
    for (size_t i = 0; i < H; i++) {
        double hn = (double)hidden[2 * H + i] + (double)bias[2 * H + i];
        double x[3];
        for (size_t g = 0; g < 3; g++)
            x[g] = (double)gates[g * H + i] + (double)input_bias[g * H + i];
        double r = sigmoid(x[0] + (double)hidden[i] + (double)bias[i]);
        double z = sigmoid(x[1] + (double)hidden[H + i] + (double)bias[H + i]);
        double n = tanh(x[2] + r * hn);
        double d = (double)dh[i], h = (double)before[i];
        step->gates[i] = r, step->gates[H + i] = z, step->gates[2 * H + i] = n;
        step->hn[i] = hn;
        step->h[i] = (1 - z) * n + z * h;

        double d_tanh = d * (1 - z) * (1 - n * n);
        step->dgates[2 * H + i] = d_tanh;
        step->dhidden[2 * H + i] = d_tanh * r;
        step->dgates[i] = step->dhidden[i] = d_tanh * hn * r * (1 - r);
        step->dgates[H + i] = step->dhidden[H + i] = d * (h - n) * z * (1 - z);
        step->dh_before[i] = d * z;
    }
}

static void check_gru(const Kernels *k, size_t H)
{
    real *gates = numbers(3 * H, 1, 1), *hidden = numbers(3 * H, 1, 2);
    real *bias = numbers(3 * H, 1, 3), *before = numbers(H, 1, 4), *dh = numbers(H, 1, 5);
    real *h = numbers(H, 1, 6), *hn = numbers(H, 1, 7), *input_bias = numbers(3 * H, 1, 11);
    real *dgates = numbers(3 * H, 1, 8), *dhidden = numbers(3 * H, 1, 9);
    real *dbefore = numbers(H, 1, 10), *dhn = numbers(H, 1, 12);
    Step expected = step_new(H);
    step_by_loops(&expected, gates, hidden, input_bias, bias, before, dh, H);

    k->gru_forward(h, gates, hn, hidden, input_bias, bias, before, H);
    expect(h, expected.h, H, 2, k, "h");
    expect(hn, expected.hn, H, 2, k, "hn");
    expect(gates, expected.gates, 3 * H, 2, k, "gates");

    memcpy(dhn, hn, H * sizeof *hn);
    k->gru_backward(dgates, dhidden, dbefore, dh, gates, dhn, before, H);
    expect(dgates, expected.dgates, 3 * H, 4, k, "dgates");
    expect(dhidden, expected.dhidden, 3 * H, 4, k, "dhidden");
    expect(dhn, expected.dhidden + 2 * H, H, 4, k, "dhn");
    expect(dbefore, expected.dh_before, H, 4, k, "dh_before");

    // in place, as layers/gru.c calls it
    k->gru_backward(gates, hidden, dh, dh, gates, hn, before, H);
    expect(gates, expected.dgates, 3 * H, 4, k, "dgates in place");
    expect(hidden, expected.dhidden, 3 * H, 4, k, "dhidden in place");
    expect(dh, expected.dh_before, H, 4, k, "dh_before in place");
    step_free(&expected);
    release(gates, hidden, bias, input_bias, before, dh, h, hn, dgates, dhidden, dbefore, dhn);
}

/* Gates that are driven to their ends: nothing overflows, nothing leaves its range. */
static void check_gru_saturated(const Kernels *k, size_t H)
{
    real *gates = numbers(3 * H, 1e4, 1), *hidden = numbers(3 * H, 1e4, 2);
    real *bias = numbers(3 * H, 1, 3), *before = numbers(H, 1, 4), *dh = numbers(H, 1, 5);
    real *h = numbers(H, 1, 6), *hn = numbers(H, 1, 7), *input_bias = numbers(3 * H, 1, 11);
    k->gru_forward(h, gates, hn, hidden, input_bias, bias, before, H);
    for (size_t i = 0; i < H; i++) {
        ck_assert(gates[i] >= 0 && gates[i] <= 1);
        ck_assert(gates[H + i] >= 0 && gates[H + i] <= 1);
        ck_assert(gates[2 * H + i] >= -1 && gates[2 * H + i] <= 1);
        ck_assert(isfinite(h[i]));
    }
    k->gru_backward(gates, hidden, dh, dh, gates, hn, before, H);
    for (size_t i = 0; i < 3 * H; i++) ck_assert(isfinite(gates[i]) && isfinite(hidden[i]));
    release(gates, hidden, bias, input_bias, before, dh, h, hn);
}

/* The same energies, less Σ v, from e^2q and e^2k. */
static void check_additive_products(const Kernels *k, size_t A)
{
    enum { S = 5 };
    real *q = numbers(A, 1, 1), *keys = numbers(S * A, 1, 2), *v = numbers(A, 1, 3);
    real *energies = numbers(S, 1, 4), *raised = numbers(A, 1, 5);
    double expected[S] = {0}, *twice = doubles(A);
    for (size_t j = 0; j < S; j++)
        for (size_t a = 0; a < A; a++)
            expected[j] += (double)v[a] * (tanh((double)q[a] + (double)keys[j * A + a]) - 1);
    for (size_t a = 0; a < A; a++) twice[a] = exp(2 * (double)q[a]);
    k->exp2x(raised, q, A);
    expect(raised, twice, A, 50, k, "exp2x");
    k->exp2x(keys, keys, S * A);
    k->additive_products(energies, raised, keys, v, S, A);
    expect(energies, expected, S, 10 + (double)A, k, "energies of products");
    // at the ends it is the tanh of ±20 and beyond; NaN shows
    for (size_t a = 0; a < A; a++) q[a] = a % 2 ? (real)1e4 : (real)-INFINITY, v[a] = 1;
    for (size_t a = 0; a < S * A; a++) keys[a] = (a % A) % 2 ? (real)1e9 : (real)-30;
    k->exp2x(q, q, A);
    k->exp2x(keys, keys, S * A);
    k->additive_products(energies, q, keys, v, S, A);
    for (size_t j = 0; j < S; j++) expected[j] = -2 * (double)((A + 1) / 2);
    expect(energies, expected, S, 10 + (double)A, k, "energies at the ends");
    if (A > 0) q[A / 2] = NAN;
    k->additive_products(energies, q, keys, v, S, A);
    ck_assert(A == 0 || isnan(energies[S - 1]));
    release(q, keys, v, energies, raised, twice);
}

/* e_j = Σ_a v_a tanh(q_a + k_ja). S = 5 positions; backward is called twice and adds. */
static void check_additive(const Kernels *k, size_t A)
{
    enum { S = 5 };
    real *q = numbers(A, 1, 1), *keys = numbers(S * A, 1, 2), *v = numbers(A, 1, 3);
    real *energies = numbers(S, 1, 4), *denergies = numbers(S, 1, 5);
    real *dq = memory_new(A, sizeof *dq), *dv = memory_new(A, sizeof *dv);
    real *dkeys = memory_new(S * A, sizeof *dkeys);
    double *expected_dq = doubles(A), *expected_dv = doubles(A), *expected_dkeys = doubles(S * A);
    double expected[S] = {0};
    for (size_t j = 0; j < S; j++)
        for (size_t a = 0; a < A; a++) {
            double t = tanh((double)q[a] + (double)keys[j * A + a]);
            double de = (double)denergies[j];
            expected[j] += (double)v[a] * t;
            expected_dv[a] += 2 * de * t;
            expected_dq[a] += 2 * de * (double)v[a] * (1 - t * t);
            expected_dkeys[j * A + a] = 2 * de * (double)v[a] * (1 - t * t);
        }
    k->additive_forward(energies, q, keys, v, S, A);
    expect(energies, expected, S, 1 + (double)A, k, "energies");
    for (size_t j = 0; j < 2 * S; j++) // twice each
        k->additive_backward(dq, dkeys + j / 2 * A, dv, denergies[j / 2], q, keys + j / 2 * A, v,
                             A);
    expect(dq, expected_dq, A, 2 * S, k, "dq");
    expect(dv, expected_dv, A, 2 * S, k, "dv");
    expect(dkeys, expected_dkeys, S * A, 16, k, "dkeys"); // 1 − t² doubles the error of tanh
    k->additive_forward(NULL, q, NULL, v, 0, A);          // no positions: nothing is touched
    release(q, keys, v, energies, denergies, dq, dv, dkeys, expected_dq, expected_dv,
            expected_dkeys);
}

/* y = x̂ ⊙ w + b with x̂ = (x − μ)/√(σ² + ε), of numbers far from 0; backward is called twice and
 * adds. */
static void check_layer_norm(const Kernels *k, size_t n)
{
    if (n == 0) return;
    real *x = numbers(n, 1, 1), *w = numbers(n, 1, 2), *b = numbers(n, 1, 3), *y = numbers(n, 1, 4);
    real *dy = numbers(n, 1, 5), *dx = numbers(n, 1, 6);
    real *dw = memory_new(n, sizeof *dw), *db = memory_new(n, sizeof *db);
    double *expected = doubles(n), *normal = doubles(n), *expected_dx = doubles(n);
    double *expected_dw = doubles(n), *expected_db = doubles(n);
    double mean = 0, variance = 0, sum = 0, along = 0;
    for (size_t i = 0; i < n; i++) x[i] += 3;
    for (size_t i = 0; i < n; i++) mean += (double)x[i] / (double)n;
    for (size_t i = 0; i < n; i++) variance += pow((double)x[i] - mean, 2) / (double)n;
    double scale = 1 / sqrt(variance + 1e-5);
    for (size_t i = 0; i < n; i++) {
        normal[i] = ((double)x[i] - mean) * scale;
        expected[i] = normal[i] * (double)w[i] + (double)b[i];
        expected_dw[i] = 2 * (double)dy[i] * normal[i];
        expected_db[i] = 2 * (double)dy[i];
        sum += (double)dy[i] * (double)w[i] / (double)n;
        along += (double)dy[i] * (double)w[i] * normal[i] / (double)n;
    }
    for (size_t i = 0; i < n; i++)
        expected_dx[i] = scale * ((double)dy[i] * (double)w[i] - sum - normal[i] * along);
    real returned = k->layer_norm_forward(y, x, w, b, (real)1e-5, n);
    expect(&returned, &scale, 1, scale, k, "1/√(σ² + ε)");
    expect(x, normal, n, 20, k, "normalised");
    expect(y, expected, n, 40, k, "layer norm");
    for (int time = 0; time < 2; time++) k->layer_norm_backward(dx, dw, db, dy, x, w, returned, n);
    expect(dx, expected_dx, n, 20 * scale, k, "dx");
    expect(dw, expected_dw, n, 80, k, "dw");
    expect(db, expected_db, n, 4, k, "db");
    k->layer_norm_backward(dy, dw, db, dy, x, w, returned, n);
    expect(dy, expected_dx, n, 20 * scale, k, "dx in place");
    release(x, w, b, y, dy, dx, dw, db, expected, normal, expected_dx, expected_dw, expected_db);
}

/* The same bits at other addresses. */
static void expect_address_free(const Kernels *k, size_t A)
{
    real *q = numbers(A, 1, 1), *keys = numbers(A, 1, 2), *v = numbers(A, 1, 3), first = 0;
    real *room = numbers(2 * (A + 16), 1, 4);
    for (size_t offset = 0; offset < 16; offset++) {
        real *moved_keys = room + offset, *moved_v = room + A + 16 + (offset * 5) % 16, energy;
        memcpy(moved_keys, keys, A * sizeof *keys);
        memcpy(moved_v, v, A * sizeof *v);
        k->additive_forward(&energy, q, moved_keys, moved_v, 1, A);
        if (offset == 0) first = energy;
        ck_assert_mem_eq(&energy, &first, sizeof first);
    }
    release(q, keys, v, room);
}

EVERYWHERE(gru, check_gru)
EVERYWHERE(gru_saturated, check_gru_saturated)
EVERYWHERE(additive, check_additive)
EVERYWHERE(additive_products, check_additive_products)
EVERYWHERE(layer_norm, check_layer_norm)
EVERYWHERE(address_free, expect_address_free)
