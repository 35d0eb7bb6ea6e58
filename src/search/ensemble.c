#include "base/arena.h"
#include "base/array.h"
#include "search/search_model.h"

typedef struct Ensemble {
    SearchModel model; // first: search has a pointer to it
    SearchModel **members;
    size_t count, vocabulary;
    Arena arena;
    uint32_t *positions, *gathered; // (max_rows) source tokens of each row; scratch
    real *attention;                // (longest S) of the last row asked for
    real *p, *logits, *maxima;      // (V), (V), (search_spans)
    real *zeros;                    // (V)
} Ensemble;

static Ensemble *ensemble_of(SearchModel *model)
{
    return (Ensemble *)(void *)model;
}

static void layout(Ensemble *ensemble, Arena *arena, size_t max_rows, size_t longest)
{
    size_t V = ensemble->vocabulary;
    ensemble->positions = arena_take(arena, max_rows, sizeof *ensemble->positions);
    ensemble->gathered = arena_take(arena, max_rows, sizeof *ensemble->gathered);
    ensemble->attention = arena_take(arena, longest, sizeof(real));
    ensemble->p = arena_take(arena, V, sizeof(real));
    ensemble->logits = arena_take(arena, V, sizeof(real));
    ensemble->maxima = arena_take(arena, search_spans(V), sizeof(real));
    ensemble->zeros = arena_take(arena, V, sizeof(real));
}

static Status ensemble_encode(SearchModel *model, const TokenPair *sources, size_t count,
                              size_t max_rows, Scoring scoring, Error *error)
{
    scoring.shortlist = false; // candidates would be each member's own
    Ensemble *ensemble = ensemble_of(model);
    size_t longest = 0;
    for (size_t i = 0; i < count; i++)
        if (sources[i].source_length > longest) longest = sources[i].source_length;
    Arena *arena = &ensemble->arena;
    TRY(arena_lay_out(arena, layout(ensemble, arena, max_rows, longest), error));
    memset(ensemble->zeros, 0, ensemble->vocabulary * sizeof *ensemble->zeros);
    for (size_t i = 0; i < count; i++) ensemble->positions[i] = sources[i].source_length;
    for (size_t m = 0; m < ensemble->count; m++)
        TRY(ensemble->members[m]->encode(ensemble->members[m], sources, count, max_rows, scoring,
                                         error));
    return STATUS_OK;
}

static void ensemble_step(SearchModel *model, const int32_t *tokens)
{
    Ensemble *ensemble = ensemble_of(model);
    for (size_t m = 0; m < ensemble->count; m++)
        ensemble->members[m]->step(ensemble->members[m], tokens);
}

static TokenScores ensemble_scores(SearchModel *model, size_t row)
{
    const Kernels *k = kernels();
    Ensemble *ensemble = ensemble_of(model);
    size_t V = ensemble->vocabulary;
    memset(ensemble->p, 0, V * sizeof *ensemble->p);
    for (size_t m = 0; m < ensemble->count; m++) {
        const TokenScores scores = ensemble->members[m]->scores(ensemble->members[m], row);
        assert(scores.count == V && !scores.tokens);
        k->exponentials((Elements){.values = ensemble->logits}, scores.logits, ensemble->zeros,
                        scores.log_z, V);
        k->add_scaled(ensemble->p, 1 / (real)ensemble->count, ensemble->logits, V);
    }
    k->log(ensemble->logits, ensemble->p, V);
    search_maxima(ensemble->maxima, ensemble->logits, V);
    return (TokenScores){.count = V, .logits = ensemble->logits, .maxima = ensemble->maxima};
}

static const real *ensemble_attention(SearchModel *model, size_t row, size_t matrix)
{
    Ensemble *ensemble = ensemble_of(model);
    size_t positions = ensemble->positions[row];
    memset(ensemble->attention, 0, positions * sizeof *ensemble->attention);
    for (size_t m = 0; m < ensemble->count; m++)
        kernels()->add_scaled(ensemble->attention, 1 / (real)ensemble->count,
                              ensemble->members[m]->attention(ensemble->members[m], row, matrix),
                              positions);
    return ensemble->attention;
}

static void ensemble_gather(SearchModel *model, const uint32_t *from, size_t rows)
{
    Ensemble *ensemble = ensemble_of(model);
    for (size_t m = 0; m < ensemble->count; m++)
        ensemble->members[m]->gather(ensemble->members[m], from, rows);
    for (size_t i = 0; i < rows; i++) ensemble->gathered[i] = ensemble->positions[from[i]];
    memcpy(ensemble->positions, ensemble->gathered, rows * sizeof *ensemble->positions);
}

static void ensemble_free(SearchModel *model)
{
    Ensemble *ensemble = ensemble_of(model);
    for (size_t m = 0; m < ensemble->count; m++)
        if (ensemble->members[m]) ensemble->members[m]->free(ensemble->members[m]);
    memory_free(ensemble->members);
    arena_free(&ensemble->arena);
    memory_free(ensemble);
}

Status ensemble_new(SearchModel **out, SearchModel *const *members, size_t count, size_t vocabulary,
                    Error *error)
{
    Ensemble *ensemble = NULL;
    SearchModel **owned = NULL;
    Status status = array_new(&ensemble, 1, "an ensemble", error);
    if (!status) status = array_new(&owned, count, "an ensemble", error);
    if (status) {
        for (size_t m = 0; m < count; m++) members[m]->free(members[m]);
        memory_free(ensemble);
        return status;
    }
    memcpy(owned, members, count * sizeof *owned);
    *ensemble = (Ensemble){.model = {.matrices = 1,
                                     .encode = ensemble_encode,
                                     .step = ensemble_step,
                                     .scores = ensemble_scores,
                                     .attention = ensemble_attention,
                                     .gather = ensemble_gather,
                                     .free = ensemble_free},
                           .members = owned,
                           .count = count,
                           .vocabulary = vocabulary};
    *out = &ensemble->model;
    return STATUS_OK;
}
