#include "search/beam.h"

#include "base/arena.h"
#include "base/array.h"
#include "base/memory.h"
#include "base/philox.h"
#include "search/candidates.h"
#include "text/special_tokens.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NO_NODE = -1 };

/* One token of one hypothesis. Hypotheses share their beginnings, so each is a path from its last
 * node back to the first, and nothing is copied when a row is continued in several ways. */
typedef struct Node {
    int32_t token;
    int32_t before;  // the node before, or NO_NODE
    double log_p;    // of everything up to here
    size_t alpha;    // where this token's weights (matrices, S) begin in Search.alpha
    uint32_t place;  // in the sentence's prefix, after this token
    uint32_t sample; // the number of the sample that this belongs to; 0 in beam search
} Node;

// One sentence of the batch.
typedef struct Beam {
    size_t places;    // the beam less the hypotheses that have ended
    size_t first_row; // its live rows are neighbours
    size_t rows;
    size_t positions; // S
    size_t max_length;
    const Prefix *prefix; // of every hypothesis; NULL if there is none
    uint64_t number;      // the sentence's, for sampling
    int32_t *ended; // (beam) last nodes of the hypotheses that have ended, in that order, or by
                    // their samples' numbers
    size_t ended_count;
} Beam;

typedef struct Search {
    SearchModel *model;
    const SearchOptions *options;
    Arena arena;        // of all that does not grow
    Beam *beams;        // (count)
    TokenPair *sources; // (count)
    size_t count;
    size_t rows;    // live, of all beams
    int32_t *ended; // (count, beam) memory of the beams' lists
    Node *nodes;
    size_t node_count, node_capacity;
    float *alpha;
    size_t alpha_count, alpha_capacity;
    int32_t *row_nodes;    // (rows) the last node of each live row, NO_NODE at first
    int32_t *next_nodes;   // (rows)
    int32_t *tokens;       // (rows) what each live row said last
    uint32_t *from;        // (rows)
    Candidate *candidates; // (beam)
} Search;

static void search_free(Search *search)
{
    memory_free(search->nodes);
    memory_free(search->alpha);
    arena_free(&search->arena);
}

static void layout(Search *search, Arena *arena, size_t beam)
{
    size_t rows = search->count * beam;
    search->beams = arena_take(arena, search->count, sizeof *search->beams);
    search->sources = arena_take(arena, search->count, sizeof *search->sources);
    search->ended = arena_take(arena, rows, sizeof *search->ended);
    search->row_nodes = arena_take(arena, rows, sizeof *search->row_nodes);
    search->next_nodes = arena_take(arena, rows, sizeof *search->next_nodes);
    search->tokens = arena_take(arena, rows, sizeof *search->tokens);
    search->from = arena_take(arena, rows, sizeof *search->from);
    search->candidates = arena_take(arena, beam, sizeof *search->candidates);
}

static uint64_t sample_number(const Sampling *sampling, const TokenPair *source)
{
    return sampling->numbers ? sampling->numbers[source->number] : sampling->first + source->number;
}

// A source's beam with one row, which has said nothing.
static void begin_beam(Search *search, size_t i, const TokenPair *source)
{
    const SearchOptions *options = search->options;
    const Prefix *prefix = options->prefixes ? &options->prefixes[source->number] : NULL;
    if (prefix && prefix->count == 0) prefix = NULL;
    search->beams[i] = (Beam){.places = options->beam,
                              .first_row = i,
                              .rows = 1,
                              .positions = source->source_length,
                              .max_length = 2 * (size_t)source->source_length + 10 +
                                            (prefix ? prefix->longest : 0),
                              .prefix = prefix,
                              .number = sample_number(&options->sampling, source),
                              .ended = search->ended + i * options->beam};
    search->sources[i] = *source;
    // what the model may not leave out (search/search_model.h)
    search->sources[i].target = prefix ? prefix->tokens : NULL;
    search->sources[i].target_length = prefix ? (uint32_t)prefix->token_count : 0;
    search->row_nodes[i] = NO_NODE;
    search->tokens[i] = TOKEN_BOS;
}

static Status search_new(Search *search, SearchModel *model, const TokenPair *sources, size_t count,
                         const SearchOptions *options, Error *error)
{
    Arena measure = arena_measuring();
    *search = (Search){.model = model, .options = options, .count = count, .rows = count};
    layout(search, &measure, options->beam);
    TRY(arena_reserve(&search->arena, measure.high, error));
    layout(search, &search->arena, options->beam);
    for (size_t i = 0; i < count; i++) begin_beam(search, i, &sources[i]);
    return STATUS_OK;
}

