#include "search/beam.h"

#include "base/array.h"
#include "base/philox.h"
#include "search/banks.h"
#include "search/candidates.h"
#include "search/what_if_words.h"
#include "text/special_tokens.h"

#include <math.h>
#include <stdlib.h>

// beyond the phrases' tokens, where all but these has been said, and beyond a forced word
enum { EXTRA_STEPS = 10 };

// One sentence of the batch.
typedef struct Beam {
    size_t places;    // at first the beam, or more with constraints; less those given up
    size_t first_row; // its live rows are neighbours
    size_t rows;
    size_t positions; // S
    size_t max_length;
    const Prefix *prefix;           // of every hypothesis; NULL if there is none
    const Constraints *constraints; // likewise
    const WhatIf *what_if;          // likewise
    uint64_t number;                // the sentence's, for sampling
    Ended ended;
} Beam;

typedef struct BeamSearch {
    SearchModel *model;
    const SearchOptions *options;
    Arena arena;        // of all that does not grow
    Beam *beams;        // (count)
    TokenPair *sources; // (count)
    size_t count;
    size_t rows; // live, of all beams
    size_t max_rows;
    EndedItem *ended; // (count, beam) memory of the beams' lists
    HypothesisTree tree;
    int32_t *row_nodes;    // (rows) the last node of each live row, NO_NODE at first
    int32_t *next_nodes;   // (rows)
    int32_t *tokens;       // (rows) what each live row said last
    uint32_t *from;        // (rows)
    Candidate *candidates; // (beam)
    Banks banks;
    int32_t *kept_tokens; // memory of what a shortlist must not leave out
    size_t step;
    BeamTree beaten;    // of all steps, `beaten_by` and `before` in the tree
    Candidate *runners; // (2 beam) with a tree, the best of a step
    // of a row that may not say everything
    real *logits;
    size_t logits_capacity;
    real *maxima;
    size_t maxima_capacity;
} BeamSearch;

static void search_free(BeamSearch *search)
{
    hypothesis_tree_free(&search->tree);
    arena_free(&search->arena);
    memory_free(search->logits);
    memory_free(search->maxima);
    memory_free(search->beaten.nodes);
}

static const Prefix *prefix_of(const SearchOptions *options, const TokenPair *source)
{
    const Prefix *prefix = options->prefixes ? &options->prefixes[source->number] : NULL;
    return prefix && prefix->count > 0 ? prefix : NULL;
}

static const Constraints *constraints_of(const SearchOptions *options, const TokenPair *source)
{
    const Constraints *constraints =
        options->constraints ? &options->constraints[source->number] : NULL;
    return constraints && constraints->count > 0 ? constraints : NULL;
}

// Every bank has a place, so that a small beam, or greedy search, can meet constraints too.
static size_t places_of(const SearchOptions *options, const TokenPair *source)
{
    const Constraints *constraints = constraints_of(options, source);
    size_t banks = constraints ? banks_needed(constraints) : 0;
    return banks > options->beam ? banks : options->beam;
}

// What a search takes of memory.
typedef struct SearchSizes {
    size_t rows, kept_tokens;
    size_t places, banks; // at most, of a source with constraints
} SearchSizes;

static SearchSizes sizes_of(const SearchOptions *options, const TokenPair *sources, size_t count)
{
    SearchSizes sizes = {0};
    for (size_t i = 0; i < count; i++) {
        const Prefix *prefix = prefix_of(options, &sources[i]);
        const Constraints *constraints = constraints_of(options, &sources[i]);
        size_t places = places_of(options, &sources[i]);
        size_t end;
        sizes.rows += places;
        sizes.kept_tokens += what_if_tokens(sources[i].what_if, NULL, &end);
        if (prefix) sizes.kept_tokens += prefix->token_count;
        if (!constraints) continue;
        sizes.kept_tokens += constraints->token_count;
        if (places > sizes.places) sizes.places = places;
        if (banks_needed(constraints) > sizes.banks) sizes.banks = banks_needed(constraints);
    }
    return sizes;
}

