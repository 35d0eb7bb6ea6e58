/* The pairs of a table: two columns of a CSV or TSV (csv.h), without its header row. They are those of
 * `--columns`, by number (2,3) or by their names in the header row (en,fr), else the only two that the first
 * row names for languages, else the first two. */
#pragma once

#include "corpus/csv.h"

// Start from {0}, end with table_close.
typedef struct Table {
    Csv *csv;          // NULL while no table is open
    LineReader *lines; // that it reads
    CsvForm form;
    bool chosen;      // the columns, by options
    size_t places[2]; // of the two columns, counted from 0; of named ones, once they are found
    char *wanted[2];  // their names as options give them; NULL: they have numbers
    bool begun;       // the first row has been read
    Bytes names[2];   // of the two columns in the header row, if there is one
} Table;

// A row; its texts are valid until the next call.
typedef struct TablePair {
    TextView sides[2]; // source, target; of an empty line, both are empty
    TextView text;     // all of the row
    size_t line;       // where it begins
    bool cut;          // a line was over LINE_LIMIT; a column that it lacks is empty
} TablePair;

/* A table of these lines, which are not owned, of whose columns two are wanted; of NULL see above.
 * Where they are named, the first row is a header; else it is one if it looks like one
 * (table_is_header). STATUS_ARGUMENT for bad columns; the table is to be closed then too. */
Status table_open(Table *table, LineReader *lines, CsvForm form, const char *columns, Error *error);

/* Reads the next pair; *more = false at the end. Errors, with the line: as csv_next; a header
 * without the named columns; a row without one of the columns or with misplaced quotation marks. Of
 * such a row `text` and `line` are set. */
Status table_next(Table *table, TablePair *pair, bool *more, Error *error);

/* Appends a line of which columns are read and how, or nothing for `source<TAB>target` without
 * header or quotation marks. For tables of which a row has been read. */
Status table_describe(const Table *table, Bytes *out, Error *error);

/* Whether two cells are names of columns rather than a pair of sentences: they differ, and every word
 * of both is a language, its code, or one like "source", "target", "text". */
bool table_is_header(TextView source, TextView target);

void table_close(Table *table);
