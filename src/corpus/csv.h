/* Tables of text, row by row: CSV (RFC 4180) and TSV.
 *
 *     id;"source";"target"        a cell in quotation marks may have separators, line breaks and
 *     1;"He said ""no"".";Non     doubled quotation marks; elsewhere they are text
 *
 * In CSV a comma, a semicolon or TAB separates the cells: the one that divides the most rows at the
 * beginning of the file as it divides the first. A line `sep=;` at the beginning, as Excel writes
 * it, says which.
 *
 * In TSV quotation marks are text, unless the rows from the first cell that begins with one look
 * like the output of a spreadsheet: every cell with such a mark is quoted correctly, and either
 * some cell has a doubled one, or exactly the cells with a comma or a line break are quoted, as
 * Excel does it, or all cells of three or more rows are. */
#pragma once

#include "base/bytes.h"
#include "io/line_reader.h"

// Cells of a row that are read, others are ignored; bytes that a row with quoted cells may have.
enum { MAX_CSV_CELLS = 64, MAX_CSV_ROW = 1 << 20 };

typedef enum CsvForm { CSV_FORM_CSV, CSV_FORM_TSV } CsvForm;

typedef struct Csv Csv;

// Valid until the reader's next call.
typedef struct CsvRow {
    const TextView *cells; // (count) without their quotation marks
    size_t count;          // at least 1: an empty line is one empty cell
    TextView text;         // all of it
    size_t line;           // where it begins, counted from 1
    bool cut;              // a line of it was over LINE_LIMIT
    const char *fault;     // what is wrong with it, if anything; the next row is then the next line
} CsvRow;

// A table of these lines, which are not owned.
Status csv_open(Csv **csv, LineReader *lines, CsvForm form, Error *error);

// From the next row on only so many cells are needed.
void csv_need(Csv *csv, size_t columns);

// Reads the next row; *more = false at the end. Errors: as line_reader_next.
Status csv_next(Csv *csv, CsvRow *row, bool *more, Error *error);

// What separates the cells of the rows read so far.
char csv_separator(const Csv *csv);

// Whether quotation marks around cells have been taken away, as far as is known.
bool csv_is_quoted(const Csv *csv);

void csv_close(Csv *csv); // NULL is allowed
