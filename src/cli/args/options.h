/* A verb's options, described once in a table, from which parsing and --help are made. Man pages
 * and completions are made from --help: its layout is what tools/manual, completion.bash and
 * completion.zsh read.
 *
 *     typedef struct TrainValues { size_t hidden; const char *model; bool resume; } TrainValues;
 *
 *     static const Option options[] = {
 *         OPTION_HEADING("Model"),
 *         OPTION_SIZE(TrainValues, hidden, "hidden", "N", 1, 16384, "units of the encoder"),
 *         OPTION_TEXT(TrainValues, model, "model", "FILE", "where the model goes", .required = 1),
 *         OPTION_FLAG(TrainValues, resume, "resume", "go on from the checkpoint"),
 *     };
 *
 *     static const TrainValues defaults = {.hidden = 256};
 *
 * A row names a member of the verb's own struct, and compiles only if that has the right type. The
 * defaults are such a struct too, so they may come from the library. After the help text a row may
 * set further fields by name: .required, .unless, .only, .input, .takes, .taken, .model, .implied,
 * .otherwise, .letter.
 *
 * On the command line: `--name value` or `--name=value`, in any order and among the operands; `--`
 * ends the options, `-` is an operand. Names are never abbreviated. A value that begins with `--`
 * must be written with `=`. Some options also have a letter: `-o value`. */
#pragma once

#include "base/nearest_name.h"
#include "base/writer.h"

// Limits of the rows of a table, and of the values of a repeated option or operand.
enum { MAX_OPTIONS = 96, MAX_OPTION_TEXTS = 64 };

typedef enum OptionKind {
    OPTION_KIND_HEADING, // not an option: a heading in the help
    OPTION_KIND_FLAG,    // bool: given or not
    OPTION_KIND_SIZE,    // size_t: a whole number
    OPTION_KIND_REAL,    // double: a finite number
    OPTION_KIND_TEXT,    // const char *: any text but ""
    OPTION_KIND_TEXTS,   // OptionTexts: the same, and the option may be repeated
    OPTION_KIND_CHOICE,  // one of some names: unsigned, or an enum without negative values
} OptionKind;

// The values of a repeated option, in order; they belong to the command line.
typedef struct OptionTexts {
    const char *items[MAX_OPTION_TEXTS];
    size_t count;
} OptionTexts;

typedef struct Option {
    OptionKind kind;
    const char *name;  // without the dashes; of a heading, its text
    char letter;       // 'o' for "-o"; 0 for none
    const char *value; // what help calls the value: "N", "FILE"; NULL for flags and choices
    size_t offset;     // of the member in the verb's struct
    union {            // permitted values, both ends included
        struct {
            size_t least, most;
        } size;
        struct {
            double least, most;
        } real;
        const char *const *choices; // ends with NULL; the place in the list is the value
    } range;
    const char *help;
    bool required;      // leaving it out is an error
    const char *unless; // the option that makes it unnecessary; NULL for none
    unsigned only;      // forms of the command, as bits, all of which it needs (options_check_form)
    bool input;         // a file to read; with the operands, at most one can be `-`
    bool (*takes)(
        const char *word); // whether an operand is its value, if it is not yet given; NULL: none is
    const char *taken;     // what is said of such an operand: "ends in .safetensors"
    bool model;            // a model: its file, or a name (cli/model_names.h)
    const char *implied;   // value of `--name` alone; any other needs `--name=value`
    const char *otherwise; // the default in the help, if the member's value does not say it
} Option;

struct Arguments;
struct Output; // cli/output.h

// A verb of the program: everything that may follow its name, and what it does.
typedef struct Verb {
    const char *name;
    const char *summary;     // one line, for the list of verbs
    const char *description; // paragraphs, one line each, for the verb's help; may be NULL
    const Option *options;
    size_t option_count; // at most MAX_OPTIONS
    const void *defaults;
    size_t values_size; // of the verb's struct, in bytes
    struct {
        const char *name; // "PAIRS"; NULL if there are none
        const char *help;
        size_t least, most; // how many there may be; at most MAX_OPTION_TEXTS
    } operands;
    bool models;          // the operands are models: files, or names (cli/model_names.h)
    const char *examples; // pairs of lines: "Purpose:\n  command\n"; may be NULL
    /* Does the work. `arguments->values` is the verb's own struct. A failure is reported by main:
     * STATUS_ARGUMENT is wrong usage (exit status 2), anything else a failure (1). What `output`
     * returns is passed on as it is. */
    Status (*run)(const struct Arguments *arguments, struct Output *output, Error *error);
} Verb;

