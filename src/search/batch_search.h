/* Search over many sources with several threads: sources of similar length together, batches handed
 * to whichever thread is free. The results are those of beam_search, in the order of the
 * sources. */
#pragma once

#include "base/parallel.h"
#include "search/beam.h"

// A team of threads with a model for each. Start from {0}; made by inference_batch_search, for
// example.
typedef struct BatchSearch {
    Threads *threads;      // not owned
    SearchModel **models;  // (threads) owned; NULL where there is none
    LoopShare share;       // of the batches, where several processes divide the sources
    WorkListener listener; // hears of sources as they are searched
} BatchSearch;

// Memory for the models of a team, none of which is there yet.
Status batch_search_new(BatchSearch *search, Threads *threads, Error *error);

void batch_search_free(BatchSearch *search);

/* Sets results (count), each freed by hypotheses_free; on failure they are empty. options->batch
 * sources are searched together, fewer if threads would otherwise be idle; results of other
 * processes are empty. */
Status batch_search_run(const BatchSearch *search, const TokenPair *sources, size_t count,
                        const SearchOptions *options, Hypotheses *results, Error *error);
