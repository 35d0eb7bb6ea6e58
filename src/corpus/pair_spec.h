/* What a user's name for a parallel corpus means; the forms and their rules stand in pair_reader.h.
 */
#ifndef REGARD_CORPUS_PAIR_SPEC_H
#define REGARD_CORPUS_PAIR_SPEC_H

#include "base/status.h"
#include "corpus/language_tag.h"

typedef enum PairForm { PAIR_FORM_TSV, PAIR_FORM_FILES, PAIR_FORM_TMX } PairForm;

typedef struct PairSpec {
    PairForm form;
    char *first;                         // the file, or the source's; `-` for standard input
    char *second;                        // the target's file, else NULL
    char source_language[LANGUAGE_SIZE]; // of a TMX; both empty if not given
    char target_language[LANGUAGE_SIZE];
} PairSpec;

/* Takes `text` apart. Looks which files exist, but opens none. To be freed by pair_spec_free if it
 * succeeds. */
Status pair_spec_parse(PairSpec *spec, const char *text, Error *error);

void pair_spec_free(PairSpec *spec);

#endif
