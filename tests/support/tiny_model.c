#include "support/tiny_model.h"

#include "model/model_file.h"
#include "support/suite.h"
#include "text/special_tokens.h"

#include <stdio.h>
#include <string.h>

enum { FIRST_CHARACTER = 260, LETTERS = sizeof TINY_MODEL_LETTERS - 1, SIZE = 8 };
enum { SPREAD = 6 }; // times the usual weights, so that sentences differ in what they say

void tiny_model_write(const char *path, uint64_t seed)
{
    ModelConfig config = {.source_vocabulary = FIRST_CHARACTER + 1 + LETTERS,
                          .target_vocabulary = FIRST_CHARACTER + 1 + LETTERS,
                          .embedding = SIZE,
                          .hidden = SIZE,
                          .decoder_hidden = SIZE,
                          .attention_size = SIZE,
                          .joint = true,
                          .tied = true,
                          .attention = "additive",
                          .heads = 1};
    char vocabulary[512] = "{\"alphabet\": [\" \"";
    for (size_t i = 0; i < LETTERS; i++) {
        size_t length = strlen(vocabulary);
        snprintf(vocabulary + length, sizeof vocabulary - length, ", \"%c\"",
                 TINY_MODEL_LETTERS[i]);
    }
    strcat(vocabulary, "], \"merges\": []}");
    ModelTexts texts = {.source_vocabulary = vocabulary,
                        .target_vocabulary = vocabulary,
                        .training =
                            "{\"source_units\": \"words\", \"target_units\": \"characters\"}"};
    Seq2SeqParams params;
    assert_ok(seq2seq_params_new(&params, &config, NULL));
    seq2seq_initialise(&params, seed);
    for (size_t i = 0; i < params.list.block_size; i++) params.block[i] *= SPREAD;
    for (size_t id = 0; id < FIRST_CHARACTER; id++)
        params.output.bias[id] = id == TOKEN_EOS ? 4 : -30;
    Error error = {0};
    ck_assert_msg(!model_save(path, &params, &texts, NULL, &error), "%s", error.text);
    seq2seq_params_free(&params);
}
