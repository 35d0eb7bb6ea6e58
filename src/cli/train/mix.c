#include "cli/train/mix.h"

#include <stdlib.h>
#include <string.h>

static const double MIN_WEIGHT = 0.001, MAX_WEIGHT = 1000;

Status mix_parse(Bytes *pairs, double *weight, const char *given, Error *error)
{
    const char *colon = strrchr(given, ':');
    const char *text = colon ? colon + 1 : "";
    char *end;
    *weight = strtod(text, &end);
    bool plain = *text && !*end && !text[strspn(text, "0123456789.eE+-")];
    if (!plain || colon == given || !(*weight >= MIN_WEIGHT && *weight <= MAX_WEIGHT))
        return error_set(error, STATUS_ARGUMENT,
                         "--mix is \"%.200s\"; write PAIRS:W, such as old.tsv:0.5, with a number W "
                         "from %g to %g",
                         given, MIN_WEIGHT, MAX_WEIGHT);
    return bytes_append(pairs, given, (size_t)(colon - given), error);
}

bool mix_same_weight(const char *a, const char *b)
{
    const char *of_a = strrchr(a, ':'), *of_b = strrchr(b, ':');
    return of_a && of_b && !strcmp(of_a, of_b);
}
