#include "train/aligned_guide.h"

#include "base/threads.h"

// The tokens of a pair, or of a long one none.
static Status set_tokens(AlignedGuide *guide, const TextPair *pair, Error *error)
{
    AlignerTokens *tokens = guide->tokens;
    TRY(aligner_tokens_set(&tokens[0], pair->source, pair->source_length, error));
    TRY(aligner_tokens_set(&tokens[1], pair->target, pair->target_length, error));
    if (tokens[0].places.count <= MAX_ALIGNED_TOKENS &&
        tokens[1].places.count <= MAX_ALIGNED_TOKENS)
        return STATUS_OK;
    TRY(aligner_tokens_set(&tokens[0], "", 0, error));
    return aligner_tokens_set(&tokens[1], "", 0, error);
}

Status aligned_guide_learn(AlignedGuide *guide, const TextCorpus *text, size_t threads,
                           Error *error)
{
    Threads *team;
    for (size_t i = 0; i < text->count; i++) {
        TextPair pair = text_corpus_pair(text, i);
        TRY(set_tokens(guide, &pair, error));
        TRY(aligner_corpus_add(&guide->corpus, &guide->tokens[0], &guide->tokens[1], error));
    }
    TRY(threads_new(&team, threads, error));
    Status status =
        aligner_learn(&guide->aligner, &guide->corpus, aligner_options_default(), team, error);
    threads_free(team);
    return status;
}

Status aligned_guide_links(AlignedGuide *guide, SubwordLinks *links, const TextCorpus *text,
                           size_t number, SoftSide source, SoftSide target, Error *error)
{
    TextPair pair = text_corpus_pair(text, number);
    TRY(set_tokens(guide, &pair, error));
    source.units = &guide->tokens[0].places;
    target.units = &guide->tokens[1].places;
    TRY(aligner_align(&guide->posteriors, &guide->aligner, &guide->tokens[0], &guide->tokens[1],
                      error));
    TRY(aligner_soft(&guide->soft, &guide->posteriors, error));
    return subword_links_set_soft(links, &guide->soft, source, target, error);
}

void aligned_guide_free(AlignedGuide *guide)
{
    aligner_free(&guide->aligner);
    aligner_corpus_free(&guide->corpus);
    for (int side = 0; side < 2; side++) aligner_tokens_free(&guide->tokens[side]);
    aligner_posteriors_free(&guide->posteriors);
    soft_alignment_free(&guide->soft);
    *guide = (AlignedGuide){0};
}
