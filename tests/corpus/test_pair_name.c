#define _POSIX_C_SOURCE 200809L
#include "corpus/pair_name.h"
#include "support/failing_malloc.h"

#include "support/scratch.h"
#include "support/suite.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static bool includes(const char *name, const char *path)
{
    bool found = false;
    Error error;
    assert_ok(pair_name_includes(&found, name, path, &error));
    return found;
}

// Whatever the form of the name and the path of the file.
TEST(includes)
{
    const char *one = scratch_path("one"), *two = scratch_path("two");
    const char *tmx = scratch_path("memory.tmx"), *link = scratch_path("link");
    char both[512], languages[256];
    scratch_write(one, "a\n", 2);
    scratch_write(two, "b\n", 2);
    scratch_write(tmx, "<tmx/>", 6);
    ck_assert_int_eq(symlink(two, link), 0);
    snprintf(both, sizeof both, "%s,%s", one, two);
    snprintf(languages, sizeof languages, "%s:en:fr", tmx);
    ck_assert(includes(one, one));
    ck_assert(!includes(one, two));
    ck_assert(includes(both, one));
    ck_assert(includes(both, two));
    ck_assert(includes(both, link));
    ck_assert(!includes(both, tmx));
    ck_assert(includes(tmx, tmx));
    ck_assert(includes(languages, tmx));
    ck_assert(!includes(languages, one));
}

// Such names are refused where they are read.
TEST(names_of_no_file)
{
    ck_assert(!includes("-", "/dev/stdin"));
    ck_assert(!includes("", "/"));
    ck_assert(!includes(",", "/"));
    ck_assert(!includes("/nonexistent,/nonexistent", "/nonexistent"));
}

static PairName parse(const char *text)
{
    PairName name;
    Error error = {0};
    ck_assert_msg(pair_name_parse(&name, text, &error) == STATUS_OK, "%s", error.text);
    return name;
}

// By their endings, packed or not, and whether a file of the whole name exists.
TEST(forms)
{
    static const struct {
        const char *text;
        PairForm form;
        const char *names[2], *languages[2];
    } CASES[] = {
        {"a", PAIR_FORM_TSV, {"a"}, {NULL}},
        {"-", PAIR_FORM_TSV, {"-"}, {NULL}},
        {".csv", PAIR_FORM_TSV, {".csv"}, {NULL}},
        {"a.csv", PAIR_FORM_CSV, {"a.csv"}, {NULL}},
        {"a.CSV.zst", PAIR_FORM_CSV, {"a.CSV.zst"}, {NULL}},
        {"a.csv.bz2", PAIR_FORM_TSV, {"a.csv.bz2"}, {NULL}},
        {"a.tmx", PAIR_FORM_TMX, {"a.tmx"}, {NULL}},
        {"a.tmx.gz:en:fr-CA", PAIR_FORM_TMX, {"a.tmx.gz"}, {"en", "fr-CA"}},
        {"c:/a:b.tmx.xz:en:fr", PAIR_FORM_TMX, {"c:/a:b.tmx.xz"}, {"en", "fr"}},
        {"a:b:c", PAIR_FORM_TSV, {"a:b:c"}, {NULL}},
        {"a.en,a.fr", PAIR_FORM_FILES, {"a.en", "a.fr"}, {NULL}},
        {"a,b,c", PAIR_FORM_FILES, {"a", "b,c"}, {NULL}},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        PairName name = parse(CASES[i].text);
        ck_assert_msg(name.form == CASES[i].form, "%s: %d", CASES[i].text, (int)name.form);
        for (int k = 0; k < 2; k++) {
            ck_assert_pstr_eq(name.names[k], CASES[i].names[k]);
            ck_assert_pstr_eq(name.languages[k], CASES[i].languages[k]);
        }
        pair_name_free(&name);
    }
    const char *comma = scratch_path("a,b.tmx");
    char text[512];
    snprintf(text, sizeof text, "%s:en:fr", comma);
    scratch_write(comma, "", 0);
    PairName name = parse(text);
    ck_assert_int_eq(name.form, PAIR_FORM_TMX);
    ck_assert_str_eq(name.names[0], comma);
    pair_name_free(&name);
}

TEST(refusals)
{
    static const char *const CASES[][2] = {
        {"", "the corpus name is empty; give FILE.tsv or SOURCE,TARGET"},
        {",a", ",a: one of the two names in SOURCE,TARGET is empty"},
        {"a,", "a,: one of the two names"},
        {"-,a", "-,a: standard input cannot be one of two files"},
        {"a,-", "a,-: standard input cannot be"},
        {"a.tmx,b", "a.tmx,b: a TMX file holds both languages; give it alone"},
        {"a,b.tmx", "a,b.tmx: a TMX file holds both"},
        {"a.tmx:en", "a.tmx:en: give a TMX file's languages as FILE.tmx:SOURCE:TARGET, for"},
        {"a.tmx::fr", "for example a.tmx:en:fr"},
        {"a.tmx:en:", "for example a.tmx:en:fr"},
        {"a.tmx:en:fr:zh", "for example a.tmx:en:fr"},
        {"a.tmx:en:a-language-with-a-name-that-is-longer-than-all-the-tags-that-there-are",
         "for example a.tmx:en:fr"},
        {"a.tmx:en:EN", "a.tmx:en:EN: names one language twice"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        PairName name;
        Error error = {0};
        ck_assert_msg(pair_name_parse(&name, CASES[i][0], &error) == STATUS_ARGUMENT, "%s",
                      CASES[i][0]);
        assert_contains(error.text, CASES[i][1]);
        pair_name_free(&name);
    }
}

TEST(out_of_memory)
{
    while (failing_malloc_next()) {
        bool found = false;
        (void)failing_malloc_expect(pair_name_includes(&found, "a.en,a.fr", "/", NULL));
    }
}
