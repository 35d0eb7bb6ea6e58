// Files of all forms in a corpus: what is noted of them, and whatever memory or disk fails.

#define _GNU_SOURCE
#include "corpus/text_corpus.h"
#include "support/failing_call.h"
#include "support/failing_malloc.h"
#include "support/scratch.h"
#include "support/suite.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const struct {
    const char *files[2][2]; // names and texts
    const char *end;         // of the spec
    PairOptions options;
    size_t count;
    const char *languages[2];
    const char *notes[2]; // that it has
} forms[] = {
    {{{"a.tsv", "one\tun\n\ntwo\tdeux\n"}}, "", {0}, 2, {"", ""}, {"", ""}},
    {{{"b.tsv", "one\tun\n\"say \"\"two\"\"\nand three\"\t\"deux\"\n"}},
     "",
     {0},
     2,
     {"", ""},
     {"b.tsv: from column 1 to column 2, without the quotation marks around cells\n", ""}},
    {{{"c.csv", "no;English;French\n1;\"one\n1\";un\n2;two;deux\n"}},
     "",
     {0},
     2,
     {"en", "fr"},
     {"c.csv: from column 2 (English) to column 3 (French), separated by semicolons; the first row",
      "is a header\n"}},
    {{{"d.csv", "1\tun\tone\n2\tdeux\ttwo\n"}},
     "",
     {.columns = "3,2"},
     2,
     {"", ""},
     {"d.csv: from column 3 to column 2, separated by TABs\n", ""}},
    {{{"e.fr", "caf\xe9\nd\xe9j\xe0\n"}, {"e.en", "one\ntwo\n"}},
     "",
     {0},
     2,
     {"", ""},
     {"e.fr: read as WINDOWS-1252\n", ""}},
    {{{"f.tmx",
       "<tmx><body><tu><tuv lang='en'><seg>one</seg></tuv><tuv lang='fr'><seg>un</seg></tuv>"
       "</tu></body></tmx>"}},
     ":en:fr",
     {0},
     1,
     {"en", "fr"},
     {"f.tmx: from en to fr, in 1 of 1 units; its languages: en, fr\n", ""}},
    {{{"g.tsv", "one\tun\nbad\nworse\xff\tx\ntwo\tdeux\n"}},
     "",
     {.skip_bad = true},
     2,
     {"", ""},
     {"", ""}},
    {{{"h.csv", "id,name\none,un\n\"t\"\"wo\",deux\n"}},
     "",
     {.columns = "id,name"},
     2,
     {"", ""}, // "id" is a column of numbers, not Indonesian
     {"h.csv: from column 1 (id) to column 2 (name), separated by commas; the first row", ""}},
};

enum { FORMS = sizeof forms / sizeof *forms };

// What names the files of a form, after they have been written.
static const char *write_form(size_t form)
{
    static char spec[1024];
    spec[0] = '\0';
    for (size_t file = 0; file < 2 && forms[form].files[file][0]; file++) {
        const char *text = forms[form].files[file][1];
        const char *path = scratch_text(forms[form].files[file][0], text);
        if (file) strcat(spec, ",");
        strcat(spec, path);
    }
    return strcat(spec, forms[form].end);
}

TEST(notes)
{
    for (size_t form = 0; form < FORMS; form++) {
        TextCorpus corpus = {0};
        Error error = {0};
        const char *spec = write_form(form);
        Status status = text_corpus_read(&corpus, spec, &forms[form].options, &error);
        ck_assert_msg(!status, "%s", error.text);
        ck_assert_uint_eq(corpus.count, forms[form].count);
        ck_assert_str_eq(text_corpus_pair(&corpus, 0).place.file, spec);
        for (int i = 0; i < 2; i++) {
            ck_assert_str_eq(corpus.languages[i], forms[form].languages[i]);
            assert_contains(bytes_text(&corpus.notes), forms[form].notes[i]);
        }
        if (!*forms[form].notes[0]) ck_assert_uint_eq(corpus.notes.length, 0);
        text_corpus_free(&corpus);
    }
}

