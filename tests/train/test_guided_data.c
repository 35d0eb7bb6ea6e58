// Links of a corpus: each pair that is trained on keeps those of its own line, whatever becomes of
// the others.
#include "train/data.h"

#include "support/scratch.h"
#include "support/suite.h"

#include <stdio.h>
#include <string.h>
#include <xxhash.h>
#include <zlib.h>

static TrainOptions options;
static TrainingData data;

static void set_up(void)
{
    const TrainOptions defaults = TRAIN_OPTIONS_DEFAULT;
    options = defaults;
    options.embedding = options.hidden = 16;
    options.vocabulary_size = 300; // 40 subwords above the bytes: words are several subwords
}

static void finish(void)
{
    training_data_free(&data);
}

static Status read_files(const char *const *train, const char *const *guides, size_t count,
                         const char *valid, Error *error)
{
    const TrainingFiles files = {.readers = &training_file_readers,
                                 .train = train,
                                 .guides = guides,
                                 .count = count,
                                 .valid = &valid,
                                 .valid_count = valid != NULL};
    return training_data_read(&data, &files, &options, NULL, NULL, error);
}

static void expect_read(const char *const *train, const char *const *guides, size_t count,
                        const char *valid)
{
    Error error = {0};
    Status status = read_files(train, guides, count, valid, &error);
    ck_assert_msg(status == STATUS_OK, "%s", error.text);
    ck_assert_int_eq(data.guide, guides ? GUIDE_FILES : GUIDE_NONE);
}

/* Every word is linked to the word of its own number: "w3 w14 …" with "v14 w3". A pair's links must
 * say so again, which shows by the decoded subwords: those of the target subword's word, and of no
 * other, are linked to it. */
static size_t word_of_subword(const Vocabulary *vocabulary, const int32_t *tokens, size_t subword)
{
    Bytes text = {0};
    size_t words = 0;
    assert_ok(vocabulary_decode(vocabulary, tokens, subword + 1, &text, NULL));
    for (size_t i = 0; i < text.length; i++) words += text.data[i] == ' ';
    bytes_free(&text);
    return words;
}

// The number in word `index` of a side, whose words are a letter and a number.
static unsigned number_of_word(const Vocabulary *vocabulary, const int32_t *tokens, size_t count,
                               size_t index)
{
    Bytes text = {0};
    unsigned number = 0;
    assert_ok(vocabulary_decode(vocabulary, tokens, count, &text, NULL));
    const char *word = text.data;
    for (size_t i = 0; i < index; i++) word = strchr(word, ' ') + 1;
    ck_assert_int_eq(sscanf(word + 1, "%u", &number), 1);
    bytes_free(&text);
    return number;
}

// All subwords of the two sides, tried one with the other.
static void expect_links_of_equal_numbers(const TokenPair *pair)
{
    size_t next = 0;
    for (size_t t = 0; t + 1 < pair->target_length; t++) {
        size_t target = word_of_subword(data.target_vocabulary, pair->target, t);
        unsigned wanted =
            number_of_word(data.target_vocabulary, pair->target, pair->target_length - 1, target);
        for (size_t s = 0; s + 1 < pair->source_length; s++) {
            size_t source = word_of_subword(data.source_vocabulary, pair->source, s);
            if (number_of_word(data.source_vocabulary, pair->source, pair->source_length - 1,
                               source) != wanted)
                continue;
            ck_assert_uint_lt(next, pair->link_count);
            ck_assert_uint_eq(pair->links[next].target, t);
            ck_assert_uint_eq(pair->links[next].source, s);
            next++;
        }
    }
    ck_assert_uint_eq(next, pair->link_count);
}

/* Lines first … last − 1 of a corpus "wN wM" → "vM vN" and of its guide "0-1 1-0"; some have an
 * empty side, repeat an earlier pair, or are far too long. Their guide's lines are as good as the
 * others. */
static void write_lines(const char *corpus, const char *guide, size_t first, size_t last)
{
    Bytes text = {0}, links = {0};
    for (size_t i = first; i < last; i++) {
        size_t n = i % 7 == 3 ? 1 : i, m = n + 1000;
        if (i % 5 == 2)
            assert_ok(bytes_append_format(&text, NULL, "\tv%zu\n", i));
        else if (i % 11 == 4)
            assert_ok(bytes_append_format(
                &text, NULL,
                "w%zu w%zu314159265358979323846264338327950288419716939937510582097494\tv%zu\n", i,
                i, i));
        else
            assert_ok(bytes_append_format(&text, NULL, "w%zu w%zu\tv%zu v%zu\n", n, m, m, n));
        const char *line = i % 5 == 2 ? "9-9\n" : i % 11 == 4 ? "0-0\n" : "0-1 1?0\n";
        assert_ok(bytes_append_string(&links, line, NULL));
    }
    scratch_write(corpus, text.data, text.length);
    gzFile gzip = gzopen(guide, "wb"); // gzip is told by the content
    ck_assert_int_gt(gzputs(gzip, links.data), 0);
    ck_assert_int_eq(gzclose(gzip), Z_OK);
    bytes_free(&text);
    bytes_free(&links);
}

