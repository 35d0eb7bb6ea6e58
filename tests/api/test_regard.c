#define _POSIX_C_SOURCE 200809L
// include/regard.h: every function, with what it promises and with what it must refuse.

#include "regard.h"

#include "base/memory.h"
#include "base/version.h"
#include "support/failing_malloc.h"
#include "support/small_translator.h"
#include "translate/session.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api/open_model.h" // last: its names are short

static RegardResult *result;

// A call failed with this status, said so in the error, and handed nothing out.
#define CHECK_REFUSED(call, expected, message)                                                     \
    do {                                                                                           \
        error = (RegardError){0};                                                                  \
        ck_assert_int_eq(call, expected);                                                          \
        ck_assert_int_eq(error.status, expected);                                                  \
        assert_contains(error.text, message);                                                      \
    } while (0)

#define CHECK_NO_RESULT(call, message)                                                             \
    do {                                                                                           \
        result = (RegardResult *)(void *)&error;                                                   \
        CHECK_REFUSED(call, REGARD_ARGUMENT, message);                                             \
        ck_assert_ptr_null(result);                                                                \
    } while (0)

TEST(names)
{
    ck_assert_str_eq(regard_version(), REGARD_VERSION);
    ck_assert_str_eq(regard_status_text(REGARD_OK), "done");
    ck_assert_str_eq(regard_status_text(REGARD_MEMORY), "out of memory");
    assert_contains(regard_status_text(REGARD_FORMAT), "file");
    static const int unknown[] = {-1, REGARD_CANCELLED + 1, 1000};
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++)
        ck_assert_str_eq(regard_status_text((RegardStatus)unknown[i]), "unknown status");
}

static void check_no_model(const char *name, RegardStatus status, const char *message)
{
    RegardModel *none = model;
    CHECK_REFUSED(regard_open(&none, name, &error), status, message);
    ck_assert_ptr_null(none);
    none = model;
    ck_assert_int_eq(regard_open(&none, name, NULL), status);
    ck_assert_ptr_null(none);
}

TESTS_EACH(begin, end)

TEST(open_refuses)
{
    CHECK_REFUSED(regard_open(NULL, path, &error), REGARD_ARGUMENT, "NULL");
    check_no_model(NULL, REGARD_ARGUMENT, "path is NULL");
    check_no_model("", REGARD_IO, "cannot be opened");
    check_no_model(scratch_folder(), REGARD_IO, "is a directory");
    check_no_model(scratch_path("nowhere"), REGARD_IO, "nowhere: cannot be opened");
    static char long_path[10001];
    memset(long_path, 'x', sizeof long_path - 1);
    check_no_model(long_path, REGARD_ARGUMENT, "more than 4095 bytes");
    long_path[4095] = '\0';
    check_no_model(long_path, REGARD_IO, "xxx");
    Bytes file = scratch_read(path);
    const char *damaged = scratch_path("damaged");
    for (size_t length = 0; length < file.length; length += length < 100 ? 1 : 997) {
        scratch_write(damaged, file.data, length);
        check_no_model(damaged, REGARD_FORMAT, "damaged");
    }
    file.data[file.length - 3] ^= 0x10;
    scratch_write(damaged, file.data, file.length);
    check_no_model(damaged, REGARD_FORMAT, "damaged");
}

// A word is the name of a model, and if no model has it, a file.
TEST(open_by_name)
{
    RegardModel *named;
    Bytes file = scratch_read(path);
    setenv("REGARD_MODELS", scratch_folder(), 1);
    ck_assert_int_eq(chdir(scratch_folder()), 0);
    scratch_text("tiny", "no model");
    scratch_write("my.model", file.data, file.length);
    bytes_free(&file);
    assert_ok(regard_open(&named, "tiny", &error));
    regard_close(named);
    check_no_model("./tiny", REGARD_FORMAT, "damaged");
    assert_ok(regard_open(&named, "my.model", &error));
    regard_close(named);
    check_no_model("tinny", REGARD_IO, "no model of that name (did you mean tiny?)");
}

// An error that was not needed is not touched; NULL may be closed and freed.
TEST(success_leaves_the_error_alone)
{
    memset(&error, 0x5a, sizeof error);
    RegardError before = error;
    RegardModel *second;
    assert_ok(regard_open(&second, path, &error));
    assert_ok(regard_translate(second, &TEXT("a b"), 1, NULL, &result, &error));
    ck_assert_mem_eq(&error, &before, sizeof error);
    regard_result_free(result);
    regard_close(second);
    regard_close(NULL);
    regard_result_free(NULL);
}

// A caller compiled with a later header, which has one member more.
typedef struct LaterOptions {
    RegardOptions known;
    uint64_t later;
} LaterOptions;

