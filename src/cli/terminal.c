#define _GNU_SOURCE
#include "cli/terminal.h"

#include "base/clock.h"
#include "base/utf8_sequence.h"
#include "text/utf8.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

bool terminal_is(int descriptor)
{
    return isatty(descriptor) == 1;
}

const char *terminal_program(void)
{
    return program_invocation_name;
}

void terminal_invite(const char *verb, const char *path, const char *what)
{
    if (strcmp(path, "-") == 0 && terminal_is(STDIN_FILENO))
        fprintf(stderr, "regard %s: type %s and press Enter; Ctrl-D ends\n", verb, what);
}

// The terminal's size; 0 where it is not known.
static struct winsize terminal_size(int descriptor)
{
    struct winsize size;
    return ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size : (struct winsize){0};
}

// A number from an environment variable, else that of the terminal, else another.
static size_t size_from(const char *variable, size_t terminal, size_t otherwise)
{
    const char *text = getenv(variable);
    char *end;
    unsigned long size = text && *text >= '1' && *text <= '9' ? strtoul(text, &end, 10) : 0;
    if (size > 0 && size <= 10000 && !*end) return size;
    return terminal ? terminal : otherwise;
}

size_t terminal_width(int descriptor)
{
    return size_from("COLUMNS", terminal_size(descriptor).ws_col, 80);
}

size_t terminal_height(int descriptor)
{
    return size_from("LINES", terminal_size(descriptor).ws_row, 24);
}

static HeatmapStyle style_of(int descriptor)
{
    const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM"), *more = getenv("COLORTERM");
    if (!terminal_is(descriptor) || (no_color && *no_color) || !term || !strcmp(term, "dumb"))
        return HEATMAP_SHADES;
    if (more && (!strcmp(more, "truecolor") || !strcmp(more, "24bit"))) return HEATMAP_TRUECOLOR;
    if (strstr(term, "-direct")) return HEATMAP_TRUECOLOR; // ncurses' name for 24 bits
    return strstr(term, "256color") ? HEATMAP_256 : HEATMAP_SHADES;
}

void terminal_heatmap(Writer *out, const Picture *picture, int descriptor)
{
    size_t columns = terminal_is(descriptor) ? terminal_width(descriptor) : 0;
    heatmap_write(out, picture, style_of(descriptor), columns);
}

Progress progress_start(FILE *stream, double plain_interval)
{
    bool terminal = terminal_is(fileno(stream));
    return (Progress){.stream = stream,
                      .terminal = terminal,
                      .interval = terminal ? 0.1 : plain_interval}; // faster is unreadable
}

bool progress_due(const Progress *progress)
{
    return progress->shown_at == 0 || clock_seconds() - progress->shown_at >= progress->interval;
}

size_t terminal_fitting(const char *line, size_t columns)
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

void terminal_duration(char *text, size_t size, double seconds)
{
    unsigned long whole = seconds < 0 ? 0 : (unsigned long)(seconds + 0.5);
    if (whole < 3600)
        snprintf(text, size, "%lu:%02lu", whole / 60, whole % 60);
    else
        snprintf(text, size, "%lu:%02lu:%02lu", whole / 3600, whole / 60 % 60, whole % 60);
}

void progress_show(Progress *progress, const char *line)
{
    if (!progress->stream) return;
    Error shown; // for its harmless line
    (void)error_set(&shown, STATUS_OK, "%s", line);
    line = shown.text;
    progress->shown_at = clock_seconds();
    if (progress->terminal) {
        // in the last column some terminals wrap already
        size_t columns = terminal_width(fileno(progress->stream)) - 1;
        fprintf(progress->stream, "\r%.*s\033[K", (int)terminal_fitting(line, columns), line);
        progress->standing = true;
    } else {
        fprintf(progress->stream, "%s\n", line);
    }
    fflush(progress->stream);
}

void progress_say(Progress *progress, const char *format, ...)
{
    FREED_BY(bytes_free) Bytes line = {0};
    va_list arguments;
    if (!progress->stream) return;
    progress_end(progress);
    va_start(arguments, format);
    (void)bytes_append_arguments(&line, NULL, format, arguments);
    va_end(arguments);
    if (line.data) utf8_make_harmless(line.data, line.length, false);
    fprintf(progress->stream, "%s\n", bytes_text(&line));
    fflush(progress->stream);
}

void progress_end(Progress *progress)
{
    if (!progress->standing) return;
    // ECMA-48: back to the first column, erase to the end of the line
    fputs("\r\033[K", progress->stream);
    fflush(progress->stream);
    progress->standing = false;
}

WorkProgress work_progress_start(const char *items, size_t passes)
{
    return (WorkProgress){.line = progress_start(stderr, 0),
                          .items = items,
                          .passes = passes,
                          .began = clock_seconds(),
                          .lock = PTHREAD_MUTEX_INITIALIZER};
}

// The share of the file that is done.
static double share_done(const WorkProgress *progress)
{
    double from = progress->share[0], to = progress->share[1];
    if (to < 0 || progress->count == 0) return to;
    size_t work = progress->count * progress->passes;
    return from + (to - from) * (double)progress->finished / (double)work;
}

static void show_work(WorkProgress *progress)
{
    double share = share_done(progress);
    size_t done = progress->before + progress->finished / progress->passes;
    if (done == 0 || share <= 0 || share >= 1 || !progress_due(&progress->line)) return;
    char text[128], left[32];
    double seconds = clock_seconds() - progress->began;
    terminal_duration(left, sizeof left, seconds / share * (1 - share));
    snprintf(text, sizeof text, "%zu %s  %.0f %%  %s left", done, progress->items, 100 * share,
             left);
    progress_show(&progress->line, text);
}

static void finished(void *context, size_t items)
{
    WorkProgress *progress = context;
    pthread_mutex_lock(&progress->lock);
    size_t most = progress->count * progress->passes; // less than what is heard if lines are split
    progress->finished = progress->finished + items < most ? progress->finished + items : most;
    show_work(progress);
    pthread_mutex_unlock(&progress->lock);
}

WorkListener work_progress_listener(WorkProgress *progress)
{
    if (!progress->line.terminal) return (WorkListener){0};
    return (WorkListener){finished, progress};
}

void work_progress_begin(WorkProgress *progress, size_t count)
{
    if (!progress->line.terminal) return;
    progress->count = count;
    progress->finished = 0;
    progress->line.shown_at = 0; // it was taken away, and comes back at once
    show_work(progress);
}

void work_progress_end(WorkProgress *progress)
{
    progress_end(&progress->line);
    progress->before += progress->count;
    progress->share[0] = progress->share[1];
    progress->count = progress->finished = 0;
}
