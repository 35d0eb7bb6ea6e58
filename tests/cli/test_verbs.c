// Every verb's table of options holds what its kind promises, and refuses bad numbers.

#include "cli/verbs.h"

#include "base/memory.h"
#include "support/suite.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

// Gives `--NAME=value` to a verb, which must refuse it and name both.
static void expect_refused(const Verb *verb, const Option *option, const char *value)
{
    char word[256], message[256];
    const char *words[] = {word};
    Arguments arguments;
    Error error = {0};
    void *values = memory_new(1, verb->values_size);
    snprintf(word, sizeof word, "--%s=%s", option->name, value);
    snprintf(message, sizeof message, "--%s is \"%s\"; it must be ", option->name, value);
    ck_assert_ptr_nonnull(values);
    ck_assert_msg(options_parse(&arguments, verb, 1, words, values, &error) == STATUS_ARGUMENT &&
                      strstr(error.text, message),
                  "regard %s %s: \"%s\"", verb->name, word, error.text);
    memory_free(values);
}

// Numbers that no option of its kind takes, and those just outside its range.
static void check_numbers(const Verb *verb, const Option *option)
{
    static const char *const bad[] = {"abc", "", "1x", " 1", "1e999", "nan", "0x1"};
    char outside[64];
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) expect_refused(verb, option, bad[i]);
    if (option->kind == OPTION_KIND_SIZE) {
        expect_refused(verb, option, "-1");
        expect_refused(verb, option, "99999999999999999999999");
        if (option->range.size.least > 0) expect_refused(verb, option, "0");
        if (option->range.size.most < SIZE_MAX) {
            snprintf(outside, sizeof outside, "%zu", option->range.size.most + 1);
            expect_refused(verb, option, outside);
        }
    } else {
        snprintf(outside, sizeof outside, "%.17g", nextafter(option->range.real.most, INFINITY));
        expect_refused(verb, option, outside);
        snprintf(outside, sizeof outside, "%.17g", nextafter(option->range.real.least, -INFINITY));
        expect_refused(verb, option, outside);
    }
}

TEST(bad_numbers)
{
    for (size_t i = 0; verbs[i]; i++)
        for (size_t j = 0; j < verbs[i]->option_count; j++) {
            const Option *option = &verbs[i]->options[j];
            if (option->kind == OPTION_KIND_SIZE || option->kind == OPTION_KIND_REAL)
                check_numbers(verbs[i], option);
        }
}

// A default is one that could be given, or else the help says what holds instead.
static bool default_is_shown_truly(const Verb *verb, const Option *option)
{
    const char *place = (const char *)verb->defaults + option->offset;
    size_t size = 0, choices = 0;
    double real = 0;
    if (option->required || option->otherwise) return true;
    switch (option->kind) {
    case OPTION_KIND_SIZE:
        memcpy(&size, place, sizeof size);
        return size >= option->range.size.least && size <= option->range.size.most;
    case OPTION_KIND_REAL:
        memcpy(&real, place, sizeof real);
        return real >= option->range.real.least && real <= option->range.real.most;
    case OPTION_KIND_CHOICE:
        while (option->range.choices[choices]) choices++;
        return *(const unsigned *)(const void *)place < choices;
    case OPTION_KIND_FLAG:
        return !*(const bool *)place;
    default:
        return true;
    }
}

TEST(tables)
{
    for (size_t i = 0; verbs[i]; i++) {
        const Verb *verb = verbs[i];
        ck_assert_uint_le(verb->option_count, MAX_OPTIONS);
        ck_assert_uint_le(verb->operands.most, MAX_OPTION_TEXTS);
        ck_assert(verb->operands.least <= verb->operands.most);
        ck_assert((verb->operands.most > 0) == (verb->operands.name != NULL));
        ck_assert_msg(strlen(verb->summary) <= 66, "%s: its summary is too long", verb->name);
        for (size_t j = 0; j < verb->option_count; j++) {
            const Option *option = &verb->options[j];
            if (option->kind == OPTION_KIND_HEADING) continue;
            ck_assert_msg(
                option->name[strspn(option->name, "abcdefghijklmnopqrstuvwxyz0123456789-")] == '\0',
                "%s: --%s", verb->name, option->name);
            ck_assert_msg(strcmp(option->name, "help") != 0, "%s: --help", verb->name);
            ck_assert_msg(default_is_shown_truly(verb, option), "%s: the default of --%s",
                          verb->name, option->name);
            for (size_t k = 0; k < j; k++)
                ck_assert_msg(strcmp(verb->options[k].name, option->name) != 0,
                              "%s: --%s stands twice", verb->name, option->name);
        }
    }
}

TEST(help_fits_80_columns)
{
    for (size_t i = 0; verbs[i]; i++) {
        Bytes help = {0};
        Writer out = writer_start(&help, NULL);
        options_help(&out, verbs[i]);
        assert_ok(writer_end(&out));
        for (const char *line = help.data; *line; line += strcspn(line, "\n") + 1)
            ck_assert_msg(strcspn(line, "\n") <= 80 && line[strcspn(line, "\n") - 1] != ' ',
                          "%s: %.*s", verbs[i]->name, (int)strcspn(line, "\n"), line);
        bytes_free(&help);
    }
}

// Gives the words of "regard VERB ..." to the verb, as far as the shell would.
static void parse_example(const Verb *verb, const char *command, size_t length)
{
    char line[128];
    const char *words[32], *begin = strstr(command, "regard ");
    size_t count = 0;
    ck_assert(begin && begin < command + length);
    snprintf(line, sizeof line, "%.*s", (int)(length - (size_t)(begin - command)), begin);
    for (char *word = strtok(line, " "); word && !strchr("<>|", *word); word = strtok(NULL, " "))
        words[count++] = word;
    ck_assert_uint_ge(count, 2);
    ck_assert_str_eq(words[1], verb->name);
    Arguments arguments;
    Error error = {0};
    void *values = memory_new(1, verb->values_size);
    ck_assert_ptr_nonnull(values);
    Status status = options_parse(&arguments, verb, count - 2, words + 2, values, &error);
    ck_assert_msg(status == STATUS_OK, "%s: %s", command, error.text);
    memory_free(values);
}

// Pairs of lines: a purpose, which ends with a colon, and a command, which the verb accepts.
TEST(examples)
{
    for (size_t i = 0; verbs[i]; i++) {
        const char *line = verbs[i]->examples;
        ck_assert_msg(line != NULL, "%s has no examples", verbs[i]->name);
        for (bool command = false; *line; command = !command) {
            size_t length = strcspn(line, "\n");
            ck_assert_int_eq(line[length], '\n');
            ck_assert(command ? strncmp(line, "  ", 2) == 0 : line[length - 1] == ':');
            if (command) parse_example(verbs[i], line, length);
            line += length + 1;
            ck_assert(command || *line);
        }
    }
}
