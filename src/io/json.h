/* JSON by Jansson, parsed and written so that short memory is an error and never a loss: Jansson
 * itself silently drops what it could not allocate (https://github.com/akheron/jansson/issues/362
 * and 655). So its allocations are watched, and a value that one of them was missing for is neither
 * given out nor written. */
#ifndef REGARD_IO_JSON_H
#define REGARD_IO_JSON_H

#include "base/writer.h"

#include <jansson.h>
#include <stdbool.h>

/* Watches Jansson's allocations from now on; they go on to the functions that were set before. Call
 * it before values are made; any number of times, from any thread. */
void json_watch(void);

/* Whether an allocation has failed since this thread last parsed or wrote a value or called this: to
 * be called where a value is given up. */
bool json_memory_was_short(void);

/* Parses an object or an array of a file, of which messages say `what` it is ("its config"); a key
 * that stands twice is an error. STATUS_MEMORY; STATUS_FORMAT, with what is wrong and where. The
 * caller releases the value. */
Status json_parse(json_t **json, const char *text, size_t length, const char *file,
                  const char *what, Error *error);

/* Writes a value by json_dumps' flags and releases it; what would steer a terminal (utf8_control) is
 * escaped, as \u009B. STATUS_MEMORY if an allocation has failed
 * since this thread's last value; STATUS_ARGUMENT for NULL, which Jansson gives where text is not
 * UTF-8. */
void json_write(Writer *out, json_t *json, size_t flags);

// The same as a string, which the caller frees by memory_free.
Status json_text(char **text, json_t *json, size_t flags, Error *error);

/* Adds an item to a list and releases it. What cannot be added, as NULL cannot, of text that is not
 * UTF-8 or out of memory, leaves no list: *list is NULL from then on. */
void json_append(json_t **list, json_t *item);

/* A measured number, which may be NaN or infinite; JSON has neither, so those become null. A new
 * reference, NULL only if out of memory. */
json_t *json_number(double value);

#endif