static LiveRow live_row(const Search *search, const Beam *beam, size_t row, bool may_end)
{
    LiveRow live = {.row = (uint32_t)row,
                    .may_end = may_end,
                    .prefix = beam->prefix,
                    .place = beam->prefix ? PREFIX_START : PREFIX_DONE};
    if (search->row_nodes[row] == NO_NODE) return live;
    live.log_p = search->nodes[search->row_nodes[row]].log_p;
    live.place = search->nodes[search->row_nodes[row]].place;
    return live;
}

// If every logit is NaN (a damaged model), a hypothesis ends, so that a line still comes out.
static Candidate ending(size_t row)
{
    return (Candidate){-INFINITY, (uint32_t)row, TOKEN_EOS, PREFIX_DONE};
}

/* The best ways to continue a sentence's rows, at most as many as it has places. */
static size_t find_candidates(Search *search, const Beam *beam, bool may_end)
{
    size_t count = 0;
    Candidate *best = search->candidates;
    for (size_t row = beam->first_row; row < beam->first_row + beam->rows; row++) {
        LiveRow live = live_row(search, beam, row, may_end);
        TokenScores scores = search->model->scores(search->model, row);
        count = candidates_add(best, count, beam->places, &live, &scores);
    }
    if (count == 0) best[count++] = ending(beam->first_row);
    return count;
}

