#include "corpus/pair_reader.h"

#include "base/memory.h"
#include "corpus/pair_files.h"
#include "corpus/tmx.h"
#include "io/line_reader.h"
#include "text/normalise.h"

#include <stdio.h>
#include <string.h>

// The thresholds for binary files (pair_reader.h).
enum { SNIFFED_LINES = 1000, TOLERATED_INVALID = 9 };

struct PairReader {
    PairForm form;
    char *name;           // as given, for messages about the whole
    LineReader *files[2]; // of a TSV only the first, of a TMX none
    Tmx *tmx;
    bool keep_empty;
    size_t given;         // pairs returned
    size_t invalid_in[2]; // lines of each file that are not UTF-8
    ReadCounts counts;
    Error failure; // once its status is set, every call returns it
};

static Status open_files(PairReader *reader, const PairFiles *files, Error *error)
{
    reader->form = files->form;
    if (files->form == PAIR_FORM_TMX) {
        bool given = *files->source_language != '\0';
        return tmx_open(&reader->tmx, files->first, given ? files->source_language : NULL,
                        given ? files->target_language : NULL, error);
    }
    Status status = line_reader_open(&reader->files[0], files->first, error);
    if (!status && files->second)
        status = line_reader_open(&reader->files[1], files->second, error);
    return status;
}

Status pair_reader_open(PairReader **out, const char *text, Error *error)
{
    PairFiles files;
    Status status = pair_files_parse(&files, text, error);
    if (status) return status;
    PairReader *reader = memory_new(1, sizeof *reader);
    if (reader) reader->name = memory_copy_string(text, strlen(text));
    if (!reader || !reader->name)
        status = error_memory(error, sizeof *reader, "a corpus");
    else
        status = open_files(reader, &files, error);
    pair_files_free(&files);
    if (status)
        pair_reader_close(reader);
    else
        *out = reader;
    return status;
}

void pair_reader_close(PairReader *reader)
{
    if (!reader) return;
    line_reader_close(reader->files[0]);
    line_reader_close(reader->files[1]);
    tmx_close(reader->tmx);
    memory_free(reader->name);
    memory_free(reader);
}

void pair_reader_keep_empty(PairReader *reader, bool keep)
{
    reader->keep_empty = keep;
}

ReadCounts pair_reader_counts(const PairReader *reader)
{
    return reader->counts;
}

void pair_free(Pair *pair)
{
    bytes_free(&pair->source);
    bytes_free(&pair->target);
}

// Reads a file's next line; refuses a NUL in one of the first.
static Status read_line(PairReader *reader, int file, Line *line, bool *more, Error *error)
{
    Status status = line_reader_next(reader->files[file], line, more, error);
    if (status || !*more) return status;
    if (line->number <= SNIFFED_LINES && memchr(line->text, '\0', line->length))
        return error_set(
            error, STATUS_FORMAT,
            "%s:%zu: has a NUL byte: this is a binary file or UTF-16; convert text with "
            "iconv -t UTF-8",
            line_reader_name(reader->files[file]), line->number);
    return STATUS_OK;
}

// Checks the share of lines that are not UTF-8, once, when `lines` of the file have been read.
static Status check_encoding(const PairReader *reader, int file, size_t lines, Error *error)
{
    size_t invalid = reader->invalid_in[file];
    if (invalid <= TOLERATED_INVALID || invalid * 10 <= lines) return STATUS_OK;
    return error_set(error, STATUS_FORMAT,
                     "%s: %zu of its first %zu lines are not UTF-8: this is a binary file or text "
                     "in another encoding; convert text with iconv -f ENCODING -t UTF-8",
                     line_reader_name(reader->files[file]), invalid, lines);
}

// Counts a line of one file, in which `invalid` parts were not UTF-8.
static Status note_encoding(PairReader *reader, int file, size_t line, size_t invalid, Error *error)
{
    if (invalid > 0) reader->invalid_in[file]++;
    return line == SNIFFED_LINES ? check_encoding(reader, file, line, error) : STATUS_OK;
}

static void count_invalid(PairReader *reader, int file, size_t line)
{
    ReadCounts *counts = &reader->counts;
    if (counts->invalid++ > 0) return;
    counts->invalid_line = line;
    (void)snprintf(counts->invalid_file, sizeof counts->invalid_file, "%s",
                   line_reader_name(reader->files[file]));
}

