#include "train/aligned_guide.h"

#include "align/aligner_trim.h"
#include "base/threads.h"
#include "model/seq2seq.h"

#include <string.h>

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

static Status add_pairs(AlignedGuide *guide, const TextCorpus *text, Error *error)
{
    for (size_t i = 0; i < text->count; i++) {
        TextPair pair = text_corpus_pair(text, i);
        TRY(set_tokens(guide, &pair, error));
        TRY(aligner_corpus_add(&guide->corpus, &guide->tokens[0], &guide->tokens[1], error));
    }
    return STATUS_OK;
}

static Status learn(AlignedGuide *guide, size_t threads, Error *error)
{
    Threads *team;
    TRY(threads_new(&team, threads, error));
    Status status =
        aligner_learn(&guide->aligner, &guide->corpus, aligner_options_default(), team, error);
    threads_free(team);
    return status;
}

/* Makes room for what another rank learns from the same pairs, whose vocabularies are therefore the
 * same. */
static Status make_room(AlignedGuide *guide, size_t entries, Error *error)
{
    Aligner *aligner = &guide->aligner;
    memcpy(aligner->vocabularies, guide->corpus.vocabularies, sizeof aligner->vocabularies);
    memset(guide->corpus.vocabularies, 0, sizeof guide->corpus.vocabularies);
    aligner_corpus_free(&guide->corpus);
    return aligner_table_new(&aligner->table, aligner->vocabularies, entries, error);
}

// Rank 0's numbers become those of all.
static void broadcast(Aligner *aligner, const Ranks *ranks)
{
    AlignerTable *table = &aligner->table;
    size_t sources = aligner->vocabularies[0].types.count;
    ranks_broadcast(ranks, aligner->jumps, sizeof aligner->jumps);
    ranks_broadcast(ranks, table->rows, sources * sizeof *table->rows);
    ranks_broadcast(ranks, table->columns, table->entries * sizeof *table->columns);
    ranks_broadcast(ranks, table->links, table->entries * sizeof *table->links);
    for (int s = 0; s < 2; s++) {
        size_t types = aligner->vocabularies[s].types.count;
        ranks_broadcast(ranks, table->type_links[s], types * sizeof **table->type_links);
        ranks_broadcast(ranks, table->unlinked[s], types * sizeof **table->unlinked);
    }
}

Status aligned_guide_learn(AlignedGuide *guide, const TextCorpus *text, size_t threads,
                           Ranks *ranks, Error *error)
{
    size_t all = threads * ranks_count(ranks), available = threads_available();
    bool learns = ranks_rank(ranks) == 0;
    if (all > available) all = available;
    Status status = add_pairs(guide, text, error);
    if (!status && learns) status = learn(guide, threads > all ? threads : all, error);
    TRY(ranks_agree(ranks, status, error));
    size_t entries = guide->aligner.table.entries;
    ranks_broadcast(ranks, &entries, sizeof entries);
    if (!learns) status = make_room(guide, entries, error);
    TRY(ranks_agree(ranks, status, error));
    broadcast(&guide->aligner, ranks);
    if (learns) return STATUS_OK;
    return aligner_table_complete(&guide->aligner.table, guide->aligner.vocabularies, error);
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

Status aligned_guide_keep(AlignedGuide *guide, Aligner *aligner, ModelConfig config, Error *error)
{
    Seq2SeqParams params;
    TRY(config_check(&config, error));
    TRY(seq2seq_params_list(&params, &config, error));
    size_t bytes = params.list.block_size * sizeof(float);
    seq2seq_params_free(&params);
    TRY(aligner_trim(&guide->aligner, ALIGNER_EXACT, bytes / 5, error));
    *aligner = guide->aligner;
    guide->aligner = (Aligner){.table = {0}};
    return STATUS_OK;
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
