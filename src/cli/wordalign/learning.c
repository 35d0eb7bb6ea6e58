#include "cli/wordalign/wordalign.h"

#include "align/aligner.h"
#include "align/gold.h"
#include "cli/terminal.h"

// What is read to learn from.
typedef struct LearningInput {
    const AlignValues *values;
    AlignerCorpus corpus;
    AlignerTokens tokens[2];
    TextCorpus *kept; // NULL: the pairs that are read are only learned from
    Gold prior;       // links of the pairs that are kept, if it is open
    UnitKind kinds[2];
    Spans units[2];
} LearningInput;

// The types of two tokens that a given link of units joins are evidence for each other.
static Status add_link(LearningInput *input, AlignerPair pair, Link link, Error *error)
{
    const uint32_t ends[2] = {link.source, link.target};
    Span tokens[2];
    for (int s = 0; s < 2; s++) {
        size_t first = 0;
        const Span unit = input->units[s].items[ends[s]];
        tokens[s] = units_of_subword(&input->tokens[s].places, unit, &first);
    }
    for (size_t i = tokens[0].begin; i < tokens[0].end; i++)
        for (size_t j = tokens[1].begin; j < tokens[1].end; j++)
            TRY(aligner_corpus_add_link(&input->corpus, pair.tokens[0][i], pair.tokens[1][j],
                                        error));
    return STATUS_OK;
}

// The given links of the pair that was added last.
static Status read_prior(LearningInput *input, Error *error)
{
    bool more;
    AlignerPair pair = aligner_corpus_pair(&input->corpus, input->corpus.pairs - 1);
    TRY(gold_next(&input->prior, input->units[0].count, input->units[1].count, &more, error));
    for (size_t i = 0; more && i < input->prior.sure.count; i++)
        TRY(add_link(input, pair, input->prior.sure.items[i], error));
    return STATUS_OK;
}

static Status take_window(void *context, const TextView *const sides[2], size_t count, size_t first,
                          Error *error)
{
    LearningInput *input = context;
    if (input->kept && first == 1)
        TRY(unit_choice_judge(input->kinds, input->values->units, sides, count, error));
    for (size_t n = 0; n < count; n++) {
        const TextPair pair = {.sides = {sides[0][n], sides[1][n]}};
        if (input->kept) TRY(text_corpus_add(input->kept, &pair, error));
        const bool guided = input->kept && input->prior.reader;
        for (int s = 0; s < 2; s++) {
            const TextView side = sides[s][n];
            TRY(aligner_tokens_set(&input->tokens[s], side.data, side.length, error));
            if (guided)
                TRY(units_split(&input->units[s], input->kinds[s], side.data, side.length, error));
        }
        TRY(aligner_corpus_add(&input->corpus, &input->tokens[0], &input->tokens[1], error));
        if (guided) TRY(read_prior(input, error));
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
             plural(learning->pairs), iteration, iterations);
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
    for (int s = 0; s < 2; s++) {
        aligner_tokens_free(&input.tokens[s]);
        spans_free(&input.units[s]);
    }
    gold_close(&input.prior);
    return status;
}
