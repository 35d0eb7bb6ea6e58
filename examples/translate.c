/* Translates standard input line by line and shows which source word each target word looked at:
 *
 *     cc translate.c $(pkg-config --cflags --libs regard) -o translate
 *     echo "The cat sleeps." | ./translate model.safetensors
 *
 * prints what `regard translate --alignment` prints: TEXT ||| 0-0 1-2, and an empty line for an empty one. */
#define _POSIX_C_SOURCE 200809L // getline

#include <regard.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static void print_translation(const RegardTranslation *translation)
{
    const RegardAlignment *alignment = translation->alignment;
    fwrite(translation->text.bytes, 1, translation->text.length, stdout);
    fputs(" ||| ", stdout);
    for (size_t i = 0; i < alignment->link_count; i++)
        printf("%s%" PRIu32 "-%" PRIu32, i ? " " : "", alignment->links[i].source,
               alignment->links[i].target);
}

static RegardStatus translate_line(const RegardModel *model, RegardText line, RegardError *error)
{
    RegardOptions options;
    RegardResult *result;
    regard_options_default(&options, sizeof options);
    options.alignment = true;
    RegardStatus status = regard_translate(model, &line, 1, &options, &result, error);
    if (status) return status;
    const RegardTranslation *best = regard_result_translation(result, 0, 0);
    if (best) print_translation(best);
    putchar('\n');
    regard_result_free(result);
    return REGARD_OK;
}

int main(int count, char **words)
{
    RegardModel *model;
    RegardError error;
    char *line = NULL;
    size_t capacity = 0;
    if (count != 2) {
        fputs("usage: translate MODEL <TEXT, as in translate model.safetensors <input.txt\n", stderr);
        return 2;
    }
    RegardStatus status = regard_open(&model, words[1], &error);
    for (ssize_t length; !status && (length = getline(&line, &capacity, stdin)) >= 0;) {
        if (length > 0 && line[length - 1] == '\n') length--;
        status = translate_line(model, (RegardText){line, (size_t)length}, &error);
    }
    if (status) fprintf(stderr, "translate: %s\n", error.text);
    free(line);
    regard_close(model);
    return status || fflush(stdout) ? EXIT_FAILURE : EXIT_SUCCESS;
}