TEST(options_grow)
{
    ck_assert_uint_eq(options.size, sizeof options);
    ck_assert_uint_eq(options.beam, 5);
    ck_assert(options.n_best == 1 && options.batch == 64 && options.threads == 1);
    ck_assert(!options.alignment && options.length_normalization == -1);
    ck_assert(options.source_units == REGARD_UNITS_MODEL && options.target_units == 0);

    LaterOptions later;
    memset(&later, 0x5a, sizeof later);
    regard_options_default(NULL, sizeof later);
    regard_options_default(&later.known, sizeof later.known.size - 1);
    ck_assert_uint_eq(later.known.size, (size_t)0x5a5a5a5a5a5a5a5a);
    regard_options_default(&later.known, sizeof later.known);
    ck_assert_uint_eq(later.later, 0x5a5a5a5a5a5a5a5a);
    regard_options_default(&later.known, sizeof later);
    ck_assert_uint_eq(later.known.size, sizeof later);
    ck_assert_uint_eq(later.later, 0);

    RegardText text = TEXT("a");
    assert_ok(regard_translate(model, &text, 1, &later.known, &result, &error));
    regard_result_free(result);
    later.later = 1;
    CHECK_NO_RESULT(regard_translate(model, &text, 1, &later.known, &result, &error), "newer");
}

#define CHECK_OPTION(member, value, message)                                                       \
    do {                                                                                           \
        regard_options_default(&options, sizeof options);                                          \
        options.member = value;                                                                    \
        CHECK_NO_RESULT(regard_translate(model, &text, 1, &options, &result, &error), message);    \
        CHECK_NO_RESULT(regard_score(model, &text, &text, 1, &options, &result, &error), message); \
    } while (0)

TEST(impossible_options)
{
    RegardText text = TEXT("a");
    CHECK_OPTION(size, 0, "options.size is 0");
    CHECK_OPTION(size, sizeof options - 1, "regard_options_default");
    CHECK_OPTION(size, SIZE_MAX, "options.size");
    CHECK_OPTION(beam, 0, "options.beam is 0; it must be 1 to 1000");
    CHECK_OPTION(beam, 1001, "options.beam is 1001");
    CHECK_OPTION(beam, SIZE_MAX, "options.beam");
    CHECK_OPTION(n_best, 0, "options.n_best is 0; it must be 1 to 5");
    CHECK_OPTION(n_best, 6, "options.n_best is 6; it must be 1 to 5");
    CHECK_OPTION(batch, 0, "options.batch is 0");
    CHECK_OPTION(batch, 1000000000, "options.batch");
    CHECK_OPTION(threads, 1025, "options.threads is 1025; it must be 0 to 1024");
    CHECK_OPTION(source_units, (RegardUnits)3, "options.source_units is 3");
    CHECK_OPTION(target_units, (RegardUnits)-1, "options.target_units");
    CHECK_OPTION(precision, 4, "options.precision is 4; it must be 0 to 3");
    CHECK_OPTION(shortlist, 2, "options.shortlist is 2; it must be 0 to 1");
    CHECK_OPTION(samples, 1001, "options.samples is 1001; it must be 0 to 1000");
    CHECK_OPTION(temperature, 0, "options.temperature is 0; it must be 0.01 to 100");
    CHECK_OPTION(temperature, (double)NAN, "options.temperature is nan");
    CHECK_OPTION(length_normalization, -0.1, "options.length_normalization is -0.1");
    CHECK_OPTION(length_normalization, -2, "must be 0 to 10");
    CHECK_OPTION(length_normalization, 10.5, "must be 0 to 10");
    CHECK_OPTION(length_normalization, (double)NAN, "options.length_normalization is nan");
}

// A small model gains nothing by bf16: auto is float32, to the bit; bf16 is refused where there is
// none.
TEST(precision)
{
    RegardText text = TEXT("the cat");
    double log_p[4];
    for (size_t precision = 0; precision < 4; precision++) {
        options.precision = precision;
        if (precision == REGARD_PRECISION_BF16 && !backend_of(COMPUTE_BF16, true)) {
            CHECK_NO_RESULT(regard_translate(model, &text, 1, &options, &result, &error),
                            "AVX512-BF16");
            continue;
        }
        assert_ok(regard_translate(model, &text, 1, &options, &result, &error));
        log_p[precision] = regard_result_translation(result, 0, 0)->log_probability;
        regard_result_free(result);
    }
    ck_assert(log_p[REGARD_PRECISION_FLOAT32] == log_p[REGARD_PRECISION_AUTO]);
    regard_options_default(&options, sizeof options);
    ck_assert_uint_eq(options.precision, REGARD_PRECISION_AUTO);
    ck_assert(log_p[REGARD_PRECISION_FLOAT32] != log_p[REGARD_PRECISION_INT8]);
    ck_assert_double_eq_tol(log_p[REGARD_PRECISION_FLOAT32], log_p[REGARD_PRECISION_INT8], 2);
}

