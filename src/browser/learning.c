#include "api/parts.h"
#include "base/array.h"
#include "browser/engine.h"

#include <string.h>

// The only training.
static struct {
    TrainingRun *run;
    json_t *request;      // which the run refers to
    char *options;        // likewise
    RegardText *pairs[2]; // (count) source and target, in the request
    size_t count;
    RegardProgress last; // what it has told
    double bleu;         // of the last validation; less than 0 before it
    bool stops, ended;
} learning;

static const char FILE_NAME[] = "learned";

static void end(void)
{
    training_run_free(learning.run);
    json_decref(learning.request);
    memory_free(learning.options);
    for (int s = 0; s < 2; s++) memory_free(learning.pairs[s]);
    memset(&learning, 0, sizeof learning);
}

static bool note(void *context, const RegardProgress *progress)
{
    (void)context;
    if (progress->validated)
        learning.bleu = progress->validation_bleu;
    else
        learning.last = *progress;
    return !learning.stops;
}

// The first two columns of each line that is not empty.
static Status read_pairs(const char *text, Error *error)
{
    size_t lines = 1;
    if (!text) return error_set(error, STATUS_ARGUMENT, "pairs must be a text");
    for (const char *end = text; (end = strchr(end, '\n')); end++) lines++;
    for (int s = 0; s < 2; s++) TRY(array_new(&learning.pairs[s], lines, "pairs", error));
    for (size_t number = 1; number <= lines; number++) {
        const char *line = text, *target = text + strcspn(text, "\t\n") + 1;
        size_t length = strcspn(line, "\n");
        text += length + (line[length] == '\n');
        if (length == 0) continue;
        if (line[target - line - 1] != '\t')
            return error_set(error, STATUS_ARGUMENT,
                             "line %zu has no tab between a text and its translation", number);
        learning.pairs[0][learning.count] = (RegardText){line, (size_t)(target - line) - 1};
        learning.pairs[1][learning.count++] = (RegardText){target, strcspn(target, "\t\n")};
    }
    return STATUS_OK;
}

static Status begin(Error *error)
{
    const json_t *request = learning.request, *options = json_object_get(request, "options");
    const char *watch = json_string_value(json_object_get(request, "watch"));
    const char *languages[2] = {NULL, NULL};
    for (size_t s = 0; s < 2; s++)
        languages[s] = json_string_value(json_array_get(json_object_get(request, "languages"), s));
    TRY(read_pairs(json_string_value(json_object_get(request, "pairs")), error));
    TRY(json_text(&learning.options, options ? json_deep_copy(options) : json_object(), 0, error));
    const RegardTraining training = {.size = sizeof training,
                                     .options = learning.options,
                                     .source_language = languages[0],
                                     .target_language = languages[1],
                                     .watch = {watch, watch ? strlen(watch) : 0},
                                     .progress = note};
    const RegardText *const sides[2] = {learning.pairs[0], learning.pairs[1]};
    return training_run_new(&learning.run, FILE_NAME, sides, learning.count, &training, error);
}

Status learning_begin(Response *response, const Service *service, const json_t *parameters,
                      Error *error)
{
    (void)service;
    end();
    learning.request = json_deep_copy(parameters);
    learning.bleu = -1;
    Status status = begin(error);
    if (status)
        end();
    else
        response_json(response, json_object());
    return status;
}

static Status check_begun(Error *error)
{
    if (learning.run) return STATUS_OK;
    return error_set(error, STATUS_ARGUMENT, "no training has begun");
}

Status learning_step(Response *response, const Service *service, const json_t *parameters,
                     Error *error)
{
    (void)service;
    bool more = false;
    TRY(check_begun(error));
    if (json_is_true(json_object_get(parameters, "stop"))) learning.stops = true;
    Status status = learning.ended ? STATUS_OK : training_run_step(learning.run, &more, error);
    learning.ended = !more;
    if (!status)
        response_json(response,
                      json_pack("{s:b, s:I, s:I, s:o, s:o*}", "more", more, //
                                "step", (json_int_t)learning.last.step,     //
                                "epoch", (json_int_t)learning.last.epoch,   //
                                "loss", json_number(learning.last.loss),    //
                                "bleu", learning.bleu < 0 ? NULL : json_number(learning.bleu)));
    if (status) end();
    return status;
}

Status learning_watch(Response *response, const Service *service, const json_t *parameters,
                      Error *error)
{
    (void)service, (void)parameters;
    json_t *json;
    TRY(check_begun(error));
    TRY(training_run_watch(&json, learning.run, error));
    response_json(response, json);
    return STATUS_OK;
}
