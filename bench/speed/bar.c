#include "bench/speed/bar.h"

#include "base/bytes.h"

enum { BAR_WIDTH = 20 };

Bar bar_new(void)
{
    return (Bar){.progress = progress_start(stderr, 0)};
}

void bar_begin(Bar *bar, const char *section, size_t steps)
{
    bar->section = section;
    bar->done = 0;
    bar->steps = steps;
}

void bar_step(Bar *bar, const char *now)
{
    if (!bar->progress.terminal) return;
    size_t filled = bar->done < bar->steps ? bar->done * BAR_WIDTH / bar->steps : BAR_WIDTH;
    Bytes line = {0};
    Status status = bytes_append_format(&line, NULL, "%-9s ", bar->section);
    for (size_t i = 0; i < BAR_WIDTH && !status; i++)
        status = bytes_append_string(&line, i < filled ? "█" : "░", NULL);
    if (!status)
        status = bytes_append_format(&line, NULL, " %zu/%zu  %s", bar->done, bar->steps, now);
    if (!status) progress_show(&bar->progress, line.data);
    bytes_free(&line);
    bar->done++;
}

void bar_end(Bar *bar)
{
    progress_end(&bar->progress);
}
