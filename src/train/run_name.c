#include "train/run_name.h"

#include "base/memory.h"
#include "base/string_map.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

Status run_name(char name[RUN_NAME_SIZE], const TrainOptions *options, uint64_t read_hash,
                Error *error)
{
    char *text;
    json_t *json = train_options_to_json(options);
    for (const TrainOption *option = train_option_table; option->flag; option++)
        if (option->on_resume == TRAIN_NOTED) (void)json_object_del(json, option->field.name);
    TRY(json_text(&text, json, JSON_COMPACT | JSON_REAL_PRECISION(17), error));
    uint64_t hash = string_hash(text, strlen(text)) * 0x9e3779b97f4a7c15u + read_hash;
    snprintf(name, RUN_NAME_SIZE, "%016" PRIx64, hash);
    memory_free(text);
    return STATUS_OK;
}
