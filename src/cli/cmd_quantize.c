// regard quantize: a smaller model file.

#include "align/aligner_file.h"
#include "cli/model_names.h"
#include "cli/verbs.h"
#include "io/file_writer.h"
#include "model/model_file.h"
#include "translate/translator.h"

typedef struct QuantizeValues {
    const char *output;
    unsigned type;            // WeightType, counted from WEIGHTS_BF16
    size_t aligner_kilobytes; // 0: all of it
    bool overwrite;
} QuantizeValues;

static const Option options[] = {
    OPTION_TEXT(QuantizeValues, output, "output", "FILE", "the smaller model file",
                .required = true, .letter = 'o'),
    OPTION_CHOICE(
        QuantizeValues, type, "type", weight_type_names + WEIGHTS_BF16,
        "type of the weights: bf16, the upper 16 bits of a float32, rounded; int8, 8 bits "
        "and a scale for each row of a matrix; int4, of embeddings of a source vocabulary 4 bits"),
    OPTION_SIZE(QuantizeValues, aligner_kilobytes, "aligner-kilobytes", "N", 1, 1000000,
                "keep so much of the aligner that the model carries: what was seen most often",
                .otherwise = "all of it"),
    OPTION_FLAG(QuantizeValues, overwrite, "overwrite", "replace a file that exists"),
};

// Prints the new size. Opens the file again, which checks that it can be read.
static Status write_result(const Translator *translator, const QuantizeValues *values,
                           Output *output, Error *error)
{
    FREED_BY(model_close) Model smaller = {0};
    TRY(model_open(&smaller, values->output, error));
    size_t before = safetensors_size(translator->model.file), now = safetensors_size(smaller.file);
    return output_format(output, error, "%s: %s, %zu bytes instead of %zu (%.1f %%)\n",
                         values->output, weight_type_names[smaller.weights], now, before,
                         100.0 * (double)now / (double)before);
}

// Writes the smaller model, with no more of its aligner than is wanted.
static Status write_smaller(Translator *translator, const char *path, const QuantizeValues *values,
                            Error *error)
{
    const Model *model = &translator->model;
    const WeightType type = WEIGHTS_BF16 + (WeightType)values->type;
    size_t bytes = values->aligner_kilobytes ? 1000 * values->aligner_kilobytes : SIZE_MAX;
    if (!translator->aligner) return quantise_model(model, path, type, NULL, values->output, error);
    TRY(aligner_trim(translator->aligner, ALIGNER_ROUNDED, bytes, error));
    FREED_BY(aligner_tensors_free)
    AlignerTensors aligner = {.aligner = translator->aligner, .form = ALIGNER_ROUNDED};
    const ModelAddition addition = {aligner_write, &aligner};
    return quantise_model(model, path, type, &addition, values->output, error);
}

static Status quantize(const Arguments *arguments, Output *output, Error *error)
{
    const QuantizeValues *values = arguments->values;
    const char *path = arguments->operands.items[0];
    FREED_BY(translator_close) Translator translator = {0};
    // the original is never replaced: what rounding takes away would be lost
    bool itself = file_is_same(path, values->output);
    TRY(model_names_refuse(values->output, "output", error));
    TRY(output_file_check(values->output, "output", itself, values->overwrite, error));
    TRY(translator_open(&translator, path, error));
    TRY(write_smaller(&translator, path, values, error));
    return write_result(&translator, values, output, error);
}

static const QuantizeValues defaults = {.type = WEIGHTS_INT8 - WEIGHTS_BF16};

const Verb verb_quantize = {
    .name = "quantize",
    .summary = "make a model file smaller: weights in 4, 8 or 16 bits",
    .description =
        "The result is a model like any other: every verb and the library read it. Of the weights "
        "only matrices become smaller; vectors are about 1 % of a model. The numbers of its "
        "aligner are kept in 16 bits.\nTraining resumes from a checkpoint, never from a model, so "
        "keep the checkpoint to train further. A quantised model cannot be quantised again.",
    VERB_OPTIONS(options, defaults),
    .models = true,
    .operands = {"MODEL", "a model file that was not quantised", 1, 1},
    .examples = "A quarter of the size, with nearly the same translations:\n"
                "  regard quantize model.safetensors -o small.safetensors\n"
                "Half the size:\n"
                "  regard quantize model.safetensors -o small.safetensors --type bf16\n"
                "Smaller still, aligning rare words worse:\n"
                "  regard quantize a.safetensors -o small.safetensors --aligner-kilobytes 500\n",
    .run = quantize,
};
