// regard quantize: a smaller model file.

#include "cli/verbs.h"
#include "model/quantise_model.h"
#include "translate/translator.h"

typedef enum QuantizeType { QUANTIZE_INT8, QUANTIZE_BF16 } QuantizeType;

typedef struct QuantizeValues {
    const char *output;
    QuantizeType type;
} QuantizeValues;

static const char *const type_names[] = {"int8", "bf16", NULL};

static const Option options[] = {
    OPTION_TEXT(QuantizeValues, output, "output", "FILE", "the smaller model file",
                .required = true, .letter = 'o'),
    OPTION_CHOICE(QuantizeValues, type, "type", type_names,
                  "type of the weights: int8, 8 bits and a scale for each row of a matrix; bf16, "
                  "the upper 16 bits of a float32, rounded"),
};

// Prints the new size. Opens the file again, which checks that it can be read.
static Status write_result(const Translator *translator, const QuantizeValues *values,
                           Output *output, Error *error)
{
    Model smaller;
    Status status = model_open(&smaller, values->output, error);
    if (status) return status;
    size_t before = safetensors_size(translator->model.file), now = safetensors_size(smaller.file);
    model_close(&smaller);
    return output_format(output, error, "%s: %s, %zu bytes instead of %zu (%.1f %%)\n",
                         values->output, type_names[values->type], now, before,
                         100.0 * (double)now / (double)before);
}

static Status quantize(const Arguments *arguments, Output *output, Error *error)
{
    const QuantizeValues *values = arguments->values;
    const char *path = arguments->operands.items[0];
    TensorType type = values->type == QUANTIZE_BF16 ? TENSOR_BF16 : TENSOR_I8;
    Translator translator;
    Status status = translator_open(&translator, path, error);
    if (status) return status;
    status = quantise_model(&translator.model, path, type, values->output, error);
    if (!status) status = write_result(&translator, values, output, error);
    translator_close(&translator);
    return status;
}

static const QuantizeValues defaults = {.type = QUANTIZE_INT8};

const Verb verb_quantize = {
    .syntax =
        {
            .verb = "quantize",
            .summary = "make a model file smaller: weights in 8 or 16 bits",
            .description =
                "The result is a model like any other: every verb and the library read it, and "
                "compute in float32. Only matrices become smaller; vectors are about 1 % of a "
                "model.\nTraining resumes from a checkpoint, never from a model, so keep the "
                "checkpoint to train further. A quantised model cannot be quantised again.",
            SYNTAX_OPTIONS(options, defaults),
            .operands = {"MODEL", "a model file that was not quantised", 1, 1},
            .examples = "A quarter of the size, with nearly the same translations:\n"
                        "  regard quantize model.safetensors -o small.safetensors\n"
                        "Half the size:\n"
                        "  regard quantize model.safetensors -o small.safetensors --type bf16\n",
        },
    .run = quantize,
};
