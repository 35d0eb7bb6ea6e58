#include "cli/args/options.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// With as few digits as give the same number again; 10, not 1e+01.
static void write_real(Writer *out, double value)
{
    char text[32];
    if (value == floor(value) && fabs(value) < 1e15) {
        writer_format(out, "%.0f", value);
        return;
    }
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value) break;
    }
    writer_string(out, text);
}

void option_write(Writer *out, const Option *option, const void *values)
{
    const void *place = (const char *)values + option->offset;
    const OptionTexts *texts = place;
    switch (option->kind) {
    case OPTION_KIND_SIZE:
        writer_format(out, "%zu", *(const size_t *)place);
        break;
    case OPTION_KIND_REAL:
        write_real(out, *(const double *)place);
        break;
    case OPTION_KIND_CHOICE:
        writer_string(out, option->range.choices[*(const unsigned *)place]);
        break;
    case OPTION_KIND_TEXT:
        writer_string(out, *(const char *const *)place);
        break;
    case OPTION_KIND_TEXTS:
        for (size_t i = 0; i < texts->count; i++)
            writer_format(out, "%s%s", i ? " " : "", texts->items[i]);
        break;
    case OPTION_KIND_FLAG:
    case OPTION_KIND_HEADING:
        break;
    }
}

bool option_is_set(const Option *option, const void *values)
{
    const void *place = (const char *)values + option->offset;
    if (option->kind == OPTION_KIND_FLAG) return *(const bool *)place;
    if (option->kind == OPTION_KIND_TEXT) return *(const char *const *)place != NULL;
    if (option->kind == OPTION_KIND_TEXTS) return ((const OptionTexts *)place)->count > 0;
    return true;
}

static size_t value_size(const Option *option)
{
    static const size_t sizes[] = {
        [OPTION_KIND_HEADING] = 0,
        [OPTION_KIND_FLAG] = sizeof(bool),
        [OPTION_KIND_SIZE] = sizeof(size_t),
        [OPTION_KIND_REAL] = sizeof(double),
        [OPTION_KIND_TEXT] = sizeof(const char *),
        [OPTION_KIND_TEXTS] = sizeof(OptionTexts),
        [OPTION_KIND_CHOICE] = sizeof(unsigned),
    };
    return sizes[option->kind];
}

static bool texts_equal(const char *const *a, const char *const *b, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(a[i], b[i]) != 0) return false;
    return true;
}

bool option_equal(const Option *option, const void *a, const void *b)
{
    const char *x = (const char *)a + option->offset, *y = (const char *)b + option->offset;
    bool is_text = option->kind == OPTION_KIND_TEXT, is_list = option->kind == OPTION_KIND_TEXTS;
    if (!is_text && !is_list) return !memcmp(x, y, value_size(option));
    if (!option_is_set(option, a) || !option_is_set(option, b))
        return option_is_set(option, a) == option_is_set(option, b);
    if (is_text) return texts_equal((const void *)x, (const void *)y, 1);
    const OptionTexts *left = (const void *)x, *right = (const void *)y;
    return left->count == right->count && texts_equal(left->items, right->items, left->count);
}

void option_copy(const Option *option, void *to, const void *from)
{
    memcpy((char *)to + option->offset, (const char *)from + option->offset, value_size(option));
}

static void write_in_words(Writer *out, const Option *option, const void *values,
                           const void *defaults)
{
    if (option->kind == OPTION_KIND_FLAG)
        writer_string(out, option_is_set(option, values) ? "given" : "not given");
    else if (option->otherwise && option_equal(option, values, defaults))
        writer_string(out, option->otherwise);
    else if (option_is_set(option, values))
        option_write(out, option, values);
    else
        writer_string(out, "not given");
}

Status option_contradiction(const Syntax *syntax, const Option *option, const void *given,
                            const void *stored, const char *ending, Error *error)
{
    Bytes values = {0};
    Writer out = writer_start(&values, error);
    writer_format(&out, "--%s is ", option->name);
    write_in_words(&out, option, given, syntax->defaults);
    writer_string(&out, ", and was ");
    write_in_words(&out, option, stored, syntax->defaults);
    Status status = writer_end(&out);
    if (!status) status = error_set(error, STATUS_ARGUMENT, "%s %s", values.data, ending);
    bytes_free(&values);
    return status;
}
