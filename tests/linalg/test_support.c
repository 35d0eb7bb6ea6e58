/* The tests' own tools: a check that cannot fail proves nothing. It stands in this folder, not
 * beside what it tests, because only here it is built in double too. */
#define _POSIX_C_SOURCE 200809L // mkstemp, fdopen

#include "support/assert_close.h"
#include "support/fixture.h"
#include "support/gradcheck.h"
#include "support/suite.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Runs a test in a runner of its own, in which it must fail with a message that holds `fragment`.
static void assert_fails(const TTest *test, const char *fragment)
{
    Suite *suite = suite_create("must fail");
    TCase *test_case = tcase_create("fails");
    tcase_add_test(test_case, test);
    suite_add_tcase(suite, test_case);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_SILENT);
    ck_assert_msg(srunner_ntests_failed(runner) == 1, "no failure with \"%s\"", fragment);
    TestResult **failures = srunner_failures(runner);
    const char *message = tr_msg(failures[0]);
    ck_assert_msg(strstr(message, fragment) != NULL, "\"%s\" is not in: %s", fragment, message);
    free(failures);
    srunner_free(runner);
}

static const char *const NAMES[] = {
    "linear",  "gru",  "gru_reverse", "encoder",        "attention_additive", "model_dropout",
    "decoder", "loss", "model_joint", "model_separate", "model_untied",
};

TEST(all_fixtures_open)
{
    for (size_t i = 0; i < sizeof(NAMES) / sizeof(NAMES[0]); i++) {
        char path[128];
        snprintf(path, sizeof(path), "tests/fixtures/%s.safetensors", NAMES[i]);
        fixture_close(fixture_open(path));
    }
}

TEST(fixture_holds_what_pytorch_computed)
{
    Fixture *fixture = fixture_open("tests/fixtures/linear.safetensors");
    size_t count;
    const double *x = fixture_reals(fixture, "x", &count);
    ck_assert_uint_eq(count, 5 * 3);
    ck_assert_uint_eq(fixture_dimension(fixture, "weight", 0), 4);
    ck_assert_uint_eq(fixture_dimension(fixture, "weight", 1), 3);
    const double *weight = fixture_reals(fixture, "weight", NULL);
    const double *bias = fixture_reals(fixture, "bias", NULL);
    const double *y = fixture_reals(fixture, "y", NULL);
    real computed[5 * 4];
    for (size_t n = 0; n < 5; n++) {
        for (size_t o = 0; o < 4; o++) {
            double sum = bias[o];
            for (size_t i = 0; i < 3; i++) sum += x[n * 3 + i] * weight[o * 3 + i];
            computed[n * 4 + o] = (real)sum;
        }
    }
    assert_close(computed, y, 5 * 4, 1e-6, 1e-6, "y");
    fixture_close(fixture);

    fixture = fixture_open("tests/fixtures/loss.safetensors");
    const int64_t *targets = fixture_integers(fixture, "targets", &count);
    ck_assert_uint_eq(count, 6);
    ck_assert_int_eq(targets[3], 10);
    fixture_close(fixture);
}

START_TEST(test_missing_file)
{
    fixture_open("tests/fixtures/nothing.safetensors");
}

START_TEST(test_missing_tensor)
{
    fixture_reals(fixture_open("tests/fixtures/linear.safetensors"), "nothing", NULL);
}

START_TEST(test_wrong_type)
{
    fixture_reals(fixture_open("tests/fixtures/loss.safetensors"), "targets", NULL);
}

START_TEST(test_missing_axis)
{
    fixture_dimension(fixture_open("tests/fixtures/linear.safetensors"), "bias", 1);
}

TEST(fixture_fails_aloud)
{
    assert_fails(test_missing_file, "nothing.safetensors");
    assert_fails(test_missing_tensor, "linear.safetensors: no tensor nothing");
    assert_fails(test_wrong_type, "targets is I64, not F64");
    assert_fails(test_missing_axis, "bias has no axis 1");
}

