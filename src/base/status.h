/* Errors: a status, and a message that says what went wrong and what to do about it.
 *
 * Every function that can fail for a reason outside the program (a file, memory, a user's value)
 * returns a Status and takes an `Error *` as its last argument. On success the Error is untouched;
 * on failure it holds one line that names the file, line, tensor or flag and says what to do next.
 * Programming errors are assertions; numeric kernels cannot fail and return void. */
#pragma once

// what nearly every file uses of the C library
#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// name, general sentence; the message in an Error is specific
#define STATUS_LIST(X)                                                                             \
    X(STATUS_OK, "done")                                                                           \
    X(STATUS_ARGUMENT, "an invalid value")                                                         \
    X(STATUS_MEMORY, "out of memory")                                                              \
    X(STATUS_IO, "a file could not be read or written")                                            \
    X(STATUS_FORMAT, "a file has invalid contents")                                                \
    X(STATUS_INTERRUPTED, "stopped on request")                                                    \
    X(STATUS_FULL, "no space is left for a file")

typedef enum Status {
#define STATUS_NAME(name, sentence) name,
    STATUS_LIST(STATUS_NAME)
#undef STATUS_NAME
} Status;

enum { ERROR_TEXT_SIZE = 1024 };

/* Passes a failure on: where `call` fails, the calling function returns its status at once. Only for
 * functions that return a Status and, at that place, own nothing but variables that are FREED_BY. */
#define TRY(call)                                                                                  \
    do {                                                                                           \
        Status tried = (call);                                                                     \
        if (tried) return tried;                                                                   \
    } while (0)

/* Of a local variable: calls function(&variable) however its scope is left, by TRY, too.
 *
 *     FREED_BY(bytes_free) Bytes text = {0};
 *     TRY(normalise(&text, line, length, NULL, error));
 *     return vocabulary_encode(vocabulary, text.data, text.length, subwords, error);
 *
 * So it always begins with a value that can be freed. Pointers: FREED (base/memory.h), and what
 * FREES_POINTER makes of the function of an opaque type. */
#define FREED_BY(function) __attribute__((cleanup(function)))
#define FREES_POINTER(type, function)                                                              \
    static inline void function##_at(type **variable)                                              \
    {                                                                                              \
        function(*variable);                                                                       \
    }

typedef struct Error {
    Status status;
    char text[ERROR_TEXT_SIZE]; // one line, no newline at its end; always terminated
} Error;

// The general sentence for a status; never NULL.
const char *status_sentence(Status status);

/* Writes the formatted line into `error` (may be NULL) and returns `status`, so that a failing
 * function can end with `return error_set(error, STATUS_IO, "%s: %s", path, strerror(errno));`.
 * What would steer a terminal becomes '?' (utf8_make_harmless); a line that is too long is cut
 * between characters. */
Status error_set(Error *error, Status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// The message of every failed allocation: how many bytes (0 if that is not known), and for what.
Status error_memory(Error *error, size_t bytes, const char *purpose);
