#include "corpus/pair_reader.h"

#include "base/memory.h"
#include "corpus/pair_name.h"
#include "text/normalise.h"

#include <stdio.h>
#include <strings.h>

// The thresholds for binary files (pair_reader.h).
enum { SNIFFED_LINES = 1000, TOLERATED_INVALID = 9 };

struct PairReader {
    PairForm form;
    char *name;           // as given, for messages about the corpus
    LineReader *files[2]; // but of a TMX; of a table only the first
    Table table;          // of a TSV or CSV, else not open
    Tmx *tmx;
    bool chosen; // the languages of the TMX
    PairOptions options;
    bool bad_line; // what has just failed is a line alone
    Bytes bad;
    size_t invalid_in[2]; // lines of each file that are not UTF-8
    ReadCounts counts;
    Error failure; // once its status is set, every call returns it
};

static bool is_table(PairForm form)
{
    return form == PAIR_FORM_TSV || form == PAIR_FORM_CSV;
}

static Status check_languages(const char *const languages[2], Error *error)
{
    if (!languages[0] != !languages[1])
        return error_set(error, STATUS_ARGUMENT,
                         "--source-language and --target-language go together; give both");
    if (languages[0] && language_match(languages[0], languages[1]) == LANGUAGE_SAME)
        return error_set(error, STATUS_ARGUMENT,
                         "--source-language and --target-language are both %s; they must differ",
                         languages[0]);
    return STATUS_OK;
}

static Status open_lines(PairReader *reader, int file, const char *name, Error *error)
{
    TRY(line_reader_open(&reader->files[file], name, error));
    if (reader->options.keep_empty) line_reader_cut_long(reader->files[file], LINE_LIMIT);
    return STATUS_OK;
}

static Status open_files(PairReader *reader, const PairName *name, Error *error)
{
    const PairOptions *options = &reader->options;
    const char *const *languages = name->languages[0] ? name->languages : options->languages;
    CsvForm form = name->form == PAIR_FORM_CSV ? CSV_FORM_CSV : CSV_FORM_TSV;
    reader->form = name->form;
    if (name->form == PAIR_FORM_TMX) {
        TRY(check_languages(languages, error));
        reader->chosen = languages[0] != NULL;
        return tmx_open(&reader->tmx, name->names[0], languages[0], languages[1], error);
    }
    TRY(open_lines(reader, 0, name->names[0], error));
    if (is_table(name->form))
        return table_open(&reader->table, reader->files[0], form, options->columns, error);
    return open_lines(reader, 1, name->names[1], error);
}

Status pair_reader_open(PairReader **out, const char *text, const PairOptions *options,
                        Error *error)
{
    FREED_BY(pair_name_free) PairName name = {0};
    FREED_BY(pair_reader_close_at) PairReader *reader = memory_new(1, sizeof *reader);
    if (reader) reader->name = memory_copy_string(text, strlen(text));
    if (!reader || !reader->name) return error_memory(error, sizeof *reader, "a corpus");
    TRY(pair_name_parse(&name, text, error));
    if (options) reader->options = *options;
    TRY(open_files(reader, &name, error));
    *out = memory_take(&reader);
    return STATUS_OK;
}

void pair_reader_close(PairReader *reader)
{
    if (!reader) return;
    table_close(&reader->table);
    line_reader_close(reader->files[0]);
    line_reader_close(reader->files[1]);
    tmx_close(reader->tmx);
    bytes_free(&reader->bad);
    memory_free(reader->name);
    memory_free(reader);
}

ReadCounts pair_reader_counts(const PairReader *reader)
{
    return reader->counts;
}

void pair_free(Pair *pair)
{
    for (int side = 0; side < 2; side++) bytes_free(&pair->sides[side]);
}

// The name that messages use; a file of both sides is file 0.
static const char *file_name(const PairReader *reader, int file)
{
    return reader->tmx ? tmx_name(reader->tmx) : line_reader_name(reader->files[file]);
}

// Refuses a NUL in one of the first lines.
static Status check_nul(const PairReader *reader, int file, size_t line, TextView text,
                        Error *error)
{
    if (line > SNIFFED_LINES || !memchr(text.data, '\0', text.length)) return STATUS_OK;
    return error_set(error, STATUS_FORMAT,
                     "%s:%zu: has a NUL byte: this is a binary file, not text",
                     file_name(reader, file), line);
}