static void layout(BeamSearch *search, Arena *arena, const SearchSizes *sizes)
{
    size_t beam = search->options->beam;
    search->beams = arena_take(arena, search->count, sizeof *search->beams);
    search->sources = arena_take(arena, search->count, sizeof *search->sources);
    search->ended = arena_take(arena, search->count * beam, sizeof *search->ended);
    search->row_nodes = arena_take(arena, sizes->rows, sizeof *search->row_nodes);
    search->next_nodes = arena_take(arena, sizes->rows, sizeof *search->next_nodes);
    search->tokens = arena_take(arena, sizes->rows, sizeof *search->tokens);
    search->from = arena_take(arena, sizes->rows, sizeof *search->from);
    search->candidates = arena_take(arena, beam, sizeof *search->candidates);
    search->runners =
        arena_take(arena, search->options->with_tree ? 2 * beam : 0, sizeof *search->runners);
    search->kept_tokens = arena_take(arena, sizes->kept_tokens, sizeof *search->kept_tokens);
    banks_layout(&search->banks, arena, sizes->places, sizes->banks);
}

// Has the model score these tokens of the target, too (search/search_model.h).
static void keep_tokens(TokenPair *source, int32_t *memory, const int32_t *tokens, size_t count)
{
    if (!source->target) source->target = memory;
    if (count == 0) return;
    assert(memory); // search_new has counted these tokens
    memcpy(memory + source->target_length, tokens, count * sizeof *tokens);
    source->target_length += (uint32_t)count;
}

// A source's beam with one row, which has said nothing. Returns how much of `kept_tokens` it takes.
static size_t begin_beam(BeamSearch *search, size_t i, const TokenPair *source,
                         int32_t *kept_tokens)
{
    const SearchOptions *options = search->options;
    const uint64_t *numbers = options->sampling.numbers;
    const Prefix *prefix = prefix_of(options, source);
    const Constraints *constraints = constraints_of(options, source);
    search->beams[i] = (Beam){
        .places = places_of(options, source),
        .first_row = i,
        .rows = 1,
        .positions = source->source_length,
        .max_length = 2 * (size_t)source->source_length + 10 + (prefix ? prefix->longest : 0) +
                      (constraints ? constraints->length : 0),
        .prefix = prefix,
        .constraints = constraints,
        .what_if = source->what_if,
        .number = numbers ? numbers[source->number] : options->sampling.first + source->number,
        .ended = {.items = search->ended + i * options->beam, .capacity = options->beam}};
    TokenPair *kept = &search->sources[i];
    *kept = *source;
    kept->target = NULL;
    kept->target_length = 0;
    if (prefix) keep_tokens(kept, kept_tokens, prefix->tokens, prefix->token_count);
    if (constraints) keep_tokens(kept, kept_tokens, constraints->tokens, constraints->token_count);
    size_t end, forced = what_if_tokens(source->what_if, kept_tokens + kept->target_length, &end);
    if (forced > 0) {
        kept->target = kept_tokens;
        kept->target_length += (uint32_t)forced;
        if (search->beams[i].max_length < end + EXTRA_STEPS)
            search->beams[i].max_length = end + EXTRA_STEPS;
    }
    search->row_nodes[i] = NO_NODE;
    search->tokens[i] = TOKEN_BOS;
    return kept->target_length;
}

static Status search_new(BeamSearch *search, SearchModel *model, const TokenPair *sources,
                         size_t count, const SearchOptions *options, Error *error)
{
    SearchSizes sizes = sizes_of(options, sources, count);
    *search = (BeamSearch){.model = model,
                           .options = options,
                           .count = count,
                           .rows = count,
                           .max_rows = sizes.rows,
                           .tree = {.model = model, .with_alpha = options->with_alpha}};
    TRY(arena_lay_out(&search->arena, layout(search, &search->arena, &sizes), error));
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        kept += begin_beam(search, i, &sources[i], search->kept_tokens + kept);
    return STATUS_OK;
}

// The last node of a row; of one that has said nothing, what is behind no token.
static const HypothesisNode *last_node(const BeamSearch *search, size_t row)
{
    static const HypothesisNode nothing = {.before = NO_NODE, .place = PREFIX_START};
    int32_t node = search->row_nodes[row];
    return node == NO_NODE ? &nothing : &search->tree.nodes[node];
}

static LiveRow live_row(const BeamSearch *search, const Beam *beam, size_t row, bool may_end)
{
    const HypothesisNode *last = last_node(search, row);
    return (LiveRow){.row = (uint32_t)row,
                     .log_p = last->log_p,
                     .may_end = may_end,
                     .prefix = beam->prefix,
                     .place = beam->prefix ? last->place : PREFIX_DONE};
}

