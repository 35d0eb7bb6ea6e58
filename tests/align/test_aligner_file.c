#include "align/aligner_file.h"

#include "support/aligner_pairs.h"
#include "support/failing_malloc.h"
#include "support/scratch.h"
#include "support/suite.h"

#include <stdlib.h>
#include <string.h>

enum { TENSORS = 13 };

// The posteriors of a pair must be equal bit by bit.
static void expect_same(const Aligner *left, const Aligner *right, const char *source,
                        const char *target)
{
    AlignerPosteriors a = {0}, b = {0};
    aligner_pairs_align(&a, left, source, target);
    aligner_pairs_align(&b, right, source, target);
    size_t links = a.sources * a.targets;
    if (links) {
        ck_assert_mem_eq(a.forward, b.forward, links * sizeof *a.forward);
        ck_assert_mem_eq(a.reverse, b.reverse, links * sizeof *a.reverse);
    }
    aligner_posteriors_free(&a);
    aligner_posteriors_free(&b);
}

static Status write_to(const char *path, const Aligner *aligner, AlignerForm form)
{
    SafetensorsWriter *writer;
    AlignerTensors tensors = {.aligner = aligner, .form = form};
    TRY(safetensors_writer_new(&writer, NULL));
    Status status = aligner_write(&tensors, writer, NULL);
    if (!status) status = safetensors_writer_save(writer, path, NULL, NULL);
    safetensors_writer_free(writer);
    aligner_tensors_free(&tensors);
    return status;
}

TEST(saved_and_opened_it_aligns_the_same)
{
    const char *path = scratch_path("aligner");
    Aligner aligner = aligner_pairs_learn(1), opened;
    assert_ok(aligner_save(path, &aligner, NULL));
    assert_ok(aligner_open(&opened, path, NULL));
    for (size_t n = 0; n < ALIGNER_PAIRS; n++)
        expect_same(&aligner, &opened, aligner_pairs[n][0], aligner_pairs[n][1]);
    expect_same(&aligner, &opened, "unknown houses 7", "de maisonnettes 7");
    // equal aligners give equal files
    const char *again = scratch_path("again");
    assert_ok(aligner_save(again, &opened, NULL));
    scratch_expect_equal(path, again);
    aligner_free(&aligner);
    aligner_free(&opened);
}

// Numbers with 8 bits give posteriors that hardly differ, and again the same numbers.
TEST(rounded)
{
    const char *path = scratch_path("aligner"), *again = scratch_path("again");
    Aligner aligner = aligner_pairs_learn(1), opened;
    assert_ok(aligner_save(again, &aligner, NULL));
    assert_ok(write_to(path, &aligner, ALIGNER_ROUNDED));
    Bytes exact = scratch_read(again), rounded = scratch_read(path);
    ck_assert_uint_lt(rounded.length, exact.length);
    assert_ok(aligner_open(&opened, path, NULL));
    for (size_t n = 0; n < ALIGNER_PAIRS; n++) {
        AlignerPosteriors a = {0}, b = {0};
        aligner_pairs_align(&a, &aligner, aligner_pairs[n][0], aligner_pairs[n][1]);
        aligner_pairs_align(&b, &opened, aligner_pairs[n][0], aligner_pairs[n][1]);
        for (size_t i = 0; i < a.sources * a.targets; i++) {
            ck_assert_double_eq_tol(a.forward[i], b.forward[i], 0.02);
            ck_assert_double_eq_tol(a.reverse[i], b.reverse[i], 0.02);
        }
        aligner_posteriors_free(&a);
        aligner_posteriors_free(&b);
    }
    assert_ok(write_to(again, &opened, ALIGNER_ROUNDED));
    scratch_expect_equal(path, again);
    aligner_free(&aligner);
    aligner_free(&opened);
}

TEST(an_aligner_of_nothing)
{
    const char *path = scratch_path("aligner");
    AlignerCorpus corpus = {0};
    Aligner aligner, opened;
    Threads *threads;
    AlignerPosteriors posteriors = {0};
    assert_ok(threads_new(&threads, 1, NULL));
    assert_ok(aligner_learn(&aligner, &corpus, aligner_options_default(), threads, NULL));
    assert_ok(aligner_save(path, &aligner, NULL));
    assert_ok(aligner_open(&opened, path, NULL));
    aligner_pairs_align(&posteriors, &opened, "Paris 7", "7 Paris");
    ck_assert_double_gt(aligner_posteriors_link(&posteriors, 0, 1), 0.3);
    aligner_posteriors_free(&posteriors);
    aligner_free(&aligner);
    aligner_free(&opened);
    threads_free(threads);
}

