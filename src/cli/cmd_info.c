// regard info: what is in a model file, and how this program computes.

#include "base/utf8_sequence.h"
#include "base/version.h"
#include "cli/languages.h"
#include "cli/verbs.h"
#include "math/kernels.h"
#include "translate/translator.h"

typedef struct InfoValues {
    bool tensors;
    bool json;
} InfoValues;

static const Option options[] = {
    OPTION_FLAG(InfoValues, tensors, "tensors", "list every tensor with its shape"),
    OPTION_FLAG(InfoValues, json, "json", "print everything as one JSON object"),
};

// Whether a product's row has the same bits whatever the other rows are, by every backend in use.
static bool rows_exact(void)
{
    bool exact = true;
    for (size_t i = 0; backends[i]; i++)
        if (backends[i]->available()) exact = exact && backends[i]->rows_exact();
    return exact;
}

static void write_program(Writer *out)
{
    char products[128];
    backend_describe(products, sizeof products, &backend_openblas);
    writer_format(out, "program       regard %s\nproducts      %s\n", REGARD_VERSION, products);
    for (size_t i = 0; backends[i]; i++) {
        if (!backends[i]->pack || !backends[i]->available()) continue;
        backend_describe(products, sizeof products, backends[i]);
        writer_format(out, "packed        %s, for models of at least %d units\n", products,
                      MIN_PACKED_WIDTH);
    }
    writer_format(out, "kernels       %s\n", kernels()->name);
    writer_format(
        out, "guarantee     a translation %s\n",
        rows_exact()
            ? "does not depend on its batch or the number of threads, bit for bit"
            : "depends on its batch only where two hypotheses score within 1e-4 of each other");
}

static double candidates_per_token(const Translator *translator)
{
    size_t tokens = translator->model.params.config.source_vocabulary;
    return (double)translator->model.shortlist.begin[tokens] / (double)tokens;
}

static void write_model(Writer *out, const Translator *translator)
{
    const ModelConfig *config = &translator->model.params.config;
    const ParamList *list = &translator->model.params.list;
    size_t scorer_heads = translator->model.params.decoder.attention.widths.heads;
    // of the file; in memory all are float32
    static const char *const notes[] = {"", "", ", a scale for each row",
                                        " of source embeddings, int8 of others"};
    writer_format(out, "file          %zu bytes, weights in %s%s\n",
                  safetensors_size(translator->model.file),
                  weight_type_names[translator->model.weights], notes[translator->model.weights]);
    writer_format(out, "parameters    %zu in %zu tensors\n", param_list_values(list), list->count);
    writer_format(out, "vocabulary    %s, %zu and %zu tokens\n",
                  config->joint ? "joint" : "separate", config->source_vocabulary,
                  config->target_vocabulary);
    languages_write(out, translator);
    writer_format(out, "attention     %s, %zu units", config->attention, config->attention_size);
    if (scorer_heads > 1) writer_format(out, " in %zu heads", scorer_heads);
    writer_format(out, "\nencoder       %zu units in each direction%s", config->hidden,
                  config->embedding_in_annotations ? ", beside them the embedding" : "");
    if (config->self_attention)
        writer_format(out, ", then self-attention of %zu head%s", config->heads,
                      config->heads == 1 ? "" : "s");
    writer_format(out, "\ndecoder       %zu units%s\nembedding     %zu, output %s\n",
                  config->decoder_hidden, config->conditional_gru ? " in a conditional GRU" : "",
                  config->embedding, config->tied ? "tied to it" : "of its own");
    const Shortlist *shortlist = &translator->model.shortlist;
    if (shortlist->always_count > 0)
        writer_format(out, "shortlist     %zu tokens always, %.1f more per source token\n",
                      shortlist->always_count, candidates_per_token(translator));
    if (translator->model.lexicon.count > 0)
        writer_format(out, "lexicon       %zu words\n", translator->model.lexicon.count);
    writer_format(out, "alignments    %s of the source, %s of the target\n",
                  unit_kind_names[translator->source_units],
                  unit_kind_names[translator->target_units]);
}

// The training description, one line for each entry.
static void write_training(Writer *out, const Translator *translator)
{
    const char *key;
    json_t *value;
    json_object_foreach(translator->training, key, value)
    {
        size_t begin = out->out->length;
        writer_format(out, "training      %s: ", key);
        json_write(out, json_incref(value),
                   JSON_ENCODE_ANY | JSON_COMPACT | JSON_REAL_PRECISION(6));
        if (!out->status)
            utf8_make_harmless(out->out->data + begin, out->out->length - begin, false);
        writer_string(out, "\n");
    }
}

