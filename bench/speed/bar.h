// How far the bench has come: a bar on standard error while that is a terminal, nothing elsewhere.
#pragma once

#include "cli/terminal.h"

typedef struct Bar {
    Progress progress;
    const char *section;
    size_t done, steps;
} Bar;

Bar bar_new(void);

// A new bar of so many steps.
void bar_begin(Bar *bar, const char *section, size_t steps);

// Says what is done now, and counts it as begun.
void bar_step(Bar *bar, const char *now);

// Takes it away, so that results can be printed.
void bar_end(Bar *bar);
