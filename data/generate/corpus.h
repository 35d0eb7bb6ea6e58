/* The rows of the corpus and the files they are written to. */
#ifndef CORPUS_H
#define CORPUS_H

#include "emit.h"
#include "pick.h"
#include "text_set.h"

#include <stdbool.h>

// One sentence in three languages; the links of a pair stand with its target.
typedef struct Row {
    char *text[LANGUAGES];
    char *links[LANGUAGES]; // links[ENGLISH] is NULL
} Row;

typedef struct Corpus {
    Row *rows;
    size_t count;
    size_t capacity;
    TextSet *said; // every text of every language, the everyday sentences too
} Corpus;

// An empty corpus; ends the program when out of memory.
Corpus corpus_new(void);

// Takes a row unless one of its three texts has been said before; tells whether it did.
bool corpus_add(Corpus *corpus, const Sentence sentences[LANGUAGES]);

/* Writes `directory`/everyday/`name`.tsv, English, French and Chinese, as pairs: en-fr/`out`.tsv
 * and en-zh/`out`.tsv. What it says will not be said again. Returns the number of rows; a repeated
 * row ends the program. */
size_t corpus_write_everyday(Corpus *corpus, const char *directory, const char *name,
                             const char *out);

/* Shuffles the rows and writes test, valid and train, .tsv and .align, for both pairs. */
void corpus_write_split(Corpus *corpus, const char *directory, size_t test, size_t valid,
                        Picker *picker);

void corpus_free(Corpus *corpus);

#endif
