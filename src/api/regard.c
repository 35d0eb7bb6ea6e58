// include/regard.h: checks the arguments, runs a session and shows its translations as a result.
#include "api/parts.h"

#include "base/array.h"
#include "base/threads.h"
#include "base/version.h"
#include "html/translation.h"
#include "search/beam.h"
#include "translate/alignment.h"
#include "translate/model_folders.h"
#include "translate/session.h"

#include <unistd.h>

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

static Status open_model(RegardModel **out, const char *path, Error *error)
{
    FREED_BY(model_folders_free) ModelFolders folders = {0};
    FREED RegardModel *model = NULL;
    if (!out) return error_set(error, STATUS_ARGUMENT, "the pointer for the model is NULL");
    *out = NULL;
    if (!path)
        return error_set(error, STATUS_ARGUMENT,
                         "the path is NULL; give the path of a model file or the name of a model");
    if (strlen(path) > MAX_PATH_BYTES)
        return error_set(error, STATUS_ARGUMENT,
                         "the path has more than %d bytes; name a model file", MAX_PATH_BYTES);
    TRY(model_folders_replace(&path, &folders, error));
    if (model_is_name(path) && access(path, F_OK))
        return model_folders_refuse(&folders, path, error);
    TRY(array_new(&model, 1, "a model", error));
    TRY(translator_open(&model->translator, path, error));
    *out = memory_take(&model);
    return STATUS_OK;
}

RegardStatus regard_open(RegardModel **model, const char *path, RegardError *error)
{
    Error inner;
    return error_tell(error, open_model(model, path, &inner), &inner);
}

void regard_close(RegardModel *model)
{
    if (!model) return;
    translator_close(&model->translator);
    memory_free(model);
}

enum { MAX_BATCH = 10000, MAX_THREADS = 1024, MAX_TEMPERATURE = 100 };
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
                                    .length_normalization = MODELS_NORMALIZATION,
                                    .precision = REGARD_PRECISION_AUTO,
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

static Status check_options(const RegardOptions *options, Error *error)
{
    TRY(check_size("beam", options->beam, 1, MAX_BEAM, error));
    TRY(check_size("n_best", options->n_best, 1, options->beam, error));
    TRY(check_size("batch", options->batch, 1, MAX_BATCH, error));
    TRY(check_size("threads", options->threads, 0, MAX_THREADS, error));
    TRY(check_size("source_units", options->source_units, 0, REGARD_UNITS_CHARACTERS, error));
    TRY(check_size("target_units", options->target_units, 0, REGARD_UNITS_CHARACTERS, error));
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
    if (options->length_normalization == MODELS_NORMALIZATION) return STATUS_OK;
    return check_real("length_normalization", options->length_normalization, 0, MAX_NORMALIZATION,
                      error);
}

Status given_options(Given *given, const RegardOptions *options, Error *error)
{
    RegardOptions *own = &given->options;
    regard_options_default(own, sizeof *own);
    if (!options) return STATUS_OK;
    if (options->size < min_options || options->size > MAX_OPTIONS_SIZE ||
        options->size % sizeof(size_t))
        return error_set(error, STATUS_ARGUMENT,
                         "options.size is %zu; initialise the options with regard_options_default",
                         options->size);
    const char *bytes = (const char *)options;
    for (size_t i = sizeof *own; i < options->size; i++)
        if (bytes[i] != 0)
            return error_set(error, STATUS_ARGUMENT,
                             "options of a newer library version are set; install that version or "
                             "leave them at 0");
    memcpy(own, options, options->size < sizeof *own ? options->size : sizeof *own);
    given->cancel = (Cancel){own->cancelled, own->context};
    return check_options(own, error);
}

Status given_read(Given *given, const RegardText *const texts[2], int sides,
                  const RegardOptions *options, Error *error)
{
    static const char *const names[2] = {"sources", "targets"};
    TRY(given_options(given, options, error));
    for (int s = 0; s < sides; s++)
        TRY(texts_read(&given->views[s], texts[s], given->count, names[s], error));
    return STATUS_OK;
}

void given_free(Given *given)
{
    memory_free(given->views[0]);
    memory_free(given->views[1]);
}

size_t given_threads(const Given *given)
{
    size_t threads = given->options.threads ? given->options.threads : threads_available();
    if (threads > given->count) threads = given->count;
    return threads ? threads : 1;
}

typedef enum Purpose { TRANSLATE, SCORE, ALIGN } Purpose;

// One call: sources to translate, or pairs to score or align.
typedef struct LibraryCall {
    const RegardModel *model;
    Purpose purpose;
    Given given;
    TextView *prefixes; // (count) of options.prefixes, or NULL
    Glossary *glossary; // of options.glossary, or NULL; owned
} LibraryCall;