// What is said in phrases only, and in none that a row lacks, or measures and would be behind a name.
static void forbid_tokens(const BeamSearch *search, const Constraints *constraints,
                          const HypothesisNode *last, const TokenScores *scores)
{
    if (!constraints->edges || !constraints->bound) return;
    const unsigned char bound = constraints->bound;
    const unsigned char never =
        constraints_ends_name(constraints, last->token) ? TOKEN_MEASURES : 0;
    for (size_t i = 0; i < scores->count; i++) {
        int32_t token = token_scores_token(scores, i);
        const unsigned char kinds = constraints->edges[token];
        if (!(kinds & (bound | never))) continue; // nearly all
        if (kinds & never || constraints_forbid(constraints, last->state, token))
            search->logits[i] = -(real)INFINITY;
    }
}

static bool may_say_all(const Beam *beam)
{
    return (!beam->what_if || beam->what_if->word_count == 0) &&
           (!beam->constraints || !beam->constraints->bound);
}

// What a row may say next; the probabilities stay the model's.
static TokenScores row_scores(const BeamSearch *search, const Beam *beam, size_t row)
{
    TokenScores scores = search->model->scores(search->model, row);
    if (may_say_all(beam)) return scores;
    memcpy(search->logits, scores.logits, scores.count * sizeof *search->logits);
    const HypothesisNode *last = last_node(search, row);
    bool within_prefix = beam->prefix && last->place != PREFIX_DONE;
    if (beam->constraints && !within_prefix)
        forbid_tokens(search, beam->constraints, last, &scores);
    if (beam->what_if)
        what_if_forbid(search->logits, &scores, beam->what_if, &search->tree,
                       search->row_nodes[row], search->step);
    scores.logits = search->logits;
    scores.maxima = search->maxima;
    search_maxima(search->maxima, search->logits, scores.count);
    return scores;
}

// Memory for row_scores.
static Status reserve_scores(BeamSearch *search, const Beam *beam, Error *error)
{
    if (may_say_all(beam)) return STATUS_OK;
    size_t count = search->model->scores(search->model, beam->first_row).count;
    TRY(array_reserve(&search->logits, &search->logits_capacity, count, "what if", error));
    return array_reserve(&search->maxima, &search->maxima_capacity, search_spans(count), "what if",
                         error);
}

// If every logit is NaN (a damaged model), a hypothesis ends, so that a line still comes out.
static Candidate ending(size_t row)
{
    return (Candidate){-INFINITY, (uint32_t)row, TOKEN_EOS, PREFIX_DONE};
}

/* The best ways to continue a sentence's rows, at most as many as it has places. */
static size_t find_candidates(BeamSearch *search, const Beam *beam, bool may_end)
{
    size_t count = 0;
    Candidate *best = search->candidates;
    for (size_t row = beam->first_row; row < beam->first_row + beam->rows; row++) {
        LiveRow live = live_row(search, beam, row, may_end);
        TokenScores scores = row_scores(search, beam, row);
        count = candidates_add(best, count, beam->places, &live, &scores);
    }
    if (count == 0) best[count++] = ending(beam->first_row);
    return count;
}

// The same with constraints: sets search->banks.chosen.
static size_t choose_from_banks(BeamSearch *search, const Beam *beam, bool may_end)
{
    Banks *banks = &search->banks;
    banks_begin(banks, beam->constraints, beam->places);
    for (size_t row = beam->first_row; row < beam->first_row + beam->rows; row++) {
        int32_t open_tokens[MAX_PHRASE_TOKENS];
        ConstraintState state = last_node(search, row)->state;
        LiveRow live = live_row(search, beam, row, may_end);
        TokenScores scores = row_scores(search, beam, row);
        hypothesis_tree_recent(&search->tree, search->row_nodes[row], open_tokens, state.open);
        const real *attention = search->model->attention(search->model, row, 0);
        banks_add(banks, &live, state, open_tokens, &scores, attention);
    }
    size_t count = banks_choose(banks);
    if (count == 0) banks->chosen[count++] = (BankCandidate){.candidate = ending(beam->first_row)};
    return count;
}

// The number of the sample that a sentence's i-th candidate continues.
static uint32_t sample_of(const BeamSearch *search, const Beam *beam, size_t i)
{
    int32_t node = search->row_nodes[beam->first_row + (i < beam->rows ? i : 0)];
    return node == NO_NODE ? (uint32_t)i : search->tree.nodes[node].sample;
}

