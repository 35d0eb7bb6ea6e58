#include "cli/args/options.h"
#include "text/utf8.h"

#include <stdint.h>
#include <string.h>

enum { HELP_WIDTH = 80, HELP_INDENT = 2, MAX_HELP_COLUMN = 30 };

static size_t width_of(const char *text)
{
    return utf8_text_width(text, strlen(text));
}

/* Appends words, of which the first goes to `column`, and lines that begin with `indent` spaces.
 * Ends with a newline. */
static Status append_wrapped(Bytes *out, const char *text, size_t column, size_t indent,
                             Error *error)
{
    Status status = STATUS_OK;
    bool first = true;
    while (!status && *text) {
        size_t length = strcspn(text, " "), width = utf8_text_width(text, length);
        if (!first && column + 1 + width > HELP_WIDTH) {
            status = bytes_append_format(out, error, "\n%*s", (int)indent, "");
            column = indent;
        } else if (!first) {
            status = bytes_append_string(out, " ", error);
            column++;
        }
        if (!status) status = bytes_append(out, text, length, error);
        column += width;
        first = false;
        text += length;
        text += strspn(text, " ");
    }
    return status ? status : bytes_append_string(out, "\n", error);
}

// The names of a choice: "13a|zh|none".
static Status append_choices(Bytes *out, const Option *option, Error *error)
{
    Status status = STATUS_OK;
    for (size_t i = 0; !status && option->range.choices[i]; i++)
        status = bytes_append_format(out, error, "%s%s", i ? "|" : "", option->range.choices[i]);
    return status;
}

// An option as one types it: "--hidden N", "--resume", "--alignment[=FORMAT]".
static Status append_spelling(Bytes *out, const Option *option, Error *error)
{
    Status status = bytes_append_format(out, error, "--%s", option->name);
    if (status || option->kind == OPTION_KIND_FLAG) return status;
    status = bytes_append_string(out, option->implied ? "[=" : " ", error);
    if (!status && option->kind == OPTION_KIND_CHOICE)
        status = append_choices(out, option, error);
    else if (!status)
        status = bytes_append_string(out, option->value, error);
    if (!status && option->implied) status = bytes_append_string(out, "]", error);
    return status;
}

// Both ways to type it, if there are two: "-o, --output FILE".
static Status append_spellings(Bytes *out, const Option *option, Error *error)
{
    Status status =
        option->letter ? bytes_append_format(out, error, "-%c, ", option->letter) : STATUS_OK;
    return status ? status : append_spelling(out, option, error);
}

/* Appends what holds when the option is left out: "[256]", or nothing for flags and for texts that
 * have no default; and whether it may be repeated. */
static Status append_default(Bytes *out, const Syntax *syntax, const Option *option, Error *error)
{
    const void *place = (const char *)syntax->defaults + option->offset;
    if (option->kind == OPTION_KIND_TEXTS) {
        Status status = bytes_append_string(out, " (repeatable)", error);
        if (status) return status;
    }
    if (option->required) return bytes_append_string(out, " [required]", error);
    if (option->otherwise) return bytes_append_format(out, error, " [%s]", option->otherwise);
    switch (option->kind) {
    case OPTION_KIND_SIZE:
        return bytes_append_format(out, error, " [%zu]", *(const size_t *)place);
    case OPTION_KIND_REAL:
        return bytes_append_format(out, error, " [%g]", *(const double *)place);
    case OPTION_KIND_CHOICE:
        return bytes_append_format(out, error, " [%s]",
                                   option->by_name
                                       ? *(const char *const *)place
                                       : option->range.choices[*(const unsigned *)place]);
    case OPTION_KIND_TEXT: {
        const char *text = *(const char *const *)place;
        return text ? bytes_append_format(out, error, " [%s]", text) : STATUS_OK;
    }
    case OPTION_KIND_TEXTS:
    case OPTION_KIND_FLAG:
    case OPTION_KIND_HEADING:
        break;
    }
    return STATUS_OK;
}

// What an option means: its help text, and in brackets what holds when it is left out.
static Status append_meaning(Bytes *out, const Syntax *syntax, const Option *option, Error *error)
{
    Status status = bytes_append_string(out, option->help, error);
    return status ? status : append_default(out, syntax, option, error);
}

/* A line or more of two columns: what one types, and what it means, which begins at `column` if
 * what one types leaves room for it, and else on the next line. */
static Status append_entry(Bytes *out, const char *spelling, const char *help, size_t column,
                           Error *error)
{
    Status status = bytes_append_format(out, error, "%*s%s", HELP_INDENT, "", spelling);
    size_t width = HELP_INDENT + width_of(spelling);
    if (!status && width + 2 > column)
        status = bytes_append_format(out, error, "\n%*s", (int)column, "");
    else if (!status)
        status = bytes_append_format(out, error, "%*s", (int)(column - width), "");
    return status ? status : append_wrapped(out, help, column, column, error);
}

