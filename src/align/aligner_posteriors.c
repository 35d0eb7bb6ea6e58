#include "align/aligner_posteriors.h"

#include "base/array.h"

/* Position p = 0 … I is that of the last state before an observation, 0 at the start; position p =
 * i + 1 is state i. */
typedef struct HmmSums {
    double *forward; // (J, I) α: states
    double *null;    // (J, I + 1) α of null, by position
    // (J, I + 1) β, by position: the same for a state and for the null word after it
    double *backward;
    double *scale;   // (J)
    double *width;   // (2I + 3) w(d) + ε / (I + 1) at d + I + 1
    double *turned;  // (2I + 3) likewise of -d
    double *inverse; // (I + 1) 1 / Z by position
    double *entry;   // (I) scratch
    double *leave;   // (I + 1) scratch
    double *jumps;   // (2I + 3) expected jumps by width
} HmmSums;

// A part of an array that holds several.
typedef struct Part {
    double **numbers; // (size)
    size_t size;
} Part;

// Gives each part its place in the array, which grows where need be.
static Status lay_out_parts(double **memory, size_t *capacity, const Part *parts, size_t count,
                            Error *error)
{
    size_t total = 0;
    for (size_t i = 0; i < count; i++) total += parts[i].size;
    TRY(array_reserve(memory, capacity, total, "aligning a pair", error));
    double *at = *memory;
    for (size_t i = 0; i < count; at += parts[i++].size) *parts[i].numbers = at;
    return STATUS_OK;
}

static Status lay_out(HmmSums *sums, HmmWork *work, size_t observations, size_t states,
                      Error *error)
{
    const size_t positions = states + 1, widths = 2 * states + 3;
    const Part parts[] = {{&sums->forward, observations * states},
                          {&sums->null, observations * positions},
                          {&sums->backward, observations * positions},
                          {&sums->scale, observations},
                          {&sums->width, widths},
                          {&sums->turned, widths},
                          {&sums->inverse, positions},
                          {&sums->entry, states},
                          {&sums->leave, positions},
                          {&sums->jumps, widths}};
    return lay_out_parts(&work->memory, &work->capacity, parts, sizeof parts / sizeof *parts,
                         error);
}

// ε. Of 0, 0.015 and 0.03 this had the lowest AER on the development sets of docs/notes/alignment.md.
static const double EVEN_JUMPS = 0.015;

// Where weights[] and jumps[] hold a width.
static size_t clipped(ptrdiff_t width)
{
    return (size_t)((width < -MAX_JUMP  ? -MAX_JUMP
                     : width > MAX_JUMP ? MAX_JUMP
                                        : width) +
                    MAX_JUMP);
}

static void spread_jumps(HmmSums *sums, const JumpModel *model, size_t states)
{
    ptrdiff_t last = (ptrdiff_t)states + 1;
    double even = EVEN_JUMPS / (double)last;
    for (ptrdiff_t d = -last; d <= last; d++) {
        sums->width[d + last] = model->weights[clipped(d)] + even;
        sums->turned[d + last] = model->weights[clipped(-d)] + even;
    }
    for (size_t p = 0; p <= states; p++) {
        double z = 0;
        for (size_t to = 1; to <= states + 1; to++) z += sums->width[to + (size_t)last - p];
        sums->inverse[p] = 1 / z;
    }
    memset(sums->jumps, 0, (2 * states + 3) * sizeof *sums->jumps);
}

// y += a x
static void add_scaled(double *restrict y, double a, const double *restrict x, size_t count)
{
    for (size_t i = 0; i < count; i++) y[i] += a * x[i];
}

/* leave[p] = (α of the state at p + α of null at p) / Z_p: what goes on to observation j, or to the end,
 * from each position before it. Returns how many positions there are. */
static size_t leave(HmmSums *sums, size_t j, size_t states)
{
    sums->leave[0] = sums->inverse[0];
    if (j == 0) return 1;
    const double *forward = sums->forward + (j - 1) * states;
    const double *null = sums->null + (j - 1) * (states + 1);
    sums->leave[0] = null[0] * sums->inverse[0];
    for (size_t p = 1; p <= states; p++)
        sums->leave[p] = (forward[p - 1] + null[p]) * sums->inverse[p];
    return states + 1;
}

