#include "base/random.h"
#include "model/seq2seq.h"

#include <math.h>
#include <string.h>

typedef enum InitialKind { UNIFORM, NORMAL, CONSTANT } InitialKind;

// Where cosine attention's temperature starts: attention/cosine.c says why there must be one.
enum { TEMPERATURE = 10 };

/* How tensors are drawn, by the beginning of their name; the first rule that fits counts. */
typedef struct InitialRule {
    const char *prefix;
    InitialKind kind;
    size_t number; // fan: UNIFORM is in ±1/√fan, NORMAL is N(0, 1/√fan); CONSTANT is the number
} InitialRule;

static void draw(real *values, size_t count, const InitialRule *rule, Random *random)
{
    double scale = 1 / sqrt((double)rule->number);
    for (size_t i = 0; i < count; i++) {
        if (rule->kind == CONSTANT)
            values[i] = (real)rule->number;
        else if (rule->kind == NORMAL)
            values[i] = (real)(random_normal(random) * scale);
        else
            values[i] = (real)((2 * random_uniform(random) - 1) * scale);
    }
}

void seq2seq_initialise(Seq2SeqParams *params, uint64_t seed)
{
    const ModelConfig *config = &params->config;
    size_t E = config->embedding, D = config->decoder_hidden, H = config->hidden;
    const InitialRule rules[] = {
        {"embedding.", NORMAL, E},
        {"source_embedding.", NORMAL, E},
        {"target_embedding.", NORMAL, E},
        {"encoder.", UNIFORM, H},
        {"self_attention.norm.weight", CONSTANT, 1},
        {"self_attention.norm.bias", CONSTANT, 0},
        {"self_attention.", UNIFORM, 2 * H},
        {"bridge.", UNIFORM, 2 * H},
        {"attention.query.", UNIFORM, D},
        {"attention.key.", UNIFORM, 2 * H},
        {"attention.value.", UNIFORM, 2 * H},
        {"attention.output.", UNIFORM, 2 * H},
        {"attention.temperature", CONSTANT, TEMPERATURE},
        {"attention.v", UNIFORM, config->attention_size},
        {"decoder.", UNIFORM, D},
        {"readout.", UNIFORM, D + E + 2 * H},
        {"", UNIFORM, E}, // output
    };
    for (size_t i = 0; i < params->list.count; i++) {
        const ParamInfo *info = &params->list.tensors[i];
        const InitialRule *rule = rules;
        while (strncmp(info->name, rule->prefix, strlen(rule->prefix))) rule++;
        Random random = random_from(seed, i);
        draw(params->block + info->offset, info->count, rule, &random);
    }
}
