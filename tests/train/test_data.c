#include "train/data.h"

#include "support/scratch.h"
#include "support/suite.h"

#include <stdlib.h>
#include <string.h>

static const TrainOptions defaults = TRAIN_OPTIONS_DEFAULT;

static TrainOptions options;
static TrainingData data;

static void set_up(void)
{
    options = defaults;
    options.vocabulary_size = 300;
}

// A corpus of `count` pairs "s3 wort" → "t3 word"; every pair `times` times, one after another.
static const char *write_pairs(const char *name, size_t count, size_t times, bool turned)
{
    Bytes text = {0};
    for (size_t i = 0; i < count * times; i++) {
        size_t n = (turned ? count * times - 1 - i : i) / times;
        assert_ok(bytes_append_format(&text, NULL, "s%zu wort\tt%zu word\n", n, n));
    }
    const char *path = scratch_text(name, text.data);
    bytes_free(&text);
    return path;
}

static Status read_one(const char *train, const char *valid, Error *error)
{
    const TrainingFiles files = {.readers = &training_file_readers,
                                 .train = &train,
                                 .count = 1,
                                 .valid = &valid,
                                 .valid_count = valid != NULL};
    return training_data_read(&data, &files, &options, NULL, NULL, error);
}

static void expect_read(const char *train, const char *valid)
{
    Error error = {0};
    Status status = read_one(train, valid, &error);
    ck_assert_msg(status == STATUS_OK, "%s", error.text);
}

static void expect_refusal(const char *train, const char *valid, Status expected, const char *part)
{
    Error error = {0};
    ck_assert_int_eq(read_one(train, valid, &error), expected);
    assert_contains(error.text, part);
    ck_assert_ptr_null(data.source_vocabulary);
    ck_assert_uint_eq(data.train.count, 0);
}

static void finish(void)
{
    training_data_free(&data);
}

// How often a source is among those set aside.
static size_t set_aside(const TrainingData *from, const char *source)
{
    size_t times = 0;
    for (size_t i = 0; i < from->valid[0].text.count; i++)
        times += !strcmp(text_corpus_pair(&from->valid[0].text, i).sides[0].data, source);
    return times;
}

TESTS_EACH(set_up, finish)

TEST(sets_two_percent_aside)
{
    expect_read(write_pairs("a.tsv", 500, 1, false), NULL);
    ck_assert_uint_eq(data.figures.pairs, 500);
    ck_assert_uint_eq(data.figures.set_aside, 10);
    ck_assert_uint_eq(data.valid[0].tokens.count, 10);
    ck_assert_uint_eq(data.valid[0].text.count, 10);
    ck_assert_uint_eq(data.train.count, 490);
    ck_assert_uint_eq(data.figures.counts.lines, 500);
    for (size_t i = 0; i < 490; i++) {
        TokenPair pair = token_corpus_pair(&data.train, i);
        ck_assert_int_eq(pair.source[pair.source_length - 1], TOKEN_EOS);
        ck_assert_int_eq(pair.target[pair.target_length - 1], TOKEN_EOS);
        ck_assert_uint_ge(pair.source_length, 2);
    }
}

// Which sentences are set aside depends on their text alone, and copies of one stay together.
TEST(split_does_not_depend_on_order)
{
    TrainingData first;
    expect_read(write_pairs("a.tsv", 200, 3, false), NULL);
    first = data;
    expect_read(write_pairs("b.tsv", 200, 3, true), NULL);
    ck_assert_uint_eq(first.figures.set_aside, 12);
    ck_assert_uint_eq(data.figures.set_aside, 12);
    for (size_t i = 0; i < 12; i++) {
        const char *source = text_corpus_pair(&first.valid[0].text, i).sides[0].data;
        ck_assert_uint_eq(set_aside(&first, source), 3);
        ck_assert_uint_eq(set_aside(&data, source), 3);
    }
    ck_assert(first.hash != data.hash); // but it is another corpus, whose batches differ
    training_data_free(&first);
}

