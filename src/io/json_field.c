#include "io/json_field.h"

#include <math.h>
#include <string.h>

json_t *json_field_value(const JsonField *field, const void *values)
{
    const void *at = (const char *)values + field->offset;
    switch (field->kind) {
    case FIELD_SIZE:
        return json_integer((json_int_t) * (const size_t *)at);
    case FIELD_REAL:
    case FIELD_MEASURE:
        return json_number(*(const double *)at);
    case FIELD_FLAG:
        return json_boolean(*(const bool *)at);
    case FIELD_CHOICE:
        break;
    }
    return json_string(field->names[*(const unsigned *)at]);
}

bool json_field_equal(const JsonField *field, const void *a, const void *b)
{
    return !memcmp((const char *)a + field->offset, (const char *)b + field->offset, field->size);
}

bool json_field_read(const JsonField *field, void *values, const json_t *json)
{
    void *at = (char *)values + field->offset;
    const char *name = json_string_value(json);
    switch (field->kind) {
    case FIELD_SIZE:
        *(size_t *)at = (size_t)json_integer_value(json);
        return json_is_integer(json) && json_integer_value(json) >= 0;
    case FIELD_REAL:
    case FIELD_MEASURE:
        *(double *)at = json_is_null(json) ? (double)NAN : json_number_value(json);
        return json_is_number(json) || (field->kind == FIELD_MEASURE && json_is_null(json));
    case FIELD_FLAG:
        *(bool *)at = json_is_true(json);
        return json_is_boolean(json);
    case FIELD_CHOICE:
        break;
    }
    for (unsigned i = 0; name && field->names[i]; i++) {
        if (strcmp(field->names[i], name) != 0) continue;
        *(unsigned *)at = i;
        return true;
    }
    return false;
}
