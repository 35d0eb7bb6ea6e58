#include "cli/own_options.h"

#include "support/suite.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

static const Verb verb = {
    .name = "train",
    .summary = "learn a model",
    .description = "Learns a model from sentence pairs, which may take a while if there are many, "
                   "and very long if there are very many.\nSecond paragraph.",
    VERB_OPTIONS(options, defaults),
    .operands = {"PAIRS", "a TSV file, or SOURCE,TARGET", 0, 2},
};

// Parses the words (a list that ends in NULL) for a verb.
static Status parse(const Verb *of, const char *const *words, Values *values, Arguments *arguments,
                    Error *error)
{
    size_t count = 0;
    while (words[count]) count++;
    return options_parse(arguments, of, count, words, values, error);
}

#define WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})

#define PARSED(values, arguments, ...)                                                             \
    Values values;                                                                                 \
    Arguments arguments;                                                                           \
    Error values##_error = {0};                                                                    \
    ck_assert_msg(parse(&verb, WORDS(__VA_ARGS__), &values, &arguments, &values##_error) ==        \
                      STATUS_OK,                                                                   \
                  "%s", values##_error.text)

// The words are refused with a message that contains `message`.
static void expect_refused(const char *message, const char *const *words)
{
    Values values;
    Arguments arguments;
    Error error = {0};
    ck_assert_int_eq(parse(&verb, words, &values, &arguments, &error), STATUS_ARGUMENT);
    ck_assert_msg(strstr(error.text, message), "should contain \"%s\": %s", message, error.text);
}

TEST(defaults)
{
    PARSED(values, arguments, "--model", "m");
    ck_assert_uint_eq(values.hidden, 256);
    ck_assert_double_eq(values.dropout, 0.2);
    ck_assert_int_eq(values.colour, COLOUR_GREEN);
    ck_assert_uint_eq(values.metal, 0);
    ck_assert(!values.resume && values.train.count == 0 && arguments.operands.count == 0);
    ck_assert(options_given(&arguments, "model") && !options_given(&arguments, "hidden"));
    ck_assert_ptr_eq(arguments.values, &values);
}

TEST(both_forms_in_any_order)
{
    PARSED(values, arguments, "a", "--hidden", "16384", "--train=x=y", "--layers=007", "-",
           "--dropout=2.5e-1", "--train", "z", "--resume", "--model=--m", "--colour",
           "--rim=brass");
    ck_assert_uint_eq(values.hidden, 16384);
    ck_assert_uint_eq(values.layers, 7);
    ck_assert_double_eq(values.dropout, 0.25);
    ck_assert_str_eq(values.model, "--m");
    ck_assert_uint_eq(values.train.count, 2);
    ck_assert_str_eq(values.train.items[0], "x=y");
    ck_assert_str_eq(values.train.items[1], "z");
    ck_assert_int_eq(values.colour, COLOUR_BLUE); // implied
    ck_assert_uint_eq(values.metal, 1);
    ck_assert(values.resume && options_given(&arguments, "resume"));
    ck_assert_uint_eq(arguments.operands.count, 2);
    ck_assert_str_eq(arguments.operands.items[0], "a");
    ck_assert_str_eq(arguments.operands.items[1], "-");
}

// An option whose value may be left out takes it from the same word only.
TEST(optional_value)
{
    PARSED(values, arguments, "--colour", "a", "--model", "m");
    ck_assert_int_eq(values.colour, COLOUR_BLUE);
    ck_assert_str_eq(arguments.operands.items[0], "a");
    expect_refused("unexpected \"red\"; write --colour=red", WORDS("--model=m", "--colour", "red"));
    PARSED(with, others, "--colour=red", "--model", "m");
    ck_assert_int_eq(with.colour, COLOUR_RED);
    ck_assert_uint_eq(others.operands.count, 0);
}

TEST(two_dashes_end_the_options)
{
    PARSED(values, arguments, "--model", "m", "--", "--resume", "--help");
    ck_assert(!values.resume && !arguments.help);
    ck_assert_str_eq(arguments.operands.items[0], "--resume");
    ck_assert_str_eq(arguments.operands.items[1], "--help");
}

TEST(help_comes_before_all_else)
{
    PARSED(values, arguments, "--hidden", "abc", "--nonsense", "--help");
    ck_assert(arguments.help);
    PARSED(others, short_name, "-h");
    ck_assert(short_name.help);
}

TEST(sizes)
{
    static const char *const bad[] = {
        "-1",  "0",  "abc", "",    "16385", "1000000000", "12x",
        " 12", "1 ", "+1",  "1.5", "0x10",  "1e3",        "99999999999999999999999999"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char message[128];
        snprintf(message, sizeof message,
                 "--hidden is \"%s\"; it must be a whole number from 1 to 16384", bad[i]);
        expect_refused(message, WORDS("--model=m", "--hidden", bad[i]));
    }
    expect_refused("--layers is \"99999999999999999999\"; it must be a whole number from 1 to "
                   "18446744073709551615",
                   WORDS("--layers", "99999999999999999999"));
    PARSED(values, arguments, "--model=m", "--layers=18446744073709551614");
    ck_assert_uint_eq(values.layers, SIZE_MAX - 1);
}

TEST(reals)
{
    static const char *const bad[] = {"-0.1", "1", "abc",   "",  "nan", "inf",  "0x0.1", "1e999",
                                      "0,1",  ".", "0.1.2", "e", "-",   "0.5 ", "0.5x"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char message[128];
        snprintf(message, sizeof message, "--dropout is \"%s\"; it must be a number from 0 to 0.9",
                 bad[i]);
        expect_refused(message, WORDS("--model=m", "--dropout", bad[i]));
    }
    PARSED(values, arguments, "--model=m", "--dropout", ".9");
    ck_assert_double_eq(values.dropout, 0.9);
}

TEST(refuses_wrong_usage)
{
    expect_refused("--model FILE is missing; see regard train --help", WORDS("--resume"));
    expect_refused("--model needs a value; write --model FILE", WORDS("--model"));
    expect_refused("if it is \"--resume\", write --model=--resume", WORDS("--model", "--resume"));
    expect_refused("--model is empty; give a FILE", WORDS("--model", ""));
    expect_refused("--model is empty", WORDS("--model="));
    expect_refused("--train is empty", WORDS("--train="));
    expect_refused("--hidden is given twice", WORDS("--hidden=1", "--hidden=1"));
    expect_refused("--resume is given twice", WORDS("--resume", "--resume"));
    expect_refused("--resume takes no value; write it without \"=yes\"", WORDS("--resume=yes"));
    expect_refused("--colour is \"pink\"; it must be red, green, blue or ultramarine",
                   WORDS("--colour=pink"));
    expect_refused("--colour is \"\"", WORDS("--colour="));
    expect_refused("--rim is \"gold\"; it must be tin or brass", WORDS("--rim", "gold"));
    expect_refused("unexpected \"c\": PAIRS can be given at most 2 times", WORDS("a", "b", "c"));
    // --model is not an input: here "-" is no second reader of standard input
    expect_refused("standard input (-) is given twice", WORDS("--model=-", "--train=-", "-"));
    expect_refused("standard input (-) is given twice",
                   WORDS("--model=x", "--train=-", "--train=a", "--train=-"));
}

TEST(unknown_names)
{
    expect_refused("unknown option --hiden; did you mean --hidden?", WORDS("--hiden=3"));
    expect_refused("unknown option --hid; did you mean --hidden?", WORDS("--hid"));
    expect_refused("unknown option --colur; did you mean --colour?", WORDS("--colur"));
    expect_refused("unknown option --hlep; did you mean --help?", WORDS("--hlep"));
    expect_refused("unknown option --quux; see regard train --help", WORDS("--quux"));
    expect_refused("unknown option --Model; did you mean --model?", WORDS("--Model", "m"));
    expect_refused("unknown option --; see", WORDS("--=x"));
    expect_refused("unknown option -x; names have two dashes", WORDS("-x"));
    expect_refused("unknown option -resume; names have two dashes", WORDS("-resume"));
    char word[5000] = "--";
    memset(word + 2, 'x', sizeof word - 3);
    expect_refused("xxx; see regard train --help", WORDS(word));
}

TEST(counts)
{
    Verb strict = verb;
    Values values;
    Arguments arguments;
    Error error = {0};
    strict.operands.least = strict.operands.most = 1;
    ck_assert_int_eq(parse(&strict, WORDS("--model=m"), &values, &arguments, &error),
                     STATUS_ARGUMENT);
    ck_assert_str_eq(error.text, "PAIRS is missing; see regard train --help");
    ck_assert_int_eq(parse(&strict, WORDS("--model=m", "a", "b"), &values, &arguments, &error),
                     STATUS_ARGUMENT);
    ck_assert_str_eq(error.text, "unexpected \"b\": PAIRS can be given only once");
    strict.operands.least = strict.operands.most = 0;
    ck_assert_int_eq(parse(&strict, WORDS("a"), &values, &arguments, &error), STATUS_ARGUMENT);
    assert_contains(error.text, "unexpected \"a\": train takes options only");

    const char *words[2 * MAX_OPTION_TEXTS + 3] = {0};
    for (size_t i = 0; i <= MAX_OPTION_TEXTS; i++) {
        words[2 * i] = "--train";
        words[2 * i + 1] = "x";
    }
    expect_refused("--train can be given at most 64 times", words);
}

static bool is_model(const char *word)
{
    return strlen(word) > strlen(".model") && strstr(word, ".model");
}

// An operand that says by itself which option's value it is.
TEST(taken_operands)
{
    Option named[sizeof options / sizeof *options];
    Verb of = verb;
    Values values;
    Arguments arguments;
    Error error = {0};
    memcpy(named, options, sizeof options);
    for (size_t i = 0; i < of.option_count; i++)
        if (named[i].kind == OPTION_KIND_TEXT)
            named[i].takes = is_model, named[i].taken = "ends in .model";
    of.options = named;
    assert_ok(parse(&of, WORDS("a", "x.model", "b"), &values, &arguments, &error));
    ck_assert_str_eq(values.model, "x.model");
    ck_assert(options_given(&arguments, "model"));
    ck_assert_uint_eq(arguments.operands.count, 2);
    // once it is given, it is an operand like any other
    assert_ok(parse(&of, WORDS("-m", "y", "x.model"), &values, &arguments, &error));
    ck_assert_str_eq(values.model, "y");
    ck_assert_str_eq(arguments.operands.items[0], "x.model");
    ck_assert_int_eq(parse(&of, WORDS(".model"), &values, &arguments, &error), STATUS_ARGUMENT);
    ck_assert_str_eq(error.text, "--model FILE is missing, and no operand ends in .model; see "
                                 "regard train --help");
}

TEST(letters)
{
    PARSED(values, arguments, "-m", "x", "a");
    ck_assert_str_eq(values.model, "x");
    ck_assert(options_given(&arguments, "model"));
    expect_refused("--model needs a value", WORDS("-m"));
    expect_refused("--model is given twice", WORDS("-m", "x", "--model", "y"));
    expect_refused("unknown option -mx; names have two dashes", WORDS("-mx"));
    expect_refused("unknown option -m=x; names have two dashes", WORDS("-m=x"));
}

TEST(help_text)
{
    Bytes help = {0};
    Writer out = writer_start(&help, NULL);
    options_help(&out, &verb);
    assert_ok(writer_end(&out));
    ck_assert_str_eq(
        help.data, "Usage: regard train --model FILE [options] [PAIRS...]\n"
                   "\n"
                   "Learns a model from sentence pairs, which may take a while if there are many,\n"
                   "and very long if there are very many.\n"
                   "\n"
                   "Second paragraph.\n"
                   "\n"
                   "  PAIRS             a TSV file, or SOURCE,TARGET\n"
                   "\n"
                   "Model\n"
                   "  --hidden N        units of the encoder per direction [256]\n"
                   "  --layers N        layers [as many as needed]\n"
                   "  --dropout P       share of units left out [0.2]\n"
                   "\n"
                   "Files\n"
                   "  -m, --model FILE  where the model goes [required]\n"
                   "  --train FILE      sentence pairs to learn from (repeatable)\n"
                   "  --colour[=red|green|blue|ultramarine]\n"
                   "                    of the picture [green]\n"
                   "  --rim tin|brass   of the frame [tin]\n"
                   "  --resume          go on from the checkpoint\n"
                   "\n"
                   "  --help            show this help\n");
    bytes_free(&help);
}

TEST(required_unless)
{
    static const Option table[] = {
        OPTION_TEXT(Values, model, "model", "FILE", "where", .required = true, .unless = "resume"),
        OPTION_FLAG(Values, resume, "resume", "go on"),
    };
    Verb own = {.name = "own", .summary = "Test.", VERB_OPTIONS(table, defaults)};
    Values values;
    Arguments arguments;
    Error error = {0};
    Bytes help = {0};
    assert_ok(parse(&own, WORDS("--resume"), &values, &arguments, &error));
    ck_assert_int_eq(parse(&own, WORDS(NULL), &values, &arguments, &error), STATUS_ARGUMENT);
    ck_assert_str_eq(error.text, "--model FILE is missing; see regard own --help");
    Writer out = writer_start(&help, NULL);
    options_help(&out, &own);
    assert_ok(writer_end(&out));
    assert_contains(help.data, "where [required unless --resume]");
    bytes_free(&help);
}