// Checks the share of lines that are not UTF-8, once, when `lines` of the file have been read.
static Status check_encoding(const PairReader *reader, int file, size_t lines, Error *error)
{
    size_t invalid = reader->invalid_in[file];
    if (invalid <= TOLERATED_INVALID || invalid * 10 <= lines) return STATUS_OK;
    return error_set(error, STATUS_FORMAT,
                     "%s: %zu of its first %zu lines are not UTF-8: this is a binary file or text "
                     "in another encoding; convert text with iconv -f ENCODING -t UTF-8",
                     file_name(reader, file), invalid, lines);
}

// Counts what is not UTF-8 in the current line of each file, and checks the first lines.
static Status note_encoding(PairReader *reader, const size_t invalid[2], size_t line, Error *error)
{
    ReadCounts *counts = &reader->counts;
    size_t both = invalid[0] + invalid[1];
    int first = invalid[0] == 0; // the file that a message names
    if (both > 0 && !reader->options.skip_bad && counts->invalid++ == 0) {
        counts->invalid_line = line;
        (void)snprintf(counts->invalid_file, sizeof counts->invalid_file, "%s",
                       file_name(reader, first));
    }
    for (int file = 0; file < 2; file++) {
        if (invalid[file] > 0) reader->invalid_in[file]++;
        if (counts->lines + 1 == SNIFFED_LINES)
            TRY(check_encoding(reader, file, SNIFFED_LINES, error));
    }
    reader->bad_line = both > 0 && reader->options.skip_bad; // else it is read with U+FFFD
    if (!reader->bad_line) return STATUS_OK;
    return error_set(error, STATUS_FORMAT, "%s:%zu: is not UTF-8; correct or remove the line",
                     file_name(reader, first), line);
}

static Status read_table(PairReader *reader, TablePair *row, bool *more, Error *error)
{
    Status status = table_next(&reader->table, row, more, error);
    if (row->line) TRY(check_nul(reader, 0, row->line, row->text, error)); // the likelier reason
    reader->bad_line = status == STATUS_FORMAT && row->line;
    return status;
}

// One file has ended before the other: counts the lines of the longer one for the message.
static Status lengths_differ(PairReader *reader, int longer, Error *error)
{
    size_t lines[2] = {reader->counts.lines, reader->counts.lines};
    if (lines[0] == 0)
        return error_set(error, STATUS_FORMAT, "%s: is empty and holds no pairs",
                         line_reader_name(reader->files[!longer]));
    Line line;
    bool more = true;
    while (more) {
        lines[longer]++;
        TRY(line_reader_next(reader->files[longer], &line, &more, error));
    }
    return error_set(error, STATUS_FORMAT,
                     "%s has %zu lines but %s has %zu; line n of one must translate line n of the "
                     "other: find where they stop matching",
                     line_reader_name(reader->files[0]), lines[0],
                     line_reader_name(reader->files[1]), lines[1]);
}

static Status read_files(PairReader *reader, TablePair *row, bool *more, Error *error)
{
    Line lines[2];
    bool there[2];
    for (int file = 0; file < 2; file++) {
        TRY(line_reader_next(reader->files[file], &lines[file], &there[file], error));
        if (!there[file]) continue;
        row->sides[file] = (TextView){lines[file].text, lines[file].length};
        row->cut = row->cut || lines[file].cut;
        TRY(check_nul(reader, file, lines[file].number, row->sides[file], error));
    }
    if (there[0] != there[1]) return lengths_differ(reader, there[1], error);
    *more = there[0];
    if (*more) row->line = lines[0].number;
    return STATUS_OK;
}

static Status read_tmx(PairReader *reader, TablePair *row, bool *more, Error *error)
{
    TmxUnit unit;
    TRY(tmx_next(reader->tmx, &unit, more, error));
    if (*more) *row = (TablePair){.sides = {unit.source, unit.target}, .line = unit.line};
    return STATUS_OK;
}

// The errors that show only at the end: a short file that is not text, a file without pairs.
static Status check_at_end(const PairReader *reader, Error *error)
{
    size_t lines = reader->counts.lines;
    for (int file = 0; file < 2 && lines < SNIFFED_LINES; file++)
        TRY(check_encoding(reader, file, lines, error));
    const char *name = reader->table.csv ? file_name(reader, 0) : reader->name;
    const char *unit = reader->form == PAIR_FORM_TMX   ? "unit"
                       : reader->form == PAIR_FORM_CSV ? "row"
                                                       : "line";
    if (lines == 0) return error_set(error, STATUS_FORMAT, "%s: is empty and holds no pairs", name);
    if (lines == reader->counts.bad)
        return error_set(error, STATUS_FORMAT,
                         "%s: holds no pairs: no line can be read. The first: %.*s", name,
                         (int)strcspn(reader->bad.data, "\n"), reader->bad.data);
    if (!reader->options.keep_empty && lines == reader->counts.bad + reader->counts.empty)
        return error_set(error, STATUS_FORMAT,
                         "%s: holds no pairs: the source or the target is empty in %s%zu "
                         "%s%s",
                         name, lines == 1 ? "" : "all ", lines, unit, lines == 1 ? "" : "s");
    return STATUS_OK;
}

