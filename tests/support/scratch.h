/* A folder for the files of a test, made when it is first asked for; the frame removes it when the
 * test has ended. What TESTS_SHARE makes stands in another one, which lasts as long as the program.
 * Any failure of these helpers fails the test. */
#pragma once

#include "base/bytes.h"

// The paths of the folder, of a file in it, and of a folder in it, which is made; they stay valid.
const char *scratch_folder(void);
const char *scratch_path(const char *name);
const char *scratch_subfolder(const char *name);

// The path of a file in any folder, which stays valid too.
char *scratch_path_in(const char *folder, const char *name);

// What printf would print, which stays valid too: a path and what belongs to it.
const char *scratch_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

// The path of a file in the folder that holds this text.
const char *scratch_text(const char *name, const char *text);

// How many files the folder holds: a temporary file left behind shows here.
unsigned scratch_count(void);
unsigned scratch_count_in(const char *folder);

// Removes what there is; a new folder is made when one is asked for.
void scratch_remove(void);

// Writes or reads a whole file; what was read is not freed (suite_keep).
void scratch_write(const char *path, const void *data, size_t bytes);
Bytes scratch_read(const char *path);

// Two files hold the same bytes.
void scratch_expect_equal(const char *a, const char *b);

/* From here on this process can make no file longer than `bytes`, which is what a full disk looks
 * like to a program; SIZE_MAX lifts the limit. Check keeps its own records in files, so assert only
 * after lifting it. */
void scratch_limit_file_size(size_t bytes);
