#include "io/json.h"

#include "support/suite.h"

#include <math.h>
#include <stdlib.h>

typedef struct Values {
    bool flag;
    size_t size;
    double real, measure;
    unsigned choice;
} Values;

static const char *const colours[] = {"red", "green", NULL};
static const JsonField fields[] = {
    JSON_FIELD(Values, size, FIELD_SIZE, NULL),        JSON_FIELD(Values, real, FIELD_REAL, NULL),
    JSON_FIELD(Values, measure, FIELD_MEASURE, NULL),  JSON_FIELD(Values, flag, FIELD_FLAG, NULL),
    JSON_FIELD(Values, choice, FIELD_CHOICE, colours),
};
enum { FIELDS = sizeof fields / sizeof *fields };

TEST(and_back)
{
    const Values values = {true, 7, 0.1, (double)NAN, 1}, off = {.choice = 0};
    const char *const texts[FIELDS][2] = {
        {"7", "0"}, {"0.1", "0.0"}, {"null", "0.0"}, {"true", "false"}, {"\"green\"", "\"red\""}};
    Values read = {0};
    for (size_t i = 0; i < 2 * FIELDS; i++) { // `values` last
        const JsonField *field = &fields[i % FIELDS];
        json_t *json = json_field_value(field, i < FIELDS ? &off : &values);
        char *text = json_dumps(json, JSON_ENCODE_ANY | JSON_REAL_PRECISION(6));
        ck_assert_str_eq(text, texts[i % FIELDS][i < FIELDS]);
        ck_assert(json_field_read(field, &read, json));
        free(text);
        json_decref(json);
    }
    ck_assert(read.flag && read.size == 7 && read.choice == 1 && isnan(read.measure));
    ck_assert_double_eq(read.real, 0.1);
}

TEST(refuses)
{
    const char *const wrong[FIELDS][2] = {
        {"-1", "1.5"}, {"null", "[]"}, {"true", "\"1\""}, {"1", "null"}, {"\"blue\"", "0"}};
    Values read = {0};
    for (size_t i = 0; i < 2 * FIELDS; i++) {
        const JsonField *field = &fields[i / 2];
        json_t *json = json_loads(wrong[i / 2][i % 2], JSON_DECODE_ANY, NULL);
        ck_assert_ptr_nonnull(json);
        ck_assert_msg(!json_field_read(field, &read, json), "%s", wrong[i / 2][i % 2]);
        ck_assert_msg(!json_field_read(field, &read, NULL), "%s", field->name);
        json_decref(json);
    }
}

TEST(equal)
{
    const Values values = {true, 7, 0.1, (double)NAN, 1}, others = {false, 8, 0.2, 3, 0};
    Values one = others; // but for the first field
    one.size = values.size;
    for (size_t i = 0; i < FIELDS; i++) {
        ck_assert(json_field_equal(&fields[i], &values, &values));
        ck_assert_msg(!json_field_equal(&fields[i], &values, &others), "%s", fields[i].name);
        ck_assert_int_eq(json_field_equal(&fields[i], &values, &one), i == 0);
    }
}