TEST(hash)
{
    uint64_t hashes[5];
    const char *texts[] = {"a b\tc\nd\te\n", "a\tb c\nd\te\n", "a b\tc\nd\te\nf\tg\n"};
    for (size_t i = 0; i < 3; i++) {
        expect_read(scratch_text("a.tsv", texts[i]), NULL);
        hashes[i] = data.hash;
        training_data_free(&data);
    }
    const char *path = scratch_text("a.tsv", texts[0]);
    expect_read(path, path);
    hashes[3] = data.hash;
    training_data_free(&data);
    expect_read(path, scratch_text("b.tsv", texts[1]));
    hashes[4] = data.hash;
    for (size_t i = 0; i < 5; i++)
        for (size_t j = 0; j < i; j++) ck_assert(hashes[i] != hashes[j]);
    training_data_free(&data);
    expect_read(path, NULL);
    ck_assert(data.hash == hashes[0]);
}

TEST(joint_or_separate)
{
    const char *alike = scratch_text("a.tsv", "one two\ttwo one\nthree\tthree\nfour\tfour\n");
    const char *apart = scratch_text("b.tsv", "one two\tодин два\nthree\tтри\nfour\tчетыре\n");
    expect_read(alike, alike);
    ck_assert(data.joint);
    ck_assert_ptr_eq(data.source_vocabulary, data.target_vocabulary);
    training_data_free(&data);
    expect_read(apart, apart);
    ck_assert(!data.joint);
    ck_assert_ptr_ne(data.source_vocabulary, data.target_vocabulary);
    training_data_free(&data);
    options.separate_vocabulary = true;
    expect_read(alike, alike);
    ck_assert(!data.joint);
    training_data_free(&data);
    options.separate_vocabulary = false;
    options.joint_vocabulary = true;
    expect_read(apart, apart);
    ck_assert(data.joint);
    ck_assert_ptr_eq(data.source_vocabulary, data.target_vocabulary);
}

TEST(small_corpus_gives_small_vocabulary)
{
    const char *path = scratch_text("a.tsv", "one two\ttwo one\n");
    expect_read(path, path);
    ck_assert(data.figures.small_vocabulary);
    ck_assert_uint_lt(vocabulary_size(data.source_vocabulary), 300);
}

TEST(too_long)
{
    options.max_length = 8;
    const char *text = "a b\ta b\n"
                       "b c\tb c d e f g h i j k l m n o p\n"
                       "c d e f g h i j k l m n o p q r s\tc\n";
    const char *path = scratch_text("a.tsv", text);
    expect_read(path, path);
    ck_assert_uint_eq(data.figures.pairs, 3);
    ck_assert_uint_eq(data.figures.too_long, 2);
    ck_assert_uint_eq(data.train.count, 1);
    // for validation they are cut, and the reference text stays whole
    ck_assert_uint_eq(data.valid[0].tokens.count, 3);
    ck_assert_uint_eq(data.valid[0].text.count, 3);
    for (size_t i = 0; i < 3; i++) {
        TokenPair pair = token_corpus_pair(&data.valid[0].tokens, i);
        ck_assert_uint_le(pair.source_length, 9);
        ck_assert_uint_le(pair.target_length, 9);
    }
    ck_assert_str_eq(text_corpus_pair(&data.valid[0].text, 1).sides[1].data,
                     "b c d e f g h i j k l m n o p");
    training_data_free(&data);
    options.max_length = 1;
    expect_refusal(path, path, STATUS_ARGUMENT, "each has a side longer than 1 subword;");
}