TEST(impossible_texts)
{
    RegardText text = TEXT("a"), texts[3] = {text, text, {NULL, 7}};
    CHECK_NO_RESULT(regard_translate(NULL, &text, 1, NULL, &result, &error), "regard_open");
    CHECK_NO_RESULT(regard_score(NULL, &text, &text, 1, NULL, &result, &error), "regard_open");
    CHECK_NO_RESULT(regard_translate(model, NULL, 4, NULL, &result, &error), "sources is NULL");
    CHECK_NO_RESULT(regard_score(model, NULL, &text, 1, NULL, &result, &error), "sources is NULL");
    CHECK_NO_RESULT(regard_score(model, &text, NULL, 1, NULL, &result, &error), "targets is NULL");
    CHECK_NO_RESULT(regard_translate(model, texts, 3, NULL, &result, &error),
                    "sources[2] is NULL, but its length is 7");
    CHECK_NO_RESULT(regard_score(model, &text, texts + 2, 1, NULL, &result, &error), "targets[0]");
    texts[1].length = ((size_t)1 << 30) + 1;
    CHECK_NO_RESULT(regard_translate(model, texts, 2, NULL, &result, &error), "sources[1] has");
    CHECK_NO_RESULT(regard_translate(model, texts, SIZE_MAX, NULL, &result, &error), "count is");
    CHECK_REFUSED(regard_translate(model, &text, 1, NULL, NULL, &error), REGARD_ARGUMENT, "NULL");
    CHECK_REFUSED(regard_score(model, &text, &text, 1, NULL, NULL, &error), REGARD_ARGUMENT,
                  "NULL");
    ck_assert_int_eq(regard_translate(NULL, NULL, 1, NULL, NULL, NULL), REGARD_ARGUMENT);
}

static void check_text(RegardText text, const char *expected)
{
    ck_assert_str_eq(text.bytes, expected);
    ck_assert_uint_eq(text.length, strlen(expected));
}

TEST(translate)
{
    RegardText sources[] = {
        TEXT("  the\tcat \n"), {NULL, 0}, TEXT(" \r\n"), TEXT("a\xff\0b"), {"not ended", 3}};
    options.n_best = 3;
    assert_ok(regard_translate(model, sources, 5, &options, &result, &error));
    ck_assert_uint_eq(regard_result_count(result), 5);
    check_text(regard_result_source(result, 0)->text, "the cat");
    check_text(regard_result_source(result, 1)->text, "");
    check_text(regard_result_source(result, 2)->text, "");
    ck_assert_uint_eq(regard_result_source(result, 3)->invalid, 1);
    ck_assert_uint_eq(regard_result_source(result, 3)->text.length, 6);
    ck_assert_mem_eq(regard_result_source(result, 3)->text.bytes, "a\xEF\xBF\xBD\0b", 7);
    check_text(regard_result_source(result, 4)->text, "not");
    for (size_t i = 0; i < 5; i++) {
        size_t count = regard_result_source(result, i)->translation_count;
        ck_assert(!regard_result_source(result, i)->cut);
        ck_assert(i == 1 || i == 2 ? count == 0 : count >= 1 && count <= 3);
        for (size_t rank = 0; rank < count; rank++) {
            const RegardTranslation *one = regard_result_translation(result, i, rank);
            ck_assert_uint_gt(one->text.length, 0);
            ck_assert_int_eq(one->text.bytes[one->text.length], '\0');
            ck_assert(one->log_probability < 0 && one->score >= one->log_probability);
            ck_assert(rank == 0 ||
                      regard_result_translation(result, i, rank - 1)->score >= one->score);
            ck_assert_ptr_null(one->alignment);
        }
        ck_assert_ptr_null(regard_result_translation(result, i, count));
        ck_assert_ptr_null(regard_result_translation(result, i, SIZE_MAX));
    }
    regard_result_free(result);
}

TEST(result_without_texts)
{
    assert_ok(regard_translate(model, NULL, 0, NULL, &result, &error));
    ck_assert_uint_eq(regard_result_count(result), 0);
    ck_assert_ptr_null(regard_result_source(result, 0));
    ck_assert_ptr_null(regard_result_translation(result, 0, 0));
    regard_result_free(result);
    options.alignment = true;
    assert_ok(regard_score(model, NULL, NULL, 0, &options, &result, &error));
    ck_assert_uint_eq(regard_result_count(result), 0);
    regard_result_free(result);
    ck_assert_uint_eq(regard_result_count(NULL), 0);
    ck_assert_ptr_null(regard_result_source(NULL, 0));
    ck_assert_ptr_null(regard_result_translation(NULL, 0, 0));
}