static Status read_pair(PairReader *reader, Pair *pair, bool *more, Error *error)
{
    TablePair row = {.line = 0};
    size_t invalid[2];
    *more = false;
    TRY(reader->table.csv ? read_table(reader, &row, more, error)
        : reader->tmx     ? read_tmx(reader, &row, more, error)
                          : read_files(reader, &row, more, error));
    if (!*more) return STATUS_OK;
    for (int s = 0; s < 2; s++)
        TRY(normalise(&pair->sides[s], row.sides[s].data, row.sides[s].length, &invalid[s], error));
    pair->line = row.line;
    pair->cut = row.cut;
    if (!reader->files[1]) { // both sides are in file 0
        invalid[0] += invalid[1];
        invalid[1] = 0;
    }
    return note_encoding(reader, invalid, row.line, error);
}

// Keeps the message of a bad line, and goes on.
static void pass_over(PairReader *reader)
{
    Error *failure = &reader->failure, message = *failure;
    *failure = (Error){0};
    reader->counts.lines++;
    if (reader->counts.bad++ < MAX_BAD_LINES)
        (void)bytes_append_format(&reader->bad, failure, "%s\n", message.text);
}

const Bytes *pair_reader_bad(const PairReader *reader)
{
    return &reader->bad;
}

Status pair_reader_next(PairReader *reader, Pair *pair, bool *more, Error *error)
{
    Error *failure = &reader->failure;
    bool wanted = false;
    *more = true;
    while (!failure->status && *more && !wanted) {
        reader->bad_line = false;
        (void)read_pair(reader, pair, more, failure);
        if (failure->status && reader->bad_line && reader->options.skip_bad) {
            pass_over(reader);
            *more = true;
            continue;
        }
        if (failure->status || !*more) break;
        bool empty = !pair->sides[0].length || !pair->sides[1].length;
        reader->counts.lines++;
        reader->counts.empty += empty;
        wanted = !empty || reader->options.keep_empty;
    }
    if (!failure->status && !*more) (void)check_at_end(reader, failure);
    if (!failure->status) return STATUS_OK;
    *more = false;
    if (error) *error = *failure;
    return failure->status;
}

// Whether a column is called by a language. "id" is a column of numbers, not Indonesian.
static bool names_language(const char *name)
{
    return strcasecmp(name, "id") != 0 && language_of(name) != NULL;
}

void pair_reader_languages(const PairReader *reader, char (*tags)[LANGUAGE_SIZE])
{
    const Bytes *names = reader->table.names;
    tags[0][0] = tags[1][0] = '\0';
    if (reader->tmx) tmx_languages(reader->tmx, tags);
    if (!names_language(bytes_text(&names[0])) || !names_language(bytes_text(&names[1]))) return;
    for (int side = 0; side < 2; side++)
        (void)snprintf(tags[side], LANGUAGE_SIZE, "%s", language_of(names[side].data)->code);
}

double pair_reader_share(const PairReader *reader)
{
    return reader->tmx ? tmx_share(reader->tmx) : line_reader_share(reader->files[0]);
}

bool pair_reader_would_block(PairReader *reader)
{
    return reader->table.csv && line_reader_would_block(reader->files[0]);
}

Status pair_reader_describe(const PairReader *reader, Bytes *out, Error *error)
{
    for (int file = 0; file < 2 && reader->files[file]; file++) {
        const char *encoding = line_reader_encoding(reader->files[file]);
        if (encoding)
            TRY(bytes_append_format(out, error, "%s: read as %s\n", file_name(reader, file),
                                    encoding));
    }
    if (reader->table.csv) return table_describe(&reader->table, out, error);
    return reader->chosen ? tmx_describe(reader->tmx, out, error) : STATUS_OK;
}

Status pair_options_check(const PairOptions *options, const char *const *specs, size_t count,
                          Error *error)
{
    bool tables = false;
    for (size_t i = 0; i < count; i++) {
        FREED_BY(pair_name_free) PairName name = {0};
        TRY(pair_name_parse(&name, specs[i], error));
        tables = tables || is_table(name.form);
    }
    TRY(check_languages(options->languages, error));
    if (tables || !options->columns) return STATUS_OK;
    return error_set(error, STATUS_ARGUMENT,
                     "--columns is for CSV and TSV files; %s is neither: leave it out", specs[0]);
}
