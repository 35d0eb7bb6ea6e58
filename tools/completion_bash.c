#include "tools/completion.h"

// Before the tables: what is being completed. bash takes "=" for a word of its own.
static const char beginning[] =
    "# bash completion for regard, made from the tables of its options\n"
    "\n"
    "_regard()\n"
    "{\n"
    "    local current=${COMP_WORDS[COMP_CWORD]} verb=${COMP_WORDS[1]}\n"
    "    local option='' words='' operands='' place\n"
    "    COMPREPLY=()\n"
    "    # an option whose value this is, with \"=\" if that stands between them\n"
    "    if [[ $current == '=' ]]; then\n"
    "        option=${COMP_WORDS[COMP_CWORD - 1]}= current=''\n"
    "    elif ((COMP_CWORD > 2)) && [[ ${COMP_WORDS[COMP_CWORD - 1]} == '=' ]]; then\n"
    "        option=${COMP_WORDS[COMP_CWORD - 2]}=\n"
    "    elif ((COMP_CWORD > 2)); then\n"
    "        option=${COMP_WORDS[COMP_CWORD - 1]}\n"
    "    fi\n"
    "    # behind \"--\" all are operands\n"
    "    for ((place = 2; place < COMP_CWORD; place++)); do\n"
    "        [[ ${COMP_WORDS[place]} == '--' ]] && operands=only option=''\n"
    "    done\n"
    "    if ((COMP_CWORD == 1)); then\n"
    "        verb=''\n"
    "    fi\n";

// Behind them: a value of an option ends the function before this is reached.
static const char end[] =
    "    if [[ $operands != only* && ( $current == -* || ! $operands ) ]]; then\n"
    "        COMPREPLY=($(compgen -W \"$words\" -- \"$current\")); "
    "    elif [[ $operands == *files ]]; then\n"
    "        compopt -o default\n"
    "    fi\n"
    "}\n"
    "complete -F _regard regard\n";

static Status append_names(Bytes *out, const Verb *const *list, Error *error)
{
    Status status = STATUS_OK;
    for (size_t i = 0; !status && list[i]; i++)
        status = bytes_append_format(out, error, "%s ", list[i]->syntax.verb);
    return status;
}

// "'train --precision' | 'train --precision=')": the first only if it takes the next word.
static Status append_pattern(Bytes *out, const Syntax *syntax, const Option *option, Error *error)
{
    Status status = bytes_append_string(out, "    ", error);
    if (!status && !option->implied)
        status = bytes_append_format(out, error, "'%s --%s' | ", syntax->verb, option->name);
    return status ? status
                  : bytes_append_format(out, error, "'%s --%s=') ", syntax->verb, option->name);
}

// One case: an option and what its value can be.
static Status append_value(Bytes *out, const Syntax *syntax, const Option *option, Error *error)
{
    if (option->kind == OPTION_KIND_HEADING || option->kind == OPTION_KIND_FLAG) return STATUS_OK;
    Status status = append_pattern(out, syntax, option, error);
    if (status) return status;
    if (option->kind == OPTION_KIND_CHOICE) {
        Bytes names = {0};
        for (size_t i = 0; !status && option->range.choices[i]; i++)
            status =
                bytes_append_format(&names, error, "%s%s", i ? " " : "", option->range.choices[i]);
        if (!status) status = bytes_append_string(out, "COMPREPLY=($(compgen -W ", error);
        if (!status) status = completion_quote(out, names.data ? names.data : "", error);
        if (!status) status = bytes_append_string(out, " -- \"$current\")); ", error);
        bytes_free(&names);
    } else if (completion_is_file(option->value))
        status = bytes_append_string(out, "compopt -o default; ", error);
    return status ? status : bytes_append_string(out, "return ;;\n", error);
}

// One case: a verb, its options and whether its operands are files.
static Status append_verb(Bytes *out, const Syntax *syntax, Error *error)
{
    Status status = bytes_append_format(out, error, "    %s)\n        words='", syntax->verb);
    for (size_t i = 0; !status && i < syntax->option_count; i++)
        if (syntax->options[i].kind != OPTION_KIND_HEADING)
            status = bytes_append_format(out, error, "--%s ", syntax->options[i].name);
    if (!status) status = bytes_append_string(out, "--help'\n", error);
    if (!status && completion_is_file(syntax->operands.name))
        status = bytes_append_string(out, "        operands+=files\n", error);
    return status ? status : bytes_append_string(out, "        ;;\n", error);
}

Status completion_bash(const Verb *const *list, Bytes *out, Error *error)
{
    Status status = bytes_append_string(out, beginning, error);
    if (!status) status = bytes_append_string(out, "    case \"$verb $option\" in\n", error);
    for (size_t i = 0; !status && list[i]; i++)
        for (size_t j = 0; !status && j < list[i]->syntax.option_count; j++)
            status = append_value(out, &list[i]->syntax, &list[i]->syntax.options[j], error);
    if (!status)
        status = bytes_append_string(out, "    esac\n    case $verb in\n    '')\n        words='",
                                     error);
    if (!status) status = append_names(out, list, error);
    if (!status)
        status = bytes_append_string(
            out, "help --help --version'\n        ;;\n    help)\n        words='", error);
    if (!status) status = append_names(out, list, error);
    if (!status) status = bytes_append_string(out, "'\n        ;;\n", error);
    for (size_t i = 0; !status && list[i]; i++) status = append_verb(out, &list[i]->syntax, error);
    if (!status) status = bytes_append_string(out, "    esac\n", error);
    return status ? status : bytes_append_string(out, end, error);
}
