/* Which columns of a table are the source and the target: the first two, or those of `--columns`,
 * by number (2,3) or by their names in the header row (en,fr). */
#ifndef REGARD_CORPUS_COLUMNS_H
#define REGARD_CORPUS_COLUMNS_H

#include "base/bytes.h"

#include <stdbool.h>

// Whether the first row has the columns' names and no pair.
typedef enum HeaderChoice { HEADER_AUTO, HEADER_YES, HEADER_NO } HeaderChoice;
extern const char *const header_choices[]; // "auto", "yes", "no", NULL

typedef struct Columns {
    char *names[2];   // of source and target; NULL: they have numbers
    size_t places[2]; // counted from 0; of named columns, once columns_find has found them
} Columns;

/* Reads `2,3` or `en,fr`; NULL is the first two columns. STATUS_ARGUMENT names --columns. Ended by
 * columns_free, also after a failure. */
Status columns_parse(Columns *columns, const char *text, Error *error);

/* Finds named columns in the header row, whatever their case; `file` is for the message, which
 * lists the names that there are. */
Status columns_find(Columns *columns, const TextView *cells, size_t count, const char *file,
                    Error *error);

/* Whether two cells are column names rather than a pair of sentences: they differ, and every word
 * of both is a language, its code, or one like "source", "target", "text". */
bool columns_are_names(TextView source, TextView target);

void columns_free(Columns *columns);

#endif
