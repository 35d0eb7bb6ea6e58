#include "bench/speed/exchange.h"

json_t *exchange_ids(const int32_t *ids, size_t count)
{
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++)
        if (json_array_append_new(array, json_integer(ids[i]))) {
            json_decref(array);
            return NULL;
        }
    return array;
}

static json_t *batch_to_json(const Workload *workload, size_t batch)
{
    json_t *pairs = json_array();
    bool failed = !pairs;
    for (size_t i = workload->plan.begin[batch]; i < workload->plan.begin[batch + 1]; i++) {
        TokenPair pair = token_corpus_pair(workload->corpus, workload->plan.pairs[i]);
        json_t *sides = json_pack("[o, o]", exchange_ids(pair.source, pair.source_length),
                                  exchange_ids(pair.target, pair.target_length));
        failed |= json_array_append_new(pairs, sides) != 0;
    }
    if (!failed) return pairs;
    json_decref(pairs);
    return NULL;
}

void exchange_workload(Writer *out, const Workload *workload)
{
    json_t *batches = json_array();
    for (size_t i = 0; i < workload->batches && batches; i++)
        if (json_array_append_new(batches, batch_to_json(workload, i))) {
            json_decref(batches);
            batches = NULL;
        }
    json_t *options = train_options_to_json(&workload->options, false);
    json_write(out, json_pack("{s:o, s:o}", "options", options, "batches", batches), JSON_COMPACT);
}