static Status read_tsv(PairReader *reader, Pair *pair, bool *more, Error *error)
{
    Line line;
    Status status = read_line(reader, 0, &line, more, error);
    if (status || !*more) return status;
    const char *end = line.text + line.length;
    const char *tab = memchr(line.text, '\t', line.length);
    if (!tab && line.length > 0)
        return error_set(error, STATUS_FORMAT,
                         "%s:%zu: has no TAB; each line must be SOURCE<TAB>TARGET (two files are "
                         "given as SOURCE,TARGET): correct or remove the line",
                         line_reader_name(reader->files[0]), line.number);
    const char *target = tab ? tab + 1 : end;
    const char *column = memchr(target, '\t', (size_t)(end - target));
    size_t source_length = tab ? (size_t)(tab - line.text) : 0;
    size_t target_length = (size_t)((column ? column : end) - target);
    size_t invalid_source = 0, invalid_target = 0;
    status = normalise(&pair->source, line.text, source_length, &invalid_source, error);
    if (!status) status = normalise(&pair->target, target, target_length, &invalid_target, error);
    if (status) return status;
    size_t invalid = invalid_source + invalid_target;
    if (invalid > 0) count_invalid(reader, 0, line.number);
    pair->line = line.number;
    return note_encoding(reader, 0, line.number, invalid, error);
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
        Status status = line_reader_next(reader->files[longer], &line, &more, error);
        if (status) return status;
    }
    return error_set(error, STATUS_FORMAT,
                     "%s has %zu lines but %s has %zu; line n of one must translate line n of the "
                     "other: find where they stop matching",
                     line_reader_name(reader->files[0]), lines[0],
                     line_reader_name(reader->files[1]), lines[1]);
}

static Status read_files(PairReader *reader, Pair *pair, bool *more, Error *error)
{
    Line lines[2];
    bool there[2];
    for (int file = 0; file < 2; file++) {
        Status status = read_line(reader, file, &lines[file], &there[file], error);
        if (status) return status;
    }
    if (there[0] != there[1]) return lengths_differ(reader, there[1], error);
    *more = there[0];
    if (!*more) return STATUS_OK;
    Bytes *sides[2] = {&pair->source, &pair->target};
    size_t invalid[2] = {0, 0};
    for (int file = 0; file < 2; file++) {
        const Line *line = &lines[file];
        Status status = normalise(sides[file], line->text, line->length, &invalid[file], error);
        if (!status) status = note_encoding(reader, file, line->number, invalid[file], error);
        if (status) return status;
    }
    if (invalid[0] + invalid[1] > 0) count_invalid(reader, invalid[0] == 0, lines[0].number);
    pair->line = lines[0].number;
    return STATUS_OK;
}

static Status read_tmx(PairReader *reader, Pair *pair, bool *more, Error *error)
{
    TmxUnit unit;
    Status status = tmx_next(reader->tmx, &unit, more, error);
    if (status || !*more) return status;
    pair->line = unit.line;
    status = normalise(&pair->source, unit.source, unit.source_length, NULL, error);
    if (status) return status;
    return normalise(&pair->target, unit.target, unit.target_length, NULL, error);
}

// The errors that show only at the end: a short file that is not text, a file without pairs.
static Status check_at_end(const PairReader *reader, Error *error)
{
    size_t lines = reader->counts.lines;
    for (int file = 0; file < 2; file++) {
        Status status =
            lines < SNIFFED_LINES ? check_encoding(reader, file, lines, error) : STATUS_OK;
        if (status) return status;
    }
    const char *name =
        reader->form == PAIR_FORM_TSV ? line_reader_name(reader->files[0]) : reader->name;
    const char *unit = reader->form == PAIR_FORM_TMX ? "units" : "lines";
    if (lines == 0) return error_set(error, STATUS_FORMAT, "%s: is empty and holds no pairs", name);
    if (reader->given == 0)
        return error_set(error, STATUS_FORMAT,
                         "%s: holds no pairs: the source or the target is empty in all %zu %s",
                         name, lines, unit);
    return STATUS_OK;
}

static Status read_pair(PairReader *reader, Pair *pair, bool *more, Error *error)
{
    *more = false;
    switch (reader->form) {
    case PAIR_FORM_TSV:
        return read_tsv(reader, pair, more, error);
    case PAIR_FORM_FILES:
        return read_files(reader, pair, more, error);
    case PAIR_FORM_TMX:
        return read_tmx(reader, pair, more, error);
    }
    return STATUS_OK;
}

Status pair_reader_next(PairReader *reader, Pair *pair, bool *more, Error *error)
{
    Error *failure = &reader->failure;
    bool wanted = false;
    *more = true;
    while (!failure->status && *more && !wanted) {
        (void)read_pair(reader, pair, more, failure);
        if (failure->status || !*more) break;
        bool empty = pair->source.length == 0 || pair->target.length == 0;
        reader->counts.lines++;
        reader->counts.empty += empty;
        wanted = !empty || reader->keep_empty;
        reader->given += wanted;
    }
    if (!failure->status && !*more) (void)check_at_end(reader, failure);
    if (!failure->status) return STATUS_OK;
    *more = false;
    if (error) *error = *failure;
    return failure->status;
}
