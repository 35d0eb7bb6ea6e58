#include "cli/args/options.h"
#include "text/utf8.h"

enum { HELP_WIDTH = 80, HELP_INDENT = 2, MAX_HELP_COLUMN = 30 };

static size_t width_of(const char *text)
{
    return utf8_text_width(text, strlen(text));
}

/* Writes the words of a line of text, the first at `column`, in lines indented by `indent` spaces.
 * Ends with a newline. */
static void write_wrapped(Writer *out, const char *text, size_t column, size_t indent)
{
    for (bool first = true; *text && *text != '\n'; first = false) {
        size_t length = strcspn(text, " \n"), width = utf8_text_width(text, length);
        if (!first && column + 1 + width > HELP_WIDTH) {
            writer_format(out, "\n%*s", (int)indent, "");
            column = indent;
        } else if (!first) {
            writer_string(out, " ");
            column++;
        }
        writer_bytes(out, text, length);
        column += width;
        text += length;
        text += strspn(text, " ");
    }
    writer_string(out, "\n");
}

// An option as one types it: "--hidden N", "--resume", "--alignment[=FORMAT]", "--tokenize
// 13a|zh|none".
static void write_spelling(Writer *out, const Option *option)
{
    writer_format(out, "--%s", option->name);
    if (option->kind == OPTION_KIND_FLAG) return;
    writer_string(out, option->implied ? "[=" : " ");
    if (option->kind == OPTION_KIND_CHOICE)
        for (size_t i = 0; option->range.choices[i]; i++)
            writer_format(out, "%s%s", i ? "|" : "", option->range.choices[i]);
    else
        writer_string(out, option->value);
    if (option->implied) writer_string(out, "]");
}

// With the letter, if there is one: "-o, --output FILE".
static void write_spellings(Writer *out, const Option *option)
{
    if (option->letter) writer_format(out, "-%c, ", option->letter);
    write_spelling(out, option);
}

// The default, "[256]", unless it is a flag or a text without one; and whether the option is
// repeatable.
static void write_default(Writer *out, const Verb *verb, const Option *option)
{
    bool listed = option->kind == OPTION_KIND_TEXTS;
    if (listed) writer_string(out, " (repeatable)");
    if (option->required && option->unless)
        writer_format(out, " [required unless --%s]", option->unless);
    else if (option->required || option->otherwise)
        writer_format(out, " [%s]", option->required ? "required" : option->otherwise);
    else if (!listed && option->kind != OPTION_KIND_FLAG && option_is_set(option, verb->defaults)) {
        writer_string(out, " [");
        option_write(out, option, verb->defaults);
        writer_string(out, "]");
    }
}

// Two columns: what one types, and what it means, at `column`, on the next line if it does not fit.
static void write_entry(Writer *out, const char *spelling, const char *help, size_t column)
{
    size_t width = HELP_INDENT + width_of(spelling);
    bool fits = width + 2 <= column;
    writer_format(out, "%*s%s", HELP_INDENT, "", spelling);
    writer_format(out, "%s%*s", fits ? "" : "\n", (int)(fits ? column - width : column), "");
    write_wrapped(out, help, column, column);
}

static void write_option(Writer *out, const Verb *verb, const Option *option, size_t column)
{
    if (option->kind == OPTION_KIND_HEADING) {
        writer_format(out, "\n%s\n", option->name);
        return;
    }
    FREED_BY(bytes_free) Bytes spelling = {0}, help = {0};
    Writer left = writer_start(&spelling, out->error), right = writer_start(&help, out->error);
    write_spellings(&left, option);
    writer_string(&right, option->help);
    write_default(&right, verb, option);
    if (!out->status) out->status = writer_end(&left);
    if (!out->status) out->status = writer_end(&right);
    if (!out->status) write_entry(out, spelling.data, help.data, column);
}

// Where the second column begins: after the longest spelling of moderate length.
static size_t find_column(Writer *out, const Verb *verb)
{
    size_t column = HELP_INDENT + strlen("--help") + 2;
    FREED_BY(bytes_free) Bytes spelling = {0};
    for (size_t i = 0; i < verb->option_count && !out->status; i++) {
        if (verb->options[i].kind == OPTION_KIND_HEADING) continue;
        bytes_clear(&spelling);
        Writer writer = writer_start(&spelling, out->error);
        write_spellings(&writer, &verb->options[i]);
        out->status = writer_end(&writer);
        size_t needed = out->status ? 0 : HELP_INDENT + width_of(spelling.data) + 2;
        if (needed > column && needed <= MAX_HELP_COLUMN) column = needed;
    }
    return column;
}

// "Usage: regard score --model FILE [options] PAIRS"
static void write_usage(Writer *out, const Verb *verb)
{
    FREED_BY(bytes_free) Bytes text = {0};
    Writer usage = writer_start(&text, out->error);
    writer_format(&usage, "regard %s", verb->name);
    for (size_t i = 0; i < verb->option_count; i++) {
        if (!verb->options[i].required) continue;
        writer_string(&usage, " ");
        write_spelling(&usage, &verb->options[i]);
    }
    writer_string(&usage, " [options]");
    if (verb->operands.name)
        writer_format(&usage, verb->operands.least ? " %s%s" : " [%s%s]", verb->operands.name,
                      verb->operands.most > 1 ? "..." : "");
    writer_string(out, "Usage: ");
    if (!out->status) out->status = writer_end(&usage);
    if (!out->status) write_wrapped(out, text.data, strlen("Usage: "), 11);
}

// Paragraphs, one line of `text` each.
static void write_paragraphs(Writer *out, const char *text)
{
    while (*text) {
        writer_string(out, "\n");
        write_wrapped(out, text, 0, 0);
        text += strcspn(text, "\n");
        text += *text == '\n';
    }
}

// All rows and --help, set apart if the rows are in groups.
static void write_options(Writer *out, const Verb *verb, size_t column)
{
    bool grouped = false;
    if (verb->option_count == 0 || verb->options[0].kind != OPTION_KIND_HEADING)
        writer_string(out, "\n");
    for (size_t i = 0; i < verb->option_count; i++) {
        grouped = grouped || verb->options[i].kind == OPTION_KIND_HEADING;
        write_option(out, verb, &verb->options[i], column);
    }
    if (grouped) writer_string(out, "\n");
    write_entry(out, "--help", "show this help", column);
}

static void write_examples(Writer *out, const char *examples)
{
    writer_string(out, "\nExamples\n");
    while (*examples) {
        size_t length = strcspn(examples, "\n") + 1;
        writer_format(out, "%*s%.*s", HELP_INDENT, "", (int)length, examples);
        examples += length;
    }
}

void options_help(Writer *out, const Verb *verb)
{
    size_t column = find_column(out, verb);
    write_usage(out, verb);
    write_paragraphs(out, verb->description ? verb->description : verb->summary);
    if (verb->operands.name) {
        writer_string(out, "\n");
        write_entry(out, verb->operands.name, verb->operands.help, column);
    }
    write_options(out, verb, column);
    if (verb->examples) write_examples(out, verb->examples);
}
