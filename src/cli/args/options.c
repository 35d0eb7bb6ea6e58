#include "cli/args/options.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// A command line being read.
typedef struct Parse {
    const Verb *verb;
    Arguments *arguments;
    char *values;             // the verb's struct, as bytes
    const char *const *words; // those not yet read
    size_t left;              // how many
    Error *error;
} Parse;

static const char *next_word(Parse *parse)
{
    parse->left--;
    return *parse->words++;
}

// The row of a name of `length` bytes, or option_count.
static size_t find_option(const Verb *verb, const char *name, size_t length)
{
    for (size_t i = 0; i < verb->option_count; i++) {
        const Option *option = &verb->options[i];
        if (option->kind != OPTION_KIND_HEADING && strlen(option->name) == length &&
            memcmp(option->name, name, length) == 0)
            return i;
    }
    return verb->option_count;
}

// The row whose letter makes up the word "-o", or option_count.
static size_t find_letter(const Verb *verb, const char *word)
{
    size_t place = 0;
    while (place < verb->option_count && (verb->options[place].letter != word[1] || word[2]))
        place++;
    return place;
}

bool options_given(const Arguments *arguments, const char *name)
{
    size_t place = find_option(arguments->verb, name, strlen(name));
    assert(place < arguments->verb->option_count);
    return arguments->given[place];
}

Status options_check_form(const Arguments *arguments, unsigned form, const char *const *reasons,
                          Error *error)
{
    const Verb *verb = arguments->verb;
    for (size_t i = 0; i < verb->option_count; i++) {
        unsigned missing = verb->options[i].only & ~form;
        if (!arguments->given[i] || !missing) continue;
        while (!(missing & 1)) missing >>= 1, reasons++;
        return error_set(error, STATUS_ARGUMENT, "--%s %s", verb->options[i].name, *reasons);
    }
    return STATUS_OK;
}

// A whole number. strtoull would also take white space and signs, and count "-1" from the top.
static Status parse_size(const Option *option, const char *text, size_t *size, Error *error)
{
    size_t least = option->range.size.least, most = option->range.size.most;
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    if (*text >= '0' && *text <= '9' && !*end && !errno && value >= least && value <= most) {
        *size = (size_t)value;
        return STATUS_OK;
    }
    return error_set(error, STATUS_ARGUMENT,
                     "--%s is \"%.200s\"; it must be a whole number from %zu to %zu", option->name,
                     text, least, most);
}

bool option_read_real(double *real, const char *text, double least, double most)
{
    char *end;
    double value = strtod(text, &end);
    bool plain = *text && !text[strspn(text, "0123456789+-.eE")] && !*end;
    if (!plain || !isfinite(value) || value < least || value > most) return false;
    *real = value;
    return true;
}

static Status parse_real(const Option *option, const char *text, double *real, Error *error)
{
    double least = option->range.real.least, most = option->range.real.most;
    if (option_read_real(real, text, least, most)) return STATUS_OK;
    return error_set(error, STATUS_ARGUMENT,
                     "--%s is \"%.200s\"; it must be a number from %g to %g", option->name, text,
                     least, most);
}

// The place of a name among the choices, which the message for any other lists.
static Status parse_choice(const Option *option, const char *text, unsigned *choice, Error *error)
{
    FREED_BY(bytes_free) Bytes names = {0};
    Writer out = writer_start(&names, error);
    const char *const *choices = option->range.choices;
    for (*choice = 0; choices[*choice]; ++*choice)
        if (strcmp(choices[*choice], text) == 0) return STATUS_OK;
    for (size_t i = 0; choices[i]; i++)
        writer_format(&out, "%s%s", i == 0 ? "" : choices[i + 1] ? ", " : " or ", choices[i]);
    TRY(writer_end(&out));
    return error_set(error, STATUS_ARGUMENT, "--%s is \"%.200s\"; it must be %s", option->name,
                     text, names.data);
}

