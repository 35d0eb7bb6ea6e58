#include "cli/wordalign/wordalign.h"

#include "align/aligner.h"
#include "align/aligner_links.h"
#include "align/gold.h"
#include "cli/terminal.h"

// What is read to learn from.
typedef struct LearningInput {
    const AlignValues *values;
    AlignerCorpus corpus;
    AlignerText texts[2];
    TextCorpus *kept; // NULL: the pairs that are read are only learned from
    Gold prior;       // links of the pairs that are kept, if it is open
    UnitKind units[2];
} LearningInput;

// The types of two tokens that a given link of units joins are evidence for each other.
static Status add_link(LearningInput *input, AlignerPair pair, Link link, Error *error)
{
    const AlignerText *source = &input->texts[0], *target = &input->texts[1];
    for (size_t i = 0; i < pair.counts[0]; i++)
        for (size_t j = 0; j < pair.counts[1]; j++)
            if (unit_span_has(source->spans[i], link.source) &&
                unit_span_has(target->spans[j], link.target))
                TRY(aligner_corpus_add_link(&input->corpus, pair.tokens[0][i], pair.tokens[1][j],
                                            error));
    return STATUS_OK;
}

// The given links of the pair that was added last.
static Status read_prior(LearningInput *input, Error *error)
{
    bool more;
    AlignerPair pair = aligner_corpus_pair(&input->corpus, input->corpus.pairs - 1);
    TRY(gold_next(&input->prior, input->texts[0].units.count, input->texts[1].units.count, &more,
                  error));
    for (size_t i = 0; more && i < input->prior.sure.count; i++)
        TRY(add_link(input, pair, input->prior.sure.items[i], error));
    return STATUS_OK;
}

static Status take_window(void *context, const TextView *const sides[2], size_t count, size_t first,
                          Error *error)
{
    LearningInput *input = context;
    const AlignerText *texts = input->texts;
    if (input->kept && first == 1)
        TRY(unit_choice_judge(input->units, input->values->units, sides, count, error));
    for (size_t n = 0; n < count; n++) {
        const TextPair pair = {.sides = {sides[0][n], sides[1][n]}};
        if (input->kept) TRY(text_corpus_add(input->kept, &pair, error));
        for (int s = 0; s < 2; s++)
            TRY(aligner_text_set(&input->texts[s], input->units[s], sides[s][n].data,
                                 sides[s][n].length, error));
        TRY(aligner_corpus_add(&input->corpus, &texts[0].tokens, &texts[1].tokens, error));
        if (input->kept && input->prior.reader) TRY(read_prior(input, error));
    }
    return STATUS_OK;
}

static Status read_all(LearningInput *input, TextCorpus *kept, const char *file, Error *error)
{
    const AlignValues *values = input->values;
    const PairInput aligned = {.verb = "align", .spec = file, .options = &values->pairs};
    const PairInput more = {.verb = "align", .spec = values->train, .options = &values->pairs};
    if (values->prior) TRY(gold_open(&input->prior, values->prior, error));
    input->kept = kept;
    TRY(read_pairs(&aligned, take_window, input, error));
    if (values->prior)
        TRY(gold_end(&input->prior, kept->count, strcmp(file, "-") ? file : "standard input",
                     error));
    input->kept = NULL;
    return more.spec ? read_pairs(&more, take_window, input, error) : STATUS_OK;
}

// What a person at a terminal sees.
typedef struct LearningProgress {
    Progress progress;
    size_t pairs;
} LearningProgress;

static void show(void *context, size_t iteration, size_t iterations)
{
    LearningProgress *learning = context;
    char line[128];
    if (!learning->progress.terminal) return;
    snprintf(line, sizeof line, "learning from %zu pair%s: iteration %zu of %zu", learning->pairs,
             learning->pairs == 1 ? "" : "s", iteration, iterations);
    progress_show(&learning->progress, line);
}

Status wordalign_learn(Aligner *aligner, TextCorpus *kept, const AlignValues *values,
                       const char *file, Threads *threads, Error *error)
{
    LearningInput input = {.values = values};
    AlignerOptions options = aligner_options_default();
    LearningProgress learning = {.progress = progress_start(stderr, 10)};
    options.show = show;
    options.context = &learning;
    Status status = read_all(&input, kept, file, error);
    learning.pairs = input.corpus.pairs;
    if (!status) status = aligner_learn(aligner, &input.corpus, options, threads, error);
    progress_end(&learning.progress);
    aligner_corpus_free(&input.corpus);
    for (int s = 0; s < 2; s++) aligner_text_free(&input.texts[s]);
    gold_close(&input.prior);
    return status;
}