TEST(corpora_too_small_to_split)
{
    const char *part = "at least two different source sentences";
    expect_refusal(scratch_text("a.tsv", "a\tb\n"), NULL, STATUS_ARGUMENT, part);
    expect_refusal(scratch_text("a.tsv", "a\tb\na\tc\na\td\n"), NULL, STATUS_ARGUMENT, part);
    expect_refusal(scratch_text("a.tsv", "a\t\n\tb\n"), NULL, STATUS_FORMAT, "holds no pairs");
    // one pair is enough if it need not be split
    const char *one = scratch_text("a.tsv", "a\tb\n");
    expect_read(one, one);
    ck_assert_uint_eq(data.train.count, 1);
    ck_assert_uint_eq(data.valid[0].tokens.count, 1);
    ck_assert_uint_eq(data.figures.set_aside, 0);
    training_data_free(&data);
    expect_refusal(one, scratch_text("b.tsv", "a\t\n"), STATUS_FORMAT, "b.tsv: holds no pairs");
    expect_refusal(one, scratch_path("none.tsv"), STATUS_IO, "none.tsv");
    expect_refusal(scratch_path("none.tsv"), NULL, STATUS_IO, "none.tsv");
}

TEST(two_sources)
{
    expect_read(scratch_text("a.tsv", "a\tb\nc\td\n"), NULL);
    ck_assert_uint_eq(data.train.count, 1);
    ck_assert_uint_eq(data.valid[0].tokens.count, 1);
}

// Each is read for itself, and its pairs are looked for among those of training.
TEST(several_validation_sets)
{
    const char *train = scratch_text("t.tsv", "a\tb\nc\td\n");
    const char *valid[2] = {scratch_text("v.tsv", "e\tf\ng\th\n"), scratch_text("w.tsv", "a\tb\n")};
    TrainingFiles files = {.readers = &training_file_readers,
                           .train = &train,
                           .count = 1,
                           .valid = valid,
                           .valid_count = 2};
    assert_ok(training_data_read(&data, &files, &options, NULL, NULL, NULL));
    ck_assert_uint_eq(data.valid_count, 2);
    ck_assert_uint_eq(data.valid[0].tokens.count, 2);
    ck_assert_uint_eq(data.valid[1].tokens.count, 1);
    ck_assert_str_eq(text_corpus_pair(&data.valid[1].text, 0).sides[1].data, "b");
    ck_assert_uint_eq(data.valid[0].shared.pairs, 0);
    ck_assert_uint_eq(data.valid[1].shared.pairs, 1);
    ck_assert_uint_eq(data.files.count, 3);
    uint64_t hash = data.hash;
    training_data_free(&data);
    files.valid_count = 1; // another corpus
    assert_ok(training_data_read(&data, &files, &options, NULL, NULL, NULL));
    ck_assert_uint_ne(data.hash, hash);
}

TEST(several_files)
{
    const char *paths[2] = {scratch_text("a.tsv", "a\tb\nc\t\n"), scratch_text("b.tsv", "c\td\n")};
    const char *valid = scratch_text("v.tsv", "e\tf\n");
    const TrainingFiles files = {.readers = &training_file_readers,
                                 .train = paths,
                                 .count = 2,
                                 .valid = &valid,
                                 .valid_count = 1};
    assert_ok(training_data_read(&data, &files, &options, NULL, NULL, NULL));
    ck_assert_uint_eq(data.figures.pairs, 2);
    ck_assert_uint_eq(data.figures.counts.lines, 3);
    ck_assert_uint_eq(data.figures.counts.empty, 1);
}

TEST(han_target)
{
    const char *path = scratch_text("a.tsv", "good morning\t早上好\nthank you\t谢谢你\n");
    expect_read(path, path);
    ck_assert(data.units[0] == UNITS_WORDS && data.units[1] == UNITS_CHARACTERS);
    ck_assert_int_eq(data.bleu_tokenizer, BLEU_ZH);
    training_data_free(&data);
    path = scratch_text("a.tsv", "早上好\tgood morning\n谢谢你\tthank you\n");
    expect_read(path, path);
    ck_assert(data.units[0] == UNITS_CHARACTERS && data.units[1] == UNITS_WORDS);
    ck_assert_int_eq(data.bleu_tokenizer, BLEU_13A);
}

