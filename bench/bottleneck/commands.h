/* The two halves of the experiment that are not `regard` itself; tools/bottleneck calls them. */
#ifndef REGARD_BENCH_BOTTLENECK_COMMANDS_H
#define REGARD_BENCH_BOTTLENECK_COMMANDS_H

#include "cli/verbs.h"

// bottleneck join: makes the joined pairs to learn from, to validate on and to translate.
extern const Verb command_join;

// bottleneck draw: measures translations of the latter, and draws the curve.
extern const Verb command_draw;

// Does what the words behind the program's name say. STATUS_ARGUMENT is wrong usage.
Status commands_run(size_t count, const char *const *words, Output *output, Error *error);

// Writes FOLDER/name, whole or not at all.
Status commands_write(const char *folder, const char *name, const Bytes *text, Error *error);

#endif
