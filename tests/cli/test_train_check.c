// `regard train --check` and --skip-bad: what is said of files that are read.

#include "support/run.h"
#include "support/scratch.h"
#include "support/suite.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define TINY                                                                                       \
    "--max-epochs", "1", "--hidden", "4", "--embedding", "4", "--vocab-size", "300", "--threads",  \
        "1", "--overwrite"

// Checks the exit status and that standard error has all of the texts (up to NULL).
static void expect_said(Run run, int status, ...)
{
    va_list texts;
    ck_assert_msg(run.status == status, "%d: %s", run.status, run.error.data);
    ck_assert_str_eq(run.out.data, "");
    va_start(texts, status);
    for (const char *text; (text = va_arg(texts, const char *));)
        ck_assert_msg(strstr(run.error.data, text) != NULL, "not said: %s\n%s", text,
                      run.error.data);
    va_end(texts);
}

// The lines of data/en-fr/valid.tsv, changed, in a file.
static const char *changed(const char *name, void (*write)(FILE *out, size_t line,
                                                           const char *source, const char *target))
{
    const char *path = scratch_path(name);
    FILE *in = fopen("data/en-fr/valid.tsv", "r"), *out = fopen(path, "w");
    char line[4096];
    ck_assert(in && out);
    for (size_t n = 1; fgets(line, sizeof line, in); n++) {
        char *tab = strchr(line, '\t');
        ck_assert_ptr_nonnull(tab);
        line[strcspn(line, "\n")] = '\0';
        *tab = '\0';
        write(out, n, line, tab + 1);
    }
    fclose(in);
    ck_assert_int_eq(fclose(out), 0);
    return path;
}

static void write_good(FILE *out, size_t line, const char *source, const char *target)
{
    (void)line;
    fprintf(out, "%s\t%s\n", source, target);
}

static void write_numbered(FILE *out, size_t line, const char *source, const char *target)
{
    fprintf(out, "%zu\t%s\t%s\n", line, source, target);
}

static void write_swapped(FILE *out, size_t line, const char *source, const char *target)
{
    bool swap = line % 4 == 3;
    fprintf(out, "%s\t%s\n", swap ? target : source, swap ? source : target);
}

static void write_quoted(FILE *out, size_t line, const char *source, const char *target)
{
    (void)line;
    fprintf(out, "\" %s\"\t\"%s\" \n", source, target);
}

static void write_equal(FILE *out, size_t line, const char *source, const char *target)
{
    fprintf(out, "%s\t%s\n", source, line % 3 ? target : source);
}

static void write_bad(FILE *out, size_t line, const char *source, const char *target)
{
    if (line == 7)
        fprintf(out, "no tab\n");
    else
        fprintf(out, "%s%s\t%s\n", source, line == 9 ? "\xff" : "", target);
}

static void write_chinese(FILE *out, size_t line, const char *source, const char *target)
{
    (void)target;
    fprintf(out, "%s\t%s\n", source, line % 4 ? "这是我们的书。" : "這是我們的書。");
}

// With one in twenty in the other script.
static void write_mostly_simplified(FILE *out, size_t line, const char *source, const char *target)
{
    write_chinese(out, line % 5 ? 1 : line, source, target);
}

TEST(good)
{
    const char *path = changed("good.tsv", write_good);
    Run run = RUN("", "train", "--check", "--train", path);
    ck_assert_msg(!strstr(run.error.data, "warning"), "%s", run.error.data);
    expect_said(run, 0,
                "source | target of the first, a middle and the last pair:", " for training", NULL);
    ck_assert_uint_eq(scratch_count(), 1); // no model
}

TEST(warnings, .seconds = 40)
{
    const char *numbered = changed("numbered.tsv", write_numbered);
    expect_said(RUN("", "train", "--check", "--train", numbered), 0,
                "warning: the source has no letters in ", "--columns", NULL);
    expect_said(RUN("", "train", "--check", "--train", numbered, "--columns", "2,3"), 0,
                "numbered.tsv: from column 2 to column 3", NULL);
    expect_said(RUN("", "train", "--check", "--train", changed("swapped.tsv", write_swapped)), 0,
                "warning: source and target look swapped in ", "swapped.tsv, line 3", NULL);
    expect_said(RUN("", "train", "--check", "--train", changed("quoted.tsv", write_quoted)), 0,
                "warning: the source is in quotation marks in ", "the target is in quotation marks",
                NULL);
    expect_said(RUN("", "train", "--check", "--train", changed("equal.tsv", write_equal)), 0,
                "warning: source and target are equal in ", NULL);
}

static void expect_no_warning(Run run)
{
    ck_assert_msg(!strstr(run.error.data, "warning"), "%s", run.error.data);
    expect_said(run, 0, NULL);
}