// Given vocabularies (of a checkpoint) are taken as they are, and owned whatever happens.
TEST(given_vocabularies)
{
    const char *path = scratch_text("a.tsv", "one two\ttwo one\n");
    expect_read(path, path);
    json_t *json = vocabulary_to_json(data.source_vocabulary);
    char *text = json_dumps(json, JSON_COMPACT);
    training_data_free(&data);
    const char *missing = scratch_path("none.tsv");
    for (int failing = 0; failing < 2; failing++)
        for (int joint = 0; joint < 2; joint++) {
            Vocabulary *source = NULL, *target = NULL;
            assert_ok(vocabulary_read(&source, text, NULL));
            if (!joint) assert_ok(vocabulary_read(&target, text, NULL));
            if (joint) target = source;
            const TrainingFiles files = {.readers = &training_file_readers,
                                         .train = failing ? &missing : &path,
                                         .count = 1,
                                         .valid = &path,
                                         .valid_count = 1};
            Status status = training_data_read(&data, &files, &options, source, target, NULL);
            ck_assert_int_eq(status, failing ? STATUS_IO : STATUS_OK);
            if (failing) continue;
            ck_assert_int_eq(data.joint, joint);
            ck_assert_ptr_eq(data.source_vocabulary, source);
            training_data_free(&data);
        }
    free(text);
    json_decref(json);
}

// What was not given is set by the pairs of an epoch, those mixed in counted.
TEST(fits_options)
{
    const char *train = write_pairs("train.tsv", 600, 1, false);
    TrainingFiles files = {
        .readers = &training_file_readers, .train = &train, .count = 1, .mix_weight = 1};
    for (int mixed = 0; mixed < 2; mixed++) {
        options.batch_tokens = options.max_epochs = 0;
        options.patience = 3;
        if (mixed) files.mix = write_pairs("old.tsv", 40, 1, true);
        assert_ok(training_data_read(&data, &files, &options, NULL, NULL, NULL));
        ck_assert_uint_eq(options.batch_tokens, mixed ? 490 : 420);
        ck_assert_uint_eq(options.max_epochs, mixed ? 122 : 173);
        ck_assert_uint_eq(options.patience, 3);
        training_data_free(&data);
    }
}

// Pairs to mix in are read last, none of them is set aside, and they and their weight count in the
// hash.
TEST(mixed_pairs)
{
    const char *train = write_pairs("train.tsv", 100, 1, false);
    TrainingFiles files = {.readers = &training_file_readers,
                           .train = &train,
                           .count = 1,
                           .mix = write_pairs("old.tsv", 40, 1, true)};
    static const double weights[] = {0.25, 2, 0.001};
    static const size_t drawn[] = {25, 196, 0}; // of 98 pairs, since 2 are set aside
    uint64_t hashes[3];
    for (size_t i = 0; i < 3; i++) {
        files.mix_weight = weights[i];
        assert_ok(training_data_read(&data, &files, &options, NULL, NULL, NULL));
        ck_assert_uint_eq(data.figures.pairs, 100);
        ck_assert_uint_eq(data.figures.set_aside, 2);
        ck_assert_uint_eq(data.figures.mixed_pairs, 40);
        ck_assert_uint_eq(data.train.count, 138);
        ck_assert_uint_eq(data.train.mixed, 40);
        ck_assert_uint_eq(data.train.drawn, drawn[i]);
        ck_assert_uint_eq(data.files.count, 2);
        ck_assert_str_eq(data.files.items[1].name, files.mix);
        hashes[i] = data.hash;
        training_data_free(&data);
    }
    ck_assert(hashes[0] != hashes[1] && hashes[1] != hashes[2]);
    files.mix = "/no/such/file";
    ck_assert_int_eq(training_data_read(&data, &files, &options, NULL, NULL, NULL), STATUS_IO);
    options.max_length = 1; // nothing remains
    files.mix = train;
    ck_assert_int_eq(training_data_read(&data, &files, &options, NULL, NULL, NULL),
                     STATUS_ARGUMENT);
}
