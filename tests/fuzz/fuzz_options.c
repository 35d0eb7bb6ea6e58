/* Any words as a command line, separated by NUL: the first byte picks the verb. Nothing is run.
 *
 * tests/fuzz/run builds and runs it. */
#include "fuzz.h"

#include "base/memory.h"
#include "cli/verbs.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_WORDS = 100 };

static void fuzz_names(const Verb *verb, const char *word)
{
    const char *names[MAX_OPTIONS];
    for (size_t i = 0; i < verb->option_count; i++) names[i] = verb->options[i].name;
    const char *nearest = nearest_name(word, names, verb->option_count);
    if (!nearest) return;
    for (size_t i = 0; i < verb->option_count; i++)
        if (names[i] == nearest) return;
    require(false);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) return 0;
    size_t verb_count = 0, count = 0;
    while (verbs[verb_count]) verb_count++;
    const Verb *verb = verbs[data[0] % verb_count];
    char *text = memory_copy_string((const char *)data + 1, size - 1);
    void *values = memory_new(1, verb->values_size);
    require(text && values);
    const char *words[MAX_WORDS];
    for (size_t at = 0; at < size && count < MAX_WORDS; at += strlen(text + at) + 1)
        words[count++] = text + at;
    Arguments arguments;
    Error error = {0};
    Status status = options_parse(&arguments, verb, count, words, values, &error);
    if (status) { // one line that says why
        require(status == STATUS_ARGUMENT && error.text[0]);
        for (const char *c = error.text; *c; c++) require((unsigned char)*c >= 0x20 && *c != 0x7F);
    } else {
        require(arguments.operands.count <= MAX_OPTION_TEXTS && arguments.values == values);
        require(arguments.help || arguments.operands.count >= verb->operands.least);
        require(arguments.help || arguments.operands.count <= verb->operands.most);
    }
    fuzz_names(verb, words[0]);
    memory_free(values);
    memory_free(text);
    return 0;
}
