#include "api/options.h"

#include "search/beam.h"

#include <string.h>

enum { MAX_BATCH = 10000, MAX_THREADS = 1024, MAX_NORMALIZATION = 10 };
enum { MAX_TEMPERATURE = 100 };
static const double MIN_TEMPERATURE = 0.01;
enum { MAX_OPTIONS_SIZE = 4096 }; // far more than any version will have

// The first version's struct: what every caller has.
static const size_t min_options = offsetof(RegardOptions, length_normalization) + sizeof(double);

// Padding at the end would have unknown contents and overlay members of a later version.
_Static_assert(sizeof(RegardOptions) == offsetof(RegardOptions, glossary_count) + sizeof(size_t),
               "RegardOptions must not end in padding");

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
                                    .precision = REGARD_PRECISION_FLOAT32,
                                    .temperature = 1,
                                    .split = 1};
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

static Status check_real(const char *name, double value, double least, double most, Error *error)
{
    if (value >= least && value <= most) return STATUS_OK; // NaN is neither
    return error_set(error, STATUS_ARGUMENT, "options.%s is %g; it must be %g to %g", name, value,
                     least, most);
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
    TRY(check_size("beam", options->beam, 1, MAX_BEAM, error));
    TRY(check_size("n_best", options->n_best, 1, options->beam, error));
    TRY(check_size("batch", options->batch, 1, MAX_BATCH, error));
    TRY(check_size("threads", options->threads, 0, MAX_THREADS, error));
    TRY(check_units("source_units", options->source_units, error));
    TRY(check_units("target_units", options->target_units, error));
    TRY(check_size("precision", options->precision, 0, REGARD_PRECISION_INT8, error));
    TRY(check_size("shortlist", options->shortlist, 0, 1, error));
    TRY(check_size("split", options->split, 0, 1, error));
    TRY(check_size("samples", options->samples, 0, MAX_BEAM, error));
    if (options->samples > 0 && options->glossary_count > 0)
        return error_set(
            error, STATUS_ARGUMENT,
            "options.samples and options.glossary_count are both set; samples are drawn "
            "without a glossary");
    TRY(check_real("temperature", options->temperature, MIN_TEMPERATURE, MAX_TEMPERATURE, error));
    return check_real("length_normalization", options->length_normalization, 0, MAX_NORMALIZATION,
                      error);
}

Status options_read(RegardOptions *options, const RegardOptions *given, Error *error)
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
