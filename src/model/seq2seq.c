#include "model/seq2seq.h"

#include "base/array.h"
#include "base/random.h"
#include "layers/loss.h"

#include <math.h>

DecoderSizes seq2seq_decoder_sizes(const ModelConfig *config)
{
    return (DecoderSizes){.scorer = attention_scorer_named(config->attention),
                          .conditional = config->conditional_gru,
                          .embedding = config->embedding,
                          .attention = {.attention = config->attention_size,
                                        .decoder = config->decoder_hidden,
                                        .annotation = config_annotation_width(config),
                                        .heads = config->heads}};
}

static void visit_embeddings(Seq2SeqParams *params, Seq2SeqGrads *grads, ParamVisitor *visitor,
                             const ModelConfig *config)
{
    param_visit_weight(visitor, &params->source_embedding, &grads->source_embedding, "",
                       config->joint ? "embedding.weight" : "source_embedding.weight",
                       (ParamShape){config->source_vocabulary, config->embedding});
    if (config->joint) {
        params->target_embedding = params->source_embedding;
        grads->target_embedding = grads->source_embedding;
    } else {
        param_visit_weight(visitor, &params->target_embedding, &grads->target_embedding, "",
                           "target_embedding.weight",
                           (ParamShape){config->target_vocabulary, config->embedding});
        *param_use(visitor, "source_embedding.weight") = (WeightUse){0};
    }
}

static void visit_output(Seq2SeqParams *params, Seq2SeqGrads *grads, ParamVisitor *visitor,
                         const ModelConfig *config)
{
    size_t V = config->target_vocabulary;
    const char *embedding = config->joint ? "embedding.weight" : "target_embedding.weight";
    if (config->tied) {
        params->output.weight = params->target_embedding;
        grads->output.weight = grads->target_embedding;
        param_visit_vector(visitor, &params->output.bias, &grads->output.bias, "output.", "bias",
                           V);
    } else {
        linear_visit(&params->output, &grads->output, visitor, "output.", V, config->embedding);
        *param_use(visitor, embedding) = (WeightUse){0};
    }
    param_use(visitor, config->tied ? embedding : "output.weight")->block = LOSS_BLOCK;
}

/* Names every tensor of the model once. */
static void seq2seq_visit(Seq2SeqParams *params, Seq2SeqGrads *grads, ParamVisitor *visitor,
                          const ModelConfig *config)
{
    size_t width = config_annotation_width(config);
    DecoderSizes sizes = seq2seq_decoder_sizes(config);
    visit_embeddings(params, grads, visitor, config);
    encoder_visit(&params->encoder, &grads->encoder, visitor, "encoder.",
                  (EncoderSizes){config->embedding, config->hidden, width});
    if (config->self_attention)
        self_attention_visit(&params->self_attention, &grads->self_attention, visitor,
                             "self_attention.", width, config->heads);
    linear_visit(&params->bridge, &grads->bridge, visitor, "bridge.", config->decoder_hidden,
                 width);
    decoder_visit(&params->decoder, &grads->decoder, visitor, &sizes);
    visit_output(params, grads, visitor, config);
}

Status seq2seq_params_list(Seq2SeqParams *params, const ModelConfig *config, Error *error)
{
    Seq2SeqGrads unbound;
    *params = (Seq2SeqParams){.config = *config};
    ParamVisitor listing = param_visitor_listing(&params->list);
    seq2seq_visit(params, &unbound, &listing, config);
    TRY(param_list_end(&listing, error));
    return array_new(&params->places, params->list.count, "the model's parameters", error);
}

void seq2seq_params_place(Seq2SeqParams *params, real *const *places)
{
    Seq2SeqGrads unbound;
    memmove(params->places, places, params->list.count * sizeof *places);
    ParamVisitor visitor = param_visitor_params(&params->list, params->places, params->packed);
    seq2seq_visit(params, &unbound, &visitor, &params->config);
}

// A block for a list, all 0.
static Status block_new(real **block, const ParamList *list, Error *error)
{
    size_t size = list->block_size;
    *block = memory_in_large_pages(size, sizeof(real));
    if (!*block) return error_memory(error, size * sizeof(real), "the model's parameters");
    memset(*block, 0, size * sizeof(real));
    return STATUS_OK;
}

Status seq2seq_params_new(Seq2SeqParams *params, const ModelConfig *config, Error *error)
{
    TRY(seq2seq_params_list(params, config, error));
    TRY(block_new(&params->block, &params->list, error));
    param_list_places(params->places, &params->list, params->block);
    seq2seq_params_place(params, params->places);
    return STATUS_OK;
}

void seq2seq_params_free(Seq2SeqParams *params)
{
    if (!params->packed_shared) packed_weights_free(params->packed);
    param_list_free(&params->list);
    memory_free(params->places);
    memory_free(params->block);
    *params = (Seq2SeqParams){0};
}

Status seq2seq_params_pack(Seq2SeqParams *params, const Backend *backend, PackedPurpose purpose,
                           Error *error)
{
    const ParamList *list = &params->list;
    FREED WeightUse *uses = NULL;
    if (!backend->pack) return STATUS_OK;
    TRY(array_new(&uses, list->count, "packed weights", error));
    for (size_t i = 0; i < list->count; i++) uses[i] = list->tensors[i].use;
    TRY(packed_weights_new(&params->packed, uses, list->count, backend, purpose, error));
    seq2seq_params_place(params, params->places); // views with their forms
    return STATUS_OK;
}