static double score_of(const RegardModel *of, const RegardOptions *with)
{
    assert_ok(regard_translate(of, &TEXT("a b c"), 1, with, &result, &error));
    double score = regard_result_translation(result, 0, 0)->score;
    regard_result_free(result);
    return score;
}

// By default a model's own α holds, 1 if it has none.
TEST(length_normalization_of_the_model)
{
    SmallTranslator small;
    const char *file = scratch_path("tuned.safetensors");
    ck_assert(options.length_normalization == -1);
    double plain = score_of(model, NULL);
    options.length_normalization = 1;
    ck_assert(score_of(model, &options) == plain);
    end();
    small_translator_new(&small, 1, 1);
    small_translator_save(&small, file, "{\"length_normalization\":1.4}");
    small_translator_free(&small);
    assert_ok(regard_open(&model, file, &error));
    plain = score_of(model, &options);
    options.length_normalization = 1.4;
    ck_assert(score_of(model, &options) == score_of(model, NULL));
    ck_assert(score_of(model, &options) > plain);
    options.length_normalization = -1;
    ck_assert(score_of(model, &options) > plain);
}

// The library gives what the session gives with which the program works.
TEST(same_as_the_session)
{
    static const char source[] = "where is my red hat", target[] = "any old words";
    const TextView source_view = {source, sizeof source - 1},
                   target_view = {target, sizeof target - 1};
    TranslateOptions plain = {.search = {.beam = 5, .batch = 1, .length_normalization = 1},
                              .n_best = 1};
    Translator translator;
    Session *session;
    Translation translation;
    assert_ok(translator_open(&translator, path, NULL));
    assert_ok(session_new(&session, &translator, 1, PRECISION_FLOAT32, NULL));

    ck_assert_int_eq(session_translate(session, &source_view, 1, &plain, &translation, NULL), 0);
    assert_ok(regard_translate(model, &TEXT(source), 1, NULL, &result, &error));
    const RegardTranslation *best = regard_result_translation(result, 0, 0);
    check_text(best->text, translation.renderings[0].text.data);
    ck_assert(best->score == translation.renderings[0].score);
    ck_assert(best->log_probability == translation.renderings[0].log_p);
    translation_free(&translation);
    regard_result_free(result);

    const TextView *const sides[2] = {&source_view, &target_view};
    ck_assert_int_eq(session_force(session, sides, 1, false, &translation, NULL), 0);
    ck_assert_int_eq(regard_score(model, &TEXT(source), &TEXT(target), 1, NULL, &result, &error),
                     0);
    best = regard_result_translation(result, 0, 0);
    check_text(best->text, target);
    ck_assert(best->score == translation.renderings[0].log_p &&
              best->log_probability == best->score);
    ck_assert(best->score < 0 && isfinite(best->score));
    translation_free(&translation);
    regard_result_free(result);
    session_free(session);
    translator_close(&translator);
}

TEST(long_source_is_cut)
{
    static char words[6001];
    for (size_t i = 0; i < 3000; i++) memcpy(words + 2 * i, "a ", 2);
    RegardText texts[] = {{words, sizeof words - 1}, TEXT("b")};
    options.beam = 1;
    options.split = 0;
    assert_ok(regard_translate(model, texts, 2, &options, &result, &error));
    ck_assert(regard_result_source(result, 0)->cut && !regard_result_source(result, 1)->cut);
    ck_assert_uint_eq(regard_result_source(result, 0)->text.length, 5999);
    regard_result_free(result);
    assert_ok(regard_score(model, &texts[1], texts, 1, NULL, &result, &error));
    ck_assert(regard_result_source(result, 0)->cut); // by its target
    regard_result_free(result);
}

/* Runs out of memory at every allocation of a call, which must then leave nothing behind. */
TEST(out_of_memory)
{
    RegardText sources[] = {TEXT("the cat"), TEXT("")};
    options.alignment = true;
    options.n_best = 2;
    for (int call = 0; call < 3; call++)
        for (size_t n = 1;; n++) {
            RegardModel *opened = NULL;
            result = NULL;
            failing_malloc_at(n);
            RegardStatus status =
                call == 0   ? regard_open(&opened, path, &error)
                : call == 1 ? regard_translate(model, sources, 2, &options, &result, &error)
                            : regard_score(model, sources, sources, 2, &options, &result, &error);
            if (!failing_malloc_stop()) {
                ck_assert_msg(status == REGARD_OK && n > 5, "%d, %zu: %s", call, n, error.text);
                regard_close(opened);
                regard_result_free(result);
                break;
            }
            ck_assert_msg(status == REGARD_MEMORY, "%d, %zu: %s", call, n, error.text);
            ck_assert(!opened && !result && strstr(error.text, "out of memory"));
        }
}
