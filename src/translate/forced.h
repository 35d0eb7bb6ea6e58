/* Forced decoding: what the model thinks of given targets. */
#pragma once

#include "base/parallel.h"
#include "model/corpus_pass.h"
#include "reading/translation.h"

typedef struct Forcing {
    Threads *threads;
    const Seq2SeqParams *params; // packed or not
    bool with_alpha;             // keep the attention weights
    bool with_posterior;         // and with them posterior attention
    size_t head;                 // of that head alone, from 1; 0 is all (reading/translation.h)
    const WhatIf *what_if;       // of the only pair; NULL: nothing is asked
    const Cancel *cancel;        // asked before each batch; NULL: never cancelled
    WorkListener listener;       // hears of pairs as they are decoded
} Forcing;

/* One pass over the pairs with their targets given, which calls visit(context, batch, error) for
 * each batch (model/corpus_pass.h). Where packed_weights_promise() is exact, a pair's numbers depend
 * neither on the threads nor on the other pairs. */
Status forced_pass(const Forcing *forcing, const TokenCorpus *pairs, CorpusVisit *visit,
                   void *context, Error *error);

/* Sets log_p, log_ps, score (= log_p) and, if wanted, alpha and posterior of
 * translations[i].renderings[0] for each pair i by a forced_pass. */
Status forced_decode(const Forcing *forcing, const TokenCorpus *pairs, Translation *translations,
                     Error *error);
