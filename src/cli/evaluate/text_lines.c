#include "cli/evaluate/text_lines.h"

#include "text/utf8.h"

#include <string.h>

Status text_lines_open(TextLines *lines, const char *path, Error *error)
{
    return line_reader_open(&lines->reader, path, error);
}

static Status copy_line(Bytes *out, const Line *line, Error *error)
{
    char replacement[4];
    size_t replacement_length = utf8_encode(UTF8_REPLACEMENT, replacement);
    const char *text = line->text, *end = line->text + line->length;
    bytes_clear(out);
    for (;;) {
        const char *nul = text == end ? NULL : memchr(text, '\0', (size_t)(end - text));
        Status status = bytes_append(out, text, (size_t)((nul ? nul : end) - text), error);
        if (status || !nul) return status;
        status = bytes_append(out, replacement, replacement_length, error);
        if (status) return status;
        text = nul + 1;
    }
}

Status text_lines_next(TextLines *lines, bool *more, Error *error)
{
    Line line;
    Status status = line_reader_next(lines->reader, &line, more, error);
    if (status || !*more) return status;
    lines->count++;
    return copy_line(&lines->line, &line, error);
}

void text_lines_close(TextLines *lines)
{
    line_reader_close(lines->reader);
    bytes_free(&lines->line);
    *lines = (TextLines){0};
}
