/* A corpus that a model learns from in a moment, for tests that need one that was trained. */
#pragma once

/* Writes sixty pairs of three words, "one two three" and "un deux trois", as TSV. */
void tiny_corpus_write(const char *path);

// What makes `regard train` small: sizes, one thread; the files and when to stop are the test's.
#define TINY_TRAINING                                                                              \
    "--vocab-size", "300", "--hidden", "6", "--embedding", "6", "--threads", "1", "--dropout", "0"
