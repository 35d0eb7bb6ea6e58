#include "tools/page.h"

#include "base/version.h"
#include "tools/examples.h"
#include "tools/roff.h"

#include <string.h>

static Status append_line(Bytes *out, const char *line, Error *error)
{
    return bytes_append_format(out, error, "%s\n", line);
}

/* .TH has the page's name in capitals, section, date (none) and version; `verb` may be NULL. */
static Status append_top(Bytes *out, const char *verb, const char *summary, Error *error)
{
    Bytes name = {0};
    Status status = bytes_append_string(&name, "regard", error);
    if (!status && verb) status = bytes_append_format(&name, error, "\\-%s", verb);
    if (!status) status = bytes_append_string(out, ".TH ", error);
    for (size_t i = 0; !status && i < name.length; i++) {
        char c = name.data[i];
        if (c >= 'a' && c <= 'z') c = (char)(c - 'a' + 'A');
        status = bytes_append(out, &c, 1, error);
    }
    if (!status)
        status =
            bytes_append_format(out, error, " 1 \"\" \"Regard %s\" \"Regard\"\n.SH NAME\n%s \\- ",
                                REGARD_VERSION, name.data);
    if (!status) status = roff_text(out, summary, error);
    bytes_free(&name);
    return status;
}

// A quoted argument of a macro.
static Status append_argument(Bytes *out, const char *before, const char *text, Error *error)
{
    Status status = bytes_append_format(out, error, " \"%s", before);
    if (!status) status = roff_literal(out, text, error);
    return status ? status : bytes_append_string(out, "\"", error);
}

/* The names of a choice, as further arguments of .BR, which sets them in bold and the bars between
 * them in roman. */
static Status append_choices(Bytes *out, const Option *option, Error *error)
{
    Status status = bytes_append_string(out, option->implied ? " [=" : " \" \"", error);
    for (size_t i = 0; !status && option->range.choices[i]; i++) {
        if (i > 0) status = bytes_append_string(out, " |", error);
        if (!status) status = append_argument(out, "", option->range.choices[i], error);
    }
    if (!status && option->implied) status = bytes_append_string(out, " ]", error);
    return status;
}

/* An option as one types it, in a line: what is typed so in bold, what stands for a value in italics. `both` ways to type it,
 * if it has a letter too. */
static Status append_spelling(Bytes *out, const Option *option, bool both, Error *error)
{
    bool is_choice = option->kind == OPTION_KIND_CHOICE;
    bool is_flag = option->kind == OPTION_KIND_FLAG;
    const char *macro = is_flag ? ".B" : is_choice || option->implied ? ".BR" : ".BI";
    Status status = bytes_append_string(out, macro, error);
    if (!status && both && option->letter)
        status = bytes_append_format(out, error, " \\-%c \", \"", option->letter);
    if (!status) status = bytes_append_string(out, " \\-\\-", error);
    if (!status) status = roff_literal(out, option->name, error);
    if (!status && is_choice)
        status = append_choices(out, option, error);
    else if (!status && option->implied) {
        status = append_argument(out, "[=\\fI", option->value, error);
        if (!status) status = bytes_append_string(out, " ]", error);
    } else if (!status && !is_flag)
        status = append_argument(out, " ", option->value, error);
    return status ? status : bytes_append_string(out, "\n", error);
}

static Status append_synopsis(Bytes *out, const Syntax *syntax, Error *error)
{
    Status status = bytes_append_format(out, error, ".SH SYNOPSIS\n.B regard %s\n", syntax->verb);
    for (size_t i = 0; !status && i < syntax->option_count; i++)
        if (syntax->options[i].required)
            status = append_spelling(out, &syntax->options[i], false, error);
    if (!status) status = append_line(out, ".RI [ options ]", error);
    if (status || !syntax->operands.name) return status;
    bool optional = syntax->operands.least == 0;
    status = bytes_append_string(out, optional ? ".RI [" : ".I", error);
    if (!status) status = append_argument(out, "", syntax->operands.name, error);
    if (!status && syntax->operands.most > 1) status = bytes_append_string(out, " ...", error);
    if (!status && optional) status = bytes_append_string(out, " ]", error);
    return status ? status : bytes_append_string(out, "\n", error);
}

// Paragraphs, one line of `text` each.
static Status append_paragraphs(Bytes *out, const char *text, Error *error)
{
    Bytes paragraph = {0};
    Status status = append_line(out, ".SH DESCRIPTION", error);
    for (bool first = true; !status && *text; first = false) {
        size_t length = strcspn(text, "\n");
        bytes_clear(&paragraph);
        status = bytes_append(&paragraph, text, length, error);
        if (!status && !first) status = append_line(out, ".PP", error);
        if (!status) status = roff_text(out, paragraph.data, error);
        text += length + (text[length] == '\n');
    }
    bytes_free(&paragraph);
    return status;
}

static Status append_option(Bytes *out, const Syntax *syntax, const Option *option, Error *error)
{
    if (option->kind == OPTION_KIND_HEADING) {
        Status status = bytes_append_string(out, ".SS", error);
        if (!status) status = append_argument(out, "", option->name, error);
        return status ? status : bytes_append_string(out, "\n", error);
    }
    Bytes meaning = {0};
    Status status = options_meaning(syntax, option, &meaning, error);
    if (!status) status = append_line(out, ".TP", error);
    if (!status) status = append_spelling(out, option, true, error);
    if (!status) status = roff_text(out, meaning.data, error);
    bytes_free(&meaning);
    return status;
}

