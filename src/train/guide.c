#include "train/guide.h"

#include "align/aligner_file.h"
#include "base/memory.h"
#include "model/seq2seq.h"

#include <xxhash.h>

static size_t link_count(const Guide *guide)
{
    return corpus_store_size(&guide->links) / sizeof(Link);
}

Status guide_links(Guide *guide, Links *links, size_t number, Error *error)
{
    assert(number < guide->lines);
    size_t first = guide->begin[number];
    size_t last = number + 1 < guide->lines ? guide->begin[number + 1] : link_count(guide);
    const char *data;
    *links = (Links){0};
    if (first == last) return STATUS_OK;
    TRY(corpus_store_view(&guide->links, &guide->window, &data, first * sizeof(Link),
                          (last - first) * sizeof(Link), error));
    *links = (Links){.items = (void *)data, .count = last - first};
    return STATUS_OK;
}

/* `split` is scratch for the units of both sides. */
static Status check_pair(Guide *guide, TextPair pair, const UnitKind units[2],
                         Spans *const split[2], Error *error)
{
    Links links;
    TRY(guide_links(guide, &links, pair.place.number, error));
    if (links.count == 0) return STATUS_OK;
    const GuideFile *file = &guide->files[guide->count - 1];
    while (file->first > pair.place.number) file--;
    for (int s = 0; s < 2; s++)
        TRY(units_split(split[s], units[s], pair.sides[s].data, pair.sides[s].length, error));
    return links_check(&links, split[0]->count, split[1]->count, file->name,
                       pair.place.number - file->first + 1, error);
}

Status guide_check(Guide *guide, const TextCorpus *corpus, const UnitKind units[2], Error *error)
{
    FREED_BY(spans_free) Spans sources = {0}, targets = {0};
    Spans *const split[2] = {&sources, &targets};
    for (size_t i = 0; i < corpus->count; i++)
        TRY(check_pair(guide, text_corpus_pair(corpus, i), units, split, error));
    return STATUS_OK;
}

Status guide_hash(Guide *guide, uint64_t *hash, Error *error)
{
    enum { PART = 1 << 18 }; // bytes; one after another, they give the hash of the whole
    XXH3_state_t *state = XXH3_createState();
    if (!state) return error_memory(error, 0, "a guide");
    XXH3_64bits_reset_withSeed(state, guide->lines);
    Status status = STATUS_OK;
    size_t size = corpus_store_size(&guide->links);
    for (size_t at = 0, bytes; at < size && !status; at += bytes) {
        const char *data;
        bytes = size - at < PART ? size - at : PART;
        status = corpus_store_view(&guide->links, &guide->window, &data, at, bytes, error);
        if (!status) XXH3_64bits_update(state, data, bytes);
    }
    uint64_t links = XXH3_64bits_digest(state);
    XXH3_freeState(state);
    *hash = XXH3_64bits_withSeed(guide->begin, guide->lines * sizeof *guide->begin, links);
    return status;
}

void guide_free(Guide *guide)
{
    corpus_store_free(&guide->links);
    store_window_free(&guide->window);
    memory_free(guide->begin);
    memory_free(guide->files);
    *guide = (Guide){0};
}

// The tokens of a pair, or of a long one none.
static Status set_tokens(AlignedGuide *guide, const TextPair *pair, Error *error)
{
    AlignerTokens *tokens = guide->tokens;
    for (int s = 0; s < 2; s++)
        TRY(aligner_tokens_set(&tokens[s], pair->sides[s].data, pair->sides[s].length, error));
    if (tokens[0].places.count <= MAX_ALIGNED_TOKENS &&
        tokens[1].places.count <= MAX_ALIGNED_TOKENS)
        return STATUS_OK;
    TRY(aligner_tokens_set(&tokens[0], "", 0, error));
    return aligner_tokens_set(&tokens[1], "", 0, error);
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

static Status add_pairs(AlignedGuide *guide, const TextCorpus *text, Error *error)
{
    for (size_t i = 0; i < text->count; i++) {
        TextPair pair = text_corpus_pair(text, i);
        TRY(set_tokens(guide, &pair, error));
        TRY(aligner_corpus_add(&guide->corpus, &guide->tokens[0], &guide->tokens[1], error));
    }
    return STATUS_OK;
}

static Status learn(AlignedGuide *guide, size_t threads, const Cancel *cancel, Error *error)
{
    AlignerOptions options = aligner_options_default();
    FREED_BY(threads_free_at) Threads *team = NULL;
    options.cancel = cancel;
    TRY(threads_new(&team, threads, error));
    return aligner_learn(&guide->aligner, &guide->corpus, options, team, error);
}

Status aligned_guide_learn(AlignedGuide *guide, const TextCorpus *text, size_t threads,
                           const Cancel *cancel, Ranks *ranks, Error *error)
{
    size_t own = threads / ranks_count(ranks), available = threads_available();
    bool learns = ranks_rank(ranks) == 0;
    if (threads > available) threads = available > own ? available : own;
    Status status = add_pairs(guide, text, error);
    if (!status && learns) status = learn(guide, threads, cancel, error);
    TRY(ranks_agree(ranks, status, error));
    size_t entries = guide->aligner.table.entries;
    ranks_broadcast(ranks, &entries, sizeof entries);
    if (!learns) status = make_room(guide, entries, error);
    TRY(ranks_agree(ranks, status, error));
    broadcast(&guide->aligner, ranks);
    if (learns) return STATUS_OK;
    return aligner_table_complete(&guide->aligner.table, guide->aligner.vocabularies, error);
}

Status aligned_guide_links(AlignedGuide *guide, SubwordLinks *links, const TextPair *pair,
                           SoftSide source, SoftSide target, Error *error)
{
    TRY(set_tokens(guide, pair, error));
    source.units = &guide->tokens[0].places;
    target.units = &guide->tokens[1].places;
    TRY(aligner_align(&guide->posteriors, &guide->aligner, &guide->tokens[0], &guide->tokens[1],
                      NULL, error));
    TRY(aligner_soft(&guide->soft, &guide->posteriors, error));
    return subword_links_set_soft(links, &guide->soft, source, target, error);
}

Status aligned_guide_keep(AlignedGuide *guide, Aligner *aligner, ModelConfig config, Error *error)
{
    FREED_BY(seq2seq_params_free) Seq2SeqParams params = {.block = NULL};
    TRY(config_check(&config, error));
    TRY(seq2seq_params_list(&params, &config, error));
    size_t bytes = params.list.block_size * sizeof(float);
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
