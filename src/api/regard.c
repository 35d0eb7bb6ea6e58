// include/regard.h: checks the arguments, runs a session and makes a result of its translations.
#include "regard.h"

#include "api/result.h"
#include "base/array.h"
#include "base/memory.h"
#include "base/threads.h"
#include "base/version.h"
#include "translate/session.h"

#include <string.h>

struct RegardModel {
    Translator translator;
};

_Static_assert((int)REGARD_OK == (int)STATUS_OK && (int)REGARD_ARGUMENT == (int)STATUS_ARGUMENT &&
                   (int)REGARD_MEMORY == (int)STATUS_MEMORY && (int)REGARD_IO == (int)STATUS_IO &&
                   (int)REGARD_FORMAT == (int)STATUS_FORMAT,
               "the public names of statuses have the same numbers");
_Static_assert((int)REGARD_ERROR_SIZE == (int)ERROR_TEXT_SIZE, "an error's line fits");

enum { MAX_PATH_BYTES = 4095 }; // Linux's PATH_MAX without the NUL

const char *regard_version(void)
{
    return REGARD_VERSION;
}

const char *regard_status_text(RegardStatus status)
{
    return (unsigned)status <= REGARD_FORMAT ? status_sentence((Status)status) : "unknown status";
}

/* Copies an internal error to the caller's. */
static RegardStatus tell(RegardError *error, Status status, const Error *inner)
{
    if (status && error) {
        error->status = (RegardStatus)status;
        memcpy(error->text, inner->text, sizeof error->text);
    }
    return (RegardStatus)status;
}

static Status open_model(RegardModel **out, const char *path, Error *error)
{
    if (!path)
        return error_set(error, STATUS_ARGUMENT, "the path is NULL; give the path of a model file");
    if (strlen(path) > MAX_PATH_BYTES)
        return error_set(error, STATUS_ARGUMENT,
                         "the path has more than %d bytes; name a model file", MAX_PATH_BYTES);
    RegardModel *model;
    TRY(array_new(&model, 1, "a model", error));
    Status status = translator_open(&model->translator, path, error);
    if (status)
        memory_free(model);
    else
        *out = model;
    return status;
}

RegardStatus regard_open(RegardModel **model, const char *path, RegardError *error)
{
    Error inner;
    if (!model)
        return tell(error, error_set(&inner, STATUS_ARGUMENT, "the pointer for the model is NULL"),
                    &inner);
    *model = NULL;
    return tell(error, open_model(model, path, &inner), &inner);
}

void regard_close(RegardModel *model)
{
    if (!model) return;
    translator_close(&model->translator);
    memory_free(model);
}

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
    TRY(check_size("beam", options->beam, 1, MAX_BEAM, error));
    TRY(check_size("n_best", options->n_best, 1, options->beam, error));
    TRY(check_size("batch", options->batch, 1, MAX_BATCH, error));
    TRY(check_size("threads", options->threads, 0, MAX_THREADS, error));
    TRY(check_units("source_units", options->source_units, error));
    TRY(check_units("target_units", options->target_units, error));
    TRY(check_size("precision", options->precision, 0, REGARD_PRECISION_AUTO, error));
    double alpha = options->length_normalization;
    if (alpha >= 0 && alpha <= MAX_NORMALIZATION) return STATUS_OK; // NaN is neither
    return error_set(error, STATUS_ARGUMENT,
                     "options.length_normalization is %g; it must be 0 to %d", alpha,
                     MAX_NORMALIZATION);
}

/* Sets `options` (all members of this version) from the caller's: NULL is the defaults, an older
 * struct leaves the newer members at their defaults, a newer one must not set members unknown
 * here. */
static Status read_options(RegardOptions *options, const RegardOptions *given, Error *error)
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

/* Sets *views (count), freed by memory_free even after a failure, from the caller's texts; `name` is
 * the parameter's. */
static Status read_texts(TextView **views, const RegardText *texts, size_t count, const char *name,
                         Error *error)
{
    if (count > max_count)
        return error_set(error, STATUS_ARGUMENT, "count is %zu; it must be at most %zu", count,
                         max_count);
    if (!texts && count > 0)
        return error_set(error, STATUS_ARGUMENT, "%s is NULL; it must point to %zu texts", name,
                         count);
    TRY(array_new(views, count, "texts", error));
    for (size_t i = 0; i < count; i++) {
        const RegardText *text = &texts[i];
        (*views)[i] = (TextView){text->bytes ? text->bytes : "", text->length};
        if (!text->bytes && text->length > 0)
            return error_set(error, STATUS_ARGUMENT, "%s[%zu] is NULL, but its length is %zu", name,
                             i, text->length);
        if (text->length > max_text)
            return error_set(
                error, STATUS_ARGUMENT,
                "%s[%zu] has %zu bytes, more than the %zu allowed; split it into sentences", name,
                i, text->length, max_text);
    }
    return STATUS_OK;
}