// Returns log p(y | x) without the last jump.
static double run_forward(HmmSums *sums, const Lattice *lattice, double null)
{
    size_t states = lattice->states;
    double log_p = 0;
    memset(sums->null, 0, (states + 1) * sizeof(double));
    for (size_t j = 0; j < lattice->observations; j++) {
        double *forward = sums->forward + j * states, *nulls = sums->null + j * (states + 1);
        memset(forward, 0, states * sizeof *forward);
        const size_t positions = leave(sums, j, states);
        for (size_t p = 0; p < positions; p++) {
            nulls[p] = null * lattice->null[j] * sums->leave[p] / sums->inverse[p];
            add_scaled(forward, (1 - null) * sums->leave[p], sums->width + states + 2 - p, states);
        }
        double z = 0;
        for (size_t i = 0; i < states; i++) {
            forward[i] *= lattice->emissions[j * states + i];
            z += forward[i];
        }
        for (size_t p = 0; p <= states; p++) z += nulls[p];
        sums->scale[j] = 1 / z;
        for (size_t i = 0; i < states; i++) forward[i] /= z;
        for (size_t p = 0; p <= states; p++) nulls[p] /= z;
        log_p += log(z);
    }
    return log_p;
}

// entry[i] = (1 − p_0) t(y_j | x_i) β_j(i) / z_j: what observation j and all behind it are worth
// to state i.
static void enter(HmmSums *sums, const Lattice *lattice, size_t j, double null)
{
    const double *backward = sums->backward + j * (lattice->states + 1);
    const double *emissions = lattice->emissions + j * lattice->states;
    double factor = (1 - null) * sums->scale[j];
    for (size_t i = 0; i < lattice->states; i++)
        sums->entry[i] = factor * emissions[i] * backward[i + 1];
}

static void run_backward(HmmSums *sums, const Lattice *lattice, double null)
{
    size_t states = lattice->states, last = lattice->observations - 1;
    double *end = sums->backward + last * (states + 1);
    for (size_t p = 0; p <= states; p++)
        end[p] = sums->width[2 * states + 2 - p] * sums->inverse[p];
    for (size_t j = last; j-- > 0;) {
        double *backward = sums->backward + j * (states + 1), *next = backward + states + 1;
        double stay = null * lattice->null[j + 1] * sums->scale[j + 1];
        enter(sums, lattice, j + 1, null);
        memset(backward, 0, (states + 1) * sizeof *backward);
        for (size_t i = 0; i < states; i++) // width(i + 1 − p) = turned(p − i − 1)
            add_scaled(backward, sums->entry[i], sums->turned + states - i, states + 1);
        for (size_t p = 0; p <= states; p++)
            backward[p] = backward[p] * sums->inverse[p] + stay * next[p];
    }
}

/* Expected jumps, from p to i + 1 in front of each observation, and to I + 1 at the end; `p_end`
 * is the scaled p(y | x). */
static void count_jumps(double *jumps, HmmSums *sums, const Lattice *lattice, double null,
                        double p_end)
{
    size_t states = lattice->states, last = lattice->observations - 1;
    for (size_t j = 0; j <= last; j++) {
        const size_t positions = leave(sums, j, states);
        enter(sums, lattice, j, null);
        for (size_t p = 0; p < positions; p++) {
            double *widths = sums->jumps + states + 2 - p;
            const double *weights = sums->width + states + 2 - p;
            double from = sums->leave[p] / p_end;
            for (size_t i = 0; i < states; i++) widths[i] += from * weights[i] * sums->entry[i];
        }
    }
    leave(sums, last + 1, states);
    for (size_t p = 0; p <= states; p++)
        sums->jumps[2 * states + 2 - p] += sums->leave[p] * sums->width[2 * states + 2 - p] / p_end;
    ptrdiff_t reach = (ptrdiff_t)states + 1;
    for (ptrdiff_t d = -reach; d <= reach; d++) jumps[clipped(d)] += sums->jumps[d + reach];
}

