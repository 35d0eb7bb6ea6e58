// regard info: what is in a model file, and how this program computes.

#include "base/utf8_sequence.h"
#include "base/version.h"
#include "cli/verbs.h"
#include "io/json.h"
#include "math/kernels.h"
#include "translate/translator.h"

#include <stdio.h>

typedef struct InfoValues {
    bool tensors;
} InfoValues;

static const Option options[] = {
    OPTION_FLAG(InfoValues, tensors, "tensors", "list every tensor with its shape"),
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

// The type of the weights in the file; in memory all are float32.
static const char *weights_name(TensorType type)
{
    return type == TENSOR_BF16 ? "bf16"
           : type == TENSOR_I8 ? "int8, a scale for each row"
                               : "float32";
}

static void write_model(Writer *out, const Translator *translator)
{
    const ModelConfig *config = &translator->model.params.config;
    const ParamList *list = &translator->model.params.list;
    size_t scorer_heads = translator->model.params.decoder.attention.widths.heads;
    writer_format(out, "file          %zu bytes, weights in %s\n",
                  safetensors_size(translator->model.file),
                  weights_name(translator->model.weights));
    writer_format(out, "parameters    %zu in %zu tensors\n", param_list_values(list), list->count);
    writer_format(out, "vocabulary    %s, %zu and %zu tokens\n",
                  config->joint ? "joint" : "separate", config->source_vocabulary,
                  config->target_vocabulary);
    writer_format(out, "attention     %s, %zu units", config->attention, config->attention_size);
    if (scorer_heads > 1) writer_format(out, " in %zu heads", scorer_heads);
    writer_format(out, "\nencoder       %zu units in each direction", config->hidden);
    if (config->self_attention)
        writer_format(out, ", then self-attention of %zu head%s", config->heads,
                      config->heads == 1 ? "" : "s");
    writer_format(out, "\ndecoder       %zu units\nembedding     %zu, output %s\n",
                  config->decoder_hidden, config->embedding,
                  config->tied ? "tied to it" : "of its own");
    const Shortlist *shortlist = &translator->model.shortlist;
    if (shortlist->always_count > 0)
        writer_format(out, "shortlist     %zu tokens always, %.1f more per source token\n",
                      shortlist->always_count,
                      (double)shortlist->begin[config->source_vocabulary] /
                          (double)config->source_vocabulary);
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

static Status info(const Arguments *arguments, Output *output, Error *error)
{
    const InfoValues *values = arguments->values;
    bool with_model = arguments->operands.count > 0;
    Translator translator = {0};
    TRY(backends_start(1, error)); // to be described
    if (with_model) TRY(translator_open(&translator, arguments->operands.items[0], error));
    Writer out = output_start(output, error);
    write_program(&out);
    if (with_model) {
        write_model(&out, &translator);
        write_training(&out, &translator);
        if (values->tensors) write_tensors(&out, &translator);
        translator_close(&translator);
    }
    return output_end(output, &out);
}

static const InfoValues defaults = {0};

const Verb verb_info = {
    .syntax =
        {
            .verb = "info",
            .summary = "show what is in a model file, and how this program computes",
            .description = "Describes how this program computes on this processor, and a model "
                           "file: its size, "
                           "vocabularies, layers and training.",
            SYNTAX_OPTIONS(options, defaults),
            .operands = {"MODEL", "a model file; without one, describe only the program", 0, 1},
            .examples = "The contents of a model file, with all tensors:\n"
                        "  regard info --tensors model.safetensors\n"
                        "How this program computes:\n"
                        "  regard info\n",
        },
    .run = info,
};
