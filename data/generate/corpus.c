#include "corpus.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_SIZE = 512, LINE_SIZE = 4096, LINKS_SIZE = 4096 };

static const char *const pair_names[LANGUAGES] = {NULL, "en-fr", "en-zh"};

static _Noreturn void fail(const char *path, const char *reason)
{
    fprintf(stderr, "generate: %s: %s\n", path, reason);
    exit(1);
}

static char *copy_text(const char *text)
{
    char *copy = malloc(strlen(text) + 1);
    if (!copy) fail("memory", strerror(ENOMEM));
    return strcpy(copy, text);
}

Corpus corpus_new(void)
{
    Corpus corpus = {.said = calloc(1, sizeof(TextSet))};
    if (!corpus.said) fail("memory", strerror(ENOMEM));
    return corpus;
}

bool corpus_add(Corpus *corpus, const Sentence sentences[LANGUAGES])
{
    for (Language l = 0; l < LANGUAGES; l++)
        if (text_set_has(corpus->said, sentences[l].text)) return false;
    if (corpus->count == corpus->capacity) {
        corpus->capacity = corpus->capacity * 2 + 1024;
        corpus->rows = realloc(corpus->rows, corpus->capacity * sizeof(Row));
        if (!corpus->rows) fail("memory", strerror(ENOMEM));
    }
    Row *row = &corpus->rows[corpus->count++];
    *row = (Row){0};
    for (Language l = 0; l < LANGUAGES; l++) {
        char links[LINKS_SIZE];
        text_set_add(corpus->said, sentences[l].text);
        row->text[l] = copy_text(sentences[l].text);
        if (l == ENGLISH) continue;
        format_links(links, sizeof links, &sentences[ENGLISH], &sentences[l]);
        row->links[l] = copy_text(links);
    }
    return true;
}

static FILE *open_file(const char *path, const char *mode)
{
    FILE *file = fopen(path, mode);
    if (!file) fail(path, strerror(errno));
    return file;
}

static FILE *create_file(const char *directory, Language pair, const char *name, const char *kind)
{
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%s/%s/%s.%s", directory, pair_names[pair], name, kind);
    return open_file(path, "w");
}

static void close_file(FILE *file, const char *path)
{
    bool bad = ferror(file) != 0;
    if (fclose(file) != 0 || bad) fail(path, "could not be written");
}

// Cuts a line of three columns in place.
static void split_columns(char *line, char *columns[LANGUAGES], const char *path)
{
    line[strcspn(line, "\n")] = '\0';
    for (Language l = 0; l < LANGUAGES; l++) {
        columns[l] = line;
        char *tab = strchr(line, '\t');
        if ((tab != NULL) != (l + 1 < LANGUAGES)) fail(path, line);
        if (!tab) return;
        *tab = '\0';
        line = tab + 1;
    }
}

size_t corpus_write_everyday(Corpus *corpus, const char *directory, const char *name,
                             const char *out)
{
    char path[PATH_SIZE], line[LINE_SIZE], *columns[LANGUAGES];
    snprintf(path, sizeof path, "%s/everyday/%s.tsv", directory, name);
    FILE *in = open_file(path, "r");
    FILE *outs[LANGUAGES] = {NULL, create_file(directory, FRENCH, out, "tsv"),
                             create_file(directory, CHINESE, out, "tsv")};
    size_t rows = 0;
    for (; fgets(line, sizeof line, in); rows++) {
        split_columns(line, columns, path);
        if (!text_set_add(corpus->said, columns[ENGLISH])) fail("said twice", columns[ENGLISH]);
        for (Language l = FRENCH; l < LANGUAGES; l++) {
            text_set_add(corpus->said, columns[l]);
            fprintf(outs[l], "%s\t%s\n", columns[ENGLISH], columns[l]);
        }
    }
    fclose(in);
    for (Language l = FRENCH; l < LANGUAGES; l++) close_file(outs[l], out);
    return rows;
}

static void write_rows(const Corpus *corpus, const char *directory, const char *name, size_t begin,
                       size_t end)
{
    for (Language l = FRENCH; l < LANGUAGES; l++) {
        FILE *pairs = create_file(directory, l, name, "tsv");
        FILE *links = create_file(directory, l, name, "align");
        for (size_t i = begin; i < end; i++) {
            fprintf(pairs, "%s\t%s\n", corpus->rows[i].text[ENGLISH], corpus->rows[i].text[l]);
            fprintf(links, "%s\n", corpus->rows[i].links[l]);
        }
        close_file(pairs, name);
        close_file(links, name);
    }
}

void corpus_write_split(Corpus *corpus, const char *directory, size_t test, size_t valid,
                        Picker *picker)
{
    for (size_t i = corpus->count; i > 1; i--) { // Fisher and Yates
        size_t j = pick(picker, i);
        Row row = corpus->rows[i - 1];
        corpus->rows[i - 1] = corpus->rows[j];
        corpus->rows[j] = row;
    }
    write_rows(corpus, directory, "test", 0, test);
    write_rows(corpus, directory, "valid", test, test + valid);
    write_rows(corpus, directory, "train", test + valid, corpus->count);
}

void corpus_free(Corpus *corpus)
{
    for (size_t i = 0; i < corpus->count; i++)
        for (Language l = 0; l < LANGUAGES; l++) {
            free(corpus->rows[i].text[l]);
            free(corpus->rows[i].links[l]);
        }
    free(corpus->rows);
    text_set_free(corpus->said);
    free(corpus->said);
    *corpus = (Corpus){0};
}
