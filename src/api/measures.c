// BLEU and chrF of the caller's texts.
#include "api/parts.h"

#include "base/array.h"
#include "metrics/score_stats.h"

typedef struct Evaluation {
    RegardScoring scoring;
    TextView *hypotheses, *references; // (count), (scoring.references, count)
    size_t count;
    Bytes *strings;       // (scoring.references + 1) of a segment, the hypothesis first
    const char **segment; // (scoring.references)
    ScoreStats stats;
} Evaluation;

static void evaluation_free(Evaluation *run)
{
    for (size_t r = 0; run->strings && r <= run->scoring.references; r++)
        bytes_free(&run->strings[r]);
    memory_free(run->strings);
    memory_free(run->segment);
    memory_free(run->hypotheses);
    memory_free(run->references);
}

static Status copy_text(Bytes *bytes, TextView view, Error *error)
{
    bytes_clear(bytes);
    return bytes_append(bytes, view.data, view.length, error);
}

static Status add_segment(Evaluation *run, size_t i, Error *error)
{
    ScoreStats one;
    const RegardScoring *scoring = &run->scoring;
    TRY(copy_text(&run->strings[0], run->hypotheses[i], error));
    for (size_t r = 0; r < scoring->references; r++) {
        Bytes *reference = &run->strings[r + 1];
        TRY(copy_text(reference, run->references[r * run->count + i], error));
        run->segment[r] = bytes_text(reference);
    }
    const Segment segment = {bytes_text(&run->strings[0]), run->segment, scoring->references};
    TRY(score_stats_of(&one, &segment, (BleuTokenizer)scoring->tokenizer, scoring->lowercase,
                       error));
    score_stats_add(&run->stats, &one);
    return STATUS_OK;
}

static Status evaluate(Evaluation *run, const RegardText *hypotheses, const RegardText *references,
                       Error *error)
{
    const RegardScoring *scoring = &run->scoring;
    if (scoring->references < 1 || scoring->references > 1000 || scoring->tokenizer > BLEU_NONE)
        return error_set(error, STATUS_ARGUMENT,
                         "scoring.references is %zu and scoring.tokenizer %zu; they must be 1 to "
                         "1000 and 0 to 2",
                         scoring->references, scoring->tokenizer);
    TRY(texts_read(&run->hypotheses, hypotheses, run->count, "hypotheses", error));
    TRY(texts_read(&run->references, references, run->count * scoring->references, "references",
                   error));
    TRY(array_new(&run->strings, scoring->references + 1, "a segment", error));
    TRY(array_new(&run->segment, scoring->references, "a segment", error));
    for (size_t i = 0; i < run->count; i++) TRY(add_segment(run, i, error));
    return STATUS_OK;
}

RegardStatus regard_evaluate(RegardScores *scores, const RegardText *hypotheses,
                             const RegardText *references, size_t count,
                             const RegardScoring *scoring, RegardError *error)
{
    Error inner;
    FREED_BY(evaluation_free)
    Evaluation run = {.scoring = scoring ? *scoring : (RegardScoring){.references = 1},
                      .count = count};
    Status status = scores ? evaluate(&run, hypotheses, references, &inner)
                           : error_set(&inner, STATUS_ARGUMENT, "the pointer for scores is NULL");
    if (!status)
        *scores = (RegardScores){bleu_score(&run.stats.bleu), chrf_score(&run.stats.chrf),
                                 count ? (double)run.stats.exact / (double)count : 0};
    return error_tell(error, status, &inner);
}
