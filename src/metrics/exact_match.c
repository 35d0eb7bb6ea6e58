#include "metrics/exact_match.h"

#include "text/normalise.h"
#include "text/utf8.h"

#include <string.h>

/* The form in which texts are compared. Lower case comes first: it can split a letter and its mark
 * (İ), which composition then joins. */
static Status fold(Bytes *out, const char *text, bool lowercase, Error *error)
{
    if (!lowercase) return normalise(out, text, strlen(text), NULL, error);
    Bytes lower = {0};
    Status status = utf8_append_lowercase(&lower, text, strlen(text), error);
    if (!status) status = normalise(out, lower.data ? lower.data : "", lower.length, NULL, error);
    bytes_free(&lower);
    return status;
}

Status exact_match(bool *equal, const Segment *segment, bool lowercase, Error *error)
{
    Bytes hypothesis = {0}, reference = {0};
    bool found = false, all_empty = true;
    Status status = fold(&hypothesis, segment->hypothesis, lowercase, error);
    for (size_t r = 0; r < segment->count; r++) all_empty = all_empty && !*segment->references[r];
    for (size_t r = 0; r < segment->count && !status && !found; r++) {
        if (!*segment->references[r] && !all_empty) continue;
        status = fold(&reference, segment->references[r], lowercase, error);
        found = !status && reference.length == hypothesis.length &&
                memcmp(reference.data, hypothesis.data, hypothesis.length) == 0;
    }
    bytes_free(&hypothesis);
    bytes_free(&reference);
    if (!status) *equal = found;
    return status;
}
