#include "train/training_text.h"

#include "train/json_number.h"

char *training_text(const char *description, const TrainingData *data, const TrainOptions *options,
                    const TrainCounters *counters, const ValidationScore *score)
{
    json_t *json = json_loads(description, 0, NULL);
    const char *units[2];
    for (int side = 0; side < 2; side++)
        units[side] = data->characters[side] ? "characters" : "words";
    bool failed = !json;
    failed |= json_object_set_new(json, "options", train_options_to_json(options)) != 0;
    failed |= json_object_set_new(json, "steps", json_integer((json_int_t)counters->steps)) != 0;
    failed |= json_object_set_new(json, "epoch", json_integer((json_int_t)counters->epoch)) != 0;
    failed |= json_object_set_new(json, "source_units", json_string(units[0])) != 0;
    failed |= json_object_set_new(json, "target_units", json_string(units[1])) != 0;
    failed |= json_object_set_new(json, "bleu_tokenizer",
                                  json_string(bleu_tokenizer_name(data->bleu_tokenizer))) != 0;
    if (score) {
        failed |= json_object_set_new(json, "validation_bleu", json_number(score->bleu)) != 0;
        failed |= json_object_set_new(json, "validation_loss", json_number(score->loss)) != 0;
    }
    char *text = failed ? NULL : json_dumps(json, JSON_COMPACT | JSON_REAL_PRECISION(6));
    json_decref(json);
    return text;
}
