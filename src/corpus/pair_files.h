// The files that a user's name for a parallel corpus stands for; pair_reader.h has the rules.
#ifndef REGARD_CORPUS_PAIR_FILES_H
#define REGARD_CORPUS_PAIR_FILES_H

#include "base/status.h"
#include "corpus/language_tag.h"

typedef enum PairForm { PAIR_FORM_TSV, PAIR_FORM_FILES, PAIR_FORM_TMX } PairForm;

typedef struct PairFiles {
    PairForm form;
    char *first;                         // the file, or the source's; `-` is standard input
    char *second;                        // the target's file, else NULL
    char source_language[LANGUAGE_SIZE]; // of a TMX; both empty if not given
    char target_language[LANGUAGE_SIZE];
} PairFiles;

// Parses `text`; checks which files exist, but opens none. On success, end with pair_files_free.
Status pair_files_parse(PairFiles *files, const char *text, Error *error);

void pair_files_free(PairFiles *files);

#endif