/* Uniform in [0, 1), 53 bits, a function of seed, sentence, sample and step alone, so that samples
 * depend neither on the batch nor on threads. */
static double sampling_uniform(const Sampling *sampling, uint64_t sentence, uint32_t sample,
                               size_t step)
{
    uint32_t words[4];
    const uint32_t counter[4] = {(uint32_t)step, sample, (uint32_t)sentence,
                                 (uint32_t)(sentence >> 32)};
    philox(words, counter, sampling->seed);
    return (double)(((uint64_t)words[0] << 32 | words[1]) >> 11) * 0x1p-53;
}

/* One way to continue for each sample: at first all of them continue the only row, then each its
 * own. */
static size_t draw_candidates(BeamSearch *search, const Beam *beam, size_t step)
{
    const Sampling *sampling = &search->options->sampling;
    for (size_t i = 0; i < beam->places; i++) {
        size_t row = step == 0 ? beam->first_row : beam->first_row + i;
        LiveRow live = live_row(search, beam, row, step > 0);
        TokenScores scores = row_scores(search, beam, row);
        double uniform = sampling_uniform(sampling, beam->number, sample_of(search, beam, i), step);
        if (!candidate_draw(&search->candidates[i], &live, &scores, sampling->temperature, uniform))
            search->candidates[i] = ending(row);
    }
    return beam->places;
}

// Ends a sentence's hypothesis with its `length`-th token, a candidate that is now `node`.
static void end_hypothesis(const BeamSearch *search, Beam *beam, int32_t node, size_t length,
                           const BankCandidate *of_bank)
{
    const HypothesisNode *last = &search->tree.nodes[node];
    Ended *ended = &beam->ended;
    double alpha = search->options->length_normalization;
    EndedItem item = {.node = node,
                      .incomplete = of_bank && !of_bank->complete,
                      .score = of_bank
                                   ? bank_candidate_score(of_bank, length, beam->positions, alpha)
                                   : last->log_p / pow((double)length, alpha)};
    beam->places -= of_bank ? banks_are_led_by(&search->banks, of_bank) : 1;
    if (!search->options->sampling.wanted) {
        ended_keep_best(ended, item);
        return;
    }
    ended->items[last->sample] = item;
    ended->count++;
}

static size_t choose(BeamSearch *search, Beam *beam, size_t step)
{
    if (search->options->sampling.wanted) return draw_candidates(search, beam, step);
    if (!beam->constraints) return find_candidates(search, beam, step > 0);
    size_t count = choose_from_banks(search, beam, step > 0);
    size_t limit = step + 1 + beam->constraints->length + EXTRA_STEPS;
    if (banks_at_end(&search->banks) && limit < beam->max_length) beam->max_length = limit;
    return count;
}

/* Keeps the candidates that were next to those that were chosen, of which the last is now the last
 * node of the tree. */
static Status keep_beaten(BeamSearch *search, const Beam *beam, size_t places, size_t chosen,
                          Error *error)
{
    size_t count = 0, most = places + search->options->beam;
    BeamTree *beaten = &search->beaten;
    for (size_t row = beam->first_row; row < beam->first_row + beam->rows; row++) {
        LiveRow live = live_row(search, beam, row, search->step > 0);
        TokenScores scores = row_scores(search, beam, row);
        count = candidates_add(search->runners, count, most, &live, &scores);
    }
    for (size_t i = chosen; i < count; i++) {
        const Candidate *runner = &search->runners[i];
        TRY(array_reserve(&beaten->nodes, &beaten->capacity, beaten->count + 1, "a tree", error));
        beaten->nodes[beaten->count++] = (BeamNode){.token = runner->token,
                                                    .before = search->row_nodes[runner->row],
                                                    .beaten_by = (int32_t)search->tree.count - 1,
                                                    .step = (uint32_t)search->step,
                                                    .log_p = runner->log_p};
    }
    return STATUS_OK;
}

