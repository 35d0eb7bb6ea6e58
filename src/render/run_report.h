/* Trainings as one self-contained page: curves of loss, BLEU, learning rate and speed over steps and
 * time, what the runs differ in, the alignments of watched sentences over time, and translations that
 * changed. Everything is there without JavaScript, which only adds a slider to the alignments. */
#pragma once

#include "render/run_log.h"

enum { MAX_RUNS = 64 };

/* Writes the page of so many runs. Those of one command with several seeds are drawn as one: the mean of
 * their numbers with the standard deviation. */
void run_report_write(Writer *out, const RunLog *logs, size_t count);

// The page without its contents, embedded by the build (tools/embed).
#define REPORT_RUNS "{{runs}}"
extern const char report_html[];
