// The members of a struct as JSON, by a table of them.
#ifndef REGARD_IO_JSON_FIELD_H
#define REGARD_IO_JSON_FIELD_H

#include "io/json.h"

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
bool json_field_equal(const JsonField *field, const void *a, const void *b);

// Sets the member of `values` from JSON (NULL where it is missing); false if that is not its kind.
bool json_field_read(const JsonField *field, void *values, const json_t *json);

#endif