// The number of the sample that a sentence's i-th candidate continues.
static uint32_t sample_of(const Search *search, const Beam *beam, size_t i)
{
    int32_t node = search->row_nodes[beam->first_row + (i < beam->rows ? i : 0)];
    return node == NO_NODE ? (uint32_t)i : search->nodes[node].sample;
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
static size_t draw_candidates(Search *search, const Beam *beam, size_t step)
{
    const Sampling *sampling = &search->options->sampling;
    for (size_t i = 0; i < beam->places; i++) {
        size_t row = step == 0 ? beam->first_row : beam->first_row + i;
        LiveRow live = live_row(search, beam, row, step > 0);
        TokenScores scores = search->model->scores(search->model, row);
        double uniform = sampling_uniform(sampling, beam->number, sample_of(search, beam, i), step);
        if (!candidate_draw(&search->candidates[i], &live, &scores, sampling->temperature, uniform))
            search->candidates[i] = ending(row);
    }
    return beam->places;
}

/* Keeps the attention weights of a row at this step, (matrices, S); *begin is where they are. */
static Status keep_alpha(Search *search, uint32_t row, size_t positions, size_t *begin,
                         Error *error)
{
    SearchModel *model = search->model;
    size_t count = search->alpha_count + model->matrices * positions;
    TRY(array_reserve(&search->alpha, &search->alpha_capacity, count, "alignments", error));
    float *kept = search->alpha + search->alpha_count;
    for (size_t matrix = 0; matrix < model->matrices; matrix++) {
        const real *weights = model->attention(model, row, matrix);
        for (size_t j = 0; j < positions; j++) *kept++ = (float)weights[j];
    }
    *begin = search->alpha_count;
    search->alpha_count = count;
    return STATUS_OK;
}

/* A new node for a candidate, with its attention if that is kept. */
static Status add_node(Search *search, const Candidate *candidate, uint32_t sample,
                       size_t positions, int32_t *node, Error *error)
{
    size_t alpha = 0, needed = search->node_count + 1;
    if (needed > INT32_MAX) return error_memory(error, needed * sizeof(Node), "hypotheses");
    TRY(array_reserve(&search->nodes, &search->node_capacity, needed, "hypotheses", error));
    if (search->options->with_alpha)
        TRY(keep_alpha(search, candidate->row, positions, &alpha, error));
    *node = (int32_t)search->node_count++;
    search->nodes[*node] = (Node){.token = candidate->token,
                                  .before = search->row_nodes[candidate->row],
                                  .log_p = candidate->log_p,
                                  .alpha = alpha,
                                  .place = candidate->place,
                                  .sample = sample};
    return STATUS_OK;
}

/* Ends and continues one sentence's hypotheses at a step; its live rows become *next_row and those
 * after it. */
static Status advance_beam(Search *search, Beam *beam, size_t step, size_t *next_row, Error *error)
{
    bool sampled = search->options->sampling.wanted;
    size_t count =
        sampled ? draw_candidates(search, beam, step) : find_candidates(search, beam, step > 0);
    size_t first = *next_row;
    bool last = step + 1 >= beam->max_length;
    for (size_t i = 0; i < count; i++) {
        const Candidate *candidate = &search->candidates[i];
        int32_t node = NO_NODE;
        uint32_t sample = sampled ? sample_of(search, beam, i) : 0;
        TRY(add_node(search, candidate, sample, beam->positions, &node, error));
        if (candidate->token == TOKEN_EOS || last) {
            beam->ended[sampled ? sample : beam->ended_count] = node;
            beam->ended_count++;
            beam->places--;
            continue;
        }
        search->next_nodes[*next_row] = node;
        search->from[*next_row] = candidate->row;
        search->tokens[*next_row] = candidate->token;
        ++*next_row;
    }
    beam->first_row = first;
    beam->rows = *next_row - first;
    return STATUS_OK;
}

/* Steps until every sentence is done. */
static Status run(Search *search, Error *error)
{
    SearchModel *model = search->model;
    for (size_t step = 0; search->rows > 0; step++) {
        TRY(cancel_check(search->options->cancel, error));
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

/* Reads a hypothesis from its last node backwards. The weights are kept step by step, (matrices, S)
 * each, and given matrix by matrix. */
static Status read_hypothesis(const Search *search, int32_t last, size_t positions,
                              Hypothesis *hypothesis, Error *error)
{
    size_t length = 0, matrices = search->model->matrices;
    for (int32_t node = last; node != NO_NODE; node = search->nodes[node].before) length++;
    double log_p = search->nodes[last].log_p;
    *hypothesis = (Hypothesis){
        .length = length,
        .ended = search->nodes[last].token == TOKEN_EOS,
        .log_p = log_p,
        .score = log_p / pow((double)length, search->options->length_normalization),
        .positions = positions,
        .matrices = matrices,
    };
    TRY(array_new(&hypothesis->tokens, length, "a hypothesis", error));
    if (search->options->with_alpha)
        TRY(array_new(&hypothesis->alpha, matrices * length * positions, "a hypothesis", error));
    size_t t = length;
    for (int32_t node = last; node != NO_NODE; node = search->nodes[node].before) {
        hypothesis->tokens[--t] = search->nodes[node].token;
        for (size_t matrix = 0; matrix < matrices && hypothesis->alpha; matrix++)
            memcpy(hypothesis->alpha + (matrix * length + t) * positions,
                   search->alpha + search->nodes[node].alpha + matrix * positions,
                   positions * sizeof *hypothesis->alpha);
    }
    return STATUS_OK;
}

/* Best score first. An insertion sort is stable: on a tie the hypothesis that ended first stays
 * first. */
static void sort_by_score(Hypotheses *hypotheses)
{
    for (size_t i = 1; i < hypotheses->count; i++) {
        Hypothesis moved = hypotheses->items[i];
        size_t place = i;
        while (place > 0 && hypotheses->items[place - 1].score < moved.score) {
            hypotheses->items[place] = hypotheses->items[place - 1];
            place--;
        }
        hypotheses->items[place] = moved;
    }
}

static Status read_results(const Search *search, Hypotheses *results, Error *error)
{
    for (size_t i = 0; i < search->count; i++) {
        const Beam *beam = &search->beams[i];
        TRY(array_new(&results[i].items, beam->ended_count, "hypotheses", error));
        for (size_t h = 0; h < beam->ended_count; h++) {
            // counted before it is read, so that an unfinished one is freed with the others
            results[i].count++;
            TRY(read_hypothesis(search, beam->ended[h], beam->positions, &results[i].items[h],
                                error));
        }
        if (!search->options->sampling.wanted) sort_by_score(&results[i]);
    }
    return STATUS_OK;
}

void hypotheses_free(Hypotheses *hypotheses)
{
    for (size_t i = 0; i < hypotheses->count; i++) {
        memory_free(hypotheses->items[i].tokens);
        memory_free(hypotheses->items[i].alpha);
    }
    memory_free(hypotheses->items);
    *hypotheses = (Hypotheses){0};
}

Status beam_search(SearchModel *model, const TokenPair *sources, size_t count,
                   const SearchOptions *options, Hypotheses *results, Error *error)
{
    assert(options->beam >= 1 && options->beam <= MAX_BEAM);
    Search search;
    memset(results, 0, count * sizeof *results);
    Status status = search_new(&search, model, sources, count, options, error);
    if (!status)
        status = model->encode(model, search.sources, count, count * options->beam,
                               options->shortlist, error);
    if (!status) status = run(&search, error);
    if (!status) status = read_results(&search, results, error);
    if (status)
        for (size_t i = 0; i < count; i++) hypotheses_free(&results[i]);
    search_free(&search);
    return status;
}
