// Which columns of a table are read, and its header row: by pair readers, as verbs use them.

#include "corpus/pair_reader.h"
#include "support/scratch.h"
#include "support/suite.h"

#include <string.h>

/* The pairs of a text as "source|target" lines; *note (may be NULL) is what was taken. */
static Bytes pairs_of(const char *name, const char *text, const PairOptions *options, Bytes *note,
                      Error *error)
{
    const char *path = scratch_text(name, text);
    PairReader *reader = NULL;
    Pair pair = {0};
    Bytes out = {0};
    bool more = true;
    Status status = pair_reader_open(&reader, path, options, error);
    assert_ok(bytes_append_string(&out, "", NULL));
    while (!status && !(status = pair_reader_next(reader, &pair, &more, error)) && more)
        bytes_append_format(&out, NULL, "%s|%s\n", pair.sides[0].data, pair.sides[1].data);
    if (!status && note) assert_ok(pair_reader_describe(reader, note, NULL));
    pair_free(&pair);
    pair_reader_close(reader);
    return out;
}

static void expect(const char *name, const char *text, const char *columns, const char *pairs,
                   const char *said)
{
    const PairOptions options = {.columns = columns};
    Bytes note = {0};
    Error error = {0};
    Bytes got = pairs_of(name, text, &options, &note, &error);
    ck_assert_msg(!error.status, "%s", error.text);
    ck_assert_str_eq(got.data, pairs);
    if (said)
        assert_contains(bytes_text(&note), said);
    else
        ck_assert_str_eq(bytes_text(&note), "");
    bytes_free(&got);
    bytes_free(&note);
}

static void expect_refused(const char *name, const char *text, const PairOptions *options,
                           const char *message)
{
    Error error = {0};
    Bytes got = pairs_of(name, text, options, NULL, &error);
    assert_contains(error.text, message);
    bytes_free(&got);
}

// Two columns that the first row names for languages are taken, wherever they are; No is a number.
TEST(columns_named_for_languages)
{
    expect("a.csv", "No,English,French\n1,a,b\n", NULL, "a|b\n",
           "from column 2 (English) to column 3 (French)");
    expect("a.csv", "No.,date,fr,x,en\n1,d,a,b,c\n", NULL, "a|c\n", "column 3 (fr) to column 5");
    expect("a.tsv", "id\tSentence en\tSentence fr\n1\ta\tb\n", NULL, "a|b\n", "column 2");
    expect("a.csv", "no,en\na,b\n", NULL, "a|b\n", "from column 1 (no) to column 2 (en)");
    expect("a.csv", "en,fr,zh\na,b,c\n", NULL, "a|b\n", "from column 1 (en) to column 2");
    expect("a.csv", "No,English,French\n1,a,b\n", "1,2", "1|a\n", "column 1 (No)");
    expect("a.csv", "a,English,b,French\nc,d,e,f\n", NULL, "d|f\n", "column 4 (French)");
}

TEST(columns)
{
    expect("a.tsv", "a\tb\n", NULL, "a|b\n", NULL);
    expect("a.tsv", "1\ta\tb\n2\tc\td\n", "2,3", "a|b\nc|d\n", "a.tsv: from column 2 to column 3");
    expect("a.tsv", "1\ta\tb\n", "3,2", "b|a\n", "from column 3 to column 2");
    expect("a.csv", "1,\"a, b\",c\n", "2,3", "a, b|c\n", "separated by commas");
    expect("a.CSV", "1;a;b\n", "2,3", "a|b\n", "separated by semicolons");
    expect("a.tsv", "\"x, \"\"y\"\"\"\tb\n", NULL, "x, \"y\"|b\n", "without the quotation marks");
    expect("a.tsv", "a\tb\n\nc\td\n", NULL, "a|b\nc|d\n", NULL);
}

TEST(header)
{
    expect("a.csv", "id,English,French text\n1,a,b\n", "2,3", "a|b\n",
           "column 2 (English) to column 3 (French text)");
    expect("a.tsv", "en\tfr\na\tb\n", NULL, "a|b\n", "the first row is a header");
    expect("a.tsv", "source_en-GB\ttarget (fr)\na\tb\n", NULL, "a|b\n", "header");
    expect("a.csv", "Id, EN ,FR\n1,a,b\n", "en,fr", "a|b\n", "column 2 (EN) to column 3 (FR)");
    expect("a.csv", "x,y,z\n1,a,b\n", "z,y", "b|a\n", "column 3 (z) to column 2 (y)");
    // not headers: sentences, and a word that is its own translation
    expect("a.tsv", "Hello\tBonjour\n", NULL, "Hello|Bonjour\n", NULL);
    expect("a.tsv", "source\tsource\n", NULL, "source|source\n", NULL);
    expect("a.tsv", "English\tanglais\n", NULL, "English|anglais\n", NULL);

    expect_refused("a.tsv", "en\tfr\n", NULL, "a.tsv: is empty and holds no pairs");
}

TEST(refusals)
{
    static const char *const bad[] = {"2", "2,", ",2", "1,2,3", "0,1", "1,65", "2,2", "en,EN"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const PairOptions options = {.columns = bad[i]};
        expect_refused("a.tsv", "a\tb\n", &options, "--columns");
    }
    const PairOptions third = {.columns = "2,3"};
    expect_refused("a.csv", "1,a,b\n2,c\n", &third,
                   "a.csv:2: has 2 columns, but column 3 is needed; correct the row, or --columns");
    expect_refused("a.csv", "1,a,b\n2,\"c\"d,e\n", &third, "a.csv:2: has text between");
    expect_refused("a.tsv", "no tab\n", &third, "a.tsv:1: has no TAB");
    const PairOptions named = {.columns = "en,de"};
    expect_refused("a.csv", "id,en,fr\n1,a,b\n", &named,
                   "a.csv: has no column called de; its first row: id, en, fr; correct --columns");
}

