#include "model/corpus_pass.h"

#include "base/array.h"
#include "corpus/batch_plan.h"

// What one worker uses for batch after batch.
typedef struct PassScratch {
    BatchPairs pairs;
    Arena batch, acts;
} PassScratch;

typedef struct CorpusRun {
    const CorpusPass *pass;
    BatchPlan plan;
    PassScratch *scratch; // (workers)
    size_t workers;
    double *losses; // (batches) each its own place, so that the order of their sum is fixed
} CorpusRun;

static Status pass_batch(void *context, size_t worker, size_t item, Error *error)
{
    CorpusRun *run = context;
    const CorpusPass *pass = run->pass;
    PassScratch *scratch = &run->scratch[worker];
    BatchPairs *pairs = &scratch->pairs;
    const BatchForm form = {
        .with_targets = true,
        .row_multiple =
            pass->exact ? packed_weights_promise(pass->params->packed, true).multiple : 1};
    Batch batch;
    PassActs acts;
    TRY(cancel_check(pass->cancel, error));
    TRY(batch_pairs_set(pairs, &run->plan, item, pass->corpus, error));
    TRY(batch_fill(&batch, &scratch->batch, pairs->items, pairs->count, form, error));
    TRY(pass_begin(&acts, &scratch->acts, &batch, pass->params, (PassNeeds){0}, error));
    acts.decoder.batch.what_if = pass->what_if;
    if (pass->attention_only)
        pass_forward_attention(&acts, &batch, pass->params);
    else
        run->losses[item] = pass_forward(&acts, &batch, pass->params, pass->smoothing);
    if (!pass->visit) return STATUS_OK;
    VisitedBatch visited = {&batch, &acts, run->plan.pairs + run->plan.begin[item], worker};
    return pass->visit(pass->context, &visited, error);
}

static void run_free(CorpusRun *run)
{
    for (size_t i = 0; i < run->workers && run->scratch; i++) {
        batch_pairs_free(&run->scratch[i].pairs);
        arena_free(&run->scratch[i].batch);
        arena_free(&run->scratch[i].acts);
    }
    memory_free(run->scratch);
    memory_free(run->losses);
    batch_plan_free(&run->plan);
}

Status corpus_pass_run(double *loss, const CorpusPass *pass, Threads *threads, Error *error)
{
    FREED_BY(run_free) CorpusRun run = {.pass = pass, .workers = threads_count(threads)};
    if (loss) *loss = 0;
    TRY(batch_plan_new(&run.plan, pass->corpus, pass->batch_tokens, 0, 0, error));
    const size_t batches = run.plan.batches;
    TRY(array_new(&run.losses, batches, "the batches of a corpus", error));
    TRY(array_new(&run.scratch, run.workers, "the batches of a corpus", error));
    TRY(parallel_for_share(threads, pass->share, batches, pass_batch, &run, error));
    TRY(backends_check(error));
    if (pass->complete) pass->complete(pass->others, run.losses, batches);
    for (size_t i = 0; i < batches && loss; i++) *loss += run.losses[i];
    return STATUS_OK;
}