Status hmm_posteriors(double *posteriors, HmmCounts *counts, HmmWork *work, const Lattice *lattice,
                      const JumpModel *model, Error *error)
{
    HmmSums sums;
    size_t states = lattice->states, last = lattice->observations - 1;
    TRY(lay_out(&sums, work, lattice->observations, states, error));
    spread_jumps(&sums, model, states);
    counts->log_p = run_forward(&sums, lattice, model->null);
    run_backward(&sums, lattice, model->null);
    double p_end = 0;
    const double *end = sums.backward + last * (states + 1);
    for (size_t i = 0; i < states; i++) p_end += sums.forward[last * states + i] * end[i + 1];
    for (size_t p = 0; p <= states; p++) p_end += sums.null[last * (states + 1) + p] * end[p];
    counts->log_p += log(p_end);
    for (size_t j = 0; j <= last; j++)
        for (size_t i = 0; i < states; i++)
            posteriors[j * states + i] =
                sums.forward[j * states + i] * sums.backward[j * (states + 1) + i + 1] / p_end;
    count_jumps(counts->jumps, &sums, lattice, model->null, p_end);
    return STATUS_OK;
}

void model1_posteriors(double *posteriors, const Lattice *lattice, double null)
{
    double state = (1 - null) / (double)lattice->states;
    for (size_t j = 0; j < lattice->observations; j++) {
        const double *emissions = lattice->emissions + j * lattice->states;
        double *row = posteriors + j * lattice->states;
        double z = null * lattice->null[j];
        for (size_t i = 0; i < lattice->states; i++) z += row[i] = state * emissions[i];
        for (size_t i = 0; i < lattice->states; i++) row[i] /= z;
    }
}

void hmm_work_free(HmmWork *work)
{
    memory_free(work->memory);
    *work = (HmmWork){0};
}

Status aligner_posteriors_begin(AlignerPosteriors *posteriors, size_t sources, size_t targets,
                                Error *error)
{
    const size_t links = sources * targets;
    const Part parts[] = {{&posteriors->forward, links},      {&posteriors->reverse, links},
                          {&posteriors->shared[0], links},    {&posteriors->shared[1], links},
                          {&posteriors->emissions[0], links}, {&posteriors->emissions[1], links},
                          {&posteriors->null[0], targets},    {&posteriors->null[1], sources}};
    TRY(lay_out_parts(&posteriors->memory, &posteriors->capacity, parts,
                      sizeof parts / sizeof *parts, error));
    TRY(array_reserve(&posteriors->words[0], &posteriors->words_capacity, sources + targets,
                      "aligning a pair", error));
    posteriors->sources = sources;
    posteriors->targets = targets;
    posteriors->words[1] = posteriors->words[0] + sources;
    return STATUS_OK;
}

// p(i, j) r(i, j), or 0 if these neighbours are not both Han characters.
static double lent(const AlignerPosteriors *posteriors, bool han, size_t i, size_t j)
{
    if (!han) return 0;
    return posteriors->forward[j * posteriors->sources + i] *
           posteriors->reverse[i * posteriors->targets + j];
}

// Sets shared[0] = p̂ and shared[1] = r̂, which under Model 1, where neighbours mean little, are p
// and r.
static void share(AlignerPosteriors *posteriors, bool hmm)
{
    size_t sources = posteriors->sources, targets = posteriors->targets;
    const AlignerWord *source = posteriors->words[0], *target = posteriors->words[1];
    for (size_t i = 0; i < sources; i++) {
        bool before = hmm && i > 0 && source[i].class.han && source[i - 1].class.han;
        bool behind = hmm && i + 1 < sources && source[i].class.han && source[i + 1].class.han;
        for (size_t j = 0; j < targets; j++) {
            bool left = hmm && j > 0 && target[j].class.han && target[j - 1].class.han;
            bool right = hmm && j + 1 < targets && target[j].class.han && target[j + 1].class.han;
            double p = posteriors->forward[j * sources + i];
            double r = posteriors->reverse[i * targets + j];
            p += lent(posteriors, before, i - 1, j) + lent(posteriors, behind, i + 1, j);
            r += lent(posteriors, left, i, j - 1) + lent(posteriors, right, i, j + 1);
            posteriors->shared[0][i * targets + j] = fmin(1, p);
            posteriors->shared[1][i * targets + j] = fmin(1, r);
        }
    }
}

