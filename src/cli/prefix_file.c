#include "cli/prefix_file.h"

#include "base/array.h"
#include "base/memory.h"

#include <string.h>

Status prefix_file_open(PrefixFile *file, const char *path, size_t most, Error *error)
{
    if (strcmp(path, "-") == 0)
        return error_set(error, STATUS_ARGUMENT, "--prefix cannot be standard input; name a file");
    TRY(array_new(&file->views, most, "prefixes", error));
    return line_reader_open(&file->reader, path, error);
}

Status prefix_file_next(PrefixFile *file, Error *error)
{
    Line line;
    bool more;
    if (!file->reader) return STATUS_OK;
    TRY(line_reader_next(file->reader, &line, &more, error));
    if (!more)
        return error_set(error, STATUS_FORMAT,
                         "%s: the input has more lines than this file; give one prefix for each "
                         "line, or an empty line for none",
                         line_reader_name(file->reader));
    TRY(bytes_append(&file->text, line.text, line.length, error));
    file->views[file->count++].length = line.length;
    return STATUS_OK;
}

const TextView *prefix_file_views(PrefixFile *file)
{
    const char *text = bytes_text(&file->text);
    if (!file->reader) return NULL;
    for (size_t i = 0; i < file->count; i++) {
        file->views[i].data = text;
        text += file->views[i].length;
    }
    return file->views;
}

void prefix_file_forget(PrefixFile *file)
{
    file->count = 0;
    bytes_clear(&file->text);
}

Status prefix_file_finish(PrefixFile *file, size_t lines, Error *error)
{
    Line line;
    bool more;
    if (!file->reader) return STATUS_OK;
    TRY(line_reader_next(file->reader, &line, &more, error));
    if (!more) return STATUS_OK;
    return error_set(error, STATUS_FORMAT,
                     "%s: has more lines than the input, which has %zu; give one prefix for each "
                     "line of input",
                     line_reader_name(file->reader), lines);
}

void prefix_file_close(PrefixFile *file)
{
    line_reader_close(file->reader);
    bytes_free(&file->text);
    memory_free(file->views);
    *file = (PrefixFile){0};
}
