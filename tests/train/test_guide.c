#include "train/guide.h"

#include "support/failing_malloc.h"
#include "support/scratch.h"
#include "support/suite.h"

#include <string.h>
#include <zlib.h>

static Status show(const Links *links, Bytes *out)
{
    Writer writer = writer_start(out, NULL);
    links_write(&writer, links);
    return writer_end(&writer);
}

static Status read_text(Guide *guide, const char *text, size_t lines, Error *error)
{
    return guide_read(guide, scratch_text("g.align", text), "c.tsv", lines, error);
}

static void expect_line(Guide *guide, size_t number, const char *expected)
{
    Links links;
    Bytes text = {0};
    assert_ok(guide_links(guide, &links, number, NULL));
    assert_ok(show(&links, &text));
    ck_assert_str_eq(text.data ? text.data : "", expected);
    bytes_free(&text);
}

TEST(reads_lines)
{
    Guide guide = {0};
    assert_ok(read_text(&guide, "1-0 0?1\r\n\n 0-0\t0?0\n", 3, NULL));
    assert_ok(guide_read(&guide, scratch_text("h.align", "7-7"), "d.tsv", 1, NULL));
    ck_assert_uint_eq(guide.lines, 4);
    expect_line(&guide, 0, "0-1 1-0");
    expect_line(&guide, 1, "");
    expect_line(&guide, 2, "0-0");
    expect_line(&guide, 3, "7-7");
    guide_free(&guide);
    assert_ok(read_text(&guide, "", 0, NULL));
    guide_free(&guide);
}

TEST(gzip)
{
    const char *path = scratch_path("g.align.gz");
    gzFile gzip = gzopen(path, "wb");
    ck_assert_int_gt(gzputs(gzip, "0-0\n1-1\n"), 0);
    ck_assert_int_eq(gzclose(gzip), Z_OK);
    Guide guide = {0};
    assert_ok(guide_read(&guide, path, "c.tsv", 2, NULL));
    expect_line(&guide, 1, "1-1");
    guide_free(&guide);
}

static uint64_t hash_of(const char *text, size_t lines)
{
    Guide guide = {0};
    assert_ok(read_text(&guide, text, lines, NULL));
    uint64_t hash;
    assert_ok(guide_hash(&guide, &hash, NULL));
    guide_free(&guide);
    return hash;
}

TEST(hash)
{
    const uint64_t hash = hash_of("0-0 1-1\n2-2\n", 2);
    ck_assert(hash == hash_of("1?1 0-0 \n2-2", 2)); // another spelling of the same
    ck_assert(hash != hash_of("0-0\n1-1 2-2\n", 2));
    ck_assert(hash != hash_of("0-0 1-1\n2-3\n", 2));
    ck_assert(hash != hash_of("0-0 1-1\n2-2\n\n", 3));
    ck_assert(hash != hash_of("\n0-0 1-1 2-2\n", 2));
}

static void expect_refusal(const char *text, size_t lines, const char *part)
{
    Guide guide = {0};
    Error error = {0};
    ck_assert_int_eq(read_text(&guide, text, lines, &error), STATUS_FORMAT);
    assert_contains(error.text, part);
    guide_free(&guide);
}

TEST(refuses)
{
    expect_refusal("0-0\n0-0\n", 3, "g.align:3: the guide has 2 lines but c.tsv has 3; line n");
    expect_refusal("0-0\n", 3, "g.align:2: the guide has 1 line but c.tsv has 3");
    expect_refusal("0-0\n0-0\n\n\n", 2, "g.align:3: the guide has 4 lines but c.tsv has 2");
    expect_refusal("", 1, "g.align:1: the guide has 0 lines but c.tsv has 1");
    expect_refusal("0-0\n0-0 1_1\n", 2, "g.align:2:5: '1_1' is not a link");
    expect_refusal("0-0\n0-0 1-\n", 2, "g.align:2:5: '1-' is not a link");
    expect_refusal("0-1000000\n", 1, "g.align:1:1: '0-1000000' is not a link");
    Guide guide = {0};
    ck_assert_int_eq(guide_read(&guide, "/nonexistent.align", "c.tsv", 1, NULL), STATUS_IO);
    guide_free(&guide);
}

/* A corpus of which line 2 has an empty side and is not there. */
static void make_corpus(TextCorpus *corpus)
{
    *corpus = (TextCorpus){0};
    const char *path = scratch_text("c.tsv", "a b\t我们 好\nnothing\t\nc\td e f\n");
    assert_ok(text_corpus_read(corpus, path, NULL, NULL));
    ck_assert_uint_eq(corpus->count, 2);
}

TEST(range)
{
    static const struct {
        const char *text;
        UnitKind target;
        const char *fault; // NULL: none
    } cases[] = {
        {"1-1\n9-9\n0-2\n", UNITS_WORDS, NULL}, // nobody counts line 2's units
        {"0-2\n\n0-2\n", UNITS_CHARACTERS, NULL},
        {"0-2\n\n\n", UNITS_WORDS, "g.align:1: link 0-2 is outside the pair of 2 source and 2"},
        {"2-0\n\n\n", UNITS_WORDS, "g.align:1: link 2-0 is outside"},
        {"\n\n0-3\n", UNITS_WORDS, "g.align:3: link 0-3 is outside the pair of 1 source and 3"},
        {"\n\n1-0\n", UNITS_CHARACTERS, "g.align:3: link 1-0 is outside"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        TextCorpus corpus;
        Guide guide = {0};
        Error error = {0};
        make_corpus(&corpus);
        assert_ok(read_text(&guide, cases[i].text, 3, NULL));
        Status status =
            guide_check(&guide, &corpus, (UnitKind[]){UNITS_WORDS, cases[i].target}, &error);
        ck_assert_int_eq(status, cases[i].fault ? STATUS_FORMAT : STATUS_OK);
        if (cases[i].fault) assert_contains(error.text, cases[i].fault);
        guide_free(&guide);
        text_corpus_free(&corpus);
    }
}

// The line that is named is that of its own file.
TEST(range_in_the_second_file)
{
    TextCorpus corpus = {0};
    Guide guide = {0};
    Error error = {0};
    const char *corpora[] = {scratch_text("a.tsv", "a\tb\n\tb\n"),
                             scratch_text("b.tsv", "a\tb\nc\td\n")};
    for (size_t i = 0; i < 2; i++) assert_ok(text_corpus_read(&corpus, corpora[i], NULL, NULL));
    assert_ok(guide_read(&guide, scratch_text("a.align", "0-0\n\n"), "a.tsv", 2, NULL));
    assert_ok(guide_read(&guide, scratch_text("b.align", "0-0\n0-1\n"), "b.tsv", 2, NULL));
    ck_assert_int_eq(guide_check(&guide, &corpus, (UnitKind[]){UNITS_WORDS, UNITS_WORDS}, &error),
                     STATUS_FORMAT);
    assert_contains(error.text, "b.align:2: link 0-1 ");
    guide_free(&guide);
    text_corpus_free(&corpus);
}

TEST(out_of_memory)
{
    const char *path = scratch_text("g.align", "0-0 1-1\n\n0-1\n");
    while (failing_malloc_next()) {
        Guide guide = {0};
        Error error = {0};
        failing_malloc_expect(guide_read(&guide, path, "c.tsv", 3, &error));
        guide_free(&guide);
    }
}
