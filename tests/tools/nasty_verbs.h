// Verbs whose texts have every character that roff or a shell would read as its own, and options of every kind.
#ifndef REGARD_TESTS_TOOLS_NASTY_VERBS_H
#define REGARD_TESTS_TOOLS_NASTY_VERBS_H

#include "cli/verbs.h"

typedef struct NastyValues {
    bool flag;
    size_t size;
    double real;
    const char *text;
    OptionTexts texts;
    unsigned choice, kind;
} NastyValues;

static const char *const nasty_choices[] = {"one", "two-b", "three", NULL};

static const Option nasty_options[] = {
    OPTION_FLAG(NastyValues, flag, "a-flag", ".it's \\fBno\\fR request, and [a] bracket"),
    OPTION_HEADING("Values \"in quotes\""),
    OPTION_SIZE(NastyValues, size, "size", "N", 1, 9, "'tis a ratio 1:2; x-y 1-2 -z `q`"),
    OPTION_REAL(NastyValues, real, "real", "P", 0, 1, "π ≈ 3, a^b, ~c"),
    OPTION_TEXT(NastyValues, text, "text", "FILE.x", "a file. Two sentences", .implied = "t"),
    OPTION_TEXTS(NastyValues, texts, "texts", "A:B", "several", .required = true),
    OPTION_CHOICE(NastyValues, choice, "choice", nasty_choices, "one of them"),
    OPTION_CHOICE(NastyValues, kind, "kind", nasty_choices, "the same", .implied = "one"),
};

static const NastyValues nasty_defaults = {.size = 3, .real = 0.5, .choice = 1};

static const Verb verb_nasty = {
    .syntax = {.verb = "nasty",
               .summary = ".'tis: a \"quoted\" summary",
               .description = "First.\n'Second' has a\ttab.",
               .options = nasty_options,
               .option_count = sizeof nasty_options / sizeof *nasty_options,
               .defaults = &nasty_defaults,
               .values_size = sizeof nasty_defaults,
               .operands = {"PAIRS", ".what", 0, 3}},
};

static const Verb verb_bare = {
    .syntax = {.verb = "bare", .summary = "nothing", .operands = {"WORD", "a word", 1, 1}},
};

static const Verb *const nasty_verbs[] = {&verb_nasty, &verb_bare, NULL};

#endif
