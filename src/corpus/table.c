#define _GNU_SOURCE
#include "corpus/table.h"

#include "base/memory.h"
#include "language/language.h"
#include "text/normalise.h"
#include "text/word_list.h"

#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

static bool is_number(const char *text)
{
    return strspn(text, "0123456789") == strlen(text);
}

static Status refuse_columns(const char *text, Error *error)
{
    return error_set(error, STATUS_ARGUMENT,
                     "--columns %s: give the source's and the target's column, by number from 1 to "
                     "%d (2,3) or by their names in the first row (en,fr)",
                     text, MAX_CSV_CELLS);
}

// Reads `2,3` or `en,fr`.
static Status parse_columns(Table *table, const char *text, Error *error)
{
    const char *comma = strchr(text, ',');
    if (!comma || comma == text || !comma[1] || strchr(comma + 1, ','))
        return refuse_columns(text, error);
    table->wanted[0] = memory_copy_string(text, (size_t)(comma - text));
    table->wanted[1] = memory_copy_string(comma + 1, strlen(comma + 1));
    if (!table->wanted[0] || !table->wanted[1])
        return error_memory(error, strlen(text), "the names of columns");
    if (strcasecmp(table->wanted[0], table->wanted[1]) == 0)
        return error_set(error, STATUS_ARGUMENT,
                         "--columns %s: names one column twice; name the source's and the target's",
                         text);
    if (!is_number(table->wanted[0]) || !is_number(table->wanted[1])) return STATUS_OK;
    for (int side = 0; side < 2; side++) {
        unsigned long long place = strtoull(table->wanted[side], NULL, 10);
        if (place < 1 || place > MAX_CSV_CELLS) return refuse_columns(text, error);
        table->places[side] = (size_t)place - 1;
        memory_free(table->wanted[side]);
        table->wanted[side] = NULL;
    }
    return STATUS_OK;
}

// The place of the last column that is needed.
static size_t last_place(const Table *table)
{
    return table->places[table->places[1] > table->places[0]];
}

Status table_open(Table *table, LineReader *lines, CsvForm form, const char *columns, Error *error)
{
    *table = (Table){.lines = lines, .form = form, .chosen = columns, .places = {0, 1}};
    if (columns) TRY(parse_columns(table, columns, error));
    return csv_open(&table->csv, lines, form, error);
}

void table_close(Table *table)
{
    csv_close(table->csv);
    for (int side = 0; side < 2; side++) {
        memory_free(table->wanted[side]);
        bytes_free(&table->names[side]);
    }
    *table = (Table){0};
}

// Why a row is no pair.
static Status refuse_row(const Table *table, const CsvRow *row, Error *error)
{
    const char *name = line_reader_name(table->lines);
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
                     name, row->line, row->count, row->count == 1 ? "" : "s",
                     last_place(table) + 1);
}

// Whatever their case.
static bool equals(TextView a, TextView b)
{
    return a.length == b.length && strncasecmp(a.data, b.data, a.length) == 0;
}

// Finds named columns in the header row, whatever their case.
static Status find_columns(Table *table, const TextView *cells, size_t count, Error *error)
{
    for (int side = 0; side < 2 && table->wanted[side]; side++) {
        const TextView wanted = text_view_of(table->wanted[side]);
        size_t place = 0;
        while (place < count && !equals(text_view_trimmed(cells[place]), wanted)) place++;
        table->places[side] = place;
        if (place < count) continue;
        FREED_BY(bytes_free) Bytes names = {0};
        for (size_t i = 0; i < count; i++)
            TRY(bytes_append_format(&names, error, "%s%.*s", i ? ", " : "",
                                    (int)(cells[i].length < 40 ? cells[i].length : 40),
                                    cells[i].data));
        return error_set(error, STATUS_FORMAT,
                         "%s: has no column called %s; its first row: %s; correct --columns",
                         line_reader_name(table->lines), table->wanted[side], bytes_text(&names));
    }
    return STATUS_OK;
}

// What the names of columns have besides languages: regions, and languages that have no row of facts.
static const char words[] =
    "br ca cn cz et fa gb hans hant hr hypothesis input lang language lt lv original output "
    "reference segment sentence sk sl source sr src target text tgt translated translation trg tw "
    "us";

static bool is_word(const char *text, size_t length, bool *language)
{
    char word[LANGUAGE_SIZE];
    while (length && text[length - 1] >= '0' && text[length - 1] <= '9') length--; // text1, text2
    (void)snprintf(word, sizeof word, "%.*s", (int)length, text);
    bool found = language_of(word);
    *language |= found;
    return found || word_list_find(words, text, length);
}

