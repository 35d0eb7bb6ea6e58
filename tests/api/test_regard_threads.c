// include/regard.h from several threads at once; also what `make BUILD=tsan` runs.

#include "regard.h"

#include "linalg/backend/backend.h"
#include "support/scratch.h"
#include "support/suite.h"
#include "support/tiny_model.h"

#include <pthread.h>
#include <string.h>

enum { THREADS = 4, ROUNDS = 3, TEXTS = 7, MODELS = 2 };

static const RegardText texts[TEXTS] = {
    {"the cat", 7}, {"", 0},       {"a much longer one of seven words", 32}, {"x", 1}, {"y z", 3},
    {"no\xff", 3},  {"the end", 7}};

static void write_models(const char *paths[MODELS])
{
    static const char *const names[MODELS] = {"first.safetensors", "second.safetensors"};
    for (size_t i = 0; i < MODELS; i++) {
        paths[i] = scratch_path(names[i]);
        tiny_model_write(paths[i], i + 1);
    }
}

static RegardModel *open_model(const char *path)
{
    RegardModel *model;
    RegardError error = {0};
    ck_assert_msg(!regard_open(&model, path, &error), "%s", error.text);
    return model;
}

/* Everything a call gives, as one text: equal texts are equal to the last bit. NULL if it failed. */
static char *describe(RegardResult *result)
{
    Bytes out = {0};
    Status status = STATUS_OK;
    for (size_t i = 0; i < regard_result_count(result) && !status; i++) {
        const RegardTranslation *best = regard_result_translation(result, i, 0);
        if (!best) continue;
        status = bytes_append_format(&out, NULL, "%zu %s %a", i, best->text.bytes, best->score);
        for (size_t l = 0; l < best->alignment->link_count && !status; l++)
            status = bytes_append_format(&out, NULL, " %u-%u", best->alignment->links[l].source,
                                         best->alignment->links[l].target);
    }
    regard_result_free(result);
    return status ? NULL : out.data;
}

static char *translate(const RegardModel *model, size_t threads)
{
    RegardOptions options;
    RegardResult *result;
    regard_options_default(&options, sizeof options);
    options.alignment = true;
    options.threads = threads;
    return regard_translate(model, texts, TEXTS, &options, &result, NULL) ? NULL : describe(result);
}

static char *score(const RegardModel *model, size_t threads)
{
    RegardOptions options;
    RegardResult *result;
    regard_options_default(&options, sizeof options);
    options.alignment = true;
    options.threads = threads;
    return regard_score(model, texts + 1, texts, TEXTS - 1, &options, &result, NULL)
               ? NULL
               : describe(result);
}

typedef struct Job {
    const RegardModel *model;
    const char *path;                // to open, if `model` is NULL
    const char *translated, *scored; // what must come out
    size_t threads;
    size_t wrong;
} Job;

static size_t differs(char *text, const char *expected)
{
    size_t wrong = !text || strcmp(text, expected);
    bytes_free(&(Bytes){.data = text});
    return wrong;
}

static void *work(void *argument)
{
    Job *job = argument;
    for (int i = 0; i < ROUNDS; i++) {
        RegardModel *own = NULL;
        if (!job->model && regard_open(&own, job->path, NULL)) job->wrong++;
        const RegardModel *model = job->model ? job->model : own;
        job->wrong += differs(translate(model, job->threads), job->translated);
        job->wrong += differs(score(model, job->threads), job->scored);
        regard_close(own);
    }
    return NULL;
}

static void run(Job jobs[THREADS])
{
    pthread_t threads[THREADS];
    for (size_t i = 0; i < THREADS; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, work, &jobs[i]), 0);
    for (size_t i = 0; i < THREADS; i++) ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
    for (size_t i = 0; i < THREADS; i++)
        ck_assert_msg(jobs[i].wrong == 0, "thread %zu: %zu results are wrong", i, jobs[i].wrong);
}

/* What one thread alone gets, with the same number of threads inside: so nothing here depends on
 * whether products of other sizes give the same bits. */
static Job job_for(const RegardModel *model, size_t threads)
{
    Job job = {.model = model,
               .translated = translate(model, threads),
               .scored = score(model, threads),
               .threads = threads};
    ck_assert(job.translated && job.scored && strlen(job.translated) > TEXTS);
    return job;
}

static void free_expected(const Job *job)
{
    bytes_free(&(Bytes){.data = (char *)(size_t)job->translated});
    bytes_free(&(Bytes){.data = (char *)(size_t)job->scored});
}

TEST(one_model, .seconds = 60)
{
    const char *paths[MODELS];
    write_models(paths);
    RegardModel *model = open_model(paths[0]);
    Job jobs[THREADS];
    for (size_t i = 0; i < THREADS; i++) jobs[i] = job_for(model, 1 + i % 3);
    run(jobs);
    for (size_t i = 0; i < THREADS; i++) free_expected(&jobs[i]);
    regard_close(model);
}

TEST(two_models, .seconds = 60)
{
    const char *paths[MODELS];
    write_models(paths);
    RegardModel *models[MODELS] = {open_model(paths[0]), open_model(paths[1])};
    Job jobs[THREADS];
    for (size_t i = 0; i < THREADS; i++) jobs[i] = job_for(models[i % MODELS], 1);
    ck_assert_str_ne(jobs[0].translated, jobs[1].translated);
    run(jobs);
    for (size_t i = 0; i < THREADS; i++) free_expected(&jobs[i]);
    for (size_t i = 0; i < MODELS; i++) regard_close(models[i]);
}

// Each thread opens and closes models of its own.
TEST(opening, .seconds = 60)
{
    const char *paths[MODELS];
    write_models(paths);
    Job jobs[THREADS];
    for (size_t i = 0; i < THREADS; i++) {
        RegardModel *model = open_model(paths[i % MODELS]);
        jobs[i] = job_for(model, 2);
        regard_close(model);
        jobs[i].model = NULL;
        jobs[i].path = paths[i % MODELS];
    }
    run(jobs);
    for (size_t i = 0; i < THREADS; i++) free_expected(&jobs[i]);
}

// However many threads, and 0 for all processors, and more of them than texts.
TEST(threads_inside, .seconds = 60)
{
    const char *paths[MODELS];
    write_models(paths);
    RegardModel *model = open_model(paths[0]);
    static const size_t counts[] = {0, 2, 3, 1024};
    Job alone = job_for(model, 1);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        Job job = job_for(model, counts[i]);
        if (backend_openblas.rows_exact()) {
            ck_assert_str_eq(job.translated, alone.translated);
            ck_assert_str_eq(job.scored, alone.scored);
        }
        free_expected(&job);
    }
    free_expected(&alone);
    regard_close(model);
}