TESTS_EACH(set_up, finish)

TEST(keeps_step)
{
    for (int deduplicate = 0; deduplicate < 2; deduplicate++) {
        set_up();
        options.deduplicate = deduplicate;
        options.max_length = 20;
        const char *train[] = {scratch_path("a.tsv"), scratch_path("b.tsv")};
        const char *guides[] = {scratch_path("a.align"), scratch_path("b.align")};
        write_lines(train[0], guides[0], 0, 150);
        write_lines(train[1], guides[1], 150, 400);
        expect_read(train, guides, 2, NULL);
        ck_assert_uint_gt(data.figures.counts.empty, 50);
        ck_assert_uint_gt(data.figures.set_aside, 3);
        ck_assert_uint_gt(data.figures.too_long, 20);
        ck_assert_uint_gt(data.figures.duplicates, 30);
        ck_assert_uint_eq(data.figures.guided_pairs, data.train.count);
        for (size_t i = 0; i < data.train.count; i++) {
            TokenPair pair = token_corpus_pair(&data.train, i);
            ck_assert_uint_gt(pair.link_count, 2);
            expect_links_of_equal_numbers(&pair);
        }
        for (size_t i = 0; i < data.valid[0].tokens.count; i++)
            ck_assert_uint_eq(token_corpus_pair(&data.valid[0].tokens, i).link_count, 0);
        finish();
    }
}

// Two files, one of them of Han characters, and words that have no link.
TEST(two_files_and_characters)
{
    char spec[512];
    const char *source = scratch_text("a.en", "the cat\nit ran\n"),
               *target = scratch_text("a.zh", "猫\n它跑了\n");
    snprintf(spec, sizeof spec, "%s,%s", source, target);
    const char *train = spec, *guide = scratch_text("a.align", "1-0\n1-1 1?2\n");
    expect_read(&train, &guide, 1, scratch_text("v.tsv", "a cat\t猫\n"));
    ck_assert(data.units[0] == UNITS_WORDS && data.units[1] == UNITS_CHARACTERS);
    ck_assert_uint_eq(data.figures.guided_pairs, 2);
    TokenPair first = token_corpus_pair(&data.train, 0), second = token_corpus_pair(&data.train, 1);
    ck_assert_uint_gt(first.link_count, 0);
    for (size_t i = 0; i < first.link_count; i++)
        ck_assert_uint_eq(
            word_of_subword(data.source_vocabulary, first.source, first.links[i].source), 1);
    // 它 is linked to nothing
    size_t begin = 0;
    ck_assert_uint_gt(second.link_count, 0);
    Bytes text = {0};
    assert_ok(vocabulary_decode(data.target_vocabulary, second.target, second.links[0].target,
                                &text, NULL));
    begin = text.length;
    bytes_free(&text);
    ck_assert_uint_le(begin, strlen("它"));
}

// A unit of a translation memory is a line, one that lacks a language too.
TEST(tmx_by_unit)
{
    const char *train = scratch_text(
        "a.tmx", "<tmx version=\"1.4\"><header srclang=\"en\"/><body>"
                 "<tu><tuv xml:lang=\"en\"><seg>w1 w2</seg></tuv><tuv xml:lang=\"fr\"><seg>v2 v1"
                 "</seg></tuv></tu><tu><tuv xml:lang=\"en\"><seg>w5</seg></tuv></tu>\n"
                 "<tu><tuv xml:lang=\"en\"><seg>w3</seg></tuv><tuv xml:lang=\"fr\"><seg>v9 v3"
                 "</seg></tuv></tu></body></tmx>");
    const char *guide = scratch_text("a.align", "0-1 1-0\n\n0-1\n");
    expect_read(&train, &guide, 1, scratch_text("v.tsv", "w1\tv1\n"));
    ck_assert_uint_eq(data.train.count, 2);
    for (size_t i = 0; i < 2; i++) {
        TokenPair pair = token_corpus_pair(&data.train, i);
        ck_assert_uint_gt(pair.link_count, 0);
        expect_links_of_equal_numbers(&pair);
    }
}

