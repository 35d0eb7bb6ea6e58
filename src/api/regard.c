// include/regard.h: checks the arguments, runs a session and makes a result of its translations.
#include "regard.h"

#include "api/request.h"
#include "api/result.h"
#include "base/memory.h"
#include "base/threads.h"
#include "base/version.h"

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
    RegardModel *model = memory_new(1, sizeof *model);
    if (!model) return error_memory(error, sizeof *model, "a model");
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

// One call's work: sources to translate, or pairs to score.
typedef struct Request {
    const Translator *translator;
    RegardOptions options;
    TextView *sources; // (count)
    TextView *targets; // (count), NULL to translate
    size_t count;
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
        return backend_fastest_type(seq2seq_is_wide(&request->translator->model.config));
    return request->options.precision == REGARD_PRECISION_BF16 ? COMPUTE_BF16 : COMPUTE_FLOAT32;
}

static Status run_session(const Request *request, Translation *translations, Error *error)
{
    const RegardOptions *options = &request->options;
    size_t threads = thread_count(request);
    Session *session = NULL;
    Status status =
        session_new(&session, request->translator, threads, compute_type(request), error);
    if (status) return status;
    if (request->targets) {
        const TextView *const sides[2] = {request->sources, request->targets};
        status =
            session_force(session, sides, request->count, options->alignment, translations, error);
    } else {
        TranslateOptions translate = {
            .search = {.beam = options->beam,
                       .batch = batch_size(request, threads),
                       .length_normalization = options->length_normalization,
                       .with_alpha = options->alignment},
            .n_best = options->n_best};
        status = session_translate(session, request->sources, request->count, &translate,
                                   translations, error);
    }
    session_free(session);
    return status;
}

static Status make_result(const Request *request, RegardResult **out, Error *error)
{
    const RegardOptions *options = &request->options;
    const Translator *translator = request->translator;
    ResultForm form = {.alignment = options->alignment,
                       .units = {unit_kind(options->source_units, translator->source_units),
                                 unit_kind(options->target_units, translator->target_units)}};
    RegardResult *result;
    Status status = result_new(&result, request->count, error);
    if (status) return status;
    status = run_session(request, result_translations(result), error);
    if (!status) status = result_show(result, &form, error);
    if (status)
        regard_result_free(result);
    else
        *out = result;
    return status;
}

// What a caller gave, not yet checked.
typedef struct Call {
    const RegardModel *model;
    const RegardText *sources, *targets;
    size_t count;
    bool with_targets;
    const RegardOptions *options;
} Call;

static Status answer(const Call *call, RegardResult **result, Error *error)
{
    if (!result) return error_set(error, STATUS_ARGUMENT, "the pointer for the result is NULL");
    *result = NULL;
    if (!call->model)
        return error_set(error, STATUS_ARGUMENT, "the model is NULL; open one with regard_open");
    Request request = {.translator = &call->model->translator, .count = call->count};
    Status status = request_read_options(&request.options, call->options, error);
    if (!status)
        status = request_read_texts(&request.sources, call->sources, call->count, "sources", error);
    if (!status && call->with_targets)
        status = request_read_texts(&request.targets, call->targets, call->count, "targets", error);
    if (!status) status = make_result(&request, result, error);
    memory_free(request.sources);
    memory_free(request.targets);
    return status;
}

RegardStatus regard_translate(const RegardModel *model, const RegardText *sources, size_t count,
                              const RegardOptions *options, RegardResult **result,
                              RegardError *error)
{
    Error inner;
    Call call = {.model = model, .sources = sources, .count = count, .options = options};
    return tell(error, answer(&call, result, &inner), &inner);
}

RegardStatus regard_score(const RegardModel *model, const RegardText *sources,
                          const RegardText *targets, size_t count, const RegardOptions *options,
                          RegardResult **result, RegardError *error)
{
    Error inner;
    Call call = {.model = model,
                 .sources = sources,
                 .targets = targets,
                 .count = count,
                 .with_targets = true,
                 .options = options};
    return tell(error, answer(&call, result, &inner), &inner);
}
