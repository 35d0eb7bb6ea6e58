#include "corpus/csv.h"

#include "base/array.h"
#include "base/memory.h"

#include <string.h>

// What is read ahead to find out how the cells are separated and quoted.
enum { SNIFFED_BYTES = 1 << 16, SNIFFED_ROWS = 1000, FULLY_QUOTED_ROWS = 3 };

static const char ENDLESS[] =
    "has a quotation mark at the beginning of a cell and none at its end; add it, or double it";
static const char UNDOUBLED[] =
    "has text between a closing quotation mark and the next cell; double quotation marks in a cell";

// A cell of the row that is being read: a part of Csv.text.
typedef struct Cell {
    size_t start, end;
    bool quoted, doubled; // in quotation marks; with doubled ones inside
} Cell;

struct Csv {
    LineReader *lines;
    CsvForm form;
    size_t columns; // that are needed of a row
    char separator; // 0: not known yet
    bool quoted;    // cells may be quoted
    bool undecided; // of a TSV: whether they are is not known yet

    Bytes ahead;      // lines of this row and of the next ones, each with an LF
    size_t ahead_at;  // those before are used
    bool ahead_whole; // the file has no others
    bool ahead_alone; // rows are only tried: no others are taken
    bool ahead_cut;   // the last of them was over LINE_LIMIT
    size_t line;      // number of the last line taken
    bool cut;         // it was over LINE_LIMIT

    Bytes text;                    // of a row's cells, if they may be quoted
    Cell parts[MAX_CSV_CELLS + 1]; // the last stands for all cells that are not read
    TextView cells[MAX_CSV_CELLS];
    size_t count;
    bool open; // a quoted cell goes on in the next line
    const char *fault;
};

Status csv_open(Csv **out, const char *path, CsvForm form, size_t columns, Error *error)
{
    Csv *csv;
    TRY(array_new(&csv, 1, "a table", error));
    bool tsv = form == CSV_FORM_TSV;
    *csv = (Csv){.form = form, .quoted = !tsv, .undecided = tsv};
    csv_need(csv, columns);
    csv->separator = tsv ? '\t' : '\0';
    Status status = line_reader_open(&csv->lines, path, error);
    if (status)
        csv_close(csv);
    else
        *out = csv;
    return status;
}

void csv_need(Csv *csv, size_t columns)
{
    csv->columns = columns < MAX_CSV_CELLS ? columns : MAX_CSV_CELLS;
}

char csv_separator(const Csv *csv)
{
    return csv->separator;
}

bool csv_is_quoted(const Csv *csv)
{
    return csv->quoted;
}

double csv_share(const Csv *csv)
{
    return line_reader_share(csv->lines, csv->ahead.length - csv->ahead_at);
}

bool csv_would_block(Csv *csv)
{
    return csv->ahead_at == csv->ahead.length && line_reader_would_block(csv->lines);
}

LineReader *csv_lines(const Csv *csv)
{
    return csv->lines;
}

void csv_close(Csv *csv)
{
    if (!csv) return;
    line_reader_close(csv->lines);
    bytes_free(&csv->ahead);
    bytes_free(&csv->text);
    memory_free(csv);
}

// Adds the next line of the file to those ahead; *more = false if it has none.
static Status fetch_line(Csv *csv, bool *more, Error *error)
{
    Line next;
    TRY(line_reader_next(csv->lines, &next, more, error));
    if (!*more) return STATUS_OK;
    csv->ahead_cut = next.cut;
    TRY(bytes_append(&csv->ahead, next.text, next.length, error));
    return bytes_append(&csv->ahead, "\n", 1, error);
}

// Takes the next line, which is valid until another is fetched.
static Status take_line(Csv *csv, TextView *line, bool *more, Error *error)
{
    *more = csv->ahead_at < csv->ahead.length;
    if (!*more && !csv->ahead_alone) TRY(fetch_line(csv, more, error));
    if (!*more) return STATUS_OK;
    const char *start = csv->ahead.data + csv->ahead_at;
    const char *end = memchr(start, '\n', csv->ahead.length - csv->ahead_at);
    *line = (TextView){start, (size_t)(end - start)};
    csv->ahead_at += line->length + 1;
    csv->cut = csv->ahead_cut && csv->ahead_at == csv->ahead.length;
    csv->line++;
    return STATUS_OK;
}

// Forgets the lines that are used, once they are more than the others.
static void drop_used_lines(Csv *csv)
{
    size_t left = csv->ahead.length - csv->ahead_at;
    if (csv->ahead_at <= left) return;
    memmove(csv->ahead.data, csv->ahead.data + csv->ahead_at, left);
    bytes_cut(&csv->ahead, left);
    csv->ahead_at = 0;
}

