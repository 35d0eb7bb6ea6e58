/* Standard output, with every write checked, and messages on standard error.
 *
 * A reader that stops early (`| head -1`) is not an error: SIGPIPE is ignored, and the write that
 * finds the pipe closed returns STATUS_INTERRUPTED and sets `reader_gone`, whereupon the program
 * ends quietly with status 0, as ripgrep does. Any other failure, such as a full disk, is an error:
 * no result may be lost silently. */
#pragma once

#include "base/writer.h"
#include "io/json.h"

// Start from `Output output = {.descriptor = STDOUT_FILENO};`, end with output_close.
typedef struct Output {
    int descriptor;
    Bytes buffer;
    bool reader_gone;
    bool guarded; // a terminal: what would steer it becomes '?' (utf8_make_harmless)
} Output;

/* One result: what is written between output_start and output_end appears as a whole, or after a
 * failure, which output_end returns, not at all. */
static inline Writer output_start(Output *output, Error *error)
{
    return writer_start(&output->buffer, error);
}

Status output_end(Output *output, Writer *writer);

// A result that is a value on a line, which it releases (json_write).
Status output_json(Output *output, json_t *json, size_t flags, Error *error);

// A result of formatted text.
Status output_format(Output *output, Error *error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// Writes what is buffered; call it before waiting for input, so that the reader has all results.
Status output_flush(Output *output, Error *error);

/* For a file of results, before work begins: nothing that is `read` is written, and nothing that exists
 * is replaced unless --overwrite was given. `flag` names the file. STATUS_ARGUMENT. */
Status output_file_check(const char *path, const char *flag, bool read, bool overwrite,
                         Error *error);

/* Writes what is buffered and closes the descriptor, which is when some file systems report lost
 * data. Frees the memory even on failure. */
Status output_close(Output *output, Error *error);

// "s" unless there is one of what a message counts: "%zu pair%s".
static inline const char *plural(size_t count)
{
    return count == 1 ? "" : "s";
}

// "regard VERB: message" on standard error; `verb` may be NULL.
void report_error(const char *verb, const Error *error);

// "regard VERB: note" on standard error for each line of the notes.
void report_notes(const char *verb, const char *notes);

// "regard VERB: warning: message" on standard error.
void report_warning(const char *verb, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
