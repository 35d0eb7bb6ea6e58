#include "search/beam.h"

#include "base/arena.h"
#include "base/array.h"
#include "base/memory.h"
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
    int32_t before; // the node before, or NO_NODE
    double log_p;   // of everything up to here
    size_t alpha;   // where this token's weights (matrices, S) begin in Search.alpha
} Node;

// A way to continue a live row.
typedef struct Candidate {
    double log_p;
    uint32_t row;
    int32_t token;
} Candidate;

// One sentence of the batch.
typedef struct Beam {
    size_t places;    // the beam less the hypotheses that have ended
    size_t first_row; // its live rows are neighbours
    size_t rows;
    size_t positions; // S
    size_t max_length;
    int32_t *ended; // (beam) last nodes of the hypotheses that have ended, in that order
    size_t ended_count;
} Beam;

typedef struct Search {
    SearchModel *model;
    const SearchOptions *options;
    Arena arena; // of all that does not grow
    Beam *beams; // (count)
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
    search->ended = arena_take(arena, rows, sizeof *search->ended);
    search->row_nodes = arena_take(arena, rows, sizeof *search->row_nodes);
    search->next_nodes = arena_take(arena, rows, sizeof *search->next_nodes);
    search->tokens = arena_take(arena, rows, sizeof *search->tokens);
    search->from = arena_take(arena, rows, sizeof *search->from);
    search->candidates = arena_take(arena, beam, sizeof *search->candidates);
}

static Status search_new(Search *search, SearchModel *model, const TokenPair *sources, size_t count,
                         const SearchOptions *options, Error *error)
{
    Arena measure = arena_measuring();
    *search = (Search){.model = model, .options = options, .count = count, .rows = count};
    layout(search, &measure, options->beam);
    TRY(arena_reserve(&search->arena, measure.high, error));
    layout(search, &search->arena, options->beam);
    for (size_t i = 0; i < count; i++) {
        search->beams[i] = (Beam){.places = options->beam,
                                  .first_row = i,
                                  .rows = 1,
                                  .positions = sources[i].source_length,
                                  .max_length = 2 * (size_t)sources[i].source_length + 10,
                                  .ended = search->ended + i * options->beam};
        search->row_nodes[i] = NO_NODE;
        search->tokens[i] = TOKEN_BOS;
    }
    return STATUS_OK;
}

static double log_p_of(const Search *search, int32_t node)
{
    return node == NO_NODE ? 0 : search->nodes[node].log_p;
}

/* Inserts a candidate among the best so far, best first, if it is one of them. On a tie the earlier
 * one stays in front, which orders ties by row and then token id. */
static size_t insert(Candidate *best, size_t count, size_t most, Candidate candidate)
{
    if (count == most && candidate.log_p <= best[count - 1].log_p) return count;
    size_t place = count < most ? count++ : count - 1;
    while (place > 0 && candidate.log_p > best[place - 1].log_p) {
        best[place] = best[place - 1];
        place--;
    }
    best[place] = candidate;
    return count;
}

enum { MAX_FLOOR = 16 }; // with more places a floor costs more than it saves

/* A logit that at least `most` tokens of a row reach: the `most`-th highest of the spans' maxima.
 * The first span is left out, since its maximum may be that of a special token, which is never
 * said. −inf if there are too few spans. */
static real floor_of(const TokenScores *scores, size_t spans, size_t most)
{
    real highest[MAX_FLOOR] = {0}; // descending
    size_t count = 0;
    assert(most > 0);
    if (most > MAX_FLOOR) return -(real)INFINITY;
    for (size_t span = 1; span < spans; span++) {
        real value = scores->maxima[span];
        if (count == most && !(value > highest[most - 1])) continue;
        size_t place = count < most ? count++ : most - 1;
        for (; place > 0 && value > highest[place - 1]; place--)
            highest[place] = highest[place - 1];
        highest[place] = value;
    }
    return count == most ? highest[most - 1] : -(real)INFINITY;
}