Status aligner_posteriors_end(AlignerPosteriors *posteriors, const JumpModel jumps[2], bool hmm,
                              Error *error)
{
    const size_t counts[2] = {posteriors->sources, posteriors->targets};
    memset(posteriors->counts, 0, sizeof posteriors->counts);
    for (int d = 0; d < 2; d++) {
        Lattice lattice = {counts[1 - d], counts[d], posteriors->emissions[d], posteriors->null[d]};
        double *out = d ? posteriors->reverse : posteriors->forward;
        if (hmm)
            TRY(hmm_posteriors(out, &posteriors->counts[d], &posteriors->work, &lattice, &jumps[d],
                               error));
        else
            model1_posteriors(out, &lattice, jumps[d].null);
    }
    share(posteriors, hmm);
    return STATUS_OK;
}

void aligner_posteriors_free(AlignerPosteriors *posteriors)
{
    memory_free(posteriors->memory);
    memory_free(posteriors->words[0]);
    hmm_work_free(&posteriors->work);
    *posteriors = (AlignerPosteriors){0};
}

// Whether a token is a mark in units, of these numbers, that have a word as well.
static bool is_attached(const AlignerTokens *tokens, size_t token, const Spans *units, Span numbers)
{
    const Spans *places = &tokens->places;
    if (numbers.begin == numbers.end || !aligner_tokens_is_mark(tokens, token)) return false;
    size_t begin = units->items[numbers.begin].begin, end = units->items[numbers.end - 1].end;
    for (size_t k = token; k > 0 && places->items[k - 1].end > begin; k--)
        if (!aligner_tokens_is_mark(tokens, k - 1)) return true;
    for (size_t k = token + 1; k < places->count && places->items[k].begin < end; k++)
        if (!aligner_tokens_is_mark(tokens, k)) return true;
    return false;
}

// Of source token i and target token j.
static double read_posterior(const AlignerPosteriors *posteriors, size_t i, size_t j,
                             AlignerReading reading)
{
    double p = posteriors->forward[j * posteriors->sources + i];
    double r = posteriors->reverse[i * posteriors->targets + j];
    if (reading == ALIGNER_MEAN) return (p + r) / 2;
    return fmax(reading == ALIGNER_FORWARD ? p : r, aligner_posteriors_link(posteriors, i, j));
}

Status aligner_soft(SoftAlignment *soft, const AlignerPosteriors *posteriors, Error *error)
{
    size_t sources = posteriors->sources, targets = posteriors->targets;
    TRY(soft_alignment_clear(soft, targets, sources, error));
    for (size_t j = 0; j < targets; j++)
        for (size_t i = 0; i < sources; i++)
            soft->weights[j * sources + i] = (float)read_posterior(posteriors, i, j, ALIGNER_MEAN);
    return STATUS_OK;
}

static void raise(SoftAlignment *soft, float weight, Span source, Span target)
{
    for (size_t t = target.begin; t < target.end; t++)
        for (size_t s = source.begin; s < source.end; s++) {
            float *cell = &soft->weights[t * soft->sources + s];
            if (weight > *cell) *cell = weight;
        }
}

Status aligner_soft_of_units(SoftAlignment *soft, const AlignerPosteriors *posteriors,
                             AlignerReading reading, const AlignerTokens tokens[2],
                             const Spans *const units[2], Error *error)
{
    size_t first[2] = {0, 0};
    TRY(soft_alignment_clear(soft, units[1]->count, units[0]->count, error));
    for (size_t j = 0; j < posteriors->targets; j++) {
        const Span target = units_of_subword(units[1], tokens[1].places.items[j], &first[1]);
        bool attached = is_attached(&tokens[1], j, units[1], target);
        first[0] = 0;
        for (size_t i = 0; i < posteriors->sources; i++) {
            const Span source = units_of_subword(units[0], tokens[0].places.items[i], &first[0]);
            if (attached && is_attached(&tokens[0], i, units[0], source)) continue;
            raise(soft, (float)read_posterior(posteriors, i, j, reading), source, target);
        }
    }
    return STATUS_OK;
}
