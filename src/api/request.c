#include "api/request.h"

#include "base/memory.h"

#include <string.h>

enum { MAX_BATCH = 10000, MAX_THREADS = 1024, MAX_NORMALIZATION = 10 };
enum { MAX_OPTIONS_SIZE = 4096 }; // far more than any version will have

// The first version's struct: what every caller has.
static const size_t min_options = offsetof(RegardOptions, length_normalization) + sizeof(double);

// Padding at the end would have unknown contents and overlay members of a later version.
_Static_assert(sizeof(RegardOptions) == offsetof(RegardOptions, precision) + sizeof(size_t),
               "RegardOptions must not end in padding");

// The normal form, at most three times as long, then has offsets of 32 bits.
static const size_t max_text = (size_t)1 << 30;

// Sentences are numbered in 32 bits.
static const size_t max_count = UINT32_MAX;

void regard_options_default(RegardOptions *options, size_t size)
{
    const RegardOptions defaults = {.size = size,
                                    .beam = 5,
                                    .n_best = 1,
                                    .batch = 64,
                                    .threads = 1,
                                    .source_units = REGARD_UNITS_MODEL,
                                    .target_units = REGARD_UNITS_MODEL,
                                    .length_normalization = 1,
                                    .precision = REGARD_PRECISION_FLOAT32};
    if (!options || size < sizeof options->size) return;
    memset(options, 0, size);
    memcpy(options, &defaults, size < sizeof defaults ? size : sizeof defaults);
}

static Status check_size(const char *name, size_t value, size_t least, size_t most, Error *error)
{
    if (value >= least && value <= most) return STATUS_OK;
    return error_set(error, STATUS_ARGUMENT, "options.%s is %zu; it must be %zu to %zu", name,
                     value, least, most);
}

static Status check_units(const char *name, RegardUnits units, Error *error)
{
    if ((unsigned)units <= REGARD_UNITS_CHARACTERS) return STATUS_OK;
    return error_set(error, STATUS_ARGUMENT,
                     "options.%s is %u; it must be one of the REGARD_UNITS_ names", name,
                     (unsigned)units);
}

static Status check_options(const RegardOptions *options, Error *error)
{
    Status status = check_size("beam", options->beam, 1, MAX_BEAM, error);
    if (!status) status = check_size("n_best", options->n_best, 1, options->beam, error);
    if (!status) status = check_size("batch", options->batch, 1, MAX_BATCH, error);
    if (!status) status = check_size("threads", options->threads, 0, MAX_THREADS, error);
    if (!status) status = check_units("source_units", options->source_units, error);
    if (!status) status = check_units("target_units", options->target_units, error);
    if (!status)
        status = check_size("precision", options->precision, 0, REGARD_PRECISION_AUTO, error);
    double alpha = options->length_normalization;
    if (!status && !(alpha >= 0 && alpha <= MAX_NORMALIZATION)) // NaN is neither
        status = error_set(error, STATUS_ARGUMENT,
                           "options.length_normalization is %g; it must be 0 to %d", alpha,
                           MAX_NORMALIZATION);
    return status;
}

Status request_read_options(RegardOptions *options, const RegardOptions *given, Error *error)
{
    regard_options_default(options, sizeof *options);
    if (!given) return STATUS_OK;
    if (given->size < min_options || given->size > MAX_OPTIONS_SIZE || given->size % sizeof(size_t))
        return error_set(error, STATUS_ARGUMENT,
                         "options.size is %zu; initialise the options with regard_options_default",
                         given->size);
    const char *bytes = (const char *)given;
    for (size_t i = sizeof *options; i < given->size; i++)
        if (bytes[i] != 0)
            return error_set(error, STATUS_ARGUMENT,
                             "options of a newer library version are set; install that version or "
                             "leave them at 0");
    memcpy(options, given, given->size < sizeof *options ? given->size : sizeof *options);
    return check_options(options, error);
}

Status request_read_texts(TextView **out, const RegardText *texts, size_t count, const char *name,
                          Error *error)
{
    if (count > max_count)
        return error_set(error, STATUS_ARGUMENT, "count is %zu; it must be at most %zu", count,
                         max_count);
    if (!texts && count > 0)
        return error_set(error, STATUS_ARGUMENT, "%s is NULL; it must point to %zu texts", name,
                         count);
    TextView *views = memory_new(count, sizeof *views);
    if (!views) return error_memory(error, count * sizeof *views, "texts");
    Status status = STATUS_OK;
    for (size_t i = 0; i < count && !status; i++) {
        const RegardText *text = &texts[i];
        views[i] = (TextView){text->bytes ? text->bytes : "", text->length};
        if (!text->bytes && text->length > 0)
            status = error_set(error, STATUS_ARGUMENT, "%s[%zu] is NULL, but its length is %zu",
                               name, i, text->length);
        else if (text->length > max_text)
            status = error_set(
                error, STATUS_ARGUMENT,
                "%s[%zu] has %zu bytes, more than the %zu allowed; split it into sentences", name,
                i, text->length, max_text);
    }
    if (status)
        memory_free(views);
    else
        *out = views;
    return status;
}
