#include "metrics/exact_match.h"

#include "text/normalise.h"
#include "text/utf8.h"

#include <string.h>

/* The form of a text in which it is compared. Lower case comes first: it can leave a letter and its
 * mark apart (İ), which composition then joins. */
static Status fold(Bytes *out, const char *text, bool lowercase, Error *error)
{
    if (!lowercase) return normalise(out, text, strlen(text), NULL, error);
    Bytes lower = {0};
    Status status = utf8_append_lowercase(&lower, text, strlen(text), error);
    if (!status) status = normalise(out, lower.data ? lower.data : "", lower.length, NULL, error);
    bytes_free(&lower);
    return status;
}

Status exact_match(bool *equal, const char *hypothesis, const char *const *references, size_t count,
                   bool lowercase, Error *error)
{
    Bytes wanted = {0}, reference = {0};
    bool found = false, all_empty = true;
    Status status = fold(&wanted, hypothesis, lowercase, error);
    for (size_t r = 0; r < count; r++) all_empty = all_empty && !*references[r];
    for (size_t r = 0; r < count && !status && !found; r++) {
        if (!*references[r] && !all_empty) continue;
        status = fold(&reference, references[r], lowercase, error);
        found = !status && reference.length == wanted.length &&
                (wanted.length == 0 || memcmp(reference.data, wanted.data, wanted.length) == 0);
    }
    bytes_free(&wanted);
    bytes_free(&reference);
    if (!status) *equal = found;
    return status;
}