// The tree of the only source's search.
static Status read_tree(const BeamSearch *search, BeamTree *out, Error *error)
{
    const HypothesisTree *tree = &search->tree;
    const Ended *ended = &search->beams[0].ended;
    out->length_normalization = search->options->length_normalization;
    TRY(array_new(&out->nodes, tree->count + search->beaten.count, "a tree", error));
    for (; out->count < tree->count; out->count++) {
        const HypothesisNode *node = &tree->nodes[out->count];
        out->nodes[out->count] =
            (BeamNode){.token = node->token,
                       .before = node->before,
                       .beaten_by = NO_NODE,
                       .step = node->before == NO_NODE ? 0 : out->nodes[node->before].step + 1,
                       .log_p = node->log_p};
    }
    for (size_t i = 0; i < ended->count; i++)
        out->nodes[ended->items[i].node].rank = (uint32_t)i + 1;
    for (size_t i = 0; i < search->beaten.count; i++)
        out->nodes[out->count++] = search->beaten.nodes[i];
    return STATUS_OK;
}

/* Ends and continues one sentence's hypotheses at a step; its live rows become *next_row and those
 * after it. */
static Status advance_beam(BeamSearch *search, Beam *beam, size_t step, size_t *next_row,
                           Error *error)
{
    bool sampled = search->options->sampling.wanted;
    TRY(reserve_scores(search, beam, error));
    size_t places = beam->places, first = *next_row;
    size_t count = choose(search, beam, step);
    bool last = step + 1 >= beam->max_length;
    for (size_t i = 0; i < count; i++) {
        const BankCandidate *of_bank = beam->constraints ? &search->banks.chosen[i] : NULL;
        const Candidate *candidate = of_bank ? &of_bank->candidate : &search->candidates[i];
        int32_t place = NO_NODE;
        const HypothesisNode node = {.token = candidate->token,
                                     .before = search->row_nodes[candidate->row],
                                     .log_p = candidate->log_p,
                                     .place = candidate->place,
                                     .sample = sampled ? sample_of(search, beam, i) : 0,
                                     .state = of_bank ? of_bank->state : (ConstraintState){0}};
        TRY(hypothesis_tree_add(&search->tree, node, candidate->row, beam->positions, &place,
                                error));
        if (candidate->token == TOKEN_EOS || last) {
            end_hypothesis(search, beam, place, step + 1, of_bank);
            continue;
        }
        search->next_nodes[*next_row] = place;
        search->from[*next_row] = candidate->row;
        search->tokens[*next_row] = candidate->token;
        ++*next_row;
    }
    if (search->options->with_tree && !beam->constraints)
        TRY(keep_beaten(search, beam, places, count, error));
    beam->first_row = first;
    beam->rows = *next_row - first;
    return STATUS_OK;
}

/* Steps until every sentence is done. */
static Status run(BeamSearch *search, Error *error)
{
    SearchModel *model = search->model;
    for (size_t step = 0; search->rows > 0; step++) {
        TRY(cancel_check(search->options->cancel, error));
        search->step = step;
        model->step(model, search->tokens);
        size_t rows = 0;
        for (size_t i = 0; i < search->count; i++) {
            Beam *beam = &search->beams[i];
            if (beam->rows == 0) continue;
            TRY(advance_beam(search, beam, step, &rows, error));
        }
        memcpy(search->row_nodes, search->next_nodes, rows * sizeof *search->row_nodes);
        model->gather(model, search->from, rows);
        search->rows = rows;
    }
    return STATUS_OK;
}

static Status find(BeamSearch *search, Hypotheses *results, Error *error)
{
    SearchModel *model = search->model;
    TRY(model->encode(model, search->sources, search->count, search->max_rows,
                      search->options->scoring, error));
    TRY(run(search, error));
    for (size_t i = 0; i < search->count; i++) {
        const Beam *beam = &search->beams[i];
        TRY(ended_read(&beam->ended, &search->tree, beam->positions, &results[i], error));
    }
    return search->options->with_tree ? read_tree(search, &results->tree, error) : STATUS_OK;
}

Status beam_search(SearchModel *model, const TokenPair *sources, size_t count,
                   const SearchOptions *options, Hypotheses *results, Error *error)
{
    assert(options->beam >= 1 && options->beam <= MAX_BEAM);
    assert(!options->constraints || !options->sampling.wanted);
    assert(!options->with_tree || (count == 1 && !options->sampling.wanted));
    FREED_BY(search_free) BeamSearch search = {.count = 0};
    memset(results, 0, count * sizeof *results);
    TRY(search_new(&search, model, sources, count, options, error));
    Status status = find(&search, results, error);
    for (size_t i = 0; i < count && status; i++) hypotheses_free(&results[i]);
    return status;
}