/* A file with this header, padded to a multiple of 8, and `numbers` zeros behind it; opened and
 * removed. */
static void open_made_of(const char *header, size_t numbers)
{
    char path[] = "/tmp/regard-test-fixture-XXXXXX";
    int descriptor = mkstemp(path);
    ck_assert_int_ge(descriptor, 0);
    FILE *file = fdopen(descriptor, "wb");
    ck_assert_ptr_nonnull(file);
    uint64_t length = (strlen(header) + 7) / 8 * 8;
    fwrite(&length, sizeof(length), 1, file);
    fprintf(file, "%-*s", (int)length, header);
    for (size_t i = 0; i < numbers; i++) fwrite(&(double){0}, sizeof(double), 1, file);
    ck_assert_int_eq(fclose(file), 0);
    fixture_close(fixture_open(path));
    ck_assert_int_eq(unlink(path), 0);
}

#define MALFORMED_TEST(name, header, numbers)                                                      \
    START_TEST(name)                                                                               \
    {                                                                                              \
        open_made_of(header, numbers);                                                             \
    }

#define ENTRY(dtype, shape, offsets)                                                               \
    "{\"dtype\":\"" dtype "\",\"shape\":" shape ",\"data_offsets\":" offsets "}"

TEST(well_formed)
{
    open_made_of(
        "{\"a\":" ENTRY("F64", "[2]", "[0,16]") ",\"b\":" ENTRY("I64", "[]", "[16,24]") "}", 3);
}
MALFORMED_TEST(test_no_json, "{", 1)
MALFORMED_TEST(test_no_entry, "{\"a\":7}", 1)
MALFORMED_TEST(test_float, "{\"a\":" ENTRY("F32", "[2]", "[0,8]") "}", 1)
MALFORMED_TEST(test_hole, "{\"a\":" ENTRY("F64", "[1]", "[8,16]") "}", 2)
MALFORMED_TEST(test_too_short, "{\"a\":" ENTRY("F64", "[2]", "[0,16]") "}", 1)
MALFORMED_TEST(test_too_long, "{\"a\":" ENTRY("F64", "[2]", "[0,16]") "}", 3)
MALFORMED_TEST(test_huge, "{\"a\":" ENTRY("F64", "[4294967296,4294967296]", "[0,8]") "}", 1)
MALFORMED_TEST(test_duplicate,
               "{\"a\":" ENTRY("F64", "[1]", "[0,8]") ",\"a\":" ENTRY("F64", "[1]", "[0,8]") "}", 1)

TEST(malformed_fixtures)
{
    assert_fails(test_no_json, "the header is not a JSON object");
    assert_fails(test_no_entry, "a: not an entry");
    assert_fails(test_float, "a: dtype F32");
    assert_fails(test_hole, "a: begins at 8");
    assert_fails(test_too_short, "a: dimension 0 is not possible");
    assert_fails(test_too_long, "8 bytes behind the last tensor");
    assert_fails(test_huge, "a: dimension 0 is not possible");
    assert_fails(test_duplicate, "the header is not a JSON object");
}

TEST(close)
{
    const real actual[] = {1, 0, (real)INFINITY, (real)-1e-9};
    const double expected[] = {1.0009, 0, INFINITY, 0};
    assert_close(actual, expected, 4, 1e-3, 1e-8, "x");
}

START_TEST(test_far)
{
    assert_close((const real[]){1, 2, 4}, (const double[]){1.1, 3, 4}, 3, 1e-3, 0, "x");
}

START_TEST(test_nan_computed)
{
    assert_close((const real[]){5, (real)NAN}, (const double[]){1, 1}, 2, 1, 1e9, "x");
}

START_TEST(test_nan_expected)
{
    assert_close((const real[]){1}, (const double[]){NAN}, 1, 1, 1e9, "x");
}

START_TEST(test_infinity_expected)
{
    assert_close((const real[]){1}, (const double[]){INFINITY}, 1, 1, 1, "x");
}