// Saves `tensors` but the one at `missing`; the version too.
static void save(const char *path, const TensorView *tensors, size_t missing, const char *version)
{
    SafetensorsWriter *writer;
    assert_ok(safetensors_writer_new(&writer, NULL));
    assert_ok(safetensors_writer_metadata(writer, "aligner_version", version, NULL));
    for (size_t i = 0; i < TENSORS; i++)
        if (i != missing) assert_ok(safetensors_writer_tensor(writer, &tensors[i], NULL));
    assert_ok(safetensors_writer_save(writer, path, NULL, NULL));
    safetensors_writer_free(writer);
}

static void expect_refused(const char *path, const char *word)
{
    Aligner opened;
    Error error;
    ck_assert_int_eq(aligner_open(&opened, path, &error), STATUS_FORMAT);
    ck_assert_msg(strstr(error.text, path) && strstr(error.text, word), "%s", error.text);
}

// Each tensor missing, then of another type or shape, then with numbers that cannot be.
static void expect_wrong_contents_refused(AlignerForm form)
{
    const char *path = scratch_path("aligner"), *bad = scratch_path("bad");
    Aligner aligner = aligner_pairs_learn(1);
    SafetensorsFile *file;
    TensorView tensors[TENSORS];
    assert_ok(write_to(path, &aligner, form));
    assert_ok(safetensors_open(&file, path, NULL));
    ck_assert_uint_eq(safetensors_count(file), TENSORS);
    for (size_t i = 0; i < TENSORS; i++) tensors[i] = *safetensors_at(file, i);
    for (size_t i = 0; i < TENSORS; i++) {
        TensorView whole = tensors[i];
        save(bad, tensors, i, "1");
        expect_refused(bad, whole.name);
        tensors[i] = (TensorView){.name = whole.name,
                                  .type = TENSOR_I8,
                                  .rank = 2,
                                  .shape = {whole.bytes, 1},
                                  .data = whole.data,
                                  .bytes = whole.bytes};
        save(bad, tensors, TENSORS, "1");
        expect_refused(bad, whole.name);
        char *wrong = malloc(whole.bytes);
        ck_assert(wrong);
        memset(wrong, 0xFF, whole.bytes); // NaN, 4294967295, and text without a newline
        tensors[i] = whole;
        tensors[i].data = wrong;
        save(bad, tensors, TENSORS, "1");
        bool counts = strstr(whole.name, "counts") != NULL;
        if (whole.type != TENSOR_U32 || !counts) // of these any number is one
            expect_refused(bad, "aligner.");
        free(wrong);
        tensors[i] = whole;
    }
    save(bad, tensors, TENSORS, "3");
    expect_refused(bad, "version 3");
    safetensors_close(file);
    aligner_free(&aligner);
}

TEST(wrong_contents)
{
    expect_wrong_contents_refused(ALIGNER_EXACT);
    expect_wrong_contents_refused(ALIGNER_ROUNDED);
}

TEST(damaged_files)
{
    const char *path = scratch_path("aligner"), *bad = scratch_path("bad");
    Aligner aligner = aligner_pairs_learn(1);
    assert_ok(aligner_save(path, &aligner, NULL));
    Bytes bytes = scratch_read(path);
    scratch_write(bad, bytes.data, bytes.length - 1);
    expect_refused(bad, "");
    bytes.data[bytes.length / 2] ^= 1;
    scratch_write(bad, bytes.data, bytes.length);
    expect_refused(bad, "");
    aligner_free(&aligner);
}

TEST(out_of_memory, .seconds = 60)
{
    const char *path = scratch_path("aligner");
    Aligner aligner = aligner_pairs_learn(1), opened;
    while (failing_malloc_next()) {
        Status status = write_to(path, &aligner, ALIGNER_ROUNDED);
        if (!status) status = aligner_save(path, &aligner, NULL);
        if (!status) {
            status = aligner_open(&opened, path, NULL);
            if (!status) aligner_free(&opened);
        }
        failing_malloc_expect(status);
    }
    aligner_free(&aligner);
}
