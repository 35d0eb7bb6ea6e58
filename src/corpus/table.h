/* The pairs of a table: two columns of a CSV or TSV (csv.h), without its header row. */
#ifndef REGARD_CORPUS_TABLE_H
#define REGARD_CORPUS_TABLE_H

#include "corpus/columns.h"
#include "corpus/csv.h"

// {0} is the default.
typedef struct TableOptions {
    const char *columns; // (columns.h); NULL: the first two
    HeaderChoice header;
} TableOptions;

typedef struct Table Table;

// A row; its texts are valid until the next call.
typedef struct TablePair {
    TextView source, target; // of an empty line, both are empty
    TextView text;           // all of the row
    size_t line;             // where it begins
    bool cut;                // a line was over LINE_LIMIT; a column that it lacks is empty
} TablePair;

/* Opens a table. Errors: as csv_open, and STATUS_ARGUMENT for bad options, which must stay valid
 * until this returns. */
Status table_open(Table **table, const char *path, CsvForm form, const TableOptions *options,
                  Error *error);

// As line_reader_cut_long.
void table_cut_long(Table *table);

/* Reads the next pair; *more = false at the end. Errors, with the line: as csv_next; a header
 * without the named columns; a row without one of the columns or with misplaced quotation marks. Of
 * such a row `text` and `line` are set. */
Status table_next(Table *table, TablePair *pair, bool *more, Error *error);

/* Appends a line of which columns are read and how, or nothing for `source<TAB>target` without
 * header or quotation marks. For tables of which a row has been read. */
Status table_describe(const Table *table, Bytes *out, Error *error);

/* The names of the two columns in the header row, source and target; NULL if there is none. They
 * belong to the table. */
void table_header(const Table *table, const char *names[2]);

// As csv_share and csv_would_block.
double table_share(const Table *table);
bool table_would_block(Table *table);

// The name that messages use.
const char *table_name(const Table *table);

// NULL is allowed.
void table_close(Table *table);

#endif