// Adds a text to a list of at most `most`; messages call it `dashes` and `name`.
static Status add_text(OptionTexts *texts, const char *text, size_t most, const char *dashes,
                       const char *name, Error *error)
{
    if (texts->count == most && most == 1)
        return error_set(error, STATUS_ARGUMENT,
                         "unexpected \"%.200s\": %s%s can be given only once", text, dashes, name);
    if (texts->count == most)
        return error_set(error, STATUS_ARGUMENT,
                         "unexpected \"%.200s\": %s%s can be given at most %zu times", text, dashes,
                         name, most);
    texts->items[texts->count++] = text;
    return STATUS_OK;
}

static bool has_texts(const Option *option)
{
    return option->kind == OPTION_KIND_TEXT || option->kind == OPTION_KIND_TEXTS;
}

// Stores the value of an option, which is NULL for a flag.
static Status store_value(const Parse *parse, const Option *option, const char *text)
{
    Error *error = parse->error;
    void *place = parse->values + option->offset;
    if (has_texts(option) && !*text)
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

// The message for an unknown option; suggests the nearest one. `name` has `length` bytes.
static Status refuse_name(const Verb *verb, const char *name, size_t length, Error *error)
{
    char known[64] = "";
    const char *names[MAX_OPTIONS + 1] = {"help"};
    int shown = length < 200 ? (int)length : 200;
    if (length < sizeof known) memcpy(known, name, length);
    for (size_t i = 0; i < verb->option_count; i++)
        if (verb->options[i].kind != OPTION_KIND_HEADING) names[i + 1] = verb->options[i].name;
    const char *nearest = nearest_name(known, names, verb->option_count + 1);
    if (nearest)
        return error_set(error, STATUS_ARGUMENT,
                         "unknown option --%.*s; did you mean --%s? (regard %s --help)", shown,
                         name, nearest, verb->name);
    return error_set(error, STATUS_ARGUMENT, "unknown option --%.*s; see regard %s --help", shown,
                     name, verb->name);
}

/* Finds the value of an option: after its `equals` sign, implied, or the next word; NULL for a
 * flag. */
static Status find_value(Parse *parse, const Option *option, const char *equals, const char **value)
{
    *value = equals ? equals + 1 : option->implied;
    if (equals && option->kind == OPTION_KIND_FLAG)
        return error_set(parse->error, STATUS_ARGUMENT,
                         "--%s takes no value; write it without \"%.200s\"", option->name, equals);
    if (*value || option->kind == OPTION_KIND_FLAG) return STATUS_OK;
    if (parse->left == 0)
        return error_set(parse->error, STATUS_ARGUMENT, "--%s needs a value; write --%s %s",
                         option->name, option->name, option->value ? option->value : "VALUE");
    *value = next_word(parse);
    if (strncmp(*value, "--", 2) != 0) return STATUS_OK;
    return error_set(parse->error, STATUS_ARGUMENT,
                     "--%s needs a value; if it is \"%.200s\", write --%s=%.200s", option->name,
                     *value, option->name, *value);
}

// Finds the row of "--name", "--name=value" (then *equals is the sign) or "-letter".
static Status find_row(const Parse *parse, const char *word, const Option **row,
                       const char **equals)
{
    const Verb *verb = parse->verb;
    const char *name = word + 2;
    bool is_name = word[1] == '-';
    *equals = is_name ? strchr(name, '=') : NULL;
    size_t length = *equals ? (size_t)(*equals - name) : strlen(name);
    size_t place = is_name ? find_option(verb, name, length) : find_letter(verb, word);
    *row = &verb->options[place];
    if (place < verb->option_count) return STATUS_OK;
    if (is_name) return refuse_name(verb, name, length, parse->error);
    return error_set(parse->error, STATUS_ARGUMENT,
                     "unknown option %.200s; names have two dashes: see regard %s --help", word,
                     verb->name);
}

// Reads an option, `word`, and its value, which may be the next word.
static Status parse_option(Parse *parse, const char *word)
{
    const Option *option;
    const char *equals, *value;
    TRY(find_row(parse, word, &option, &equals));
    bool *given = &parse->arguments->given[option - parse->verb->options];
    if (*given && option->kind != OPTION_KIND_TEXTS)
        return error_set(parse->error, STATUS_ARGUMENT, "--%s is given twice; give it once",
                         option->name);
    *given = true;
    TRY(find_value(parse, option, equals, &value));
    return store_value(parse, option, value);
}

// The given option whose value must follow "=" and can be `word`, or NULL.
static const Option *missed_value(const Parse *parse, const char *word)
{
    for (size_t i = 0; i < parse->verb->option_count; i++) {
        const Option *option = &parse->verb->options[i];
        bool listed = option->kind == OPTION_KIND_CHOICE && option->implied;
        if (!listed || !parse->arguments->given[i]) continue;
        for (const char *const *choice = option->range.choices; *choice; choice++)
            if (strcmp(*choice, word) == 0) return option;
    }
    return NULL;
}

// Refuses an operand of a verb that has none.
static Status refuse_operand(const Parse *parse, const char *word)
{
    const Verb *verb = parse->verb;
    for (size_t i = 0; i < verb->option_count; i++)
        if (verb->options[i].required && verb->options[i].input)
            return error_set(parse->error, STATUS_ARGUMENT,
                             "unexpected \"%.200s\"; write --%s %.200s", word,
                             verb->options[i].name, word);
    return error_set(parse->error, STATUS_ARGUMENT,
                     "unexpected \"%.200s\": %s takes options only; see regard %s --help", word,
                     verb->name, verb->name);
}

// The option, not yet given or repeatable, that an operand is the value of, or NULL.
static const Option *taking(const Parse *parse, const char *word)
{
    for (size_t i = 0; i < parse->verb->option_count; i++) {
        const Option *option = &parse->verb->options[i];
        bool open = !parse->arguments->given[i] || option->kind == OPTION_KIND_TEXTS;
        if (open && option->takes && option->takes(word)) return option;
    }
    return NULL;
}

static Status parse_operand(Parse *parse, const char *word)
{
    const Verb *verb = parse->verb;
    const Option *missed = missed_value(parse, word), *named = taking(parse, word);
    if (missed)
        return error_set(parse->error, STATUS_ARGUMENT, "unexpected \"%.200s\"; write --%s=%.200s",
                         word, missed->name, word);
    if (named) {
        parse->arguments->given[named - verb->options] = true;
        return store_value(parse, named, word);
    }
    if (verb->operands.most == 0) return refuse_operand(parse, word);
    return add_text(&parse->arguments->operands, word, verb->operands.most, "", verb->operands.name,
                    parse->error);
}

bool options_ask_for_help(const char *word)
{
    return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

// The message for a required option that is missing.
static Status refuse_incomplete(const Parse *parse, const Option *option)
{
    return error_set(parse->error, STATUS_ARGUMENT, "--%s %s is missing%s%s; see regard %s --help",
                     option->name, option->value, option->taken ? ", and no operand " : "",
                     option->taken ? option->taken : "", parse->verb->name);
}

// Refuses a line that lacks required options or operands.
static Status check_complete(const Parse *parse)
{
    const Verb *verb = parse->verb;
    for (size_t i = 0; i < verb->option_count; i++) {
        const Option *option = &verb->options[i];
        bool needed = option->required && !parse->arguments->given[i];
        if (needed && !(option->unless && options_given(parse->arguments, option->unless)))
            return refuse_incomplete(parse, option);
    }
    if (parse->arguments->operands.count < verb->operands.least)
        return error_set(parse->error, STATUS_ARGUMENT, "%s is missing; see regard %s --help",
                         verb->operands.name, verb->name);
    return STATUS_OK;
}

static size_t count_standard_input(const char *const *paths, size_t count)
{
    size_t times = 0;
    for (size_t i = 0; i < count; i++) times += strcmp(paths[i], "-") == 0;
    return times;
}

size_t options_standard_input(const Verb *verb, const void *values)
{
    size_t times = 0;
    for (size_t i = 0; i < verb->option_count; i++) {
        const char *const *texts;
        size_t count = option_texts(&texts, &verb->options[i], values);
        if (verb->options[i].input) times += count_standard_input(texts, count);
    }
    return times;
}

Status options_parse(Arguments *arguments, const Verb *verb, size_t word_count,
                     const char *const *words, void *values, Error *error)
{
    assert(verb->option_count <= MAX_OPTIONS && verb->operands.most <= MAX_OPTION_TEXTS);
    Parse parse = {.verb = verb,
                   .arguments = arguments,
                   .values = values,
                   .words = words,
                   .left = word_count,
                   .error = error};
    *arguments = (Arguments){.verb = verb, .values = values};
    memcpy(values, verb->defaults, verb->values_size);
    for (size_t i = 0; i < word_count && strcmp(words[i], "--") != 0; i++) {
        arguments->help = options_ask_for_help(words[i]);
        if (arguments->help) return STATUS_OK; // nothing else is read
    }

    bool options_ended = false;
    while (parse.left > 0) {
        const char *word = next_word(&parse);
        if (options_ended || word[0] != '-' || !word[1])
            TRY(parse_operand(&parse, word));
        else if (strcmp(word, "--") == 0)
            options_ended = true;
        else
            TRY(parse_option(&parse, word));
    }
    TRY(check_complete(&parse));
    const OptionTexts *operands = &arguments->operands;
    size_t times = count_standard_input(operands->items, operands->count);
    if (times + options_standard_input(verb, values) <= 1) return STATUS_OK;
    return error_set(error, STATUS_ARGUMENT,
                     "standard input (-) is given twice but can be read only once; name a file");
}

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

size_t option_texts(const char *const **texts, const Option *option, const void *values)
{
    const void *place = (const char *)values + option->offset;
    const char *const *text = place;
    const OptionTexts *list = place;
    bool listed = option->kind == OPTION_KIND_TEXTS;
    *texts = listed ? list->items : text;
    return listed ? list->count : option->kind == OPTION_KIND_TEXT && *text;
}

void option_write(Writer *out, const Option *option, const void *values)
{
    const void *place = (const char *)values + option->offset;
    const char *const *texts;
    size_t count = option_texts(&texts, option, values);
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
    case OPTION_KIND_TEXTS:
        for (size_t i = 0; i < count; i++) writer_format(out, "%s%s", i ? " " : "", texts[i]);
        break;
    case OPTION_KIND_FLAG:
    case OPTION_KIND_HEADING:
        break;
    }
}

bool option_is_set(const Option *option, const void *values)
{
    const char *const *texts;
    if (option->kind == OPTION_KIND_FLAG)
        return *(const bool *)((const char *)values + option->offset);
    return option_texts(&texts, option, values) > 0 || !has_texts(option);
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

bool option_equal(const Option *option, const void *a, const void *b)
{
    const char *const *left, *const *right;
    size_t count = option_texts(&left, option, a), at = option->offset;
    if (!has_texts(option))
        return !memcmp((const char *)a + at, (const char *)b + at, value_size(option));
    if (option_texts(&right, option, b) != count) return false;
    for (size_t i = 0; i < count; i++)
        if (strcmp(left[i], right[i]) != 0) return false;
    return true;
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

Status option_contradiction(const Verb *verb, const Option *option, const void *given,
                            const void *stored, const char *ending, Error *error)
{
    FREED_BY(bytes_free) Bytes values = {0};
    Writer out = writer_start(&values, error);
    writer_format(&out, "--%s is ", option->name);
    write_in_words(&out, option, given, verb->defaults);
    writer_string(&out, ", and was ");
    write_in_words(&out, option, stored, verb->defaults);
    TRY(writer_end(&out));
    return error_set(error, STATUS_ARGUMENT, "%s %s", values.data, ending);
}