static Status append_option(Bytes *out, const Syntax *syntax, const Option *option, size_t column,
                            Error *error)
{
    if (option->kind == OPTION_KIND_HEADING)
        return bytes_append_format(out, error, "\n%s\n", option->name);
    Bytes spelling = {0}, help = {0};
    Status status = append_spellings(&spelling, option, error);
    if (!status) status = append_meaning(&help, syntax, option, error);
    if (!status) status = append_entry(out, spelling.data, help.data, column, error);
    bytes_free(&spelling);
    bytes_free(&help);
    return status;
}

// Where the second column begins: behind the longest spelling that is not too long.
static Status find_column(const Syntax *syntax, size_t *column, Error *error)
{
    Status status = STATUS_OK;
    Bytes spelling = {0};
    *column = HELP_INDENT + strlen("--help") + 2;
    for (size_t i = 0; !status && i < syntax->option_count; i++) {
        if (syntax->options[i].kind == OPTION_KIND_HEADING) continue;
        bytes_clear(&spelling);
        status = append_spellings(&spelling, &syntax->options[i], error);
        size_t needed = status ? 0 : HELP_INDENT + width_of(spelling.data) + 2;
        if (needed > *column && needed <= MAX_HELP_COLUMN) *column = needed;
    }
    bytes_free(&spelling);
    return status;
}

// "Usage: regard score --model FILE [options] PAIRS"
static Status append_usage(Bytes *out, const Syntax *syntax, Error *error)
{
    Bytes usage = {0};
    Status status = bytes_append_format(&usage, error, "regard %s", syntax->verb);
    for (size_t i = 0; !status && i < syntax->option_count; i++) {
        if (!syntax->options[i].required) continue;
        status = bytes_append_string(&usage, " ", error);
        if (!status) status = append_spelling(&usage, &syntax->options[i], error);
    }
    if (!status) status = bytes_append_string(&usage, " [options]", error);
    if (!status && syntax->operands.name)
        status = bytes_append_format(&usage, error, syntax->operands.least ? " %s%s" : " [%s%s]",
                                     syntax->operands.name, syntax->operands.most > 1 ? "..." : "");
    if (!status) status = bytes_append_string(out, "Usage: ", error);
    if (!status) status = append_wrapped(out, usage.data, strlen("Usage: "), 11, error);
    bytes_free(&usage);
    return status;
}

// Paragraphs, one line of `text` each.
static Status append_paragraphs(Bytes *out, const char *text, Error *error)
{
    Bytes paragraph = {0};
    Status status = STATUS_OK;
    while (!status && *text) {
        size_t length = strcspn(text, "\n");
        bytes_clear(&paragraph);
        status = bytes_append(&paragraph, text, length, error);
        if (!status) status = bytes_append_string(out, "\n", error);
        if (!status) status = append_wrapped(out, paragraph.data, 0, 0, error);
        text += length + (text[length] == '\n');
    }
    bytes_free(&paragraph);
    return status;
}

// All rows, and --help itself: as the last of them, or set apart if they are in groups.
static Status append_options(Bytes *out, const Syntax *syntax, size_t column, Error *error)
{
    Status status = STATUS_OK;
    bool grouped = false;
    if (syntax->option_count == 0 || syntax->options[0].kind != OPTION_KIND_HEADING)
        status = bytes_append_string(out, "\n", error);
    for (size_t i = 0; !status && i < syntax->option_count; i++) {
        grouped = grouped || syntax->options[i].kind == OPTION_KIND_HEADING;
        status = append_option(out, syntax, &syntax->options[i], column, error);
    }
    if (!status && grouped) status = bytes_append_string(out, "\n", error);
    return status ? status : append_entry(out, "--help", "show this and stop", column, error);
}

static Status append_examples(Bytes *out, const char *examples, Error *error)
{
    Status status = bytes_append_string(out, "\nExamples\n", error);
    while (!status && *examples) {
        size_t length = strcspn(examples, "\n") + 1;
        status = bytes_append_format(out, error, "%*s%.*s", HELP_INDENT, "", (int)length, examples);
        examples += length;
    }
    return status;
}

Status options_help(const Syntax *syntax, Bytes *out, Error *error)
{
    size_t column;
    Status status = find_column(syntax, &column, error);
    if (!status) status = append_usage(out, syntax, error);
    if (!status)
        status = append_paragraphs(out, syntax->description ? syntax->description : syntax->summary,
                                   error);
    if (!status && syntax->operands.name) {
        status = bytes_append_string(out, "\n", error);
        if (!status)
            status = append_entry(out, syntax->operands.name, syntax->operands.help, column, error);
    }
    if (!status) status = append_options(out, syntax, column, error);
    return status || !syntax->examples ? status : append_examples(out, syntax->examples, error);
}