START_TEST(test_not_exact)
{
    assert_close((const real[]){1, 2}, (const double[]){1, 2.5}, 2, 0, 0, "x");
}

TEST(assert_close_fails_aloud)
{
    assert_fails(test_far, "x[1]: computed 2, expected 3, ");
    assert_fails(test_far, "2 of 3 are wrong");
    assert_fails(test_nan_computed, "x[1]: NaN");
    assert_fails(test_nan_expected, "x[0]: NaN");
    assert_fails(test_infinity_expected, "x[0]: computed 1, expected inf");
    assert_fails(test_not_exact, "x[1]: computed 2, expected 2.5");
}

#ifdef REGARD_DOUBLE

enum { VALUES = 7 };

typedef struct Curve {
    real values[VALUES];
    real gradient[VALUES];
    size_t losses; // how often the loss was asked for
} Curve;

// Σ_i (i + 1)·tanh(x_i)
static double curve_loss(void *context)
{
    Curve *curve = context;
    double sum = 0;
    for (size_t i = 0; i < VALUES; i++) sum += (double)(i + 1) * tanh(curve->values[i]);
    curve->losses++;
    return sum;
}

static Curve curve_make(void)
{
    Curve curve = {.losses = 0};
    for (size_t i = 0; i < VALUES; i++) {
        double x = 0.3 * (double)i - 1;
        curve.values[i] = x;
        curve.gradient[i] = (double)(i + 1) * (1 - tanh(x) * tanh(x));
    }
    return curve;
}

static void check_curve(Curve *curve, size_t most)
{
    gradcheck(curve->values, curve->gradient, VALUES, most, curve_loss, curve, "curve");
}

TEST(gradcheck_passes_and_restores)
{
    Curve curve = curve_make();
    check_curve(&curve, SIZE_MAX);
    ck_assert_uint_eq(curve.losses, 2 * VALUES);
    Curve fresh = curve_make();
    ck_assert_mem_eq(curve.values, fresh.values, sizeof(fresh.values));
}

TEST(gradcheck_spreads)
{
    Curve curve = curve_make();
    curve.gradient[1] = 7; // 0, 3 and 6 are looked at
    check_curve(&curve, 3);
    ck_assert_uint_eq(curve.losses, 2 * 3);
    check_curve(&curve, 1);
}

START_TEST(test_gradient_slightly_wrong)
{
    Curve curve = curve_make();
    curve.gradient[5] *= 1 + 2e-5;
    check_curve(&curve, SIZE_MAX);
}

START_TEST(test_last_gradient_wrong)
{
    Curve curve = curve_make();
    curve.gradient[VALUES - 1] = 0;
    check_curve(&curve, 2);
}

START_TEST(test_gradient_nan)
{
    Curve curve = curve_make();
    curve.gradient[1] = NAN;
    check_curve(&curve, 2); // seen though it is not among the two
}

START_TEST(test_loss_nan)
{
    Curve curve = curve_make();
    curve.values[2] = NAN;
    check_curve(&curve, SIZE_MAX);
}

START_TEST(test_nothing_to_check)
{
    Curve curve = curve_make();
    check_curve(&curve, 0);
}

TEST(gradcheck_fails_aloud)
{
    assert_fails(test_gradient_slightly_wrong, "curve[5]: numeric ");
    assert_fails(test_gradient_slightly_wrong, "1 of 7 checked are wrong");
    assert_fails(test_last_gradient_wrong, "curve[6]: numeric ");
    assert_fails(test_gradient_nan, "curve[1]: analytic nan");
    assert_fails(test_loss_nan, "curve[0]: numeric nan");
    assert_fails(test_nothing_to_check, "no gradient to check");
}

#else

static double never_asked(void *context)
{
    (void)context;
    ck_abort_msg("the loss was asked for");
    return 0;
}

TEST(gradcheck_rests_in_float)
{
    gradcheck((real[]){1}, (const real[]){2}, 1, 1, never_asked, NULL, "x");
}

#endif
