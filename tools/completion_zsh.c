#include "tools/completion.h"

// Before the verbs' cases: the first word. Behind it, the words are those that stand behind "regard".
static const char beginning[] =
    "    )\n"
    "    if ((CURRENT == 2)); then\n"
    "        _describe -t verbs verb verbs\n"
    "        _arguments '--help[list the verbs]' '--version[print the version]'\n"
    "        return\n"
    "    fi\n"
    "    shift words\n"
    "    ((CURRENT--))\n"
    "    case $words[1] in\n"
    "    help)\n"
    "        ((CURRENT == 2)) && _describe -t verbs verb verbs\n"
    "        ;;\n";

// Appends text in which the characters of `special` and the backslash are escaped by a backslash.
static Status append_escaped(Bytes *out, const char *text, char special, Error *error)
{
    Status status = STATUS_OK;
    for (; !status && *text; text++) {
        if (*text == special || *text == '\\') status = bytes_append_string(out, "\\", error);
        if (!status) status = bytes_append(out, text, 1, error);
    }
    return status;
}

// ":FILE:_files", ":format:(pharaoh soft)", ":N: " where nothing can be offered.
static Status append_value(Bytes *out, const Option *option, Error *error)
{
    bool is_choice = option->kind == OPTION_KIND_CHOICE;
    Status status = bytes_append_string(out, ":", error);
    if (!status) status = append_escaped(out, is_choice ? option->name : option->value, ':', error);
    if (!status && !is_choice)
        return bytes_append_string(out, completion_is_file(option->value) ? ":_files" : ": ",
                                   error);
    for (size_t i = 0; !status && option->range.choices[i]; i++)
        status = bytes_append_format(out, error, "%s%s", i ? " " : ":(", option->range.choices[i]);
    return status ? status : bytes_append_string(out, ")", error);
}

/* A specification as _arguments reads it: "*" if the option may be repeated, "=" where a value may
 * stand in the next word, "=-" where it cannot, and what it means. */
static Status append_specification(Bytes *out, const Option *option, Error *error)
{
    bool is_flag = option->kind == OPTION_KIND_FLAG;
    const char *repeated = option->kind == OPTION_KIND_TEXTS ? "*" : "";
    const char *joined = is_flag ? "" : option->implied ? "=-" : "=";
    Status status = bytes_append_format(out, error, "%s--%s%s[", repeated, option->name, joined);
    if (!status) status = append_escaped(out, option->help, ']', error);
    if (!status) status = bytes_append_string(out, option->implied ? "]:" : "]", error);
    return status || is_flag ? status : append_value(out, option, error);
}

// ":PAIRS:_files", "::MODEL:_files" for what may be left out, "*:PAIRS:_files" for several.
static Status append_operands(Bytes *out, const Syntax *syntax, Error *error)
{
    const char *count = syntax->operands.most > 1 ? "*" : syntax->operands.least == 0 ? ":" : "";
    Status status = bytes_append_format(out, error, "%s:", count);
    if (!status) status = append_escaped(out, syntax->operands.name, ':', error);
    const char *action = completion_is_file(syntax->operands.name) ? ":_files" : ": ";
    return status ? status : bytes_append_string(out, action, error);
}

// A line of its own with `word` in quotes, which is emptied.
static Status append_word(Bytes *out, Bytes *word, bool last, Error *error)
{
    Status status = bytes_append_string(out, "            ", error);
    if (!status) status = completion_quote(out, word->data, error);
    bytes_clear(word);
    return status ? status : bytes_append_string(out, last ? "\n" : " \\\n", error);
}

static Status append_verb(Bytes *out, const Syntax *syntax, Error *error)
{
    Bytes word = {0};
    Status status =
        bytes_append_format(out, error, "    %s)\n        _arguments -S \\\n", syntax->verb);
    for (size_t i = 0; !status && i < syntax->option_count; i++) {
        if (syntax->options[i].kind == OPTION_KIND_HEADING) continue;
        status = append_specification(&word, &syntax->options[i], error);
        if (!status) status = append_word(out, &word, false, error);
    }
    if (!status && syntax->operands.name) {
        status = append_operands(&word, syntax, error);
        if (!status) status = append_word(out, &word, false, error);
    }
    if (!status) status = bytes_append_string(&word, "--help[show the options and stop]", error);
    if (!status) status = append_word(out, &word, true, error);
    bytes_free(&word);
    return status ? status : bytes_append_string(out, "        ;;\n", error);
}

// "train:learn to translate", a line for each verb.
static Status append_summaries(Bytes *out, const Verb *const *list, Error *error)
{
    Bytes word = {0};
    Status status = STATUS_OK;
    for (size_t i = 0; !status && list[i]; i++) {
        bytes_clear(&word);
        status = bytes_append_format(&word, error, "%s:", list[i]->syntax.verb);
        if (!status) status = append_escaped(&word, list[i]->syntax.summary, ':', error);
        if (!status) status = bytes_append_string(out, "        ", error);
        if (!status) status = completion_quote(out, word.data, error);
        if (!status) status = bytes_append_string(out, "\n", error);
    }
    bytes_free(&word);
    return status ? status : bytes_append_string(out, "        'help:explain a verb'\n", error);
}

Status completion_zsh(const Verb *const *list, Bytes *out, Error *error)
{
    Status status = bytes_append_string(out,
                                        "#compdef regard\n"
                                        "# made from the tables of regard's options\n"
                                        "\n"
                                        "_regard()\n"
                                        "{\n"
                                        "    local -a verbs=(\n",
                                        error);
    if (!status) status = append_summaries(out, list, error);
    if (!status) status = bytes_append_string(out, beginning, error);
    for (size_t i = 0; !status && list[i]; i++) status = append_verb(out, &list[i]->syntax, error);
    return status ? status : bytes_append_string(out, "    esac\n}\n\n_regard \"$@\"\n", error);
}
