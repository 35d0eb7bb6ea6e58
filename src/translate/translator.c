#include "translate/translator.h"

#include "align/aligner_file.h"
#include "base/array.h"

#include <pthread.h>

struct PackedParams {
    pthread_mutex_t lock; // of the rest
    Seq2SeqParams values; // with those of matrices that the model has in int8
    // views of the model's or of those, with packed forms of their own
    Seq2SeqParams params[COMPUTE_TYPES];
};

static void packed_free(struct PackedParams *packed)
{
    if (!packed) return;
    seq2seq_params_free(&packed->values);
    for (size_t i = 0; i < COMPUTE_TYPES; i++) seq2seq_params_free(&packed->params[i]);
    pthread_mutex_destroy(&packed->lock);
    memory_free(packed);
}

static Status pack(Seq2SeqParams *params, const Seq2SeqParams *values, const Model *model,
                   const Backend *backend, Threads *threads, Error *error)
{
    Status status = seq2seq_params_list(params, &model->params.config, error);
    if (!status) seq2seq_params_place(params, values->places);
    if (!status) status = seq2seq_params_pack(params, backend, PACKED_DECODING, error);
    if (!status && backend->type == COMPUTE_INT8)
        packed_weights_set_rounded(params->packed, model->rounded);
    if (!status) seq2seq_params_fill_all(params, threads);
    if (!status) status = backends_check(error); // a form that is missing would stay so
    if (status) seq2seq_params_free(params);
    return status;
}

static Status dequantise(Seq2SeqParams *values, const Model *model, Error *error)
{
    if (values->places) return STATUS_OK;
    Status status = seq2seq_params_list(values, &model->params.config, error);
    if (!status) status = model_dequantise(values, model, error);
    if (status) seq2seq_params_free(values);
    return status;
}

Status translator_params(const Translator *translator, ComputeType type, Threads *threads,
                         const Seq2SeqParams **params, Error *error)
{
    const Model *model = &translator->model;
    const Backend *backend;
    TRY(backend_get(&backend, type, seq2seq_is_wide(&model->params.config), error));
    struct PackedParams *all = translator->packed;
    Seq2SeqParams *packed = &all->params[type];
    // only products in int8 take weights in int8 as they are
    const Seq2SeqParams *values = type == COMPUTE_INT8 ? &model->params : &all->values;
    Status status = STATUS_OK;
    pthread_mutex_lock(&all->lock);
    if (type != COMPUTE_INT8) status = dequantise(&all->values, model, error);
    if (!status && backend->pack && !packed->packed)
        status = pack(packed, values, model, backend, threads, error);
    pthread_mutex_unlock(&all->lock);
    *params = backend->pack ? packed : values;
    return status;
}

static Status read_vocabulary(Vocabulary **vocabulary, const char *text, size_t size,
                              const char *path, const char *which, Error *error)
{
    Error inner;
    Status status = vocabulary_read(vocabulary, text, &inner);
    if (status == STATUS_MEMORY) return error_set(error, status, "%s", inner.text);
    if (status) return error_set(error, status, "%s: %s: %s", path, which, inner.text);
    if (vocabulary_size(*vocabulary) == size) return STATUS_OK;
    return error_set(error, STATUS_FORMAT, "%s: %s has %zu tokens, its config says %zu", path,
                     which, vocabulary_size(*vocabulary), size);
}

Status translator_read_vocabularies(Vocabulary *vocabularies[2], const ModelConfig *config,
                                    const ModelTexts *texts, const char *path, Error *error)
{
    FREED_BY(vocabulary_free_at) Vocabulary *source = NULL, *target = NULL;
    TRY(read_vocabulary(&source, texts->source_vocabulary, config->source_vocabulary, path,
                        config->joint ? "its vocabulary" : "its source vocabulary", error));
    if (!config->joint)
        TRY(read_vocabulary(&target, texts->target_vocabulary, config->target_vocabulary, path,
                            "its target vocabulary", error));
    vocabularies[1] = config->joint ? source : memory_take(&target);
    vocabularies[0] = memory_take(&source);
    return STATUS_OK;
}

// Defaults; a model that does not name them counts words.
static const JsonField defaults[] = {
    JSON_FIELD(Translator, source_units, FIELD_CHOICE, unit_kind_names),
    JSON_FIELD(Translator, target_units, FIELD_CHOICE, unit_kind_names),
    JSON_FIELD(Translator, bleu_tokenizer, FIELD_CHOICE, bleu_tokenizer_names),
    JSON_FIELD(Translator, length_normalization, FIELD_REAL, NULL),
};

