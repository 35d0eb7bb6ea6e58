#include "cli/args/options.h"

#include "cli/args/nearest_name.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// A parse under way.
typedef struct Parse {
    const Syntax *syntax;
    Arguments *arguments;
    char *values; // the verb's struct, as bytes
} Parse;

// A row's place in the table, or option_count. `name` has `length` bytes.
static size_t find_option(const Syntax *syntax, const char *name, size_t length)
{
    for (size_t i = 0; i < syntax->option_count; i++) {
        const Option *option = &syntax->options[i];
        if (option->kind != OPTION_KIND_HEADING && strlen(option->name) == length &&
            memcmp(option->name, name, length) == 0)
            return i;
    }
    return syntax->option_count;
}

// The place of the row that "-o" is the letter of, or option_count.
static size_t find_letter(const Syntax *syntax, const char *word)
{
    size_t place = 0;
    while (place < syntax->option_count &&
           !(word[1] && syntax->options[place].letter == word[1] && !word[2]))
        place++;
    return place;
}

bool options_given(const Arguments *arguments, const char *name)
{
    size_t place = find_option(arguments->syntax, name, strlen(name));
    assert(place < arguments->syntax->option_count);
    return arguments->given[place];
}

// A whole number: digits and nothing else, and not too large for size_t.
static bool read_size(const char *text, size_t *size)
{
    size_t value = 0;
    if (!*text) return false;
    for (const char *c = text; *c; c++) {
        if (*c < '0' || *c > '9') return false;
        size_t digit = (size_t)(*c - '0');
        if (value > (SIZE_MAX - digit) / 10) return false;
        value = value * 10 + digit;
    }
    *size = value;
    return true;
}

static Status parse_size(const Option *option, const char *text, size_t *size, Error *error)
{
    size_t value, least = option->range.size.least, most = option->range.size.most;
    if (read_size(text, &value) && value >= least && value <= most) {
        *size = value;
        return STATUS_OK;
    }
    return error_set(error, STATUS_ARGUMENT,
                     "--%s is \"%.200s\"; it must be a whole number from %zu to %zu", option->name,
                     text, least, most);
}

/* A decimal number. strtod would also take white space, hexadecimal digits, "inf" and "nan". */
static bool read_real(const char *text, double *real)
{
    if (!*text || text[strspn(text, "0123456789+-.eE")]) return false;
    char *end;
    *real = strtod(text, &end);
    return end != text && *end == '\0' && isfinite(*real);
}

static Status parse_real(const Option *option, const char *text, double *real, Error *error)
{
    double value, least = option->range.real.least, most = option->range.real.most;
    if (read_real(text, &value) && value >= least && value <= most) {
        *real = value;
        return STATUS_OK;
    }
    return error_set(error, STATUS_ARGUMENT,
                     "--%s is \"%.200s\"; it must be a number from %g to %g", option->name, text,
                     least, most);
}

// The message for a name that is none of the choices: all of them.
static Status refuse_choice(const Option *option, const char *text, Error *error)
{
    Bytes names = {0};
    Status status = STATUS_OK;
    const char *const *choices = option->range.choices;
    for (size_t i = 0; !status && choices[i]; i++) {
        const char *join = i == 0 ? "" : choices[i + 1] ? ", " : " or ";
        status = bytes_append_format(&names, error, "%s%s", join, choices[i]);
    }
    if (!status)
        status = error_set(error, STATUS_ARGUMENT, "--%s is \"%.200s\"; it must be %s",
                           option->name, text, names.data);
    bytes_free(&names);
    return status;
}

static Status parse_choice(const Option *option, const char *text, void *place, Error *error)
{
    for (unsigned i = 0; option->range.choices[i]; i++) {
        if (strcmp(option->range.choices[i], text) != 0) continue;
        if (option->by_name)
            *(const char **)place = option->range.choices[i];
        else
            *(unsigned *)place = i;
        return STATUS_OK;
    }
    return refuse_choice(option, text, error);
}

