#include "model/initialise.h"

#include "base/random.h"

#include <math.h>
#include <string.h>

// Where cosine attention's temperature starts: attention/cosine.c says why there must be one.
static const real TEMPERATURE = 10;

/* How tensors are drawn, by the beginning of their name; the first rule that fits counts. */
typedef struct InitialRule {
    const char *prefix;
    bool normal; // N(0, 1/√fan) rather than uniform in ±1/√fan
    size_t fan;
} InitialRule;

static void draw(real *values, size_t count, const InitialRule *rule, Random *random)
{
    double scale = 1 / sqrt((double)rule->fan);
    for (size_t i = 0; i < count; i++) {
        double value = rule->normal ? random_normal(random) : 2 * random_uniform(random) - 1;
        values[i] = (real)(value * scale);
    }
}

void seq2seq_initialise(Seq2SeqParams *params, const ModelConfig *config, uint64_t seed)
{
    size_t E = config->embedding, D = config->decoder_hidden, H = config->hidden;
    const InitialRule rules[] = {
        {"embedding.", true, E},
        {"source_embedding.", true, E},
        {"target_embedding.", true, E},
        {"encoder.", false, H},
        {"bridge.", false, 2 * H},
        {"attention.query.", false, D},
        {"attention.key.", false, 2 * H},
        {"attention.value.", false, 2 * H},
        {"attention.output.", false, 2 * H},
        {"attention.v", false, config->attention_size},
        {"decoder.", false, D},
        {"readout.", false, D + E + 2 * H},
        {"", false, E}, // output
    };
    for (size_t i = 0; i < params->list.count; i++) {
        const ParamInfo *info = &params->list.tensors[i];
        const InitialRule *rule = rules;
        while (strncmp(info->name, rule->prefix, strlen(rule->prefix))) rule++;
        Random random = random_from(seed, i);
        draw(params->block + info->offset, info->count, rule, &random);
    }
    if (params->decoder.attention.temperature) *params->decoder.attention.temperature = TEMPERATURE;
}
