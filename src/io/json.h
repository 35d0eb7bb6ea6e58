/* JSON by Jansson, parsed and written so that short memory is an error and never a loss: Jansson
 * itself silently drops what it could not allocate (https://github.com/akheron/jansson/issues/362
 * and 655). So its allocations are watched, and a value that lacks one of them is neither returned
 * nor written. */
#pragma once

#include "base/writer.h"

#include <jansson.h>

/* Watches Jansson's allocations from now on; they go on to the functions that were set before. Call
 * it before values are made; any number of times, from any thread. */
void json_watch(void);

/* Whether an allocation has failed since this thread last parsed or wrote a value or called this: to
 * be called where a value is given up. */
bool json_memory_was_short(void);

FREES_POINTER(json_t, json_decref)

/* Parses an object or an array of a file, of which messages say `what` it is ("its config"); a key
 * that stands twice is an error. STATUS_MEMORY; STATUS_FORMAT, with what is wrong and where. The
 * caller releases the value. */
Status json_parse(json_t **json, const char *text, size_t length, const char *file,
                  const char *what, Error *error);

/* Writes a value by json_dumps' flags and releases it; what would steer a terminal (utf8_control) is
 * escaped, as \u009B. STATUS_MEMORY if an allocation has failed since this thread's last value;
 * STATUS_ARGUMENT for NULL, which Jansson returns where text is not UTF-8. */
void json_write(Writer *out, json_t *json, size_t flags);

// The same as a string, which the caller frees by memory_free.
Status json_text(char **text, json_t *json, size_t flags, Error *error);

/* Adds an item to a list and releases it. What cannot be added, as NULL cannot, of text that is not
 * UTF-8 or out of memory, leaves no list: *list is NULL from then on. */
static inline void json_append(json_t **list, json_t *item)
{
    if (!json_array_append_new(*list, item)) return;
    json_decref(*list);
    *list = NULL;
}

/* A measured number, which may be NaN or infinite; JSON has neither, so those become null. A new
 * reference, NULL only if out of memory. */
json_t *json_number(double value);

// A member of a struct, and how it is written.
typedef struct JsonField {
    const char *name; // the member's; its key in an object
    enum {
        FIELD_SIZE,    // size_t
        FIELD_REAL,    // double, finite
        FIELD_MEASURE, // double, as json_number; null is read as NaN
        FIELD_FLAG,    // bool
        FIELD_CHOICE,  // unsigned, or an enum without negative values: the place among `names`
    } kind;
    size_t offset, size;
    const char *const *names; // ends with NULL; only of a choice, which is written by its name
} JsonField;

// The row of a member.
#define JSON_FIELD(type, member, kind, names)                                                      \
    {                                                                                              \
#member, kind, offsetof(type, member), sizeof(((type *)0)->member), names                  \
    }

// The member of `values` as JSON; a new reference, NULL if out of memory.
json_t *json_field_value(const JsonField *field, const void *values);

// Whether the member has the same value in two structs.
static inline bool json_field_equal(const JsonField *field, const void *a, const void *b)
{
    return !memcmp((const char *)a + field->offset, (const char *)b + field->offset, field->size);
}

// Sets the member of `values` from JSON (NULL where it is missing); false if that is not its kind.
bool json_field_read(const JsonField *field, void *values, const json_t *json);