/* Adds the part of a quoted cell that is in this line, from line[*at]; the cell is then open if it
 * has not ended. */
static Status add_quoted(Csv *csv, TextView line, size_t *at, Error *error)
{
    for (;;) {
        const char *rest = line.data + *at;
        const char *mark = memchr(rest, '"', line.length - *at);
        size_t length = mark ? (size_t)(mark - rest) : line.length - *at;
        TRY(bytes_append(&csv->text, rest, length, error));
        *at += length + (mark != NULL);
        csv->open = !mark;
        if (!mark) return bytes_append(&csv->text, "\n", 1, error);
        if (*at == line.length || line.data[*at] != '"') return STATUS_OK;
        csv->parts[csv->count].doubled = true;
        TRY(bytes_append(&csv->text, "\"", 1, error));
        ++*at;
    }
}

static Status add_plain(Csv *csv, TextView line, size_t *at, Error *error)
{
    const char *rest = line.data + *at;
    const char *end = memchr(rest, csv->separator, line.length - *at);
    size_t length = end ? (size_t)(end - rest) : line.length - *at;
    *at += length;
    return bytes_append(&csv->text, rest, length, error);
}

// Adds a line to the row: all of one, or the next of a row with an open cell.
static Status add_line(Csv *csv, TextView line, Error *error)
{
    for (size_t at = 0;; at++) {
        if (!csv->open) {
            bool quoted = at < line.length && line.data[at] == '"';
            csv->parts[csv->count] = (Cell){.start = csv->text.length, .quoted = quoted};
            at += quoted;
            TRY(quoted ? add_quoted(csv, line, &at, error) : add_plain(csv, line, &at, error));
        } else {
            TRY(add_quoted(csv, line, &at, error));
        }
        if (csv->open) return STATUS_OK;
        csv->parts[csv->count].end = csv->text.length;
        csv->count += csv->count < MAX_CSV_CELLS;
        if (at == line.length) return STATUS_OK;
        if (line.data[at] != csv->separator) {
            csv->fault = UNDOUBLED;
            return STATUS_OK;
        }
    }
}

/* Reads the lines of a cell that the row's first line, the last taken, leaves open. If the row turns
 * out to be faulty, all but the first are given back. */
static Status add_more_lines(Csv *csv, TextView line, Error *error)
{
    size_t first = csv->line, next = csv->ahead_at, begin = next - line.length - 1;
    while (csv->open && !csv->fault) {
        bool more;
        TRY(take_line(csv, &line, &more, error));
        if (!more || csv->ahead_at - begin > MAX_CSV_ROW)
            csv->fault = ENDLESS;
        else
            TRY(add_line(csv, line, error));
    }
    if (!csv->fault || csv->ahead_alone) return STATUS_OK;
    csv->ahead_at = next;
    csv->line = first;
    return STATUS_OK;
}

// Reads a row whose cells may be quoted, and which begins with this line.
static Status read_quoted(Csv *csv, TextView line, Error *error)
{
    bytes_clear(&csv->text);
    csv->count = 0;
    csv->open = false;
    csv->fault = NULL;
    TRY(add_line(csv, line, error));
    if (csv->open) TRY(add_more_lines(csv, line, error));
    for (size_t i = 0; i < csv->count; i++) {
        const Cell *part = &csv->parts[i];
        csv->cells[i] = (TextView){bytes_text(&csv->text) + part->start, part->end - part->start};
    }
    return STATUS_OK;
}

// Finds the cells that are needed; *marks: one begins with a quotation mark.
static void split_plain(Csv *csv, TextView line, bool *marks)
{
    const char *at = line.data, *end = line.data + line.length;
    csv->count = 0;
    csv->fault = NULL;
    *marks = false;
    while (csv->count < csv->columns) {
        const char *next = memchr(at, csv->separator, (size_t)(end - at));
        csv->cells[csv->count++] = (TextView){at, (size_t)((next ? next : end) - at)};
        if (at < end && *at == '"') *marks = true;
        if (!next) break;
        at = next + 1;
    }
}

// Gives the last line back and reads on ahead. What cannot be read is an error when it is needed.
static Status read_ahead(Csv *csv, TextView line, Error *error)
{
    Error failure;
    Status status = STATUS_OK;
    bool more = true;
    csv->ahead_at -= line.length + 1;
    csv->line--;
    while (csv->ahead.length - csv->ahead_at < SNIFFED_BYTES && more && !status)
        status = fetch_line(csv, &more, &failure);
    csv->ahead_whole = !more && !status;
    return status == STATUS_MEMORY ? error_set(error, status, "%s", failure.text) : STATUS_OK;
}

