#include "render/pictures.h"

#include "io/json.h"

#include <math.h>

json_t *label_json(Labels labels, size_t label)
{
    const TextView text = label_text(labels, label);
    return json_stringn(text.data, text.length);
}

json_t *labels_json(Labels labels)
{
    json_t *list = json_array();
    for (size_t i = 0; i < labels.units->count; i++) json_append(&list, label_json(labels, i));
    return list;
}

static void write_labels(Writer *out, const char *name, Labels labels)
{
    writer_format(out, "\"%s\": ", name);
    json_write(out, labels_json(labels), 0);
    writer_string(out, ", ");
}

/* A weight to five decimals, zeros at the end left out. In whole numbers, because printf's decimal
 * point follows the user's locale and JSON's does not. */
static void write_weight(Writer *out, float weight)
{
    enum { UNIT = 100000 };
    if (!(weight >= 0 && weight < 1.001F)) { // rounding may take a softmax past 1; false for NaN
        writer_fail(out, STATUS_ARGUMENT,
                    "an attention weight of %g is not in 0 … 1; check the model file",
                    (double)weight);
        return;
    }
    long scaled = lround((double)weight * UNIT);
    if (scaled == 0 || scaled >= UNIT) {
        writer_string(out, scaled ? "1" : "0");
        return;
    }
    int digits = 5;
    for (; scaled % 10 == 0; scaled /= 10) digits--;
    writer_format(out, "0.%0*ld", digits, scaled);
}

static void write_weights(Writer *out, const float *weights, size_t targets, size_t sources)
{
    writer_string(out, "\"weights\": [");
    for (size_t t = 0; t < targets; t++) {
        writer_string(out, t ? ", [" : "[");
        for (size_t s = 0; s < sources && !out->status; s++) {
            if (s) writer_string(out, ", ");
            write_weight(out, weights[t * sources + s]);
        }
        writer_string(out, "]");
    }
    writer_string(out, "], ");
}

static void write_links(Writer *out, const char *name, const Links *links)
{
    writer_format(out, "\"%s\": \"", name);
    links_write(out, links);
    writer_string(out, "\"");
}

void alignment_json_write(Writer *out, const AlignedPair *pair)
{
    const AlignmentView *subwords = &pair->subwords, *words = &pair->words;
    writer_string(out, "{");
    write_labels(out, "source", subwords->source);
    write_labels(out, "target", subwords->target);
    write_weights(out, subwords->weights[0], subwords->target.units->count,
                  subwords->source.units->count);
    write_labels(out, "source_words", words->source);
    write_labels(out, "target_words", words->target);
    write_links(out, "links", pair->links);
    static const char *const only[2] = {"only_attention", "only_aligner"};
    for (int i = 0; i < 2 && pair->differ[i]; i++) {
        writer_string(out, ", ");
        write_links(out, only[i], pair->differ[i]);
    }
    writer_string(out, "}\n");
}