// One call: sources to translate, or pairs to score.
typedef struct Request {
    const RegardModel *model;
    const RegardText *texts[2]; // (count) sources, targets: the caller's
    size_t count;
    bool with_targets;
    RegardOptions options;
    TextView *views[2]; // (count) of the texts, checked; owned
} Request;

static UnitKind unit_kind(RegardUnits units, UnitKind of_model)
{
    if (units == REGARD_UNITS_MODEL) return of_model;
    return units == REGARD_UNITS_WORDS ? UNITS_WORDS : UNITS_CHARACTERS;
}

/* At most one thread for each text. */
static size_t thread_count(const Request *request)
{
    size_t threads = request->options.threads ? request->options.threads : threads_available();
    if (threads > request->count) threads = request->count;
    return threads ? threads : 1;
}

/* Few texts are shared out evenly: one batch of all would leave the other threads idle. */
static size_t batch_size(const Request *request, size_t threads)
{
    size_t share = (request->count + threads - 1) / threads;
    if (share == 0) share = 1;
    return share < request->options.batch ? share : request->options.batch;
}

static ComputeType compute_type(const Request *request)
{
    if (request->options.precision == REGARD_PRECISION_AUTO)
        return backend_fastest_type(
            seq2seq_is_wide(&request->model->translator.model.params.config));
    return request->options.precision == REGARD_PRECISION_BF16 ? COMPUTE_BF16 : COMPUTE_FLOAT32;
}

static Status run_session(const Request *request, Translation *translations, Error *error)
{
    const RegardOptions *options = &request->options;
    size_t threads = thread_count(request);
    Session *session;
    Status status;
    TRY(session_new(&session, &request->model->translator, threads, compute_type(request), error));
    if (request->with_targets) {
        const TextView *const sides[2] = {request->views[0], request->views[1]};
        status =
            session_force(session, sides, request->count, options->alignment, translations, error);
    } else {
        TranslateOptions translate = {
            .search = {.beam = options->beam,
                       .batch = batch_size(request, threads),
                       .length_normalization = options->length_normalization,
                       .with_alpha = options->alignment},
            .n_best = options->n_best};
        status = session_translate(session, request->views[0], request->count, &translate,
                                   translations, error);
    }
    session_free(session);
    return status;
}

static Status make_result(const Request *request, RegardResult **out, Error *error)
{
    const RegardOptions *options = &request->options;
    const Translator *translator = &request->model->translator;
    const UnitKind units[2] = {unit_kind(options->source_units, translator->source_units),
                               unit_kind(options->target_units, translator->target_units)};
    RegardResult *result;
    TRY(result_new(&result, request->count, error));
    Status status = run_session(request, result_translations(result), error);
    if (!status) status = result_show(result, options->alignment ? units : NULL, error);
    if (status)
        regard_result_free(result);
    else
        *out = result;
    return status;
}

static Status answer(Request *request, const RegardOptions *options, RegardResult **result,
                     Error *error)
{
    static const char *const names[2] = {"sources", "targets"};
    if (!result) return error_set(error, STATUS_ARGUMENT, "the pointer for the result is NULL");
    *result = NULL;
    if (!request->model)
        return error_set(error, STATUS_ARGUMENT, "the model is NULL; open one with regard_open");
    Status status = read_options(&request->options, options, error);
    for (int side = 0; side < (request->with_targets ? 2 : 1) && !status; side++)
        status = read_texts(&request->views[side], request->texts[side], request->count,
                            names[side], error);
    if (!status) status = make_result(request, result, error);
    memory_free(request->views[0]);
    memory_free(request->views[1]);
    return status;
}

RegardStatus regard_translate(const RegardModel *model, const RegardText *sources, size_t count,
                              const RegardOptions *options, RegardResult **result,
                              RegardError *error)
{
    Error inner;
    Request request = {.model = model, .texts = {sources}, .count = count};
    return tell(error, answer(&request, options, result, &inner), &inner);
}

RegardStatus regard_score(const RegardModel *model, const RegardText *sources,
                          const RegardText *targets, size_t count, const RegardOptions *options,
                          RegardResult **result, RegardError *error)
{
    Error inner;
    Request request = {
        .model = model, .texts = {sources, targets}, .count = count, .with_targets = true};
    return tell(error, answer(&request, options, result, &inner), &inner);
}
