#include "render/soft_json.h"

#include <jansson.h>
#include <math.h>

typedef struct Sink {
    Bytes *out;
    Error *error;
    Status status;
} Sink;

static int append(const char *data, size_t length, void *context)
{
    Sink *sink = context;
    sink->status = bytes_append(sink->out, data, length, sink->error);
    return sink->status ? -1 : 0;
}

// A string with quotes around it and its escapes within.
static Status write_string(const char *text, size_t length, Bytes *out, Error *error)
{
    json_t *string = json_stringn(text, length);
    if (!string)
        return error_set(
            error, STATUS_ARGUMENT,
            "a label cannot be written as JSON: it is not UTF-8 (normalise the text), or "
            "memory is short");
    Sink sink = {out, error, STATUS_OK};
    int failed = json_dump_callback(string, append, &sink, JSON_ENCODE_ANY);
    json_decref(string);
    if (failed && !sink.status) return error_memory(error, length, "a JSON string");
    return sink.status;
}

static Status write_labels(const char *name, Labels labels, Bytes *out, Error *error)
{
    Status status = bytes_append_format(out, error, "\"%s\": [", name);
    for (size_t i = 0; i < labels.units->count && !status; i++) {
        size_t begin = labels.units->begins[i];
        if (i) status = bytes_append_string(out, ", ", error);
        if (!status)
            status = write_string(labels.text + begin, labels.units->ends[i] - begin, out, error);
    }
    return status ? status : bytes_append_string(out, "], ", error);
}

/* A weight to five decimals, zeros at the end left out. In whole numbers, because printf's decimal
 * point follows the user's locale and JSON's does not. */
static Status write_weight(float weight, Bytes *out, Error *error)
{
    enum { UNIT = 100000 };
    if (!(weight >= 0 &&
          weight < 1.001F)) // the rounding of a softmax may pass 1; NaN fails here too
        return error_set(error, STATUS_ARGUMENT,
                         "an attention weight of %g is not in 0 … 1; check the model file",
                         (double)weight);
    long scaled = lround((double)weight * UNIT);
    if (scaled >= UNIT) return bytes_append_string(out, "1", error);
    if (scaled == 0) return bytes_append_string(out, "0", error);
    int digits = 5;
    for (; scaled % 10 == 0; scaled /= 10) digits--;
    return bytes_append_format(out, error, "0.%0*ld", digits, scaled);
}

static Status write_weights(const float *weights, size_t targets, size_t sources, Bytes *out,
                            Error *error)
{
    Status status = bytes_append_string(out, "\"weights\": [", error);
    for (size_t t = 0; t < targets && !status; t++) {
        status = bytes_append_string(out, t ? ", [" : "[", error);
        for (size_t s = 0; s < sources && !status; s++) {
            if (s) status = bytes_append_string(out, ", ", error);
            if (!status) status = write_weight(weights[t * sources + s], out, error);
        }
        if (!status) status = bytes_append_string(out, "]", error);
    }
    return status ? status : bytes_append_string(out, "], ", error);
}

static Status write_pair(const SoftPair *pair, Bytes *out, Error *error)
{
    Status status = bytes_append_string(out, "{", error);
    if (!status) status = write_labels("source", pair->source_subwords, out, error);
    if (!status) status = write_labels("target", pair->target_subwords, out, error);
    if (!status)
        status = write_weights(pair->weights, pair->target_subwords.units->count,
                               pair->source_subwords.units->count, out, error);
    if (!status) status = write_labels("source_words", pair->source_words, out, error);
    if (!status) status = write_labels("target_words", pair->target_words, out, error);
    if (!status) status = bytes_append_string(out, "\"links\": \"", error);
    if (!status) status = links_write_pharaoh(pair->links, out, error);
    return status ? status : bytes_append_string(out, "\"}\n", error);
}

Status soft_json_write(const SoftPair *pair, Bytes *out, Error *error)
{
    size_t before = out->length;
    Status status = write_pair(pair, out, error);
    if (status && out->data) {
        out->length = before;
        out->data[before] = '\0';
    }
    return status;
}
