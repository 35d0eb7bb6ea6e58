#include "metrics/tally.h"

#include "metrics/exact_match.h"

Status tally_sentence(Tally *tally, const char *hypothesis, const char *const *references,
                      size_t count, BleuTokenizer tokenizer, bool lowercase, Error *error)
{
    Tally one = {.sentences = 1};
    bool exact = false;
    Status status = bleu_add(&one.bleu, hypothesis, references, count, tokenizer, lowercase, error);
    if (!status) status = chrf_add(&one.chrf, hypothesis, references, count, lowercase, error);
    if (!status) status = exact_match(&exact, hypothesis, references, count, lowercase, error);
    if (status) return status;
    one.exact = exact;
    *tally = one;
    return STATUS_OK;
}

static void add_all(size_t *sums, const size_t *counts, size_t orders)
{
    for (size_t n = 0; n < orders; n++) sums[n] += counts[n];
}

void tally_add(Tally *sum, const Tally *one)
{
    enum { BLEU_ORDERS = sizeof one->bleu.matches / sizeof *one->bleu.matches };
    enum { CHRF_ORDERS = sizeof one->chrf.matches / sizeof *one->chrf.matches };
    sum->sentences += one->sentences;
    sum->exact += one->exact;
    add_all(sum->bleu.matches, one->bleu.matches, BLEU_ORDERS);
    add_all(sum->bleu.totals, one->bleu.totals, BLEU_ORDERS);
    sum->bleu.hypothesis_length += one->bleu.hypothesis_length;
    sum->bleu.reference_length += one->bleu.reference_length;
    add_all(sum->chrf.matches, one->chrf.matches, CHRF_ORDERS);
    add_all(sum->chrf.hypothesis, one->chrf.hypothesis, CHRF_ORDERS);
    add_all(sum->chrf.reference, one->chrf.reference, CHRF_ORDERS);
}

double tally_score(const Tally *tally, TallyMetric metric)
{
    return metric == TALLY_BLEU ? bleu_score(&tally->bleu) : chrf_score(&tally->chrf);
}