// Adds a text to a list that may hold `most`; `dashes` and `name` are how messages call it.
static Status add_text(OptionTexts *texts, const char *text, size_t most, const char *dashes,
                       const char *name, Error *error)
{
    if (texts->count == most && most == 1)
        return error_set(error, STATUS_ARGUMENT, "unexpected \"%.200s\": %s%s can be given once",
                         text, dashes, name);
    if (texts->count == most)
        return error_set(error, STATUS_ARGUMENT,
                         "unexpected \"%.200s\": %s%s can be given %zu times", text, dashes, name,
                         most);
    texts->items[texts->count++] = text;
    return STATUS_OK;
}

// Stores the value of an option, which is NULL for a flag.
static Status store_value(Parse *parse, const Option *option, const char *text, Error *error)
{
    void *place = parse->values + option->offset;
    bool is_text = option->kind == OPTION_KIND_TEXT || option->kind == OPTION_KIND_TEXTS;
    if (is_text && !*text)
        return error_set(error, STATUS_ARGUMENT, "--%s is empty; give a %s", option->name,
                         option->value);
    switch (option->kind) {
    case OPTION_KIND_FLAG:
        *(bool *)place = true;
        return STATUS_OK;
    case OPTION_KIND_SIZE:
        return parse_size(option, text, place, error);
    case OPTION_KIND_REAL:
        return parse_real(option, text, place, error);
    case OPTION_KIND_TEXT:
        *(const char **)place = text;
        return STATUS_OK;
    case OPTION_KIND_TEXTS:
        return add_text(place, text, MAX_OPTION_TEXTS, "--", option->name, error);
    case OPTION_KIND_CHOICE:
        return parse_choice(option, text, place, error);
    case OPTION_KIND_HEADING: // find_option finds none
        break;
    }
    return STATUS_OK;
}

// The message for an option nobody knows: the nearest one that exists. `name` has `length` bytes.
static Status refuse_name(const Syntax *syntax, const char *name, size_t length, Error *error)
{
    char known[64] = "";
    const char *names[MAX_OPTIONS + 1] = {"help"};
    int shown = length < 200 ? (int)length : 200;
    if (length < sizeof known) memcpy(known, name, length);
    for (size_t i = 0; i < syntax->option_count; i++)
        if (syntax->options[i].kind != OPTION_KIND_HEADING) names[i + 1] = syntax->options[i].name;
    const char *nearest = nearest_name(known, names, syntax->option_count + 1);
    if (nearest)
        return error_set(error, STATUS_ARGUMENT,
                         "there is no option --%.*s; did you mean --%s? (regard %s --help)", shown,
                         name, nearest, syntax->verb);
    return error_set(error, STATUS_ARGUMENT, "there is no option --%.*s; see regard %s --help",
                     shown, name, syntax->verb);
}

/* Finds the value of an option: behind its `equals` sign, or in words[1], or implied; NULL for a
 * flag. *used tells how many of the `count` words the option takes. */
static Status find_value(const Option *option, const char *equals, size_t count,
                         const char *const *words, const char **value, size_t *used, Error *error)
{
    *used = 1;
    *value = equals ? equals + 1 : option->implied;
    if (equals && option->kind == OPTION_KIND_FLAG)
        return error_set(error, STATUS_ARGUMENT, "--%s takes no value; write it without \"%.200s\"",
                         option->name, equals);
    if (*value || option->kind == OPTION_KIND_FLAG) return STATUS_OK;
    if (count == 1)
        return error_set(error, STATUS_ARGUMENT, "--%s lacks its value; write --%s=VALUE",
                         option->name, option->name);
    if (strncmp(words[1], "--", 2) == 0)
        return error_set(error, STATUS_ARGUMENT,
                         "--%s lacks its value; if that is \"%.200s\", write --%s=%.200s",
                         option->name, words[1], option->name, words[1]);
    *value = words[1];
    *used = 2;
    return STATUS_OK;
}