static void write_tensors(Writer *out, const Translator *translator)
{
    const ParamList *list = &translator->model.params.list;
    for (size_t i = 0; i < list->count; i++) {
        const ParamInfo *info = &list->tensors[i];
        writer_format(out, "tensor        %s (%zu", info->name, info->shape[0]);
        if (info->rank > 1) writer_format(out, ", %zu", info->shape[1]);
        writer_string(out, ")\n");
    }
}

static json_t *program_json(void)
{
    char products[128];
    json_t *packed = json_array();
    for (size_t i = 0; backends[i]; i++) {
        if (!backends[i]->pack || !backends[i]->available()) continue;
        backend_describe(products, sizeof products, backends[i]);
        json_append(&packed, json_string(products));
    }
    backend_describe(products, sizeof products, &backend_openblas);
    return json_pack("{ss ss so ss sb}", "version", REGARD_VERSION, "products", products, "packed",
                     packed, "kernels", kernels()->name, "rows_exact", (int)rows_exact());
}

static json_t *tensors_json(const ParamList *list)
{
    json_t *tensors = json_array();
    for (size_t i = 0; i < list->count; i++) {
        const ParamInfo *info = &list->tensors[i];
        json_t *shape = json_pack("[I]", (json_int_t)info->shape[0]);
        if (info->rank > 1) json_append(&shape, json_integer((json_int_t)info->shape[1]));
        json_append(&tensors, json_pack("{ss so}", "name", info->name, "shape", shape));
    }
    return tensors;
}

static json_t *shortlist_json(const Translator *translator)
{
    const Shortlist *shortlist = &translator->model.shortlist;
    return json_pack("{sI sf}", "always", (json_int_t)shortlist->always_count, "per_source_token",
                     candidates_per_token(translator));
}

static json_t *model_json(const Translator *translator, bool tensors)
{
    const Model *model = &translator->model;
    const ParamList *list = &model->params.list;
    return json_pack("{sI ss sI so so* sI ss ss sO so*}",                               //
                     "bytes", (json_int_t)safetensors_size(model->file),                //
                     "weights", weight_type_names[model->weights],                      //
                     "parameters", (json_int_t)param_list_values(list),                 //
                     "config", config_to_json(&model->params.config),                   //
                     "shortlist",                                                       //
                     model->shortlist.always_count ? shortlist_json(translator) : NULL, //
                     "lexicon", (json_int_t)model->lexicon.count,                       //
                     "source_units", unit_kind_names[translator->source_units],         //
                     "target_units", unit_kind_names[translator->target_units],         //
                     "training", translator->training,                                  //
                     "tensors", tensors ? tensors_json(list) : NULL);
}

static Status write_json(Output *output, const Translator *translator, bool tensors, Error *error)
{
    json_t *model = translator ? model_json(translator, tensors) : NULL;
    return output_json(output, json_pack("{so so*}", "program", program_json(), "model", model),
                       JSON_REAL_PRECISION(9), error); // which knows whether memory was short
}

static Status write_text(Output *output, const Translator *translator, bool tensors, Error *error)
{
    Writer out = output_start(output, error);
    write_program(&out);
    if (translator) {
        write_model(&out, translator);
        write_training(&out, translator);
        if (tensors) write_tensors(&out, translator);
    }
    return output_end(output, &out);
}

static Status info(const Arguments *arguments, Output *output, Error *error)
{
    const InfoValues *values = arguments->values;
    bool with_model = arguments->operands.count > 0;
    FREED_BY(translator_close) Translator translator = {0};
    TRY(backends_start(1, error)); // to be described
    if (with_model) TRY(translator_open(&translator, arguments->operands.items[0], error));
    return (values->json ? write_json : write_text)(output, with_model ? &translator : NULL,
                                                    values->tensors, error);
}

const Verb verb_info = {
    .name = "info",
    .summary = "show what is in a model file, and how this program computes",
    .description = "Describes how this program computes on this processor, and a model file: its "
                   "size, vocabularies, layers and training.",
    VERB_OPTIONS(options, (const InfoValues){0}),
    .models = true,
    .operands = {"MODEL", "a model, file or name; without one, describe only the program", 0, 1},
    .examples = "The contents of a model file, with all tensors:\n"
                "  regard info --tensors model.safetensors\n"
                "The same for a program:\n"
                "  regard info --json --tensors model.safetensors\n"
                "How this program computes:\n"
                "  regard info\n",
    .run = info,
};
