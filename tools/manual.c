/* Prints one part of the manual, for the rules in install.mk:
 *
 *     manual page            regard.1
 *     manual page VERB       regard-VERB.1
 *     manual bash            the completion for bash
 *     manual zsh             the completion for zsh */
#include "cli/output.h"
#include "tools/completion.h"
#include "tools/page.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static Status print_page(const char *name, Bytes *out, Error *error)
{
    for (size_t i = 0; verbs[i]; i++)
        if (strcmp(verbs[i]->syntax.verb, name) == 0)
            return page_of_verb(verbs, verbs[i], out, error);
    return error_set(error, STATUS_ARGUMENT, "there is no verb \"%.200s\" in src/cli/verbs.c",
                     name);
}

static Status print_part(int count, char **words, Bytes *out, Error *error)
{
    if (count == 2 && strcmp(words[0], "page") == 0) return print_page(words[1], out, error);
    if (count == 1 && strcmp(words[0], "page") == 0) return page_of_program(verbs, out, error);
    if (count == 1 && strcmp(words[0], "bash") == 0) return completion_bash(verbs, out, error);
    if (count == 1 && strcmp(words[0], "zsh") == 0) return completion_zsh(verbs, out, error);
    return error_set(error, STATUS_ARGUMENT, "give page, page VERB, bash or zsh");
}

int main(int argc, char **argv)
{
    Error error = {0};
    Bytes part = {0};
    Output output = {.descriptor = STDOUT_FILENO};
    Status status = print_part(argc - 1, argv + 1, &part, &error);
    if (!status) status = output_write(&output, part.data, part.length, &error);
    Status closed = output_close(&output, status ? NULL : &error);
    if (!status) status = closed;
    bytes_free(&part);
    if (status) report_error("manual", &error);
    return status ? EXIT_FAILURE : EXIT_SUCCESS;
}
