// regard translate --memory.

#include "cli/one_model.h"

#include <string.h>

// Of a text the translation, and what it comes from.
static void expect_json(const char *file, const char *text, const char *target, const char *memory)
{
    Run run = run_expect_done(
        RUN(text, "translate", "--model", trained.model, "--memory", file, "--json"));
    assert_contains(run.out.data, target);
    if (memory)
        assert_contains(run.out.data, memory);
    else
        ck_assert_ptr_null(strstr(run.out.data, "\"memory\""));
}

TESTS_SHARE(train_once, .seconds = 60)

TEST(exact)
{
    const char *file = scratch_text("m.tsv", "the red cat .\tle minou rouge .\n"
                                             "The boat.  The car.\tDeux phrases. Une ligne.\n"
                                             "The dog.\tLe toutou.\n\n");
    expect_json(file, "the red  cat .\n", "\"le minou rouge .\"", "\"memory\":\"exact\"");
    expect_json(file, "THE red cat .\n", "\"le minou rouge .\"", "\"memory\":\"fuzzy 0.99\"");
    expect_json(file, "The boat. The car.\n", "\"Deux phrases. Une ligne.\"",
                "\"memory\":\"exact\"");
    expect_json(file, "The dog. The new dog.\n", "\"text\":\"Le toutou.", "\"memory\":\"exact\"");
    expect_json(file, "the old boat sees the new car .\n", "\"text\":\"", NULL);
    const char *plain = "the red cat sees the old dog .\nthe old boat sees the new car .\n\n";
    Run with = run_expect_done(
        RUN(plain, "translate", "--model", trained.model, "--memory", file, "--alignment"));
    Run without = run_expect_done(RUN(plain, "translate", "--model", trained.model, "--alignment"));
    ck_assert_str_eq(with.out.data, without.out.data);
}

TEST(near)
{
    static const char text[] = "the red cat sees the old boat .\nthe red cat sees the old tree .\n"
                               "the red cat sees the old car .\nthe red cat sees the old house .\n"
                               "the big cat sees the old dog .\nthe red boat sees the old dog .\n";
    const char *file = scratch_text(
        "n.tsv", "the red cat sees the old dog .\tle chat rouge voit le chien neuf .\n");
    Run run = run_expect_done(
        RUN(text, "translate", "--model", trained.model, "--memory", file, "--json"));
    size_t found = 0;
    // what differs is searched, what is alike is the memory's, if search finds the like
    for (char *line = strtok(run.out.data, "\n"); line; line = strtok(NULL, "\n")) {
        if (!strstr(line, "\"memory\":\"fuzzy 0.88\"")) continue;
        assert_contains(line, " voit ");
        found++;
    }
    ck_assert_uint_ge(found, 1);
}

TEST(several_files_of_several_kinds)
{
    const char *tsv = scratch_text("a.tsv", "the car\tla bagnole\n");
    const char *tmx = scratch_text(
        "b.tmx", "<tmx version=\"1.4\"><header srclang=\"en\"/><body><tu><tuv xml:lang=\"en\"><seg>"
                 "the house</seg></tuv><tuv xml:lang=\"fr\"><seg>la baraque</seg></tuv></tu></body>"
                 "</tmx>");
    Run run = run_expect_done(RUN("the car\nthe house\n", "translate", "--model", trained.model,
                                  "--memory", tsv, "--memory", tmx));
    ck_assert_str_eq(run.out.data, "la bagnole\nla baraque\n");
    // what else is demanded comes first
    Run begun = run_expect_done(RUN("the car\n", "translate", "--model", trained.model, "--memory",
                                    tsv, "--prefix", scratch_text("p", "le\n")));
    ck_assert_int_eq(strncmp(begun.out.data, "le", 2), 0);
}

TEST(refusals)
{
    const char *file = scratch_text("wrong.tsv", "a\tb\nc\n");
    run_expect_failure(RUN("", "translate", "--model", trained.model, "--memory", file), 1,
                       "wrong.tsv:2");
    run_expect_failure(RUN("", "translate", "--model", trained.model, "--memory", "none.tsv"), 1,
                       "none.tsv");
    run_expect_failure(
        RUN("", "translate", "--model", trained.model, "--memory", file, "--sample", "2"), 2,
        "--memory and --sample conflict");
}