TEST(two_scripts)
{
    const char *both = changed("both.tsv", write_chinese);
    const char *mostly = changed("mostly.tsv", write_mostly_simplified);
    expect_said(RUN("", "train", "--check", "--train", both), 0, "targets 7",
                " % show simplified and 2", " % traditional Chinese characters",
                "opencc -c t2s.json", NULL);
    expect_no_warning(RUN("", "train", "--check", "--train", both, "--columns", "2,1"));
    expect_no_warning(RUN("", "train", "--check", "--train", mostly));
}

// Two files, one of which has lost a line and got another at its end, and a header.
TEST(shifted_files)
{
    const char *pairs = changed("good.tsv", write_good);
    Bytes text = scratch_read(pairs), sides[2] = {{0}, {0}};
    size_t line = 0;
    bytes_append_string(&sides[0], "en\n", NULL);
    bytes_append_string(&sides[1], "fr\n", NULL);
    for (char *at = text.data; *at; line++) {
        char *tab = strchr(at, '\t'), *end = strchr(tab, '\n');
        bytes_append(&sides[0], at, (size_t)(tab - at) + 1, NULL);
        sides[0].data[sides[0].length - 1] = '\n';
        if (line != 250) bytes_append(&sides[1], tab + 1, (size_t)(end - tab), NULL);
        at = end + 1;
    }
    bytes_append_string(&sides[1], "fin\n", NULL);
    const char *spec =
        scratch_format("%s,%s", scratch_text("s", sides[0].data), scratch_text("t", sides[1].data));
    expect_said(RUN("", "train", "--check", "--train", spec), 0,
                "warning: the first pair looks like a header",
                "each source seems to belong to the target 1 line before it", NULL);
    bytes_free(&sides[0]);
    bytes_free(&sides[1]);
}

TEST(bad_lines, .seconds = 40)
{
    const char *path = changed("bad.tsv", write_bad);
    const char *model = scratch_path("model.safetensors");
    expect_said(RUN("", "train", "--check", "--train", path), 1, "bad.tsv:7: has no TAB",
                "bad.tsv:9: is not UTF-8; correct or remove", "2 bad lines passed over",
                "regard train: 2 bad lines; correct or remove them, or train with --skip-bad",
                NULL);
    expect_said(RUN("", "train", "--train", path, "--model", model, TINY), 1, "bad.tsv:7:", NULL);
    expect_said(RUN("", "train", "--train", path, "--skip-bad", "--model", model, TINY), 0,
                "2 bad lines passed over", "done: 1 epoch", NULL);
    expect_said(RUN("", "train", "--train", path, "--check", "--resume", "--model", model), 2,
                "--check and --resume conflict", NULL);
}

// More bad lines than are listed.
TEST(many_bad_lines)
{
    const char *path = scratch_path("bad.tsv");
    Bytes text = {0};
    for (int i = 0; i < 150; i++) bytes_append_string(&text, "bad\na b\tc d\ne f\tg h\n", NULL);
    scratch_write(path, text.data, text.length);
    expect_said(RUN("", "train", "--check", "--train", path), 1,
                "bad.tsv:1:", "bad.tsv:298:", "150 bad lines passed over; not all are listed",
                NULL);
    Run run = RUN("", "train", "--check", "--train", path);
    ck_assert_ptr_null(strstr(run.error.data, "bad.tsv:301:"));
    bytes_free(&text);
}

static const char memory[] =
    "<tmx version=\"1.4\"><header srclang=\"fr\"/><body>\n"
    "<tu><tuv xml:lang=\"fr\"><seg>un chat</seg></tuv><tuv xml:lang=\"de\"><seg>eine Katze</seg>"
    "</tuv><tuv xml:lang=\"en-GB\"><seg>one cat</seg></tuv></tu>\n"
    "<tu><tuv xml:lang=\"fr\"><seg>un chien</seg></tuv><tuv xml:lang=\"de\"><seg>ein Hund</seg>"
    "</tuv><tuv xml:lang=\"en-GB\"><seg>one dog</seg></tuv></tu>\n"
    "<tu><tuv xml:lang=\"fr\"><seg>oui</seg></tuv><tuv xml:lang=\"de\"><seg>ja</seg></tuv></tu>\n"
    "</body></tmx>\n";

// Of three languages two, in the direction that is asked for.
TEST(languages)
{
    const char *path = scratch_text("memory.tmx", memory);
    Run run = RUN("", "train", "--check", "--train", path, "--source-language", "en",
                  "--target-language", "fr");
    expect_said(run, 0, "memory.tmx: from en to fr, in 2 of 3 units; its languages: fr, de, en-GB",
                "  one cat | un chat", NULL);
#define CHECK(...) RUN("", "train", "--check", "--train", path, __VA_ARGS__)
    expect_said(CHECK("--source-language", "en"), 2, "go together; give both", NULL);
    expect_said(CHECK("--source-language", "en", "--target-language", "EN"), 2,
                "are both en; they must differ", NULL);
    expect_said(RUN("", "align", scratch_format("%s:en:it", path)), 1,
                "memory.tmx: has no text in the language it; its languages: fr, de, en-GB", NULL);
}