/* Reads the option at words[0], and its value from words[1] if it stands there; *used tells how
 * many of the `count` words that took. */
static Status parse_option(Parse *parse, size_t count, const char *const *words, size_t *used,
                           Error *error)
{
    const Syntax *syntax = parse->syntax;
    const char *name = words[0] + 2, *equals = NULL, *value;
    size_t place;
    if (words[0][1] != '-') {
        place = find_letter(syntax, words[0]);
        if (place == syntax->option_count)
            return error_set(error, STATUS_ARGUMENT,
                             "there is no option %.200s; names have two dashes: see regard %s "
                             "--help",
                             words[0], syntax->verb);
    } else {
        equals = strchr(name, '=');
        size_t length = equals ? (size_t)(equals - name) : strlen(name);
        place = find_option(syntax, name, length);
        if (place == syntax->option_count) return refuse_name(syntax, name, length, error);
    }

    const Option *option = &syntax->options[place];
    bool *given = &parse->arguments->given[place];
    if (*given && option->kind != OPTION_KIND_TEXTS)
        return error_set(error, STATUS_ARGUMENT, "--%s is given twice; give it once", option->name);
    *given = true;
    Status status = find_value(option, equals, count, words, &value, used, error);
    return status ? status : store_value(parse, option, value, error);
}

// Reads a word that is no option.
static Status parse_operand(Parse *parse, const char *word, Error *error)
{
    const Syntax *syntax = parse->syntax;
    if (syntax->operands.most == 0)
        return error_set(error, STATUS_ARGUMENT,
                         "unexpected \"%.200s\": %s takes options only; see regard %s --help", word,
                         syntax->verb, syntax->verb);
    return add_text(&parse->arguments->operands, word, syntax->operands.most, "",
                    syntax->operands.name, error);
}

// Whether help is asked for anywhere before `--`; then nothing else counts.
static bool asks_for_help(size_t count, const char *const *words)
{
    for (size_t i = 0; i < count && strcmp(words[i], "--") != 0; i++)
        if (strcmp(words[i], "--help") == 0 || strcmp(words[i], "-h") == 0) return true;
    return false;
}

// Options and operands that must be there are.
static Status check_complete(const Parse *parse, Error *error)
{
    const Syntax *syntax = parse->syntax;
    for (size_t i = 0; i < syntax->option_count; i++)
        if (syntax->options[i].required && !parse->arguments->given[i])
            return error_set(error, STATUS_ARGUMENT, "--%s %s is missing; see regard %s --help",
                             syntax->options[i].name, syntax->options[i].value, syntax->verb);
    if (parse->arguments->operands.count < syntax->operands.least)
        return error_set(error, STATUS_ARGUMENT, "%s is missing; see regard %s --help",
                         syntax->operands.name, syntax->verb);
    return STATUS_OK;
}

Status options_parse(Arguments *arguments, const Syntax *syntax, size_t word_count,
                     const char *const *words, void *values, Error *error)
{
    assert(syntax->option_count <= MAX_OPTIONS && syntax->operands.most <= MAX_OPTION_TEXTS);
    Parse parse = {syntax, arguments, values};
    *arguments = (Arguments){.syntax = syntax, .values = values};
    memcpy(values, syntax->defaults, syntax->values_size);
    arguments->help = asks_for_help(word_count, words);
    if (arguments->help) return STATUS_OK;

    bool options_ended = false;
    for (size_t i = 0, used; i < word_count; i += used) {
        Status status = STATUS_OK;
        used = 1;
        if (!options_ended && strcmp(words[i], "--") == 0)
            options_ended = true;
        else if (!options_ended && words[i][0] == '-' && words[i][1])
            status = parse_option(&parse, word_count - i, words + i, &used, error);
        else
            status = parse_operand(&parse, words[i], error);
        if (status) return status;
    }
    return check_complete(&parse, error);
}