// A command line, parsed.
typedef struct Arguments {
    const Verb *verb;
    const void *values; // the verb's struct: defaults, and what was given
    OptionTexts operands;
    bool given[MAX_OPTIONS]; // which rows of the table were given explicitly
    bool help;               // --help was given: nothing else was parsed
} Arguments;

// Whether the word asks for help: --help or -h.
bool options_ask_for_help(const char *word);

/* Parses the words after the verb. `values` is a struct of the verb's own type, which gets the
 * defaults first; texts in it point into `words`. STATUS_ARGUMENT is wrong usage: an unknown name
 * (the nearest one is suggested), a value out of range, an option or operand missing or
 * repeated, standard input named twice. */
Status options_parse(Arguments *arguments, const Verb *verb, size_t word_count,
                     const char *const *words, void *values, Error *error);

/* Reads a decimal number within these limits. strtod alone would also take white space, hexadecimal
 * digits, "inf" and "nan". */
bool option_read_real(double *real, const char *text, double least, double most);

// Whether an option was given explicitly. The table must have it.
bool options_given(const Arguments *arguments, const char *name);

/* Refuses options that a command has no use for. A verb may have several forms: with a model or
 * without, a search or samples. A row names by .only the forms that its option needs, and `form` has
 * the bits of those that this command has. The message is "--NAME " and the reason of the lowest bit
 * that is missing. */
Status options_check_form(const Arguments *arguments, unsigned form, const char *const *reasons,
                          Error *error);

/* The texts that are an option's value in `values`: one, or those of a list; none if it is not set, or
 * of another kind. Returns their number. */
size_t option_texts(const char *const **texts, const Option *option, const void *values);

// How many of the files to read, those of rows with .input, are standard input, "-".
size_t options_standard_input(const Verb *verb, const void *values);

/* Writes an option's value in `values` as it is typed: texts with spaces between them, for a flag
 * nothing. */
void option_write(Writer *out, const Option *option, const void *values);

// Whether a flag is true, a text is not NULL, a list is not empty; other kinds always are.
bool option_is_set(const Option *option, const void *values);

// Whether the option has the same value in two structs.
bool option_equal(const Option *option, const void *a, const void *b);

// Copies the option's value from one struct to another.
void option_copy(const Option *option, void *to, const void *from);

/* The message for an option that is given a value other than the one it must have, with both:
 * "--hidden is 17, and was 16 " and `ending`. STATUS_ARGUMENT. */
Status option_contradiction(const Verb *verb, const Option *option, const void *given,
                            const void *stored, const char *ending, Error *error);

// Writes the verb's help, at most 80 columns wide.
void options_help(Writer *out, const Verb *verb);

// A member's offset; compiles only if the member has this type.
#define OPTION_PLACE(values, member, type)                                                         \
    (offsetof(values, member) * _Generic(((values *)0)->member, type : 1))

// The table of a Verb and the defaults of its values.
#define VERB_OPTIONS(table, initial)                                                               \
    .options = table, .option_count = sizeof table / sizeof *table, .defaults = &initial,          \
    .values_size = sizeof initial

#define OPTION_HEADING(text)                                                                       \
    {                                                                                              \
        .kind = OPTION_KIND_HEADING, .name = text                                                  \
    }

// Any other row; the last arguments are further fields of Option.
#define OPTION_ROW(what, values, member, type, option, ...)                                        \
    {                                                                                              \
        .kind = OPTION_KIND_##what, .offset = OPTION_PLACE(values, member, type), .name = option,  \
        __VA_ARGS__                                                                                \
    }

// The last arguments are the help text and further fields of Option.
#define OPTION_FLAG(values, member, option, ...)                                                   \
    OPTION_ROW(FLAG, values, member, bool, option, .help = __VA_ARGS__)
#define OPTION_SIZE(values, member, option, called, from, to, ...)                                 \
    OPTION_ROW(SIZE, values, member, size_t, option, .value = called,                              \
               .range = {.size = {from, to}}, .help = __VA_ARGS__)
#define OPTION_REAL(values, member, option, called, from, to, ...)                                 \
    OPTION_ROW(REAL, values, member, double, option, .value = called,                              \
               .range = {.real = {from, to}}, .help = __VA_ARGS__)
#define OPTION_TEXT(values, member, option, called, ...)                                           \
    OPTION_ROW(TEXT, values, member, const char *, option, .value = called, .help = __VA_ARGS__)
#define OPTION_TEXTS(values, member, option, called, ...)                                          \
    OPTION_ROW(TEXTS, values, member, OptionTexts, option, .value = called, .help = __VA_ARGS__)
#define OPTION_CHOICE(values, member, option, names, ...)                                          \
    OPTION_ROW(CHOICE, values, member, unsigned, option, .range = {.choices = names},              \
               .help = __VA_ARGS__)