// *language: one of its words is a language.
static bool is_column_name(TextView cell, bool *language)
{
    bool any = false;
    *language = false;
    for (size_t at = 0; at < cell.length;) {
        size_t end = at;
        while (end < cell.length && !strchr(" _-.:()", cell.data[end])) end++;
        if (end > at && !is_word(cell.data + at, end - at, language)) return false;
        any = any || end > at;
        at = end + 1;
    }
    return any;
}

bool table_is_header(TextView source, TextView target)
{
    source = text_view_trimmed(source);
    target = text_view_trimmed(target);
    bool language;
    return !equals(source, target) && is_column_name(source, &language) &&
           is_column_name(target, &language);
}

static Status take_header(Table *table, const CsvRow *row, Error *error)
{
    const size_t *places = table->places;
    TRY(find_columns(table, row->cells, row->count, error));
    for (int side = 0; side < 2; side++) {
        TextView cell = row->cells[places[side]];
        TRY(normalise(&table->names[side], cell.data, cell.length, NULL, error)); // on one line
    }
    return STATUS_OK;
}

// Whether a column may well be named so for its numbers, rather than for Norwegian or Indonesian.
static bool is_number_name(TextView cell)
{
    return equals(cell, text_view_of("no")) || equals(cell, text_view_of("no.")) ||
           equals(cell, text_view_of("id"));
}

// Finds the columns that are named for languages, if there are two, where need be with such names.
static bool find_languages(Table *table, const CsvRow *row)
{
    for (int with_numbers = 0; with_numbers < 2; with_numbers++) {
        size_t found = 0, places[2];
        for (size_t i = 0; i < row->count; i++) {
            TextView cell = text_view_trimmed(row->cells[i]);
            bool language;
            if ((!with_numbers && is_number_name(cell)) || !is_column_name(cell, &language) ||
                !language)
                continue;
            if (found < 2) places[found] = i;
            found++;
        }
        if (found != 2 || equals(text_view_trimmed(row->cells[places[0]]),
                                 text_view_trimmed(row->cells[places[1]])))
            continue;
        memcpy(table->places, places, sizeof places);
        return true;
    }
    return false;
}

// Whether the first row is the header.
static bool is_header(Table *table, const CsvRow *row)
{
    const size_t *places = table->places;
    if (table->wanted[0] || (!table->chosen && !row->fault && find_languages(table, row)))
        return true;
    return !row->fault && places[0] < row->count && places[1] < row->count &&
           table_is_header(row->cells[places[0]], row->cells[places[1]]);
}

Status table_next(Table *table, TablePair *pair, bool *more, Error *error)
{
    const size_t *places = table->places;
    CsvRow row;
    TRY(csv_next(table->csv, &row, more, error));
    if (*more && !table->begun && is_header(table, &row)) {
        TRY(take_header(table, &row, error));
        TRY(csv_next(table->csv, &row, more, error));
    }
    if (!table->begun) csv_need(table->csv, last_place(table) + 1);
    table->begun = true;
    if (!*more) return STATUS_OK;
    *pair = (TablePair){{{"", 0}, {"", 0}}, row.text, row.line, row.cut};
    if (!row.fault && row.count == 1 && row.cells[0].length == 0) return STATUS_OK;
    if (!row.cut && (row.fault || last_place(table) >= row.count))
        return refuse_row(table, &row, error);
    for (int side = 0; side < 2; side++)
        if (places[side] < row.count) pair->sides[side] = row.cells[places[side]];
    return STATUS_OK;
}

Status table_describe(const Table *table, Bytes *out, Error *error)
{
    bool named = table->names[0].data;
    if (table->form == CSV_FORM_TSV && !csv_is_quoted(table->csv) && !named &&
        table->places[0] == 0 && table->places[1] == 1)
        return STATUS_OK;
    TRY(bytes_append_format(out, error, "%s: ", line_reader_name(table->lines)));
    for (int side = 0; side < 2; side++) {
        TRY(bytes_append_format(out, error, side ? " to column %zu" : "from column %zu",
                                table->places[side] + 1));
        if (named) TRY(bytes_append_format(out, error, " (%.40s)", table->names[side].data));
    }
    const char separator = csv_separator(table->csv);
    if (table->form == CSV_FORM_CSV)
        TRY(bytes_append_format(out, error, ", separated by %s",
                                separator == '\t'  ? "TABs"
                                : separator == ';' ? "semicolons"
                                                   : "commas"));
    else if (csv_is_quoted(table->csv))
        TRY(bytes_append_string(out, ", without the quotation marks around cells", error));
    return bytes_append_string(out, named ? "; the first row is a header\n" : "\n", error);
}