/* Few texts are shared out evenly: one batch of all would leave the other threads idle. */
static size_t batch_size(const Given *given)
{
    size_t threads = given_threads(given), share = (given->count + threads - 1) / threads;
    if (share == 0) share = 1;
    return share < given->options.batch ? share : given->options.batch;
}

static TranslateOptions translate_options(const LibraryCall *call)
{
    const RegardOptions *options = &call->given.options;
    return (TranslateOptions){
        .search = {.beam = options->samples ? options->samples : options->beam,
                   .batch = batch_size(&call->given),
                   .length_normalization = options->length_normalization,
                   .with_alpha = options->alignment,
                   .scoring = {options->shortlist, LEXICON_SHARE},
                   .sampling = {.wanted = options->samples > 0,
                                .temperature = options->temperature,
                                .seed = options->seed}},
        .n_best = options->samples ? options->samples : options->n_best,
        .prefixes = call->prefixes,
        .glossary = call->glossary,
        .split = options->split ? SPLIT_SENTENCES : SPLIT_NONE};
}

static const Precision precisions[] = {[REGARD_PRECISION_FLOAT32] = PRECISION_FLOAT32,
                                       [REGARD_PRECISION_BF16] = PRECISION_BF16,
                                       [REGARD_PRECISION_AUTO] = PRECISION_AUTO,
                                       [REGARD_PRECISION_INT8] = PRECISION_INT8};

static Status fill_glossary(Glossary *glossary, const RegardOptions *options, Error *error)
{
    if (!options->glossary)
        return error_set(error, STATUS_ARGUMENT,
                         "options.glossary is NULL; it must point to %zu terms",
                         options->glossary_count);
    for (size_t i = 0; i < options->glossary_count; i++) {
        TextView term, translation;
        Error wrong = {0};
        const RegardTerm *given = &options->glossary[i];
        TRY(text_read(&term, &given->term, "options.glossary", i, ".term", error));
        TRY(text_read(&translation, &given->translation, "options.glossary", i, ".translation",
                      error));
        Status status = glossary_add(glossary, term, translation, &wrong);
        if (status == STATUS_FORMAT)
            return error_set(error, STATUS_ARGUMENT, "options.glossary[%zu]: %s", i, wrong.text);
        if (status) return error_set(error, status, "%s", wrong.text);
    }
    return STATUS_OK;
}

// What it sets is to be freed even after a failure.
static Status read_glossary(LibraryCall *call, Error *error)
{
    const Vocabulary *target = call->model->translator.target_vocabulary;
    if (call->purpose != TRANSLATE || call->given.options.glossary_count == 0) return STATUS_OK;
    TRY(glossary_new(&call->glossary, target, error));
    return fill_glossary(call->glossary, &call->given.options, error);
}

static Status session_start(Session **session, const LibraryCall *call, Error *error)
{
    const RegardOptions *options = &call->given.options;
    if (call->purpose == TRANSLATE && options->shortlist &&
        call->model->translator.model.shortlist.always_count == 0)
        return error_set(error, STATUS_ARGUMENT,
                         "options.shortlist is 1, but the model has no shortlist, like all models "
                         "without attention; leave it at 0");
    TRY(session_new(session, &call->model->translator, given_threads(&call->given),
                    precisions[options->precision], error));
    session_cancel_by(*session, &call->given.cancel);
    return STATUS_OK;
}

static Status run_session(const LibraryCall *call, Translation *translations, Error *error)
{
    const Given *given = &call->given;
    const TextView *const sides[2] = {given->views[0], given->views[1]};
    const TranslateOptions translate = translate_options(call);
    FREED_BY(session_free_at) Session *session = NULL;
    TRY(session_start(&session, call, error));
    bool with_alpha = given->options.alignment || call->purpose == ALIGN;
    return call->purpose == TRANSLATE
               ? session_translate(session, sides[0], given->count, &translate, translations, error)
               : session_force(session, sides, given->count, with_alpha, translations, error);
}

static Status make_result(const LibraryCall *call, RegardResult **out, Error *error)
{
    const RegardOptions *options = &call->given.options;
    const Translator *translator = &call->model->translator;
    ResultForm form = {.alignments = options->alignment || call->purpose == ALIGN,
                       .units = {unit_kind(options->source_units, translator->source_units),
                                 unit_kind(options->target_units, translator->target_units)},
                       .reading = reading_of_aligner(translator->aligner),
                       .translator = translator};
    form.reading.links_only = !options->alignment;
    FREED_BY(regard_result_free_at) RegardResult *result = NULL;
    TRY(result_new(&result, call->given.count, error));
    TRY(run_session(call, result->translations, error));
    return result_give(out, &result, &form, error);
}

static void call_free(LibraryCall *call)
{
    given_free(&call->given);
    memory_free(call->prefixes);
    glossary_free(call->glossary);
}

