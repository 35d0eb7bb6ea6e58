/* A fresh folder for the files of one test. Any failure of these helpers fails the test. */
#ifndef REGARD_TESTS_SUPPORT_SCRATCH_H
#define REGARD_TESTS_SUPPORT_SCRATCH_H

#include "base/bytes.h"

typedef struct Scratch {
    char folder[64];
    char paths[8][192]; // handed out in turn
    unsigned next;
} Scratch;

Scratch scratch_make(void);

// The path of a file in the folder; valid until seven more were asked for.
const char *scratch_path(Scratch *scratch, const char *name);

// How many files the folder holds: a temporary file left behind shows here.
unsigned scratch_count(const Scratch *scratch);

// Removes the files and the folder.
void scratch_remove(Scratch *scratch);

// The path of a file in the folder that holds this text; valid as long as scratch_path's.
const char *scratch_text(Scratch *scratch, const char *name, const char *text);

// Writes or reads a whole file; what was read is freed with bytes_free.
void scratch_write(const char *path, const void *data, size_t bytes);
Bytes scratch_read(const char *path);

// Two files hold the same bytes.
void scratch_expect_equal(const char *a, const char *b);

/* From here on this process can make no file longer than `bytes`, which is what a full disk looks
 * like to a program; SIZE_MAX lifts the limit. Check keeps its own records in files, so assert only
 * after lifting it. */
void scratch_limit_file_size(size_t bytes);

#endif
