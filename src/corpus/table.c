#include "corpus/table.h"

#include "base/memory.h"
#include "text/normalise.h"

#include <string.h>

struct Table {
    Csv *csv;
    CsvForm form;
    Columns columns;
    HeaderChoice header; // HEADER_NO once the first row has been read
    Bytes header_names;  // of the two columns, each followed by a NUL, if there is a header
};

void table_cut_long(Table *table)
{
    csv_cut_long(table->csv);
}

static Status open_columns(Table *table, const char *path, CsvForm form,
                           const TableOptions *options, Error *error)
{
    Columns *columns = &table->columns;
    table->form = form;
    TRY(columns_parse(columns, options->columns, error));
    table->header = columns->names[0] ? HEADER_YES : options->header;
    if (columns->names[0] && options->header == HEADER_NO)
        return error_set(error, STATUS_ARGUMENT,
                         "--columns %s names columns of a header row, but --header is no; give "
                         "numbers such as 2,3",
                         options->columns);
    size_t needed = 1 + columns->places[columns->places[1] > columns->places[0]];
    return csv_open(&table->csv, path, form, columns->names[0] ? MAX_CSV_CELLS : needed, error);
}

Status table_open(Table **out, const char *path, CsvForm form, const TableOptions *options,
                  Error *error)
{
    Table *table = memory_new(1, sizeof *table);
    if (!table) return error_memory(error, sizeof *table, "a table");
    Status status = open_columns(table, path, form, options, error);
    if (status)
        table_close(table);
    else
        *out = table;
    return status;
}

const char *table_name(const Table *table)
{
    return csv_name(table->csv);
}

double table_share(const Table *table)
{
    return csv_share(table->csv);
}

bool table_would_block(Table *table)
{
    return csv_would_block(table->csv);
}

void table_close(Table *table)
{
    if (!table) return;
    csv_close(table->csv);
    columns_free(&table->columns);
    bytes_free(&table->header_names);
    memory_free(table);
}

// Why a row is no pair.
static Status refuse_row(const Table *table, const CsvRow *row, size_t needed, Error *error)
{
    const char *name = csv_name(table->csv);
    if (row->fault)
        return error_set(error, STATUS_FORMAT, "%s:%zu: %s", name, row->line, row->fault);
    if (table->form == CSV_FORM_TSV && row->count == 1)
        return error_set(error, STATUS_FORMAT,
                         "%s:%zu: has no TAB; each line must be SOURCE<TAB>TARGET (two files are "
                         "given as SOURCE,TARGET): correct or remove the line",
                         name, row->line);
    return error_set(error, STATUS_FORMAT,
                     "%s:%zu: has %zu column%s, but column %zu is needed; correct the row, or "
                     "--columns",
                     name, row->line, row->count, row->count == 1 ? "" : "s", needed);
}

static Status take_header(Table *table, const CsvRow *row, Error *error)
{
    const size_t *places = table->columns.places;
    TRY(columns_find(&table->columns, row->cells, row->count, csv_name(table->csv), error));
    for (int side = 0; side < 2; side++) {
        TextView cell = places[side] < row->count ? row->cells[places[side]] : (TextView){"", 0};
        Bytes name = {0}; // on one line
        Status status = normalise(&name, cell.data, cell.length, NULL, error);
        if (!status) status = bytes_append(&table->header_names, name.data, name.length + 1, error);
        bytes_free(&name);
        TRY(status);
    }
    return STATUS_OK;
}

// *header: the row is the header, and has been taken.
static Status check_header(Table *table, const CsvRow *row, bool *header, Error *error)
{
    const size_t *places = table->columns.places;
    HeaderChoice choice = table->header;
    table->header = HEADER_NO;
    *header = choice == HEADER_YES;
    if (choice == HEADER_AUTO && !row->fault && places[0] < row->count && places[1] < row->count)
        *header = columns_are_names(row->cells[places[0]], row->cells[places[1]]);
    return *header ? take_header(table, row, error) : STATUS_OK;
}

Status table_next(Table *table, TablePair *pair, bool *more, Error *error)
{
    static const TextView nothing = {"", 0};
    const size_t *places = table->columns.places;
    CsvRow row;
    bool header = true;
    while (header) {
        TRY(csv_next(table->csv, &row, more, error));
        if (!*more) return STATUS_OK;
        header = table->header != HEADER_NO;
        if (header) TRY(check_header(table, &row, &header, error));
    }
    *pair = (TablePair){nothing, nothing, row.text, row.line, row.cut};
    if (!row.fault && row.count == 1 && row.cells[0].length == 0) return STATUS_OK;
    size_t last = places[places[1] > places[0]];
    if (!row.cut && (row.fault || last >= row.count))
        return refuse_row(table, &row, last + 1, error);
    if (places[0] < row.count) pair->source = row.cells[places[0]];
    if (places[1] < row.count) pair->target = row.cells[places[1]];
    return STATUS_OK;
}

static const char *separator_name(char separator)
{
    return separator == '\t' ? "TABs" : separator == ';' ? "semicolons" : "commas";
}

void table_header(const Table *table, const char *names[2])
{
    bool there = table->header_names.length > 0;
    names[0] = there ? table->header_names.data : NULL;
    names[1] = there ? names[0] + strlen(names[0]) + 1 : NULL;
}

Status table_describe(const Table *table, Bytes *out, Error *error)
{
    const size_t *places = table->columns.places;
    const char *names[2];
    if (table->form == CSV_FORM_TSV && !csv_is_quoted(table->csv) && !table->header_names.length &&
        places[0] == 0 && places[1] == 1)
        return STATUS_OK;
    table_header(table, names);
    TRY(bytes_append_format(out, error, "%s: ", csv_name(table->csv)));
    for (int side = 0; side < 2; side++) {
        TRY(bytes_append_format(out, error, side ? " to column %zu" : "from column %zu",
                                places[side] + 1));
        if (names[side]) TRY(bytes_append_format(out, error, " (%.40s)", names[side]));
    }
    if (table->form == CSV_FORM_CSV)
        TRY(bytes_append_format(out, error, ", separated by %s",
                                separator_name(csv_separator(table->csv))));
    else if (csv_is_quoted(table->csv))
        TRY(bytes_append_string(out, ", without the quotation marks around cells", error));
    return bytes_append_string(
        out, names[0] ? "; the first row is a header (--header no: a pair)" : "", error);
}
