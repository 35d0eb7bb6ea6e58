/* What a word stands for, shown by pairs of sentences that are kept beside a model: those of
 * en-fr.safetensors in en-fr.everyday.tsv (TSV: source, target). A model without such a file, or with
 * one that cannot be read, has none. */
#pragma once

#include "align/aligner.h"
#include "reading/senses.h"

#define EXAMPLE_FILE_ENDING ".everyday.tsv"

// Sets the path of a file beside a model: the model's with another ending.
Status example_file_beside(Bytes *path, const char *model, const char *ending, Error *error);

// May be used by several threads at a time.
typedef struct ExampleFile ExampleFile;

// The file is read when an example is first looked for. Freed by example_file_free.
Status example_file_new(ExampleFile **file, const char *model, Error *error);

void example_file_free(ExampleFile *file); // NULL is allowed
FREES_POINTER(ExampleFile, example_file_free)

enum { MAX_EXAMPLE_BYTES = 200 }; // of source and target together

/* Source and target in normal form, each as what stands before the word or its sense, that, and what
 * stands behind it: views, which are valid until the file is freed. All are empty if there is no
 * example. */
typedef struct Example {
    TextView parts[2][3];
} Example;

/* Sets the example (senses->count) of each sense of a word: the shortest pair, by bytes, that has both
 * as whole words, or Han characters, linked by the aligner (a posterior of at least 0.5), and another
 * word in its source. Of a sense that is part of another (时 of 时间), no pair that has that. Of two
 * that are as long, the first of the file. Without an aligner (NULL) there are none. */
Status example_file_find(Example found[MAX_SENSES], ExampleFile *file, const Aligner *aligner,
                         TextView word, const Senses *senses, Error *error);

static inline bool example_is_found(const Example *example)
{
    return example->parts[0][1].length > 0;
}
