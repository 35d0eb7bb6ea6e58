/* The name under which a user gives a corpus, taken apart: FILE, SOURCE,TARGET or FILE.tmx:en:fr
 * (corpus/pair_reader.h). */
#pragma once

#include "base/status.h"

typedef enum PairForm { PAIR_FORM_TSV, PAIR_FORM_CSV, PAIR_FORM_FILES, PAIR_FORM_TMX } PairForm;

typedef struct PairName {
    PairForm form;
    const char *names[2];     // the file, or the source's and the target's; `-` is standard input
    const char *languages[2]; // of a TMX; NULL if not given
    char *memory;             // of the strings above
} PairName;

// Looks which files exist. Ended by pair_name_free, also after a failure.
Status pair_name_parse(PairName *name, const char *text, Error *error);

/* Sets *includes, and never clears it, if `path` is one of the files that a name means, under
 * whatever other path: what is read must not be written over. A name that cannot be parsed has
 * none. */
Status pair_name_includes(bool *includes, const char *name, const char *path, Error *error);

void pair_name_free(PairName *name);
