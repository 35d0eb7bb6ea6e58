// include/regard.h: checks the arguments, runs a session and shows its translations as a result.
#include "regard.h"

#include "base/array.h"
#include "base/memory.h"
#include "base/threads.h"
#include "base/version.h"
#include "search/beam.h"
#include "translate/alignment.h"
#include "translate/model_folders.h"
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

static Status open_file(RegardModel **out, const char *path, Error *error)
{
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

static Status open_model(RegardModel **out, const char *path, Error *error)
{
    if (!path)
        return error_set(error, STATUS_ARGUMENT,
                         "the path is NULL; give the path of a model file or the name of a model");
    if (strlen(path) > MAX_PATH_BYTES)
        return error_set(error, STATUS_ARGUMENT,
                         "the path has more than %d bytes; name a model file", MAX_PATH_BYTES);
    ModelFolders folders = {0};
    const bool named = model_is_name(path);
    Status status = named ? model_folders_read(&folders, error) : STATUS_OK;
    const NamedModel *found = named ? model_folders_find(&folders, path) : NULL;
    if (!status && named && !found) status = model_folders_refuse(&folders, path, error);
    if (!status) status = open_file(out, found ? found->path : path, error);
    model_folders_free(&folders);
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
    return check_real("length_normalization", options->length_normalization, 0, MAX_NORMALIZATION,
                      error);
}

// Sets `options` (all members of this version) from the caller's: NULL is the defaults, an older
// struct leaves the newer members at their defaults, a newer one must not set members unknown here.
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

// The normal form, at most three times as long, then has offsets of 32 bits.
static const size_t max_text = (size_t)1 << 30;

// Sentences are numbered in 32 bits.
static const size_t max_count = UINT32_MAX;

// A view of a text of the caller's, of which messages say that it is "name[i].member".
static Status read_text(TextView *view, const RegardText *text, const char *name, size_t i,
                        const char *member, Error *error)
{
    *view = (TextView){text->bytes ? text->bytes : "", text->length};
    if (!text->bytes && text->length > 0)
        return error_set(error, STATUS_ARGUMENT, "%s[%zu]%s is NULL, but its length is %zu", name,
                         i, member, text->length);
    if (text->length <= max_text) return STATUS_OK;
    return error_set(error, STATUS_ARGUMENT,
                     "%s[%zu]%s has %zu bytes, more than the %zu allowed; split it into sentences",
                     name, i, member, text->length, max_text);
}

// Sets *views (count), freed by memory_free even after a failure, from the caller's texts; `name` is
// the parameter's.
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
    for (size_t i = 0; i < count; i++) TRY(read_text(&(*views)[i], &texts[i], name, i, "", error));
    return STATUS_OK;
}

typedef enum Purpose { TRANSLATE, SCORE, ALIGN } Purpose;

// One call: sources to translate, or pairs to score or align.
typedef struct LibraryCall {
    const RegardModel *model;
    Purpose purpose;
    const RegardText *texts[2]; // (count) sources, targets: the caller's
    size_t count;
    RegardOptions options;
    TextView *views[2];          // (count) of the texts, checked; owned
    TextView *prefixes;          // (count) the same of options.prefixes, or NULL
    Glossary *glossary;          // of options.glossary, or NULL; owned
    const Glossary **glossaries; // (count) it, or NULL
} LibraryCall;

static UnitKind unit_kind(RegardUnits units, UnitKind of_model)
{
    if (units == REGARD_UNITS_MODEL) return of_model;
    return units == REGARD_UNITS_WORDS ? UNITS_WORDS : UNITS_CHARACTERS;
}

/* At most one thread for each text. */
static size_t thread_count(const LibraryCall *call)
{
    size_t threads = call->options.threads ? call->options.threads : threads_available();
    if (threads > call->count) threads = call->count;
    return threads ? threads : 1;
}

