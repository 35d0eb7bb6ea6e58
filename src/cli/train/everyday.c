// What `train --init` makes a model forget, by pairs that stand beside it: en-fr.everyday-test.tsv
// to measure, en-fr.everyday.tsv to be mixed in.
#include "cli/evaluate/evaluation.h"
#include "cli/train/train.h"
#include "translate/example_file.h"

#include <unistd.h>

// Sets the path of the file beside a model, "" if there is none.
static Status find_beside(Bytes *path, const char *model, const char *ending, Error *error)
{
    TRY(example_file_beside(path, model, ending, error));
    if (access(path->data, R_OK) != 0) bytes_clear(path);
    return STATUS_OK;
}

// The BLEU of a model on pairs.
static Status measure(double *bleu, const char *path, const char *pairs, size_t threads,
                      Error *error)
{
    const TranslateOptions options = TRANSLATE_OPTIONS_DEFAULT;
    const PairOptions all = {0};
    ModelOptions one = MODEL_OPTIONS_DEFAULT;
    const PairInput input = {.verb = "train", .spec = pairs, .options = &all};
    FREED_BY(evaluation_free) Evaluation evaluation = {0};
    FREED_BY(close_model) OpenModel model = {0};
    one.path = path;
    one.threads = threads;
    TRY(open_model(&model, &one, false, error));
    evaluation.options.tokenizer = model.translator.bleu_tokenizer;
    TRY(evaluate_model(&model, &input, false, &options, &evaluation, error));
    *bleu = score_stats_score(&evaluation.sums[SYSTEM_MEASURED], SCORE_BLEU);
    return STATUS_OK;
}

Status everyday_report(Progress *progress, const char *init, const char *model, bool mixes,
                       size_t threads, Error *error)
{
    FREED_BY(bytes_free) Bytes test = {0}, replay = {0};
    double before = 0, after = 0;
    bool there = access(init, R_OK) == 0; // a resumed run needs it no more
    if (there) TRY(find_beside(&test, init, ".everyday-test.tsv", error));
    TRY(find_beside(&replay, init, EXAMPLE_FILE_ENDING, error));
    if (test.length > 0) {
        TRY(measure(&before, init, test.data, threads, error));
        TRY(measure(&after, model, test.data, threads, error));
        progress_say(progress, "everyday text, %s: BLEU %.1f, before %.1f", test.data, after,
                     before);
        if (after >= before) return STATUS_OK;
    }
    progress_say(progress,
                 "what %s knew and was not trained again may be forgotten; compare both on its "
                 "kind of text:  %s evaluate --model FILE PAIRS",
                 init, terminal_program());
    if (!mixes)
        progress_say(progress, "--mix %s:0.5 trains some again",
                     replay.length > 0 ? replay.data : "OLD-PAIRS");
    return STATUS_OK;
}
