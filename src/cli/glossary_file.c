#include "cli/glossary_file.h"

#include "base/array.h"
#include "base/memory.h"
#include "io/line_reader.h"

#include <string.h>

static Status read_line(Glossary *glossary, const char *path, const Line *line, Error *error)
{
    Error wrong = {0};
    const char *end = line->text + line->length;
    const char *tab = memchr(line->text, '\t', line->length);
    if (line->length == 0) return STATUS_OK;
    if (!tab || memchr(tab + 1, '\t', (size_t)(end - tab - 1)))
        return error_set(error, STATUS_FORMAT, "%s:%zu: not a term, a tab and its translation",
                         path, line->number);
    Status status = glossary_add(glossary, (TextView){line->text, (size_t)(tab - line->text)},
                                 (TextView){tab + 1, (size_t)(end - tab - 1)}, &wrong);
    if (status == STATUS_FORMAT)
        return error_set(error, status, "%s:%zu: %s", path, line->number, wrong.text);
    return status ? error_set(error, status, "%s", wrong.text) : STATUS_OK;
}

static Status read_terms(Glossary *glossary, const char *path, Error *error)
{
    LineReader *reader;
    bool more = true;
    TRY(line_reader_open(&reader, path, error));
    Status status = STATUS_OK;
    while (!status) {
        Line line;
        status = line_reader_next(reader, &line, &more, error);
        if (!more) break;
        if (!status) status = read_line(glossary, line_reader_name(reader), &line, error);
    }
    line_reader_close(reader);
    return status;
}

Status glossary_file_read(GlossaryFile *file, const char *path, const Vocabulary *target,
                          size_t most, Error *error)
{
    if (strcmp(path, "-") == 0)
        return error_set(error, STATUS_ARGUMENT,
                         "--glossary cannot be standard input; name a file");
    TRY(glossary_new(&file->glossary, target, error));
    TRY(read_terms(file->glossary, path, error));
    TRY(array_new(&file->lines, most, "lines", error));
    for (size_t i = 0; i < most; i++) file->lines[i] = file->glossary;
    return STATUS_OK;
}

void glossary_file_close(GlossaryFile *file)
{
    memory_free(file->lines);
    glossary_free(file->glossary);
    *file = (GlossaryFile){0};
}
