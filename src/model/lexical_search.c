#include "model/lexical_search.h"

#include "base/arena.h"
#include "base/array.h"

#include <math.h>

// A unit in a source.
typedef struct SourceUnit {
    size_t begin, end; // its tokens
    LexiconRun runs[MAX_UNIT_ENTRIES];
    size_t count;
} SourceUnit;

// What a row said last, the newest at the end.
typedef struct Said {
    size_t sentence;
    const SourceUnit *looked_at; // mostly, when its next token was scored; NULL: no unit
    const SourceUnit *taken;     // what the network is translating in words of its own; NULL: none
    uint16_t tokens[MAX_UNIT_TOKENS];
} Said;

// A token that the lexicon says may come next, by its place among the scores.
typedef struct Proposal {
    size_t place;
    double weight; // w
} Proposal;

typedef struct Lexical {
    SearchModel model; // first: search has a pointer to it
    SearchModel *member;
    const Lexicon *lexicon;
    size_t vocabulary, rows;
    double share; // λ
    Arena arena;
    size_t *begins;      // (sentences + 1) where the units of each begin
    SourceUnit *units;   // (begins[sentences])
    Said *said;          // (max_rows)
    Said *gathered;      // (max_rows) scratch
    Proposal *proposals; // (MAX_UNIT_ENTRIES × most units of a sentence) of the row asked for last
    size_t proposal_count; // of them, each of another token
    real *logits, *maxima; // (V), (search_spans) of the row asked for last
} Lexical;

static Lexical *lexical_of(SearchModel *model)
{
    return (Lexical *)(void *)model;
}

static void layout(Lexical *lexical, Arena *arena, size_t sentences, size_t max_rows, size_t tokens)
{
    const size_t units = tokens; // at most
    lexical->begins = arena_take(arena, sentences + 1, sizeof *lexical->begins);
    lexical->units = arena_take(arena, units, sizeof *lexical->units);
    lexical->said = arena_take(arena, max_rows, sizeof *lexical->said);
    lexical->gathered = arena_take(arena, max_rows, sizeof *lexical->gathered);
    lexical->proposals = arena_take(arena, units * MAX_UNIT_ENTRIES, sizeof *lexical->proposals);
    lexical->logits = arena_take(arena, lexical->vocabulary, sizeof(real));
    lexical->maxima = arena_take(arena, search_spans(lexical->vocabulary), sizeof(real));
}

// Finds the units of a source, the longest first, and returns how many there are.
static size_t find_units(SourceUnit *units, const Lexicon *lexicon, const TokenPair *source)
{
    size_t found = 0;
    for (size_t begin = 0, end; begin < source->source_length; begin = end) {
        SourceUnit unit = {.begin = begin};
        end = lexicon_longest(unit.runs, &unit.count, lexicon, source->source,
                              source->source_length, begin);
        unit.end = end;
        if (end > begin)
            units[found++] = unit;
        else
            end++;
    }
    return found;
}

static Status lexical_encode(SearchModel *model, const TokenPair *sources, size_t count,
                             size_t max_rows, Scoring scoring, Error *error)
{
    Lexical *lexical = lexical_of(model);
    size_t tokens = 0;
    for (size_t i = 0; i < count; i++) tokens += sources[i].source_length;
    Arena *arena = &lexical->arena;
    TRY(arena_lay_out(arena, layout(lexical, arena, count, max_rows, tokens), error));
    lexical->share = scoring.lexicon;
    lexical->rows = count;
    lexical->begins[0] = 0;
    memset(lexical->said, 0, count * sizeof *lexical->said);
    for (size_t i = 0; i < count; i++) {
        const size_t begin = lexical->begins[i];
        lexical->said[i].sentence = i;
        lexical->begins[i + 1] =
            begin + (scoring.lexicon > 0
                         ? find_units(lexical->units + begin, lexical->lexicon, &sources[i])
                         : 0);
    }
    return lexical->member->encode(lexical->member, sources, count, max_rows, scoring, error);
}

// How many tokens of a translation, the most, what was said ends with.
static size_t begun(const LexiconRun *run, const Said *said)
{
    size_t count = run->count;
    while (count > 0 && memcmp(run->tokens, said->tokens + MAX_UNIT_TOKENS - count,
                               count * sizeof *run->tokens) != 0)
        count--;
    return count;
}

static bool has_begun(const SourceUnit *unit, const Said *said)
{
    size_t most = 0;
    for (size_t i = 0; i < unit->count; i++) most += begun(&unit->runs[i], said);
    return most > 0;
}

static void lexical_step(SearchModel *model, const int32_t *tokens)
{
    Lexical *lexical = lexical_of(model);
    for (size_t row = 0; row < lexical->rows; row++) {
        Said *said = &lexical->said[row];
        memmove(said->tokens, said->tokens + 1, (MAX_UNIT_TOKENS - 1) * sizeof *said->tokens);
        said->tokens[MAX_UNIT_TOKENS - 1] = (uint16_t)tokens[row];
        const SourceUnit *unit = said->looked_at;
        said->taken = unit && !has_begun(unit, said) ? unit : NULL;
    }
    lexical->member->step(lexical->member, tokens);
}

