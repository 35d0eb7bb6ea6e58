#include "cli/wordalign/wordalign.h"

#include "align/aligner.h"
#include "align/aligner_links.h"
#include "base/array.h"
#include "base/memory.h"
#include "cli/terminal.h"
#include "io/line_reader.h"

// What is read to learn from.
typedef struct LearningInput {
    const AlignValues *values;
    AlignerCorpus corpus;
    AlignerText texts[2];
    KeptPairs *kept;       // NULL: the pairs that are read are only learned from
    LineReader *prior;     // NULL: none
    Links links, possible; // of its current line
    UnitKind units[2];
    size_t lines;
} LearningInput;

static Status keep(KeptPairs *kept, TextView source, TextView target, Error *error)
{
    const TextView texts[2] = {source, target};
    TRY(array_reserve(&kept->ends, &kept->ends_capacity, 2 * kept->pairs + 2, "the pairs to align",
                      error));
    for (size_t side = 0; side < 2; side++) {
        TRY(bytes_append(&kept->texts, texts[side].data, texts[side].length, error));
        kept->ends[2 * kept->pairs + side] = kept->texts.length;
    }
    kept->pairs++;
    return STATUS_OK;
}

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
    Line line;
    bool more;
    const char *file = input->values->prior;
    AlignerPair pair = aligner_corpus_pair(&input->corpus, input->corpus.pairs - 1);
    TRY(line_reader_next(input->prior, &line, &more, error));
    if (!more)
        return error_set(error, STATUS_FORMAT,
                         "%s: has only %zu lines; it must have one for each pair, which may be "
                         "empty",
                         file, input->lines);
    input->lines++;
    TRY(links_parse(&input->links, &input->possible, file, &line, error));
    TRY(links_check(&input->possible, input->texts[0].units.count, input->texts[1].units.count,
                    file, input->lines, error));
    for (size_t i = 0; i < input->links.count; i++)
        TRY(add_link(input, pair, input->links.items[i], error));
    return STATUS_OK;
}

static Status take_window(void *context, const TextView *const sides[2], size_t count, size_t first,
                          Error *error)
{
    LearningInput *input = context;
    if (input->kept && first == 1)
        TRY(unit_choice_judge(input->units, input->values->units, sides, count, error));
    for (size_t n = 0; n < count; n++) {
        if (input->kept) TRY(keep(input->kept, sides[0][n], sides[1][n], error));
        for (int s = 0; s < 2; s++)
            TRY(aligner_text_set(&input->texts[s], input->units[s], sides[s][n].data,
                                 sides[s][n].length, error));
        TRY(aligner_corpus_add(&input->corpus, &input->texts[0].tokens, &input->texts[1].tokens,
                               error));
        if (input->prior) TRY(read_prior(input, error));
    }
    return STATUS_OK;
}

static Status end_prior(LearningInput *input, Error *error)
{
    Line line;
    bool more;
    if (!input->prior) return STATUS_OK;
    TRY(line_reader_next(input->prior, &line, &more, error));
    line_reader_close(input->prior);
    input->prior = NULL;
    if (!more) return STATUS_OK;
    return error_set(error, STATUS_FORMAT,
                     "%s: more lines than there are pairs (%zu); it must have a line for each, "
                     "which may be empty",
                     input->values->prior, input->lines);
}

static Status read_all(LearningInput *input, KeptPairs *kept, const char *file, Error *error)
{
    const AlignValues *values = input->values;
    const PairInput aligned = {.verb = "align", .spec = file, .options = &values->pairs};
    const PairInput more = {.verb = "align", .spec = values->train, .options = &values->pairs};
    if (values->prior) TRY(line_reader_open(&input->prior, values->prior, error));
    input->kept = kept;
    TRY(read_pairs(&aligned, take_window, input, error));
    TRY(end_prior(input, error));
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

Status wordalign_learn(Aligner *aligner, KeptPairs *kept, const AlignValues *values,
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
    links_free(&input.links);
    links_free(&input.possible);
    line_reader_close(input.prior);
    return status;
}

Status kept_pairs_take(const KeptPairs *kept, TakePairs take, void *context, Error *error)
{
    TextView texts[2][PAIR_WINDOW];
    const TextView *const sides[2] = {texts[0], texts[1]};
    const char *data = bytes_text(&kept->texts);
    size_t begin = 0;
    for (size_t first = 0, count; first < kept->pairs; first += count) {
        count = kept->pairs - first < PAIR_WINDOW ? kept->pairs - first : PAIR_WINDOW;
        for (size_t n = 0; n < count; n++)
            for (size_t s = 0; s < 2; s++) {
                size_t end = kept->ends[2 * (first + n) + s];
                texts[s][n] = (TextView){data + begin, end - begin};
                begin = end;
            }
        TRY(take(context, sides, count, first + 1, error));
    }
    return STATUS_OK;
}

void kept_pairs_free(KeptPairs *kept)
{
    bytes_free(&kept->texts);
    memory_free(kept->ends);
    *kept = (KeptPairs){0};
}
