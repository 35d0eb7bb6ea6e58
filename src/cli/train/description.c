#include "cli/train/description.h"

#include "base/version.h"
#include "math/kernels.h"

// A new reference, NULL if out of memory.
static json_t *names_to_json(const char *const *names, size_t count)
{
    json_t *json = json_array();
    bool failed = !json;
    for (size_t i = 0; i < count; i++)
        failed |= json_array_append_new(json, json_string(names[i])) != 0;
    if (!failed) return json;
    json_decref(json);
    return NULL;
}

char *train_description(const TrainingFiles *files, const TrainingData *data,
                        const TrainOptions *options)
{
    char products[128];
    train_options_products(products, sizeof products, options);
    json_t *corpus = names_to_json(files->train, files->count);
    json_t *json = json_object();
    bool failed = json_object_set_new(json, "program", json_string("regard " REGARD_VERSION)) != 0;
    failed |= json_object_set_new(json, "products", json_string(products)) != 0;
    failed |= json_object_set_new(json, "kernels", json_string(kernels()->name)) != 0;
    failed |= json_object_set_new(json, "corpus", corpus) != 0;
    failed |= json_object_set_new(json, "pairs", json_integer((json_int_t)data->train.count)) != 0;
    if (data->guided) {
        json_t *guides = names_to_json(files->guides, files->count);
        failed |= json_object_set_new(json, "guide", guides) != 0;
        failed |= json_object_set_new(json, "guided_pairs",
                                      json_integer((json_int_t)data->guided_pairs)) != 0;
    }
    char *text = failed ? NULL : json_dumps(json, JSON_COMPACT);
    json_decref(json);
    return text;
}
