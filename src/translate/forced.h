/* Forced decoding: what the model thinks of given targets. */
#ifndef REGARD_TRANSLATE_FORCED_H
#define REGARD_TRANSLATE_FORCED_H

#include "base/threads.h"
#include "corpus/token_corpus.h"
#include "model/seq2seq.h"
#include "translate/rendering.h"

typedef struct Forcing {
    Threads *threads;
    const Seq2SeqParams *params; // packed or not
    const ModelConfig *config;
    bool with_alpha; // keep the attention weights
    size_t head;     // of that head alone, from 1; 0 is all (translate/rendering.h)
} Forcing;

/* Sets log_p, score (= log_p) and, if wanted, alpha of translations[i].renderings[0] for each pair
 * i. Threads take batches in turn; where seq2seq_row_promise() is exact, a pair's numbers depend
 * neither on the threads nor on the other pairs. */
Status forced_decode(const Forcing *forcing, const TokenCorpus *pairs, Translation *translations,
                     Error *error);

#endif