/* Adds the best ways to continue a row to those of the sentence's rows before it. Logits of one row
 * are compared as they are; subtracting log_z for each of V tokens would double the work. Most
 * spans are skipped by their maximum. Comparisons are written so that NaN is never taken. */
static size_t add_candidates(Search *search, size_t count, size_t most, uint32_t row, bool may_end)
{
    Candidate *best = search->candidates;
    TokenScores scores = search->model->scores(search->model, row);
    size_t spans = (scores.count + SEARCH_SPAN - 1) / SEARCH_SPAN;
    double before = log_p_of(search, search->row_nodes[row]) - (double)scores.log_z;
    // to be among the best a logit must exceed the bar (of full rows before) and reach the floor
    double bar = count == most ? best[most - 1].log_p - before : -INFINITY;
    real floor = count == most ? -(real)INFINITY : floor_of(&scores, spans, most);
    for (size_t span = 0; span < spans; span++) {
        if (!((double)scores.maxima[span] > bar) || scores.maxima[span] < floor) continue;
        size_t i = span ? span * SEARCH_SPAN : may_end ? TOKEN_EOS : TOKEN_EOS + 1;
        size_t end = (span + 1) * SEARCH_SPAN;
        if (end > scores.count) end = scores.count;
        for (; i < end; i++) {
            double logit = (double)scores.logits[i];
            if (!(logit > bar) || scores.logits[i] < floor) continue;
            int32_t token = scores.tokens ? scores.tokens[i] : (int32_t)i;
            count = insert(best, count, most, (Candidate){before + logit, row, token});
            if (count == most) bar = best[most - 1].log_p - before;
        }
    }
    return count;
}

/* The best ways to continue a sentence's rows, at most as many as it has places. */
static size_t find_candidates(Search *search, const Beam *beam, bool may_end)
{
    size_t count = 0, most = beam->places;
    Candidate *best = search->candidates;
    for (size_t row = beam->first_row; row < beam->first_row + beam->rows; row++)
        count = add_candidates(search, count, most, (uint32_t)row, may_end);
    // if every logit is NaN (a damaged model), end here, so that a line still comes out
    if (count == 0) best[count++] = (Candidate){-INFINITY, (uint32_t)beam->first_row, TOKEN_EOS};
    return count;
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
static Status add_node(Search *search, const Candidate *candidate, size_t positions, int32_t *node,
                       Error *error)
{
    size_t alpha = 0, needed = search->node_count + 1;
    if (needed > INT32_MAX) return error_memory(error, needed * sizeof(Node), "hypotheses");
    TRY(array_reserve(&search->nodes, &search->node_capacity, needed, "hypotheses", error));
    if (search->options->with_alpha)
        TRY(keep_alpha(search, candidate->row, positions, &alpha, error));
    *node = (int32_t)search->node_count++;
    search->nodes[*node] =
        (Node){candidate->token, search->row_nodes[candidate->row], candidate->log_p, alpha};
    return STATUS_OK;
}

/* Ends and continues one sentence's hypotheses at a step; its live rows become *next_row and those
 * after it. */
static Status advance_beam(Search *search, Beam *beam, size_t step, size_t *next_row, Error *error)
{
    size_t count = find_candidates(search, beam, step > 0);
    size_t first = *next_row;
    bool last = step + 1 >= beam->max_length;
    for (size_t i = 0; i < count; i++) {
        const Candidate *candidate = &search->candidates[i];
        int32_t node = NO_NODE;
        TRY(add_node(search, candidate, beam->positions, &node, error));
        if (candidate->token == TOKEN_EOS || last) {
            beam->ended[beam->ended_count++] = node;
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
        sort_by_score(&results[i]);
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
        status =
            model->encode(model, sources, count, count * options->beam, options->shortlist, error);
    if (!status) status = run(&search, error);
    if (!status) status = read_results(&search, results, error);
    if (status)
        for (size_t i = 0; i < count; i++) hypotheses_free(&results[i]);
    search_free(&search);
    return status;
}
