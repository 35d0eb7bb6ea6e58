#define _POSIX_C_SOURCE 200809L
/* Translates without one of the steps of reading (reading/reading.h), for tools/ablate-reading:
 *
 *     ablation MODEL [STEP] <lines >translations
 *
 * STEP is a step's name, `untranslated spans` or `sentences`; without one, all are taken. `ablation`
 * alone lists the names. */
#include "translate/session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

static const char spans_name[] = "untranslated spans", sentences_name[] = "sentences";

static void fail(const char *message)
{
    fprintf(stderr, "ablation: %s\n", message);
    exit(1);
}

static void list_names(void)
{
    printf("%s\n%s\n", sentences_name, spans_name);
    for (size_t i = 0; i < READING_STEPS; i++) puts(reading_steps[i]->name);
}

static uint32_t bit_of(const char *name)
{
    for (size_t i = 0; i < READING_STEPS; i++)
        if (!strcmp(reading_steps[i]->name, name)) return UINT32_C(1) << i;
    if (!strcmp(name, spans_name)) return READING_SPANS;
    if (strcmp(name, sentences_name) != 0) fail("there is no such step");
    return 0;
}

static void translate_line(Session *session, const char *line, size_t length,
                           const TranslateOptions *options)
{
    Error error = {0};
    Translation translation;
    const TextView text = {line, length};
    if (session_translate(session, &text, 1, options, &translation, &error)) fail(error.text);
    if (translation.count > 0) fputs(bytes_text(&translation.renderings[0].text), stdout);
    putchar('\n');
    translation_free(&translation);
}

int main(int count, char **arguments)
{
    Error error = {0};
    Translator translator;
    Session *session;
    const char *step = count > 2 ? arguments[2] : "";
    TranslateOptions options = {
        .search = {.beam = 5, .batch = 1, .length_normalization = MODELS_NORMALIZATION},
        .n_best = 1,
        .split = strcmp(step, sentences_name) ? SPLIT_SENTENCES : SPLIT_NONE};
    if (count < 2) {
        list_names();
        return 0;
    }
    if (translator_open(&translator, arguments[1], &error) ||
        session_new(&session, &translator, 1, PRECISION_INT8, &error))
        fail(error.text);
    if (*step) session_leave_out(session, bit_of(step));
    char *line = NULL;
    size_t capacity = 0;
    for (ssize_t length; (length = getline(&line, &capacity, stdin)) > 0;)
        translate_line(session, line, (size_t)length - (line[length - 1] == '\n'), &options);
    free(line);
    session_free(session);
    translator_close(&translator);
    return fflush(stdout) ? 1 : 0;
}
