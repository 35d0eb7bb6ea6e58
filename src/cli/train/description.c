#include "cli/train/train.h"

#include "base/version.h"
#include "cli/file_names.h"
#include "cli/train/report.h"
#include "math/kernels.h"

/* The origin that a description of a training, as text, tells of; NULL if it tells of none. Only memory
 * that was short is an error. */
static Status origin_in(json_t **origin, const char *training, Error *error)
{
    FREED_BY(json_decref_at) json_t *before = NULL;
    Status status = training
                        ? json_parse(&before, training, strlen(training), "", "the origin", error)
                        : STATUS_OK;
    *origin = training_origin(before);
    return status == STATUS_MEMORY ? status : STATUS_OK;
}

Status description_of_run(json_t **description, const TrainingFiles *files,
                          const TrainingData *data, const TrainOptions *options, const char *before,
                          Error *error)
{
    json_t *origin = NULL;
    if (files->init) TRY(origin_in(&origin, before, error));
    char products[128];
    train_options_products(products, sizeof products, options);
    json_t *guide = files->align ? json_string("auto") : NULL;
    if (files->guides) guide = file_names_to_json(files->guides, files->count);
    size_t own = data->train.count - data->train.mixed, mixed = data->train.drawn;
    *description = json_pack(
        "{s:s, s:s, s:s, s:o*, s:o*, s:o, s:I, s:o*, s:o*, s:o*, s:o*}",    //
        "program", "regard " REGARD_VERSION,                                //
        "products", products,                                               //
        "kernels", kernels()->name,                                         //
        "init", files->init ? file_name_to_json(files->init) : NULL,        //
        "origin", origin,                                                   //
        "corpus", file_names_to_json(files->train, files->count),           //
        "pairs", (json_int_t)own,                                           //
        "mixed", files->mix ? file_name_to_json(files->mix) : NULL,         //
        "mixed_pairs", files->mix ? json_integer((json_int_t)mixed) : NULL, //
        "guide", guide,                                                     //
        "guided_pairs", data->guide ? json_integer((json_int_t)data->figures.guided_pairs) : NULL);
    return *description ? STATUS_OK : error_memory(error, 0, "the model's description");
}

json_t *description_of_log(const json_t *description, const TrainingFiles *files,
                           const TrainingData *data, const TrainOptions *options, const char *model)
{
    json_t *validation = files->valid_count > 1
                             ? file_names_to_json(files->valid, files->valid_count)
                         : files->valid_count ? file_name_to_json(files->valid[0])
                                              : NULL;
    json_t *header = json_copy((json_t *)(size_t)description); // a new object of the same values
    json_t *more = json_pack("{s:o*, s:I, s:o, s:o, s:o}",     //
                             "validation", validation,         //
                             "validation_pairs", (json_int_t)data->valid[0].tokens.count, //
                             "model", file_name_to_json(model),                           //
                             "samples", train_film_samples(data),                         //
                             "options", train_options_to_json(options, true));
    if (header && !json_object_update_new(header, more)) return header;
    json_decref(header);
    return NULL;
}

void description_compare(Progress *progress, const char *training, const json_t *description)
{
    FREED_BY(json_decref_at) json_t *before = NULL;
    if (json_parse(&before, training, strlen(training), "", "", NULL)) return;
    static const char *const keys[] = {"products", "kernels"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const char *then = json_string_value(json_object_get(before, keys[i]));
        const char *now = json_string_value(json_object_get(description, keys[i]));
        if (then && now && strcmp(then, now))
            progress_say(progress,
                         "warning: %s were %s and are now %s: the run goes on, but not bit for bit",
                         keys[i], then, now);
    }
}
