/* Any bytes as a safetensors file: what is accepted is read wholly, what is a model too translates,
 * and what is an aligner aligns.
 *
 * tests/fuzz/run builds and runs it. Its seeds are models and aligners with and without a checksum:
 * with one, nearly every change is refused for that alone. */
#define _GNU_SOURCE
#include "fuzz_file.h"

#include "align/aligner_file.h"
#include "regard.h"

#include <stdint.h>
#include <stdlib.h>

static bool read_tensors(const char *path)
{
    SafetensorsFile *file = NULL;
    Error error = {0};
    if (safetensors_open(&file, path, &error)) {
        require(error.text[0]); // a refusal must say why
        return false;
    }
    for (size_t i = 0; i < safetensors_count(file); i++) {
        const TensorView *tensor = safetensors_at(file, i);
        require((uintptr_t)tensor->data % tensor_type_size(tensor->type) == 0);
        require(safetensors_find(file, tensor->name));
        const volatile unsigned char *bytes = tensor->data; // read all that is promised
        for (size_t j = 0; j < tensor->bytes; j++) (void)bytes[j];
    }
    safetensors_close(file);
    return true;
}

static void translate(const char *path)
{
    static const char text[] = "The cat 猫.";
    RegardModel *model;
    RegardResult *result;
    RegardError error = {0};
    if (regard_open(&model, path, &error)) {
        require(!model && error.text[0]);
        return;
    }
    RegardText source = {text, sizeof text - 1};
    RegardOptions options;
    regard_options_default(&options, sizeof options);
    options.beam = options.n_best = 2;
    options.alignment = true;
    require(!regard_translate(model, &source, 1, &options, &result, &error));
    require(regard_result_translation(result, 0, 0)->text.length > 0);
    regard_result_free(result);
    regard_close(model);
}

static void align(const char *path)
{
    static const char text[] = "The cat 猫 unknown.";
    Aligner aligner;
    AlignerTokens tokens = {0};
    AlignerPosteriors posteriors = {0};
    Error error = {0};
    if (aligner_open(&aligner, path, &error)) {
        require(error.text[0]);
        return;
    }
    require(!aligner_tokens_set(&tokens, text, sizeof text - 1, NULL));
    require(!aligner_align(&posteriors, &aligner, &tokens, &tokens, NULL, NULL));
    aligner_posteriors_free(&posteriors);
    aligner_tokens_free(&tokens);
    aligner_free(&aligner);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *path = file_of(data, size);
    if (!read_tensors(path)) return 0;
    translate(path);
    align(path);
    return 0;
}
