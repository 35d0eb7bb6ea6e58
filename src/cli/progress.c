#define _POSIX_C_SOURCE 200809L
#include "cli/progress.h"

#include "cli/output.h"
#include "text/utf8.h"

#include <stdarg.h>
#include <string.h>
#include <time.h>

// faster than this is unreadable
static const double terminal_interval = 0.1;

// ECMA-48: back to the first column, erase to the end of the line
static const char erase_line[] = "\r\033[K";

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

Progress progress_start(FILE *stream, double plain_interval)
{
    bool terminal = terminal_is(fileno(stream));
    return (Progress){.stream = stream,
                      .terminal = terminal,
                      .interval = terminal ? terminal_interval : plain_interval};
}

bool progress_due(const Progress *progress)
{
    return progress->shown_at == 0 || seconds_now() - progress->shown_at >= progress->interval;
}

// How many bytes of a line take at most `columns`.
static size_t fitting_length(const char *line, size_t columns)
{
    size_t length = strlen(line), fits = 0, width = 0;
    while (fits < length) {
        uint32_t code_point;
        size_t taken = utf8_decode(line + fits, length - fits, &code_point, NULL);
        width += (size_t)utf8_width(code_point);
        if (width > columns) break;
        fits += taken;
    }
    return fits;
}

void progress_show(Progress *progress, const char *line)
{
    progress->shown_at = seconds_now();
    if (progress->terminal) {
        // in the last column some terminals wrap already
        size_t columns = terminal_width(fileno(progress->stream)) - 1;
        fprintf(progress->stream, "\r%.*s\033[K", (int)fitting_length(line, columns), line);
        progress->standing = true;
    } else {
        fprintf(progress->stream, "%s\n", line);
    }
    fflush(progress->stream);
}

void progress_say(Progress *progress, const char *format, ...)
{
    va_list arguments;
    progress_end(progress);
    va_start(arguments, format);
    vfprintf(progress->stream, format, arguments);
    va_end(arguments);
    fputc('\n', progress->stream);
    fflush(progress->stream);
}

void progress_end(Progress *progress)
{
    if (!progress->standing) return;
    fputs(erase_line, progress->stream);
    fflush(progress->stream);
    progress->standing = false;
}