// The share of the links' weight that is between words of the same number.
static double right_share(const TokenCorpus *corpus)
{
    double links = 0, right = 0;
    for (size_t i = 0; i < corpus->count; i++) {
        TokenPair pair = token_corpus_pair(corpus, i);
        for (size_t l = 0; l < pair.link_count; l++) {
            SubwordLink link = pair.links[l];
            size_t source = word_of_subword(data.source_vocabulary, pair.source, link.source);
            size_t target = word_of_subword(data.target_vocabulary, pair.target, link.target);
            links += link.weight;
            if (number_of_word(data.source_vocabulary, pair.source, pair.source_length - 1,
                               source) ==
                number_of_word(data.target_vocabulary, pair.target, pair.target_length - 1, target))
                right += link.weight;
        }
    }
    return right / links;
}

// The aligner's links are those of the pair itself, whichever others are left out or set aside.
TEST(aligned)
{
    Bytes text = {0};
    uint64_t hash = 0;
    options.max_length = 20;
    for (unsigned i = 0; i < 300; i++) {
        unsigned n = 10 + i % 17, m = 10 + i % 23;
        const char *tail = i % 10 == 4 ? "314159265358979323846264338327950288419716939937" : "";
        assert_ok(bytes_append_format(&text, NULL, "1%u%s 1%u\t9%u 9%u\n", n, tail, m, m, n));
    }
    const char *train = scratch_text("a.tsv", text.data);
    for (options.threads = 1; options.threads <= 3; options.threads += 2) {
        Error error = {0};
        const TrainingFiles files = {
            .readers = &training_file_readers, .train = &train, .count = 1, .align = true};
        ck_assert_msg(training_data_read(&data, &files, &options, NULL, NULL, &error) == STATUS_OK,
                      "%s", error.text);
        ck_assert(data.guide == GUIDE_AUTO && data.figures.set_aside > 3 &&
                  data.figures.too_long > 20);
        ck_assert_uint_eq(data.figures.guided_pairs, data.train.count);
        ck_assert_double_gt(right_share(&data.train), 0.95);
        const CorpusStore *store = &data.train.store;
        uint64_t links = XXH3_64bits(store->tail, corpus_store_size(store));
        ck_assert(options.threads == 1 || links == hash);
        hash = links;
        training_data_free(&data);
    }
    bytes_free(&text);
}

TEST(refusals)
{
    static const struct {
        const char *guide, *message;
    } cases[] = {
        {"0-0\n0-0\n0-0\n", "g.align:4: the guide has 3 lines but "},
        {"0-0\n0-0\n0-0\n0-0\n0-0\n", "g.align:5: the guide has 5 lines but "},
        {"0-0\n0-0\n0-0\n0-a\n", "g.align:4:1: '0-a' is not a link"},
        {"0-0\n0-0\n1-0\n0-0\n", "g.align:3: link 1-0 is outside the pair of 1 source and 1"},
        {"0-0\n0-0\n0-0\n0-1\n", "g.align:4: link 0-1 is outside the pair of 1 source and 1"},
        {"0-1\n0-0\n0-0\n0-0\n", "g.align:1: link 0-1 is outside"},
        {"0-0\n0-1\n0-0\n0-0\n", "g.align:2: link 0-1 is outside"},
    };
    const char *train =
        scratch_text("a.tsv", "a\tb\nc\td\ne\tf\ng\th\n"); // one of them is set aside
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Error error = {0};
        const char *guide = scratch_text("g.align", cases[i].guide);
        ck_assert_int_eq(read_files(&train, &guide, 1, NULL, &error), STATUS_FORMAT);
        assert_contains(error.text, cases[i].message);
        ck_assert_uint_eq(data.train.count, 0);
    }
}

TEST(hash)
{
    const char *train = scratch_text("a.tsv", "a b\tc\nd\te\n");
    static const char *const guides[] = {"0-0\n0-0\n", "1-0\n0-0\n", "\n\n"};
    uint64_t hashes[4];
    expect_read(&train, NULL, 1, NULL);
    hashes[3] = data.hash;
    ck_assert_int_eq(data.guide, GUIDE_NONE);
    for (size_t i = 0; i < 3; i++) {
        training_data_free(&data);
        const char *guide = scratch_text("g.align", guides[i]);
        expect_read(&train, &guide, 1, NULL);
        hashes[i] = data.hash;
    }
    ck_assert_uint_eq(data.figures.guided_pairs, 0);
    for (size_t i = 0; i < 4; i++)
        for (size_t j = 0; j < i; j++) ck_assert(hashes[i] != hashes[j]);
}
