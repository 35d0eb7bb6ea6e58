// include/regard.h: checks the arguments, runs a session and makes a result of its translations.
#include "regard.h"

#include "api/options.h"
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
                   (int)REGARD_FORMAT == (int)STATUS_FORMAT &&
                   (int)REGARD_CANCELLED == (int)STATUS_INTERRUPTED,
               "the public names of statuses have the same numbers");
_Static_assert((int)REGARD_ERROR_SIZE == (int)ERROR_TEXT_SIZE, "an error's line fits");

enum { MAX_PATH_BYTES = 4095 }; // Linux's PATH_MAX without the NUL

const char *regard_version(void)
{
    return REGARD_VERSION;
}

const char *regard_status_text(RegardStatus status)
{
    return (unsigned)status <= REGARD_CANCELLED ? status_sentence((Status)status)
                                                : "unknown status";
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
    Translator *translator = &model->translator;
    Status status = translator_open(translator, path, error);
    if (!status) {
        status = translator_read_aligner(translator, path, error);
        if (status) translator_close(translator);
    }
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

// The normal form, at most three times as long, then has offsets of 32 bits.
static const size_t max_text = (size_t)1 << 30;

// Sentences are numbered in 32 bits.
static const size_t max_count = UINT32_MAX;

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

typedef enum Purpose { TRANSLATE, SCORE, ALIGN } Purpose;

// One call: sources to translate, or pairs to score or align.
typedef struct Request {
    const RegardModel *model;
    Purpose purpose;
    const RegardText *texts[2]; // (count) sources, targets: the caller's
    size_t count;
    RegardOptions options;
    TextView *views[2];          // (count) of the texts, checked; owned
    TextView *prefixes;          // (count) the same of options.prefixes, or NULL
    Glossary *glossary;          // of options.glossary, or NULL; owned
    const Glossary **glossaries; // (count) it, or NULL
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
    static const ComputeType types[] = {[REGARD_PRECISION_FLOAT32] = COMPUTE_FLOAT32,
                                        [REGARD_PRECISION_BF16] = COMPUTE_BF16,
                                        [REGARD_PRECISION_INT8] = COMPUTE_INT8};
    if (request->options.precision != REGARD_PRECISION_AUTO)
        return types[request->options.precision];
    return backend_fastest_type(PACKED_DECODING,
                                seq2seq_is_wide(&request->model->translator.model.params.config));
}

// A text of the i-th term of the glossary.
static Status read_term(TextView *view, const RegardText *text, size_t i, Error *error)
{
    *view = (TextView){text->bytes ? text->bytes : "", text->length};
    if (!text->bytes && text->length > 0)
        return error_set(error, STATUS_ARGUMENT,
                         "options.glossary[%zu] has a text that is NULL, but its length is %zu", i,
                         text->length);
    if (text->length <= max_text) return STATUS_OK;
    return error_set(error, STATUS_ARGUMENT,
                     "options.glossary[%zu] has a text of %zu bytes, more than the %zu allowed", i,
                     text->length, max_text);
}

static Status fill_glossary(Glossary *glossary, const RegardOptions *options, Error *error)
{
    if (!options->glossary)
        return error_set(error, STATUS_ARGUMENT,
                         "options.glossary is NULL; it must point to %zu terms",
                         options->glossary_count);
    for (size_t i = 0; i < options->glossary_count; i++) {
        TextView term, translation;
        Error wrong = {0};
        TRY(read_term(&term, &options->glossary[i].term, i, error));
        TRY(read_term(&translation, &options->glossary[i].translation, i, error));
        Status status = glossary_add(glossary, term, translation, &wrong);
        if (status == STATUS_FORMAT)
            return error_set(error, STATUS_ARGUMENT, "options.glossary[%zu]: %s", i, wrong.text);
        if (status) return error_set(error, status, "%s", wrong.text);
    }
    return STATUS_OK;
}

// What it sets is to be freed even after a failure.
static Status read_glossary(Request *request, Error *error)
{
    const Vocabulary *target = request->model->translator.target_vocabulary;
    if (request->purpose != TRANSLATE || request->options.glossary_count == 0) return STATUS_OK;
    TRY(glossary_new(&request->glossary, target, error));
    TRY(fill_glossary(request->glossary, &request->options, error));
    TRY(array_new(&request->glossaries, request->count, "texts", error));
    for (size_t i = 0; i < request->count; i++) request->glossaries[i] = request->glossary;
    return STATUS_OK;
}

static Status translate(const Request *request, Session *session, size_t threads,
                        Translation *translations, Error *error)
{
    const RegardOptions *options = &request->options;
    if (options->shortlist && request->model->translator.model.shortlist.always_count == 0)
        return error_set(error, STATUS_ARGUMENT,
                         "options.shortlist is 1, but the model has no shortlist, like all models "
                         "without attention; leave it at 0");
    const TranslateOptions translate = {
        .search = {.beam = options->samples ? options->samples : options->beam,
                   .batch = batch_size(request, threads),
                   .length_normalization = options->length_normalization,
                   .with_alpha = options->alignment,
                   .shortlist = options->shortlist,
                   .sampling = {.wanted = options->samples > 0,
                                .temperature = options->temperature,
                                .seed = options->seed}},
        .n_best = options->samples ? options->samples : options->n_best,
        .prefixes = request->prefixes,
        .glossaries = request->glossaries,
        .split = options->split ? SPLIT_SENTENCES : SPLIT_NONE};
    return session_translate(session, request->views[0], request->count, &translate, translations,
                             error);
}

static Status run_session(const Request *request, Translation *translations, Error *error)
{
    const RegardOptions *options = &request->options;
    const TextView *const sides[2] = {request->views[0], request->views[1]};
    const Cancel cancel = {options->cancelled, options->context};
    size_t threads = thread_count(request);
    Session *session;
    TRY(session_new(&session, &request->model->translator, threads, compute_type(request), error));
    if (cancel.wanted) session_cancel_by(session, &cancel);
    bool with_alpha = options->alignment || request->purpose == ALIGN;
    Status status =
        request->purpose == TRANSLATE
            ? translate(request, session, threads, translations, error)
            : session_force(session, sides, request->count, with_alpha, translations, error);
    session_free(session);
    return status;
}

static Status make_result(const Request *request, RegardResult **out, Error *error)
{
    const RegardOptions *options = &request->options;
    const Translator *translator = &request->model->translator;
    ResultForm form = {
        .alignments = options->alignment || request->purpose == ALIGN,
        .units = {unit_kind(options->source_units, translator->source_units),
                  unit_kind(options->target_units, translator->target_units)},
        .reading = reading_of_aligner(translator->has_aligner ? &translator->aligner : NULL)};
    form.reading.links_only = !options->alignment;
    RegardResult *result;
    TRY(result_new(&result, request->count, error));
    Status status = run_session(request, result_translations(result), error);
    if (!status) status = result_show(result, &form, error);
    if (status)
        regard_result_free(result);
    else
        *out = result;
    return status;
}

static Status read_request(Request *request, const RegardOptions *options, Error *error)
{
    static const char *const names[2] = {"sources", "targets"};
    const RegardText *prefixes = NULL;
    TRY(options_read(&request->options, options, error));
    for (int side = 0; side < (request->purpose == TRANSLATE ? 1 : 2); side++)
        TRY(read_texts(&request->views[side], request->texts[side], request->count, names[side],
                       error));
    if (request->purpose == TRANSLATE) prefixes = request->options.prefixes;
    if (!prefixes) return STATUS_OK;
    return read_texts(&request->prefixes, prefixes, request->count, "options.prefixes", error);
}

static Status answer(Request *request, const RegardOptions *options, RegardResult **result,
                     Error *error)
{
    if (!result) return error_set(error, STATUS_ARGUMENT, "the pointer for the result is NULL");
    *result = NULL;
    if (!request->model)
        return error_set(error, STATUS_ARGUMENT, "the model is NULL; open one with regard_open");
    Status status = read_request(request, options, error);
    if (!status) status = read_glossary(request, error);
    if (!status) status = make_result(request, result, error);
    memory_free(request->views[0]);
    memory_free(request->views[1]);
    memory_free(request->prefixes);
    memory_free(request->glossaries);
    glossary_free(request->glossary);
    return status;
}

RegardStatus regard_translate(const RegardModel *model, const RegardText *sources, size_t count,
                              const RegardOptions *options, RegardResult **result,
                              RegardError *error)
{
    Error inner;
    Request request = {.model = model, .purpose = TRANSLATE, .texts = {sources}, .count = count};
    return tell(error, answer(&request, options, result, &inner), &inner);
}

RegardStatus regard_score(const RegardModel *model, const RegardText *sources,
                          const RegardText *targets, size_t count, const RegardOptions *options,
                          RegardResult **result, RegardError *error)
{
    Error inner;
    Request request = {
        .model = model, .purpose = SCORE, .texts = {sources, targets}, .count = count};
    return tell(error, answer(&request, options, result, &inner), &inner);
}

RegardStatus regard_align(const RegardModel *model, const RegardText *sources,
                          const RegardText *targets, size_t count, const RegardOptions *options,
                          RegardResult **result, RegardError *error)
{
    Error inner;
    Request request = {
        .model = model, .purpose = ALIGN, .texts = {sources, targets}, .count = count};
    return tell(error, answer(&request, options, result, &inner), &inner);
}