typedef struct Filling {
    const Seq2SeqParams *params;
    size_t workers;
} Filling;

static void fill(void *context, size_t worker)
{
    const Filling *filling = context;
    const Seq2SeqParams *params = filling->params;
    packed_weights_fill(params->packed, params->places, worker, filling->workers);
}

void seq2seq_params_fill_all(const Seq2SeqParams *params, Threads *threads)
{
    Filling filling = {params, threads_count(threads)};
    if (params->packed) threads_run(threads, fill, &filling);
}

bool seq2seq_needs_openblas(const Seq2SeqParams *params)
{
    return params->config.self_attention || !packed_weights_complete(params->packed, true);
}

bool seq2seq_is_wide(const ModelConfig *config)
{
    return config->embedding >= MIN_PACKED_WIDTH && config->hidden >= MIN_PACKED_WIDTH &&
           config->decoder_hidden >= MIN_PACKED_WIDTH;
}

Status seq2seq_grads_new(Seq2SeqGrads *grads, const Seq2SeqParams *params, Error *error)
{
    const ParamList *list = &params->list;
    *grads = (Seq2SeqGrads){.list = list};
    TRY(array_new(&grads->places, list->count, "gradients", error));
    TRY(array_new(&grads->unset, list->count, "gradients", error));
    TRY(block_new(&grads->block, list, error));
    Seq2SeqParams unbound;
    param_list_places(grads->places, list, grads->block);
    ParamVisitor visitor = param_visitor_grads(
        list, grads->places, packed_weights_backend(params->packed), grads->unset);
    seq2seq_visit(&unbound, grads, &visitor, &params->config);
    return STATUS_OK;
}

void seq2seq_grads_free(Seq2SeqGrads *grads)
{
    memory_free(grads->unset);
    memory_free(grads->places);
    memory_free(grads->block);
    *grads = (Seq2SeqGrads){0};
}

static void clear_tensor(Seq2SeqGrads *grads, size_t i)
{
    memset(grads->places[i], 0, grads->list->tensors[i].count * sizeof(real));
}

void seq2seq_grads_begin(Seq2SeqGrads *grads)
{
    for (size_t i = 0; i < grads->list->count; i++) {
        grads->unset[i] = grads->list->tensors[i].rank == 2;
        if (!grads->unset[i]) clear_tensor(grads, i);
    }
}

void seq2seq_grads_end(Seq2SeqGrads *grads)
{
    for (size_t i = 0; i < grads->list->count; i++) {
        if (grads->unset[i]) clear_tensor(grads, i);
        grads->unset[i] = false;
    }
}

typedef enum InitialKind { UNIFORM, NORMAL, CONSTANT } InitialKind;

// Where cosine attention's temperature starts: attention/cosine.c says why there must be one.
enum { TEMPERATURE = 10 };

/* How tensors are drawn, by the beginning of their name; the first rule that fits counts. */
typedef struct InitialRule {
    const char *prefix;
    InitialKind kind;
    size_t number; // fan: UNIFORM is in ±1/√fan, NORMAL is N(0, 1/√fan); CONSTANT is the number
} InitialRule;

static void draw(real *values, size_t count, const InitialRule *rule, Random *random)
{
    double scale = 1 / sqrt((double)rule->number);
    for (size_t i = 0; i < count; i++) {
        if (rule->kind == CONSTANT)
            values[i] = (real)rule->number;
        else if (rule->kind == NORMAL)
            values[i] = (real)(random_normal(random) * scale);
        else
            values[i] = (real)((2 * random_uniform(random) - 1) * scale);
    }
}

void seq2seq_initialise(Seq2SeqParams *params, uint64_t seed)
{
    const ModelConfig *config = &params->config;
    size_t E = config->embedding, D = config->decoder_hidden, H = config->hidden;
    const InitialRule rules[] = {
        {"embedding.", NORMAL, E},
        {"source_embedding.", NORMAL, E},
        {"target_embedding.", NORMAL, E},
        {"encoder.", UNIFORM, H},
        {"self_attention.norm.weight", CONSTANT, 1},
        {"self_attention.norm.bias", CONSTANT, 0},
        {"self_attention.", UNIFORM, 2 * H},
        {"bridge.", UNIFORM, 2 * H},
        {"attention.query.", UNIFORM, D},
        {"attention.key.", UNIFORM, 2 * H},
        {"attention.value.", UNIFORM, 2 * H},
        {"attention.output.", UNIFORM, 2 * H},
        {"attention.temperature", CONSTANT, TEMPERATURE},
        {"attention.v", UNIFORM, config->attention_size},
        {"decoder.", UNIFORM, D},
        {"readout.", UNIFORM, D + E + 2 * H},
        {"", UNIFORM, E}, // output
    };
    for (size_t i = 0; i < params->list.count; i++) {
        const ParamInfo *info = &params->list.tensors[i];
        const InitialRule *rule = rules;
        while (strncmp(info->name, rule->prefix, strlen(rule->prefix))) rule++;
        Random random = random_from(seed, i);
        draw(params->block + info->offset, info->count, rule, &random);
    }
}