// Of several files the languages are those that the first says.
TEST(one_after_another)
{
    TextCorpus corpus = {0};
    assert_ok(text_corpus_read(&corpus, write_form(0), &forms[0].options, NULL));
    assert_ok(text_corpus_read(&corpus, write_form(5), &forms[5].options, NULL));
    assert_ok(text_corpus_read(&corpus, write_form(6), &forms[6].options, NULL));
    assert_ok(text_corpus_read(&corpus, write_form(2), &forms[2].options, NULL));
    ck_assert_uint_eq(corpus.count, 7);
    ck_assert_str_eq(corpus.languages[0], "en");
    ck_assert_uint_eq(corpus.counts.lines, 3 + 1 + 4 + 2);
    ck_assert_uint_eq(corpus.counts.empty, 1);
    ck_assert_uint_eq(corpus.counts.bad, 2);
    ck_assert_uint_eq(text_corpus_pair(&corpus, 3).place.number, 4);
    assert_contains(corpus.bad.data, "g.tsv:2: has no TAB");
    assert_contains(corpus.bad.data, "g.tsv:3: is not UTF-8");
    text_corpus_free(&corpus);
}

TEST(standard_input)
{
    TextCorpus corpus = {0};
    int file = open(write_form(0), O_RDONLY);
    ck_assert(file >= 0 && dup2(file, STDIN_FILENO) == STDIN_FILENO);
    assert_ok(text_corpus_read(&corpus, "-", NULL, NULL));
    ck_assert_str_eq(text_corpus_pair(&corpus, 0).place.file, "standard input");
    text_corpus_free(&corpus);
}

TEST(out_of_memory, .seconds = 60)
{
    for (size_t form = 0; form < FORMS; form++) {
        const char *spec = write_form(form);
        while (failing_malloc_next()) {
            TextCorpus corpus = {0};
            Status status = text_corpus_read(&corpus, spec, &forms[form].options, NULL);
            if (!failing_malloc_expect(status)) ck_assert_uint_eq(corpus.count, forms[form].count);
            text_corpus_free(&corpus);
        }
    }
}

TEST(a_disk_that_fails)
{
    for (size_t form = 0; form < FORMS; form++) {
        const char *spec = write_form(form);
        bool failed = true;
        for (size_t n = 1; failed; n++) {
            TextCorpus corpus = {0};
            Error error = {0};
            failing_call_at(CALL_READ, n, EIO);
            Status status = text_corpus_read(&corpus, spec, &forms[form].options, &error);
            failed = failing_call_stop();
            ck_assert_int_eq(status, failed ? STATUS_IO : STATUS_OK);
            if (failed) assert_contains(error.text, ": cannot be read: Input/output error");
            text_corpus_free(&corpus);
        }
    }
}

static CorpusLanguages languages_of(const TextCorpus *corpus, const char *source,
                                    const char *target)
{
    CorpusLanguages languages;
    const PairOptions options = {.languages = {source, target}};
    assert_ok(text_corpus_languages(&languages, corpus, &options, NULL));
    return languages;
}

// Given, by the files, or by the text; what the text surely is and the others say otherwise is told.
TEST(languages)
{
    TextCorpus corpus = {0};
    CorpusLanguages languages = languages_of(&corpus, NULL, NULL);
    ck_assert_int_eq(languages.source, LANGUAGES_OF_TEXT);
    ck_assert_str_eq(languages.tags[0], "");
    assert_ok(text_corpus_read(&corpus, "data/en-fr/valid.tsv", NULL, NULL));
    languages = languages_of(&corpus, NULL, NULL);
    ck_assert_int_eq(languages.source, LANGUAGES_OF_TEXT);
    ck_assert_str_eq(languages.tags[0], "en");
    ck_assert_str_eq(languages.tags[1], "fr");
    ck_assert(!languages.contrary[0] && !languages.contrary[1]);
    languages = languages_of(&corpus, "English", "x-none");
    ck_assert_int_eq(languages.source, LANGUAGES_GIVEN);
    ck_assert_str_eq(languages.tags[0], "en");
    ck_assert_str_eq(languages.tags[1], "x-none");
    ck_assert(!languages.contrary[0] && !languages.contrary[1]);
    languages = languages_of(&corpus, "fr", "no such");
    ck_assert_str_eq(languages.tags[1], "");
    ck_assert_str_eq(languages.contrary[0]->code, "en");
    (void)snprintf(corpus.languages[0], LANGUAGE_SIZE, "de");
    (void)snprintf(corpus.languages[1], LANGUAGE_SIZE, "fr-CA");
    languages = languages_of(&corpus, NULL, NULL);
    ck_assert_int_eq(languages.source, LANGUAGES_OF_FILES);
    ck_assert_str_eq(languages.tags[1], "fr-CA");
    ck_assert_str_eq(languages.contrary[0]->code, "en");
    ck_assert_ptr_null(languages.contrary[1]);
    while (failing_malloc_next()) {
        const PairOptions options = {0};
        (void)failing_malloc_expect(text_corpus_languages(&languages, &corpus, &options, NULL));
    }
    text_corpus_free(&corpus);
}
