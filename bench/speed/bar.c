#include "bench/speed/bar.h"

#include "base/writer.h"

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
    Writer out = writer_start(&line, NULL);
    writer_format(&out, "%-9s ", bar->section);
    writer_repeat(&out, "█", filled);
    writer_repeat(&out, "░", BAR_WIDTH - filled);
    writer_format(&out, " %zu/%zu  %s", bar->done, bar->steps, now);
    if (!writer_end(&out)) progress_show(&bar->progress, line.data);
    bytes_free(&line);
    bar->done++;
}

void bar_end(Bar *bar)
{
    progress_end(&bar->progress);
}