TEST(options_without_use)
{
    const PairOptions options = {.columns = "2,3"};
    Error error = {0};
    const char *const some[] = {"a.tmx", "b.csv"}, *const none[] = {"a.tmx", "s,t"};
    assert_ok(pair_options_check(&options, some, 2, &error));
    ck_assert_int_eq(pair_options_check(&options, none, 2, &error), STATUS_ARGUMENT);
    assert_contains(error.text, "--columns is for CSV and TSV files; a.tmx is neither");
    assert_ok(pair_options_check(&(PairOptions){0}, none, 2, &error));
}

// Bad lines are passed over and kept as messages; what is wrong with the whole file is not.
TEST(bad_lines)
{
    const char *path = scratch_text("a.csv", "a,b\nc\n\"d\"x,e\n\"f,g\nh\xff,i\nj,k\n");
    const PairOptions options = {.skip_bad = true};
    PairReader *reader;
    Pair pair = {0};
    bool more = true;
    size_t pairs = 0;
    assert_ok(pair_reader_open(&reader, path, &options, NULL));
    while (pair_reader_next(reader, &pair, &more, NULL) == STATUS_OK && more) pairs++;
    ck_assert_uint_eq(pairs, 2);
    ck_assert_uint_eq(pair.line, 6);
    ReadCounts counts = pair_reader_counts(reader);
    ck_assert_uint_eq(counts.lines, 6);
    ck_assert_uint_eq(counts.bad, 4);
    ck_assert_uint_eq(counts.invalid, 0);
    static const char *const messages[] = {"a.csv:2: has 1 column", "a.csv:3: has text between",
                                           "a.csv:4: has a quotation mark",
                                           "a.csv:5: is not UTF-8"};
    for (size_t i = 0; i < sizeof messages / sizeof *messages; i++)
        assert_contains(pair_reader_bad(reader)->data, messages[i]);
    pair_free(&pair);
    pair_reader_close(reader);
    expect_refused("a.tsv", "bad\nbad\n", &options,
                   "holds no pairs: no line can be read. The first:");
}

// Of multi-line rows the line where each begins; the first of all lines is 1.
TEST(lines)
{
    const char *path = scratch_text("a.csv", "en,fr\n\"a\nb\",c\nd,e\n");
    PairReader *reader;
    Pair pair = {0};
    bool more;
    assert_ok(pair_reader_open(&reader, path, NULL, NULL));
    assert_ok(pair_reader_next(reader, &pair, &more, NULL));
    ck_assert_uint_eq(pair.line, 2);
    ck_assert_str_eq(pair.sides[0].data, "a b");
    assert_ok(pair_reader_next(reader, &pair, &more, NULL));
    ck_assert_uint_eq(pair.line, 4);
    ck_assert_uint_eq(pair_reader_counts(reader).lines, 2);
    pair_free(&pair);
    pair_reader_close(reader);
}

TEST(languages_of_options)
{
    static const struct {
        const char *languages[2], *message;
    } CASES[] = {
        {{"en", NULL}, "--source-language and --target-language go together; give both"},
        {{NULL, "fr"}, "--source-language and --target-language go together; give both"},
        {{"en", "en"}, "--source-language and --target-language are both en; they must differ"},
    };
    const char *const specs[] = {"a.tmx"}, *const wrong[] = {"a.tmx:en"};
    for (size_t i = 0; i < 3; i++) {
        const PairOptions options = {.languages = {CASES[i].languages[0], CASES[i].languages[1]}};
        Error error = {0};
        ck_assert_int_eq(pair_options_check(&options, specs, 1, &error), STATUS_ARGUMENT);
        ck_assert_str_eq(error.text, CASES[i].message);
        expect_refused("a.tmx", "<tmx/>", &options, CASES[i].message);
    }
    const PairOptions good = {.languages = {"en", "fr"}};
    Error error = {0};
    assert_ok(pair_options_check(&good, specs, 1, NULL));
    ck_assert_int_eq(pair_options_check(&good, wrong, 1, &error), STATUS_ARGUMENT);
    assert_contains(error.text, "a.tmx:en: give a TMX file's languages as");
}

// Names beside numbers are names; the first row may be faulty, or hold less than the others.
TEST(odd_columns)
{
    expect("a.csv", "2,x\na,b\n", "2,x", "a|b\n", "column 1 (2) to column 2 (x)");
    expect("a.csv", "x,2\na,b\n", "x,2", "a|b\n", "column 1 (x) to column 2 (2)");
    expect("a.tsv", "a\tb\tc\n", "1,3", "a|c\n", "from column 1 to column 3");
    expect("a.csv", "en,en,fr\na,b,c\n", NULL, "en|en\na|b\n", "column 1 to column 2");
    expect("a.csv", "no,no,x\na,b,c\n", NULL, "no|no\na|b\n", "column 1 to column 2");
    const PairOptions third = {.columns = "1,3"};
    expect_refused("a.tsv", "a\tb\n", &third, "a.tsv:1: has 2 columns, but column 3 is needed");
    expect_refused("a.csv", "a\n", NULL, "a.csv:1: has 1 column, but column 2 is needed");
    expect_refused("a.csv", "\"a\"b,c\nd,e\n", NULL, "a.csv:1: has text between");
    expect_refused("a.csv", " , \n,\n", NULL, "a.csv: holds no pairs: the source or the target is");
}