static Status append_options(Bytes *out, const Syntax *syntax, Error *error)
{
    bool grouped = false;
    Status status = append_line(out,
                                ".SH OPTIONS\n"
                                "What stands in brackets holds where an option is left out.",
                                error);
    for (size_t i = 0; !status && i < syntax->option_count; i++) {
        grouped = grouped || syntax->options[i].kind == OPTION_KIND_HEADING;
        status = append_option(out, syntax, &syntax->options[i], error);
    }
    if (!status && grouped) status = append_line(out, ".SS Help", error);
    return status ? status
                  : append_line(out, ".TP\n.B \\-\\-help\nshow the options and stop", error);
}

static Status append_operands(Bytes *out, const Syntax *syntax, Error *error)
{
    if (!syntax->operands.name) return STATUS_OK;
    Status status = bytes_append_string(out, ".SH OPERANDS\n.TP\n.I", error);
    if (!status) status = append_argument(out, "", syntax->operands.name, error);
    if (!status) status = bytes_append_string(out, "\n", error);
    return status ? status : roff_text(out, syntax->operands.help, error);
}

static Status append_exit_status(Bytes *out, Error *error)
{
    return append_line(out,
                       ".SH EXIT STATUS\n"
                       ".TP\n.B 0\nAll was done, or whoever read the output had seen enough.\n"
                       ".TP\n.B 1\nSomething failed; one line on standard error says what.\n"
                       ".TP\n.B 2\nThe command line was wrong.",
                       error);
}

// The examples of a page; no section if it has none.
static Status append_examples(Bytes *out, const char *page, Error *error)
{
    Status status = STATUS_OK;
    const char *before = ".SH EXAMPLES\n";
    for (const Example *example = examples; !status && example->page; example++) {
        if (strcmp(example->page, page) != 0) continue;
        status = bytes_append_string(out, before, error);
        if (!status) status = roff_text(out, example->purpose, error);
        if (!status) status = append_line(out, ".PP\n.RS 4\n.EX", error);
        if (!status) status = roff_literal(out, example->command, error);
        if (!status) status = append_line(out, "\n.EE\n.RE", error);
        before = ".PP\n";
    }
    return status;
}

/* All other pages: `own` is the verb of this one, or NULL for the program's. The comma between two
 * is an argument of the macro, which sets no space before it. */
static Status append_see_also(Bytes *out, const Verb *const *list, const char *own, Error *error)
{
    Status status = append_line(out, ".SH SEE ALSO", error);
    const char *before = "";
    if (!status && own) {
        status = bytes_append_string(out, ".BR regard (1)", error);
        before = " ,\n";
    }
    for (size_t i = 0; !status && list[i]; i++) {
        if (own && strcmp(list[i]->syntax.verb, own) == 0) continue;
        status =
            bytes_append_format(out, error, "%s.BR regard\\-%s (1)", before, list[i]->syntax.verb);
        before = " ,\n";
    }
    return status ? status : bytes_append_string(out, "\n", error);
}

Status page_of_verb(const Verb *const *list, const Verb *verb, Bytes *out, Error *error)
{
    const Syntax *syntax = &verb->syntax;
    Status status = append_top(out, syntax->verb, syntax->summary, error);
    if (!status) status = append_synopsis(out, syntax, error);
    if (!status)
        status = append_paragraphs(out, syntax->description ? syntax->description : syntax->summary,
                                   error);
    if (!status) status = append_options(out, syntax, error);
    if (!status) status = append_operands(out, syntax, error);
    if (!status) status = append_exit_status(out, error);
    if (!status) status = append_examples(out, syntax->verb, error);
    return status ? status : append_see_also(out, list, syntax->verb, error);
}

static Status append_verbs(Bytes *out, const Verb *const *list, Error *error)
{
    Status status = append_line(out, ".SH VERBS", error);
    for (size_t i = 0; !status && list[i]; i++) {
        status =
            bytes_append_format(out, error, ".TP\n.BR regard\\-%s (1)\n", list[i]->syntax.verb);
        if (!status) status = roff_text(out, list[i]->syntax.summary, error);
    }
    return status;
}

Status page_of_program(const Verb *const *list, Bytes *out, Error *error)
{
    Status status = append_top(out, NULL, "neural translation that shows where it looked", error);
    if (!status)
        status = append_line(
            out,
            ".SH SYNOPSIS\n"
            ".B regard\n.I VERB\n.RI [ options ]\n.RI [ operands ]\n"
            ".SH DESCRIPTION\n"
            "Regard trains a translator on parallel sentences, translates,\n"
            "and shows which source word each target word looked at.\n"
            "A model is one file:\n.B regard train\nwrites it, the other verbs read it.",
            error);
    if (!status) status = append_verbs(out, list, error);
    if (!status)
        status = append_line(out,
                             ".SH OPTIONS\n"
                             "The options of a verb may stand in any order,\n"
                             "before its operands, behind them or among them.\n"
                             "A value is a word of its own or follows\n.BR = ,\n"
                             "as in\n.B \\-\\-beam 5\nand\n.BR \\-\\-beam=5 ;\n"
                             "one that begins with\n.B \\-\\-\nneeds the second form.\n"
                             "Names are never abbreviated.\n"
                             "Behind\n.B \\-\\-\nall words are operands.\n"
                             ".TP\n.B \\-\\-help\nlist the verbs; behind a verb, its options\n"
                             ".TP\n.B \\-\\-version\nprint the version",
                             error);
    if (!status) status = append_exit_status(out, error);
    if (!status) status = append_examples(out, "regard", error);
    return status ? status : append_see_also(out, list, NULL, error);
}