static void propose(Lexical *lexical, const TokenScores *scores, int32_t token, double weight)
{
    const size_t place = token_scores_place(scores, token);
    if (place == scores->count) return;
    for (size_t i = 0; i < lexical->proposal_count; i++)
        if (lexical->proposals[i].place == place) {
            lexical->proposals[i].weight += weight;
            return;
        }
    lexical->proposals[lexical->proposal_count++] = (Proposal){place, weight};
}

// Proposes what a unit, looked at so much, may stand for.
static void propose_unit(Lexical *lexical, const TokenScores *scores, const SourceUnit *unit,
                         const Said *said, double attention)
{
    size_t next[MAX_UNIT_ENTRIES];
    double going_on = 0;
    for (size_t i = 0; i < unit->count; i++) {
        next[i] = begun(&unit->runs[i], said);
        if (next[i] == unit->runs[i].count) return;
        if (next[i] > 0) going_on += unit->runs[i].p;
    }
    for (size_t i = 0; i < unit->count; i++) {
        const LexiconRun *run = &unit->runs[i];
        if (going_on > 0 && next[i] == 0) continue;
        const double p = going_on > 0 ? run->p / going_on : run->p;
        propose(lexical, scores, run->tokens[next[i]], attention * p);
    }
}

/* Mixes the proposals in. With p(y) = exp(logit − log_z), 1 − λ Σ w is taken into log_z, so that only
 * the proposals' logits change, and grow. */
static void mix(const Lexical *lexical, TokenScores *scores)
{
    double total = 0;
    for (size_t i = 0; i < lexical->proposal_count; i++) total += lexical->proposals[i].weight;
    const double rest = 1 - lexical->share * total, log_z = scores->log_z;
    memcpy(lexical->logits, scores->logits, scores->count * sizeof *lexical->logits);
    memcpy(lexical->maxima, scores->maxima, search_spans(scores->count) * sizeof *lexical->maxima);
    for (size_t i = 0; i < lexical->proposal_count; i++) {
        const Proposal *proposal = &lexical->proposals[i];
        real *logit = &lexical->logits[proposal->place];
        real *maximum = &lexical->maxima[proposal->place / SEARCH_SPAN];
        *logit =
            (real)(log(exp(*logit - log_z) + lexical->share * proposal->weight / rest) + log_z);
        if (*logit > *maximum) *maximum = *logit;
    }
    scores->logits = lexical->logits;
    scores->maxima = lexical->maxima;
    scores->log_z = (real)(log_z - log(rest));
}

static TokenScores lexical_scores(SearchModel *model, size_t row)
{
    Lexical *lexical = lexical_of(model);
    Said *said = &lexical->said[row];
    const size_t begin = lexical->begins[said->sentence];
    const size_t end = lexical->begins[said->sentence + 1];
    TokenScores scores = lexical->member->scores(lexical->member, row);
    if (begin == end) return scores;
    const real *attention = lexical->member->attention(lexical->member, row, 0);
    lexical->proposal_count = 0;
    said->looked_at = NULL;
    for (size_t i = begin; i < end; i++) {
        const SourceUnit *unit = &lexical->units[i];
        double sum = 0;
        for (size_t j = unit->begin; j < unit->end; j++) sum += attention[j];
        if (sum >= MOST_ATTENTION) said->looked_at = unit;
        if (sum >= LEAST_ATTENTION && unit != said->taken)
            propose_unit(lexical, &scores, unit, said, sum);
    }
    if (lexical->proposal_count > 0) mix(lexical, &scores);
    return scores;
}

static const real *lexical_attention(SearchModel *model, size_t row, size_t matrix)
{
    Lexical *lexical = lexical_of(model);
    return lexical->member->attention(lexical->member, row, matrix);
}

static void lexical_gather(SearchModel *model, const uint32_t *from, size_t rows)
{
    Lexical *lexical = lexical_of(model);
    for (size_t i = 0; i < rows; i++) lexical->gathered[i] = lexical->said[from[i]];
    memcpy(lexical->said, lexical->gathered, rows * sizeof *lexical->said);
    lexical->rows = rows;
    lexical->member->gather(lexical->member, from, rows);
}

static void lexical_free(SearchModel *model)
{
    Lexical *lexical = lexical_of(model);
    lexical->member->free(lexical->member);
    arena_free(&lexical->arena);
    memory_free(lexical);
}

Status lexical_search_new(SearchModel **out, SearchModel *member, const Lexicon *lexicon,
                          size_t vocabulary, Error *error)
{
    Lexical *lexical;
    assert(lexicon->count > 0);
    *out = NULL;
    Status status = array_new(&lexical, 1, "a lexicon", error);
    if (status) {
        member->free(member);
        return status;
    }
    lexical->model = (SearchModel){.matrices = member->matrices,
                                   .encode = lexical_encode,
                                   .step = lexical_step,
                                   .scores = lexical_scores,
                                   .attention = lexical_attention,
                                   .gather = lexical_gather,
                                   .free = lexical_free};
    lexical->member = member;
    lexical->lexicon = lexicon;
    lexical->vocabulary = vocabulary;
    *out = &lexical->model;
    return STATUS_OK;
}
