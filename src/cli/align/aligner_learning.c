#include "cli/align/aligner_learning.h"

#include "align/aligner_links.h"
#include "base/array.h"
#include "base/memory.h"
#include "cli/align/unit_guess.h"
#include "cli/terminal.h"
#include "io/line_reader.h"

typedef struct Reading {
    const AlignValues *values;
    AlignerCorpus corpus;
    AlignerText texts[2];
    KeptPairs *kept;       // NULL: the pairs that are read are only learned from
    LineReader *prior;     // NULL: none
    Links links, possible; // of its current line
    UnitKind units[2];
    size_t lines;
} Reading;

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
static Status add_link(Reading *reading, AlignerPair pair, Link link, Error *error)
{
    const AlignerText *source = &reading->texts[0], *target = &reading->texts[1];
    for (size_t i = 0; i < pair.counts[0]; i++)
        for (size_t j = 0; j < pair.counts[1]; j++)
            if (unit_span_has(source->spans[i], link.source) &&
                unit_span_has(target->spans[j], link.target))
                TRY(aligner_corpus_add_link(&reading->corpus, pair.tokens[0][i], pair.tokens[1][j],
                                            error));
    return STATUS_OK;
}

// The given links of the pair that was added last.
static Status read_prior(Reading *reading, Error *error)
{
    Line line;
    bool more;
    const char *file = reading->values->prior;
    AlignerPair pair = aligner_corpus_pair(&reading->corpus, reading->corpus.pairs - 1);
    TRY(line_reader_next(reading->prior, &line, &more, error));
    if (!more)
        return error_set(error, STATUS_FORMAT,
                         "%s: has only %zu lines; it must have one for each pair, which may be "
                         "empty",
                         file, reading->lines);
    reading->lines++;
    TRY(links_parse(&reading->links, &reading->possible, file, &line, error));
    TRY(links_check(&reading->possible, reading->texts[0].units.count,
                    reading->texts[1].units.count, file, reading->lines, error));
    for (size_t i = 0; i < reading->links.count; i++)
        TRY(add_link(reading, pair, reading->links.items[i], error));
    return STATUS_OK;
}

static Status take_window(void *context, const TextView *const sides[2], size_t count, size_t first,
                          Error *error)
{
    Reading *reading = context;
    if (reading->kept && first == 1)
        TRY(unit_guess_kinds(reading->units, reading->values->units, sides, count, error));
    for (size_t n = 0; n < count; n++) {
        if (reading->kept) TRY(keep(reading->kept, sides[0][n], sides[1][n], error));
        for (int s = 0; s < 2; s++)
            TRY(aligner_text_set(&reading->texts[s], reading->units[s], sides[s][n].data,
                                 sides[s][n].length, error));
        TRY(aligner_corpus_add(&reading->corpus, &reading->texts[0].tokens,
                               &reading->texts[1].tokens, error));
        if (reading->prior) TRY(read_prior(reading, error));
    }
    return STATUS_OK;
}

static Status end_prior(Reading *reading, Error *error)
{
    Line line;
    bool more;
    if (!reading->prior) return STATUS_OK;
    TRY(line_reader_next(reading->prior, &line, &more, error));
    line_reader_close(reading->prior);
    reading->prior = NULL;
    if (!more) return STATUS_OK;
    return error_set(error, STATUS_FORMAT,
                     "%s: more lines than there are pairs (%zu); it must have a line for each, "
                     "which may be empty",
                     reading->values->prior, reading->lines);
}

static Status read_all(Reading *reading, KeptPairs *kept, const char *file, Error *error)
{
    const AlignValues *values = reading->values;
    const PairInput aligned = {.verb = "align", .spec = file, .options = &values->pairs};
    const PairInput more = {.verb = "align", .spec = values->train, .options = &values->pairs};
    if (values->prior) TRY(line_reader_open(&reading->prior, values->prior, error));
    reading->kept = kept;
    TRY(read_pairs(&aligned, take_window, reading, error));
    TRY(end_prior(reading, error));
    reading->kept = NULL;
    return more.spec ? read_pairs(&more, take_window, reading, error) : STATUS_OK;
}

// What a person at a terminal sees.
typedef struct Learning {
    Progress progress;
    size_t pairs;
} Learning;

static void show(void *context, size_t iteration, size_t iterations)
{
    Learning *learning = context;
    char line[128];
    if (!learning->progress.terminal) return;
    snprintf(line, sizeof line, "learning from %zu pair%s: iteration %zu of %zu", learning->pairs,
             learning->pairs == 1 ? "" : "s", iteration, iterations);
    progress_show(&learning->progress, line);
}

Status aligner_learn_pairs(Aligner *aligner, KeptPairs *kept, const AlignValues *values,
                           const char *file, Threads *threads, Error *error)
{
    Reading reading = {.values = values};
    AlignerOptions options = aligner_options_default();
    Learning learning = {.progress = progress_start(stderr, 10)};
    options.show = show;
    options.context = &learning;
    Status status = read_all(&reading, kept, file, error);
    learning.pairs = reading.corpus.pairs;
    if (!status) status = aligner_learn(aligner, &reading.corpus, options, threads, error);
    progress_end(&learning.progress);
    aligner_corpus_free(&reading.corpus);
    for (int s = 0; s < 2; s++) aligner_text_free(&reading.texts[s]);
    links_free(&reading.links);
    links_free(&reading.possible);
    line_reader_close(reading.prior);
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