static Status read_call(LibraryCall *call, const RegardText *const texts[2],
                        const RegardOptions *options, Error *error)
{
    Given *given = &call->given;
    const bool translates = call->purpose == TRANSLATE;
    TRY(given_read(given, texts, translates ? 1 : 2, options, error));
    if (translates && given->options.prefixes)
        TRY(texts_read(&call->prefixes, given->options.prefixes, given->count, "options.prefixes",
                       error));
    return read_glossary(call, error);
}

static RegardStatus answer(LibraryCall call, const RegardText *const texts[2],
                           const RegardOptions *options, RegardResult **result, RegardError *error)
{
    Error inner;
    Status status = STATUS_OK;
    if (result) *result = NULL;
    if (!result || !call.model)
        status = error_set(&inner, STATUS_ARGUMENT, "%s",
                           result ? "the model is NULL; open one with regard_open"
                                  : "the pointer for the result is NULL");
    if (!status) status = read_call(&call, texts, options, &inner);
    if (!status) status = make_result(&call, result, &inner);
    call_free(&call);
    return error_tell(error, status, &inner);
}

RegardStatus regard_translate(const RegardModel *model, const RegardText *sources, size_t count,
                              const RegardOptions *options, RegardResult **result,
                              RegardError *error)
{
    return answer((LibraryCall){.model = model, .purpose = TRANSLATE, .given.count = count},
                  (const RegardText *const[2]){sources}, options, result, error);
}

RegardStatus regard_score(const RegardModel *model, const RegardText *sources,
                          const RegardText *targets, size_t count, const RegardOptions *options,
                          RegardResult **result, RegardError *error)
{
    return answer((LibraryCall){.model = model, .purpose = SCORE, .given.count = count},
                  (const RegardText *const[2]){sources, targets}, options, result, error);
}

RegardStatus regard_align(const RegardModel *model, const RegardText *sources,
                          const RegardText *targets, size_t count, const RegardOptions *options,
                          RegardResult **result, RegardError *error)
{
    return answer((LibraryCall){.model = model, .purpose = ALIGN, .given.count = count},
                  (const RegardText *const[2]){sources, targets}, options, result, error);
}

// Translates the segments of a document and writes it.
static Status write_document(const LibraryCall *call, HtmlDocument *document, Bytes *out,
                             Error *error)
{
    const Translator *translator = &call->model->translator;
    const TranslateOptions options = translate_options(call);
    LinkReading reading = reading_of_aligner(translator->aligner);
    reading.links_only = true;
    FREED_BY(session_free_at) Session *session = NULL;
    TRY(session_start(&session, call, error));
    const HtmlTranslation html = {
        .document = document, .reading = &reading, .session = session, .options = &options};
    Writer writer = writer_start(out, error);
    html_document_translate(&writer, &html);
    return writer_end(&writer);
}

static Status translate_html(const RegardModel *model, const RegardText *html,
                             const RegardOptions *options, RegardText *translation, Error *error)
{
    TextView view;
    FREED_BY(html_document_free) HtmlDocument document = {0};
    FREED_BY(call_free) LibraryCall call = {.model = model, .purpose = TRANSLATE};
    FREED_BY(bytes_free) Bytes out = {0};
    TRY(text_check(&view, html, "html", translation, error));
    if (!model)
        return error_set(error, STATUS_ARGUMENT, "the model is NULL; open one with regard_open");
    TRY(given_options(&call.given, options, error));
    document.language = model->translator.languages[0];
    document.attributes.language = model->translator.languages[1];
    TRY(html_document_read(&document, view, error));
    call.given.count = document.count;
    call.given.options.samples = 0;
    TRY(read_glossary(&call, error));
    TRY(write_document(&call, &document, &out, error));
    return text_give(translation, &out, error);
}

RegardStatus regard_translate_html(const RegardModel *model, const RegardText *html,
                                   const RegardOptions *options, RegardText *translation,
                                   RegardError *error)
{
    Error inner;
    return error_tell(error, translate_html(model, html, options, translation, &inner), &inner);
}

const char *regard_model_language(const RegardModel *model, RegardSide side)
{
    if (!model || (side != REGARD_SOURCE && side != REGARD_TARGET)) return NULL;
    return model->translator.languages[side];
}

static Status list_models(RegardText *out, Error *error)
{
    FREED_BY(model_folders_free) ModelFolders folders = {0};
    FREED_BY(bytes_free) Bytes lines = {0};
    TRY(text_begin(out, error));
    TRY(model_folders_read(&folders, error));
    for (size_t i = 0; i < folders.model_count; i++)
        TRY(bytes_append_format(&lines, error, "%s\t%s\n", folders.models[i].name,
                                folders.models[i].path));
    return text_give(out, &lines, error);
}

RegardStatus regard_list_models(RegardText *models, RegardError *error)
{
    Error inner;
    return error_tell(error, list_models(models, &inner), &inner);
}
