/* Standard output, with every write checked, and what is said on standard error.
 *
 * A reader that has seen enough (`| head -1`) is no failure: SIGPIPE is ignored, and the write that
 * finds the pipe closed returns STATUS_INTERRUPTED and notes `reader_gone`, upon which the program
 * ends quietly with status 0, as ripgrep does. Anything else that cannot be written, such as a full
 * disk, is an error: a result must not be lost in silence. */
#ifndef REGARD_CLI_OUTPUT_H
#define REGARD_CLI_OUTPUT_H

#include "base/writer.h"

#include <stdbool.h>

// Start from `Output output = {.descriptor = STDOUT_FILENO};`, end with output_close.
typedef struct Output {
    int descriptor;
    Bytes buffer;
    bool reader_gone;
} Output;

/* One result: what is written between output_start and output_end appears as a whole, or after a
 * failure, which output_end returns, not at all. */
Writer output_start(Output *output, Error *error);
Status output_end(Output *output, Writer *writer);

// A result of `length` bytes, and one of formatted text.
Status output_write(Output *output, const char *data, size_t length, Error *error);
Status output_format(Output *output, Error *error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// Writes out what is there: before the program waits for input, so that whoever reads has it all.
Status output_flush(Output *output, Error *error);

/* Writes out what is there and closes the descriptor, which is where some file systems report that
 * the data did not arrive. The memory is freed whether this succeeds or not. */
Status output_close(Output *output, Error *error);

// "regard VERB: message" on standard error; `verb` may be NULL.
void report_error(const char *verb, const Error *error);

// The same for something that is no failure: "regard VERB: warning: …".
void report_warning(const char *verb, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

bool terminal_is(int descriptor);

// Columns: COLUMNS of the environment, else what the terminal says, else 80.
size_t terminal_width(int descriptor);

// Lines: LINES of the environment, else what the terminal says, else 24.
size_t terminal_height(int descriptor);

#endif