static const char *language_tag(const json_t *training, const char *key)
{
    const char *tag = json_string_value(json_object_get(training, key));
    return tag && language_is_tag(tag) ? tag : NULL;
}

static Status read_training(Translator *translator, const char *text, const char *path,
                            Error *error)
{
    TRY(json_parse(&translator->training, text, strlen(text), path,
                   "the description of its training", error));
    if (!json_is_object(translator->training))
        return error_set(error, STATUS_FORMAT,
                         "%s: the description of its training is not JSON: not an object", path);
    translator->has_confidence = confidence_read(&translator->confidence, translator->training);
    translator->languages[0] = language_tag(translator->training, "source_language");
    translator->languages[1] = language_tag(translator->training, "target_language");
    for (size_t i = 0; i < sizeof defaults / sizeof *defaults; i++) {
        const json_t *named = json_object_get(translator->training, defaults[i].name);
        if (named && !json_field_read(&defaults[i], translator, named))
            return error_set(error, STATUS_FORMAT, "%s: its %s is of an unknown kind", path,
                             defaults[i].name);
    }
    double alpha = translator->length_normalization;
    if (alpha >= 0 && alpha <= MAX_NORMALIZATION) return STATUS_OK;
    return error_set(error, STATUS_FORMAT, "%s: its length_normalization is %g; it must be 0 to %d",
                     path, alpha, MAX_NORMALIZATION);
}

static Status read_aligner(Translator *translator, const char *path, Error *error)
{
    if (!aligner_is_in(translator->model.file)) return STATUS_OK;
    TRY(example_file_new(&translator->examples, path, error));
    TRY(array_new(&translator->aligner, 1, "an aligner", error));
    return aligner_read(translator->aligner, translator->model.file, path, error);
}

// Two threads read the model and its vocabularies at the same time, since a translation waits for
// both.
typedef struct Opening {
    Translator *translator;
    const char *path;
    Status model_status, texts_status;
    Error model_error, texts_error;
} Opening;

static void read_model(void *context)
{
    Opening *opening = context;
    Status status = model_read(&opening->translator->model, opening->path, &opening->model_error);
    if (!status) status = read_aligner(opening->translator, opening->path, &opening->model_error);
    opening->model_status = status;
}

// Uses only the header of the model's file: the other thread is reading the rest.
static void read_texts(void *context)
{
    Opening *opening = context;
    Translator *translator = opening->translator;
    Error *error = &opening->texts_error;
    ModelConfig config;
    ModelTexts texts;
    Status status =
        model_read_metadata(translator->model.file, opening->path, &config, &texts, error);
    Vocabulary *vocabularies[2] = {NULL, NULL};
    if (!status)
        status = translator_read_vocabularies(vocabularies, &config, &texts, opening->path, error);
    translator->source_vocabulary = vocabularies[0];
    translator->target_vocabulary = vocabularies[1];
    if (!status) status = read_training(translator, texts.training, opening->path, error);
    opening->texts_status = status;
}

/* An error in the model is reported rather than one in its texts, which in a damaged file follows
 * from it. */
static Status read_all(Translator *translator, const char *path, Error *error)
{
    Opening opening = {.translator = translator, .path = path};
    opening.model_status = model_open_unread(&translator->model, path, &opening.model_error);
    if (!opening.model_status) threads_both(read_texts, read_model, &opening);
    Status status = opening.model_status ? opening.model_status : opening.texts_status;
    if (status && error) *error = opening.model_status ? opening.model_error : opening.texts_error;
    return status;
}

Status translator_open(Translator *translator, const char *path, Error *error)
{
    *translator = (Translator){
        .source_units = UNITS_WORDS, .target_units = UNITS_WORDS, .length_normalization = 1};
    TRY(array_new(&translator->packed, 1, "a model", error));
    *translator->packed = (struct PackedParams){.lock = PTHREAD_MUTEX_INITIALIZER};
    Status status = read_all(translator, path, error);
    if (status) translator_close(translator);
    return status;
}

void translator_close(Translator *translator)
{
    if (translator->target_vocabulary != translator->source_vocabulary)
        vocabulary_free(translator->target_vocabulary);
    vocabulary_free(translator->source_vocabulary);
    json_decref(translator->training);
    if (translator->aligner) aligner_free(translator->aligner);
    memory_free(translator->aligner);
    example_file_free(translator->examples);
    packed_free(translator->packed);
    model_close(&translator->model);
    *translator = (Translator){0};
}
