// The file of `translate --glossary`, and the glossary of each line of input: all have the same.
#ifndef REGARD_CLI_GLOSSARY_FILE_H
#define REGARD_CLI_GLOSSARY_FILE_H

#include "translate/glossary.h"

// Start from {0}, end with glossary_file_close. One that was never read has no glossary.
typedef struct GlossaryFile {
    Glossary *glossary;
    const Glossary **lines; // of as many lines as given on reading; NULL: none
} GlossaryFile;

/* Reads the terms of a file, one a line: term, tab, translation (docs/formats.md); empty lines are
 * passed over. They are for translations into that vocabulary, of at most `most` lines at a time.
 * STATUS_FORMAT with file and line. To be closed even after a failure. */
Status glossary_file_read(GlossaryFile *file, const char *path, const Vocabulary *target,
                          size_t most, Error *error);

void glossary_file_close(GlossaryFile *file);

#endif