// What the rows that were read ahead look like with one separator.
typedef struct Trial {
    size_t rows, quoted, faults; // rows without a fault, quoted cells, other rows
    size_t columns, divided; // cells of the first row; rows with as many, if these are two or more
    bool faulty;             // a quotation mark is where none may be
    bool doubled;
    bool unquoted_cell, unquoted_comma;
    bool needless; // a cell is quoted that Excel would not have quoted
} Trial;

static void look_at_row(Trial *trial, const Csv *csv)
{
    for (size_t i = 0; i < csv->count; i++) {
        TextView cell = csv->cells[i];
        bool comma = memchr(cell.data, ',', cell.length) != NULL;
        bool special = comma || memchr(cell.data, '\n', cell.length) ||
                       memchr(cell.data, csv->separator, cell.length);
        const Cell *part = &csv->parts[i];
        trial->quoted += part->quoted;
        trial->doubled = trial->doubled || part->doubled;
        trial->needless = trial->needless || (part->quoted && !special && !part->doubled);
        trial->unquoted_cell = trial->unquoted_cell || !part->quoted;
        trial->unquoted_comma = trial->unquoted_comma || (!part->quoted && comma);
        if (!part->quoted && memchr(cell.data, '"', cell.length)) trial->faulty = true;
    }
    if (trial->rows++ == 0) trial->columns = csv->count;
    trial->divided += csv->count >= 2 && csv->count == trial->columns;
}

static Status try_rows(Csv *csv, char separator, Trial *trial, Error *error)
{
    size_t at = csv->ahead_at, line_number = csv->line;
    Status status = STATUS_OK;
    *trial = (Trial){0};
    csv->separator = separator;
    csv->ahead_alone = true;
    while (!status && trial->rows < SNIFFED_ROWS) {
        TextView line;
        bool more;
        status = take_line(csv, &line, &more, error);
        if (status || !more) break;
        status = read_quoted(csv, line, error);
        bool cut = csv->fault == ENDLESS && !csv->ahead_whole;
        if (csv->fault && !cut) trial->faulty = true, trial->faults++;
        if (!status && !csv->fault) look_at_row(trial, csv);
    }
    csv->ahead_alone = false;
    csv->ahead_at = at;
    csv->line = line_number;
    return status;
}

static Status find_separator(Csv *csv, Error *error)
{
    static const char separators[] = {'\t', ';', ','}; // of equals the rarer in sentences
    char best = ',';
    double share = 0;
    Trial trial;
    for (size_t i = 0; i < sizeof separators; i++) {
        TRY(try_rows(csv, separators[i], &trial, error));
        size_t rows = trial.rows + trial.faults;
        double divided = rows ? (double)trial.divided / (double)rows : 0;
        if (divided > share) share = divided, best = separators[i];
    }
    csv->separator = best;
    return STATUS_OK;
}

static Status find_quotes(Csv *csv, Error *error)
{
    Trial trial;
    TRY(try_rows(csv, csv->separator, &trial, error));
    bool excel = !trial.needless && !trial.unquoted_comma;
    bool all = !trial.unquoted_cell && trial.rows >= FULLY_QUOTED_ROWS;
    csv->quoted = !trial.faulty && trial.quoted && (trial.doubled || excel || all);
    csv->undecided = false;
    return STATUS_OK;
}

// Reads a row that begins with this line; *again: the line was given back, to be taken otherwise.
static Status read_row(Csv *csv, TextView line, bool *again, Error *error)
{
    bool marks;
    *again = true;
    if (!csv->separator && csv->line == 1 && line.length == 5 && !memcmp(line.data, "sep=", 4)) {
        csv->separator = line.data[4];
        return STATUS_OK;
    }
    if (!csv->separator) {
        TRY(read_ahead(csv, line, error));
        return find_separator(csv, error);
    }
    *again = false;
    if (csv->quoted) return read_quoted(csv, line, error);
    split_plain(csv, line, &marks);
    if (!marks || !csv->undecided) return STATUS_OK;
    *again = true;
    TRY(read_ahead(csv, line, error));
    return find_quotes(csv, error);
}

Status csv_next(Csv *csv, CsvRow *row, bool *more, Error *error)
{
    TextView line;
    size_t number = 0;
    drop_used_lines(csv);
    for (bool again = true; again;) {
        TRY(take_line(csv, &line, more, error));
        if (!*more) return STATUS_OK;
        number = csv->line;
        TRY(read_row(csv, line, &again, error));
    }
    TextView text = csv->quoted ? bytes_view(&csv->text) : line;
    *row = (CsvRow){csv->cells, csv->count, text, number, csv->cut, csv->fault};
    return STATUS_OK;
}
