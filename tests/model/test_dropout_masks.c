/* The masks that a pass draws (model/pass.h). That they are used where they should be is
 * test_pass.c's matter. */
#include "model/pass.h"

#include "support/model_fixture.h"
#include "support/suite.h"

#include <math.h>
#include <string.h>

enum { WIDTH = 200, PLACES = 4, MAX_ROWS = 64 };

static const char *const names[PLACES] = {"source embedding", "annotation", "target embedding",
                                          "readout"};

// A model's pairs, run with masks that are all of one width.
typedef struct Subject {
    ModelFixture model;
    Seq2SeqParams params;
    ModelRun run;
    Matrix places[PLACES];
} Subject;

static void draw(Subject *subject, const TokenPair *pairs, size_t count, DropoutKey key)
{
    model_run_begin(&subject->run, &subject->params, pairs, count,
                    (ModelRunOptions){.backward = true, .masks = true});
    pass_draw_masks(&subject->run.acts, &subject->run.batch, &key);
    const PassActs *acts = &subject->run.acts;
    subject->places[0] = acts->source.embedding_mask;
    subject->places[1] = acts->source.annotation_mask;
    subject->places[2] = acts->embedding_mask;
    subject->places[3] = acts->readout_mask;
}

static void begin(Subject *subject)
{
    model_fixture_open(&subject->model, "model_joint");
    ModelConfig config = subject->model.config;
    config.embedding = WIDTH;
    config.hidden = WIDTH / 2;
    assert_ok(seq2seq_params_new(&subject->params, &config, NULL));
}

static bool same(const real *a, const real *b)
{
    return !memcmp(a, b, WIDTH * sizeof *a);
}

TEST(keep_what_they_should)
{
    Subject subject;
    begin(&subject);
    draw(&subject, subject.model.pairs, 3, (DropoutKey){7, 3, (real)0.4});
    for (size_t place = 0; place < PLACES; place++) {
        Matrix mask = subject.places[place];
        double n = (double)(mask.rows * WIDTH), kept = 0;
        for (size_t i = 0; i < mask.rows * WIDTH; i++) {
            double value = (double)mask.values[i];
            ck_assert(value == 0 || fabs(value - 1 / 0.6) < 1e-4);
            kept += value > 0;
        }
        ck_assert_msg(fabs(kept / n - 0.6) < 5 * sqrt(0.6 * 0.4 / n), "%s keeps %g", names[place],
                      kept / n);
    }
    model_run_end(&subject.run);
    seq2seq_params_free(&subject.params);
    model_fixture_close(&subject.model);
}

TEST(no_two_rows_are_the_same)
{
    Subject subject;
    begin(&subject);
    draw(&subject, subject.model.pairs, 3, (DropoutKey){7, 3, (real)0.4});
    const real *rows[MAX_ROWS]; // of all places
    size_t count = 0;
    for (size_t place = 0; place < PLACES; place++)
        for (size_t i = 0; i < subject.places[place].rows; i++) {
            ck_assert_uint_lt(count, MAX_ROWS);
            rows[count++] = matrix_row(subject.places[place], i);
        }
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < i; j++) ck_assert_msg(!same(rows[i], rows[j]), "%zu, %zu", i, j);
    model_run_end(&subject.run);
    seq2seq_params_free(&subject.params);
    model_fixture_close(&subject.model);
}

TEST(a_shard_draws_the_same)
{
    // pair 2 is the first of the whole batch's targets, and the last of its sources
    Subject whole, shard;
    begin(&whole);
    begin(&shard);
    const DropoutKey key = {7, 3, (real)0.4};
    draw(&whole, whole.model.pairs, 3, key);
    draw(&shard, &shard.model.pairs[2], 1, key);
    const Ragged *source = &whole.run.batch.source, *target = &whole.run.batch.target;
    ck_assert_uint_eq(whole.run.batch.source_pair[2], 2);
    ck_assert_uint_eq(whole.run.batch.target_pair[0], 2);
    ck_assert(same(shard.places[0].values, matrix_row(whole.places[0], source->step_begin[0] + 2)));
    ck_assert(same(shard.places[1].values, matrix_row(whole.places[1], source->sentence_begin[2])));
    for (size_t t = 0; t < target->lengths[0]; t++)
        for (size_t place = 2; place < PLACES; place++)
            ck_assert(same(matrix_row(shard.places[place], t),
                           matrix_row(whole.places[place], target->step_begin[t])));
    model_run_end(&whole.run);
    model_run_end(&shard.run);
    seq2seq_params_free(&whole.params);
    model_fixture_close(&whole.model);
    seq2seq_params_free(&shard.params);
    model_fixture_close(&shard.model);
}

TEST(steps_and_seeds_differ)
{
    const DropoutKey keys[] = {{7, 3, (real)0.4}, {7, 4, (real)0.4}, {8, 3, (real)0.4}};
    Subject subjects[3];
    for (size_t i = 0; i < 3; i++) {
        begin(&subjects[i]);
        draw(&subjects[i], subjects[i].model.pairs, 3, keys[i]);
        for (size_t place = 0; place < PLACES; place++)
            for (size_t j = 0; j < i; j++)
                ck_assert(
                    !same(subjects[i].places[place].values, subjects[j].places[place].values));
    }
    for (size_t i = 0; i < 3; i++) {
        model_run_end(&subjects[i].run);
        seq2seq_params_free(&subjects[i].params);
        model_fixture_close(&subjects[i].model);
    }
}