/* Few texts are shared out evenly: one batch of all would leave the other threads idle. */
static size_t batch_size(const LibraryCall *call, size_t threads)
{
    size_t share = (call->count + threads - 1) / threads;
    if (share == 0) share = 1;
    return share < call->options.batch ? share : call->options.batch;
}

static ComputeType compute_type(const LibraryCall *call)
{
    static const ComputeType types[] = {[REGARD_PRECISION_FLOAT32] = COMPUTE_FLOAT32,
                                        [REGARD_PRECISION_BF16] = COMPUTE_BF16,
                                        [REGARD_PRECISION_INT8] = COMPUTE_INT8};
    if (call->options.precision != REGARD_PRECISION_AUTO) return types[call->options.precision];
    return backend_fastest_type(PACKED_DECODING,
                                seq2seq_is_wide(&call->model->translator.model.params.config));
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
        const RegardTerm *given = &options->glossary[i];
        TRY(read_text(&term, &given->term, "options.glossary", i, ".term", error));
        TRY(read_text(&translation, &given->translation, "options.glossary", i, ".translation",
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
    if (call->purpose != TRANSLATE || call->options.glossary_count == 0) return STATUS_OK;
    TRY(glossary_new(&call->glossary, target, error));
    TRY(fill_glossary(call->glossary, &call->options, error));
    TRY(array_new(&call->glossaries, call->count, "texts", error));
    for (size_t i = 0; i < call->count; i++) call->glossaries[i] = call->glossary;
    return STATUS_OK;
}

static Status translate(const LibraryCall *call, Session *session, size_t threads,
                        Translation *translations, Error *error)
{
    const RegardOptions *options = &call->options;
    if (options->shortlist && call->model->translator.model.shortlist.always_count == 0)
        return error_set(error, STATUS_ARGUMENT,
                         "options.shortlist is 1, but the model has no shortlist, like all models "
                         "without attention; leave it at 0");
    const TranslateOptions translate = {
        .search = {.beam = options->samples ? options->samples : options->beam,
                   .batch = batch_size(call, threads),
                   .length_normalization = options->length_normalization,
                   .with_alpha = options->alignment,
                   .shortlist = options->shortlist,
                   .sampling = {.wanted = options->samples > 0,
                                .temperature = options->temperature,
                                .seed = options->seed}},
        .n_best = options->samples ? options->samples : options->n_best,
        .prefixes = call->prefixes,
        .glossaries = call->glossaries,
        .split = options->split ? SPLIT_SENTENCES : SPLIT_NONE};
    return session_translate(session, call->views[0], call->count, &translate, translations, error);
}

static Status run_session(const LibraryCall *call, Translation *translations, Error *error)
{
    const RegardOptions *options = &call->options;
    const TextView *const sides[2] = {call->views[0], call->views[1]};
    const Cancel cancel = {options->cancelled, options->context};
    size_t threads = thread_count(call);
    Session *session;
    TRY(session_new(&session, &call->model->translator, threads, compute_type(call), error));
    if (cancel.wanted) session_cancel_by(session, &cancel);
    bool with_alpha = options->alignment || call->purpose == ALIGN;
    Status status =
        call->purpose == TRANSLATE
            ? translate(call, session, threads, translations, error)
            : session_force(session, sides, call->count, with_alpha, translations, error);
    session_free(session);
    return status;
}

// A rendering as the caller sees it.
typedef struct Shown {
    RegardTranslation translation;
    RegardAlignment view; // of what follows
    Alignment alignment;
    RegardText *units[2]; // of source and target
    RegardLink *links;
} Shown;

typedef struct ShownSource {
    RegardSource source;
    Shown *translations; // (source.translation_count)
} ShownSource;

struct RegardResult {
    size_t count;
    Translation *translations; // (count)
    ShownSource *shown;        // (count)
};

static Status result_new(RegardResult **out, size_t count, Error *error)
{
    RegardResult *result;
    TRY(array_new(&result, 1, "a result", error));
    result->translations = memory_new(count, sizeof *result->translations);
    result->shown = memory_new(count, sizeof *result->shown);
    if (!result->translations || !result->shown) {
        regard_result_free(result);
        return error_set(error, STATUS_MEMORY,
                         "out of memory: a result of %zu texts; pass fewer at once", count);
    }
    result->count = count;
    *out = result;
    return STATUS_OK;
}

// How results show alignments.
typedef struct ResultForm {
    bool alignments;     // whether they are shown, with weights unless they are links only
    UnitKind units[2];   // of source and target, that alignments count
    LinkReading reading; // how links are read
} ResultForm;

static RegardText text_of(const Bytes *bytes)
{
    return (RegardText){bytes_text(bytes), bytes->length};
}

/* The texts of a side's units in one block with their bytes, each NUL-terminated since new memory is
 * 0. */
static Status unit_texts(RegardText **out, const Bytes *text, const Units *units, Error *error)
{
    size_t bytes = units->count * sizeof **out;
    for (size_t i = 0; i < units->count; i++) bytes += units->ends[i] - units->begins[i] + 1;
    RegardText *texts = *out = memory_new(bytes, 1);
    if (!texts) return error_memory(error, bytes, "a result");
    char *place = (char *)(texts + units->count);
    for (size_t i = 0; i < units->count; i++) {
        size_t length = units->ends[i] - units->begins[i];
        memcpy(place, text->data + units->begins[i], length);
        texts[i] = (RegardText){place, length};
        place += length + 1;
    }
    return STATUS_OK;
}

static Status show_alignment(Shown *shown, const Translation *translation,
                             const Rendering *rendering, const ResultForm *form, Error *error)
{
    Alignment *alignment = &shown->alignment;
    const Units *sources = &alignment->source_units, *targets = &alignment->target_units;
    const Links *links = &alignment->links;
    const bool weights = !form->reading.links_only;
    TRY(alignment_set(alignment, translation, rendering, form->units, &form->reading, error));
    TRY(unit_texts(&shown->units[0], &translation->source, sources, error));
    TRY(unit_texts(&shown->units[1], &rendering->text, targets, error));
    TRY(array_new(&shown->links, links->count, "a result", error));
    for (size_t i = 0; i < links->count; i++)
        shown->links[i] = (RegardLink){links->items[i].source, links->items[i].target};
    shown->view = (RegardAlignment){.sources = shown->units[0],
                                    .targets = shown->units[1],
                                    .source_count = sources->count,
                                    .target_count = targets->count,
                                    .weights = weights ? alignment->soft.weights : NULL,
                                    .links = shown->links,
                                    .link_count = links->count};
    shown->translation.alignment = &shown->view;
    return STATUS_OK;
}

static Status show_source(ShownSource *shown, const Translation *translation,
                          const ResultForm *form, Error *error)
{
    size_t count = translation->count;
    TRY(array_new(&shown->translations, count, "a result", error));
    shown->source = (RegardSource){.text = text_of(&translation->source),
                                   .translation_count = count,
                                   .invalid = translation->invalid,
                                   .cut = translation->cut || translation->prefix_cut};
    for (size_t rank = 0; rank < count; rank++) {
        const Rendering *rendering = &translation->renderings[rank];
        Shown *one = &shown->translations[rank];
        one->translation = (RegardTranslation){.text = text_of(&rendering->text),
                                               .log_probability = rendering->log_p,
                                               .score = rendering->score};
        if (form->alignments) TRY(show_alignment(one, translation, rendering, form, error));
    }
    return STATUS_OK;
}

static Status make_result(const LibraryCall *call, RegardResult **out, Error *error)
{
    const RegardOptions *options = &call->options;
    const Translator *translator = &call->model->translator;
    ResultForm form = {
        .alignments = options->alignment || call->purpose == ALIGN,
        .units = {unit_kind(options->source_units, translator->source_units),
                  unit_kind(options->target_units, translator->target_units)},
        .reading = reading_of_aligner(translator->has_aligner ? &translator->aligner : NULL)};
    form.reading.links_only = !options->alignment;
    RegardResult *result = NULL;
    TRY(result_new(&result, call->count, error));
    Status status = run_session(call, result->translations, error);
    for (size_t i = 0; i < result->count && !status; i++)
        status = show_source(&result->shown[i], &result->translations[i], &form, error);
    if (status)
        regard_result_free(result);
    else
        *out = result;
    return status;
}

static Status read_call(LibraryCall *call, const RegardOptions *options, Error *error)
{
    static const char *const names[2] = {"sources", "targets"};
    const RegardText *prefixes = NULL;
    TRY(read_options(&call->options, options, error));
    for (int side = 0; side < (call->purpose == TRANSLATE ? 1 : 2); side++)
        TRY(read_texts(&call->views[side], call->texts[side], call->count, names[side], error));
    if (call->purpose == TRANSLATE) prefixes = call->options.prefixes;
    if (!prefixes) return STATUS_OK;
    return read_texts(&call->prefixes, prefixes, call->count, "options.prefixes", error);
}

static Status answer(LibraryCall *call, const RegardOptions *options, RegardResult **result,
                     Error *error)
{
    if (!result) return error_set(error, STATUS_ARGUMENT, "the pointer for the result is NULL");
    *result = NULL;
    if (!call->model)
        return error_set(error, STATUS_ARGUMENT, "the model is NULL; open one with regard_open");
    Status status = read_call(call, options, error);
    if (!status) status = read_glossary(call, error);
    if (!status) status = make_result(call, result, error);
    memory_free(call->views[0]);
    memory_free(call->views[1]);
    memory_free(call->prefixes);
    memory_free(call->glossaries);
    glossary_free(call->glossary);
    return status;
}

RegardStatus regard_translate(const RegardModel *model, const RegardText *sources, size_t count,
                              const RegardOptions *options, RegardResult **result,
                              RegardError *error)
{
    Error inner;
    LibraryCall call = {.model = model, .purpose = TRANSLATE, .texts = {sources}, .count = count};
    return tell(error, answer(&call, options, result, &inner), &inner);
}

RegardStatus regard_score(const RegardModel *model, const RegardText *sources,
                          const RegardText *targets, size_t count, const RegardOptions *options,
                          RegardResult **result, RegardError *error)
{
    Error inner;
    LibraryCall call = {
        .model = model, .purpose = SCORE, .texts = {sources, targets}, .count = count};
    return tell(error, answer(&call, options, result, &inner), &inner);
}

RegardStatus regard_align(const RegardModel *model, const RegardText *sources,
                          const RegardText *targets, size_t count, const RegardOptions *options,
                          RegardResult **result, RegardError *error)
{
    Error inner;
    LibraryCall call = {
        .model = model, .purpose = ALIGN, .texts = {sources, targets}, .count = count};
    return tell(error, answer(&call, options, result, &inner), &inner);
}

size_t regard_result_count(const RegardResult *result)
{
    return result ? result->count : 0;
}

const RegardSource *regard_result_source(const RegardResult *result, size_t i)
{
    return result && i < result->count ? &result->shown[i].source : NULL;
}

const RegardTranslation *regard_result_translation(const RegardResult *result, size_t i,
                                                   size_t rank)
{
    if (!result || i >= result->count) return NULL;
    const ShownSource *shown = &result->shown[i];
    return rank < shown->source.translation_count ? &shown->translations[rank].translation : NULL;
}

static void shown_free(Shown *shown)
{
    alignment_free(&shown->alignment);
    memory_free(shown->units[0]);
    memory_free(shown->units[1]);
    memory_free(shown->links);
}

void regard_result_free(RegardResult *result)
{
    if (!result) return;
    for (size_t i = 0; i < result->count; i++) {
        ShownSource *shown = &result->shown[i];
        for (size_t rank = 0; rank < shown->source.translation_count; rank++)
            shown_free(&shown->translations[rank]);
        memory_free(shown->translations);
        translation_free(&result->translations[i]);
    }
    memory_free(result->translations);
    memory_free(result->shown);
    memory_free(result);
}
