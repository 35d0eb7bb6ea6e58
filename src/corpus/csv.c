#include "corpus/csv.h"

#include "base/array.h"

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
    LineReader *lines; // not owned
    size_t columns;    // that are needed of a row
    char separator;    // 0: not known yet
    bool quoted;       // cells may be quoted
    bool undecided;    // of a TSV: whether they are is not known yet

    bool trying; // rows are only tried, those of SNIFFED_BYTES
    bool whole;  // the file has no others
    bool cut;    // a line was over LINE_LIMIT

    Bytes text;                    // of a row's cells, if they may be quoted
    Cell parts[MAX_CSV_CELLS + 1]; // the last stands for all cells that are not read
    TextView cells[MAX_CSV_CELLS];
    size_t count;
    bool open; // a quoted cell goes on in the next line
    const char *fault;
};

Status csv_open(Csv **csv, LineReader *lines, CsvForm form, Error *error)
{
    TRY(array_new(csv, 1, "a table", error));
    bool tsv = form == CSV_FORM_TSV;
    **csv = (Csv){.lines = lines,
                  .columns = MAX_CSV_CELLS,
                  .separator = tsv ? '\t' : '\0',
                  .quoted = !tsv,
                  .undecided = tsv};
    return STATUS_OK;
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

void csv_close(Csv *csv)
{
    if (!csv) return;
    bytes_free(&csv->text);
    memory_free(csv);
}

// Takes the next line, which is valid until another is taken.
static Status take_line(Csv *csv, Line *line, bool *more, Error *error)
{
    if (csv->trying) { // what cannot be read is an error when it is needed
        *more = line_reader_since_mark(csv->lines) < SNIFFED_BYTES;
        csv->whole = *more && !line_reader_next(csv->lines, line, more, NULL) && !*more;
    } else {
        TRY(line_reader_next(csv->lines, line, more, error));
    }
    csv->cut |= *more && line->cut;
    return STATUS_OK;
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

/* Reads the lines of a cell that the row's first line leaves open. If the row turns out to be faulty,
 * they are given back. */
static Status add_more_lines(Csv *csv, Error *error)
{
    if (!csv->trying) line_reader_mark(csv->lines);
    while (csv->open && !csv->fault) {
        Line line;
        bool more;
        TRY(take_line(csv, &line, &more, error));
        if (!more || csv->text.length + line.length > MAX_CSV_ROW)
            csv->fault = ENDLESS;
        else
            TRY(add_line(csv, (TextView){line.text, line.length}, error));
    }
    if (csv->fault && !csv->trying) line_reader_return(csv->lines);
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
    if (csv->open) TRY(add_more_lines(csv, error));
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
        trial->doubled |= part->doubled;
        trial->needless |= part->quoted && !special && !part->doubled;
        trial->unquoted_cell |= !part->quoted;
        trial->unquoted_comma |= !part->quoted && comma;
        trial->faulty |= !part->quoted && memchr(cell.data, '"', cell.length);
    }
    if (trial->rows++ == 0) trial->columns = csv->count;
    trial->divided += csv->count >= 2 && csv->count == trial->columns;
}

// Looks at the rows from the mark on, and returns there.
static Status try_rows(Csv *csv, char separator, Trial *trial, Error *error)
{
    Line line;
    Status status = STATUS_OK;
    bool more = true;
    *trial = (Trial){0};
    csv->separator = separator;
    csv->trying = true;
    line_reader_return(csv->lines);
    while (!status && trial->rows < SNIFFED_ROWS) {
        (void)take_line(csv, &line, &more, NULL); // which cannot fail now
        if (!more) break;
        status = read_quoted(csv, (TextView){line.text, line.length}, error);
        bool cut = csv->fault == ENDLESS && !csv->whole;
        if (csv->fault && !cut) trial->faulty = true, trial->faults++;
        if (!status && !csv->fault) look_at_row(trial, csv);
    }
    csv->trying = false;
    line_reader_return(csv->lines);
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
static Status read_row(Csv *csv, const Line *line, bool *again, Error *error)
{
    bool marks;
    TextView text = {line->text, line->length};
    *again = true;
    if (!csv->separator && line->number == 1 && text.length == 5 && !memcmp(text.data, "sep=", 4)) {
        csv->separator = text.data[4];
        return STATUS_OK;
    }
    if (!csv->separator) return find_separator(csv, error);
    *again = false;
    if (csv->quoted) return read_quoted(csv, text, error);
    split_plain(csv, text, &marks);
    *again = marks && csv->undecided;
    return *again ? find_quotes(csv, error) : STATUS_OK;
}

Status csv_next(Csv *csv, CsvRow *row, bool *more, Error *error)
{
    Line line;
    for (bool again = true; again;) {
        csv->cut = false;
        line_reader_mark(csv->lines);
        TRY(take_line(csv, &line, more, error));
        if (!*more) return STATUS_OK;
        TRY(read_row(csv, &line, &again, error));
    }
    TextView text = csv->quoted ? bytes_view(&csv->text) : (TextView){line.text, line.length};
    *row = (CsvRow){csv->cells, csv->count, text, line.number, csv->cut, csv->fault};
    return STATUS_OK;
}
