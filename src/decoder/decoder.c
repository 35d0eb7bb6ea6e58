#include "decoder/decoder.h"

const char *const decoder_kind_names[] = {"gru", "conditional-gru", NULL};

void decoder_visit(DecoderParams *params, DecoderGrads *grads, ParamVisitor *visitor,
                   const DecoderSizes *sizes)
{
    size_t E = sizes->embedding, D = sizes->attention.decoder, width = sizes->attention.annotation;
    params->scorer = sizes->scorer;
    params->conditional = sizes->conditional;
    attention_visit(&params->attention, &grads->attention, visitor, "attention.", sizes->scorer,
                    &sizes->attention);
    if (sizes->conditional) {
        gru_visit(&params->gru, &grads->gru, visitor, "decoder.", "", (GruSizes){E, D});
        gru_visit(&params->second, &grads->second, visitor, "decoder.second.", "",
                  (GruSizes){width, D});
    } else {
        gru_visit(&params->gru, &grads->gru, visitor, "decoder.", "", (GruSizes){E + width, D});
        // y's part before, c's at each step
        param_use(visitor, "decoder.weight_ih")->split = E;
    }
    linear_visit(&params->readout, &grads->readout, visitor, "readout.", E, D + E + width);
}

static size_t state_width(const DecoderParams *params)
{
    return params->gru.weight_hh.matrix.columns; // D
}

static size_t input_width(const DecoderParams *params)
{
    return params->readout.weight.matrix.rows; // E
}

Matrix decoder_state_of(Matrix concat, const DecoderParams *params)
{
    return matrix_columns(concat, 0, state_width(params));
}

Matrix decoder_input_of(Matrix concat, const DecoderParams *params)
{
    return matrix_columns(concat, state_width(params), input_width(params));
}

Matrix decoder_context_of(Matrix concat, const DecoderParams *params)
{
    size_t first = state_width(params) + input_width(params);
    return matrix_columns(concat, first, concat.columns - first);
}

void decoder_step_layout(DecoderStep *step, Arena *arena, size_t rows, size_t capacity,
                         size_t scratch, const DecoderParams *params)
{
    size_t D = state_width(params);
    const AttentionWidths *widths = &params->attention.widths;
    *step = (DecoderStep){0};
    step->concat = matrix_take_padded(arena, rows, capacity, params->readout.weight.matrix.columns);
    step->s_before = matrix_take_padded(arena, rows, capacity, D);
    step->gates = matrix_take_padded(arena, rows, capacity, 3 * D);
    step->hn = matrix_take_padded(arena, rows, capacity, D);
    step->hidden = matrix_take(arena, scratch, 3 * D);
    if (params->conditional) {
        step->s_between = matrix_take_padded(arena, rows, capacity, D);
        step->second_gates = matrix_take_padded(arena, rows, capacity, 3 * D);
        step->second_hn = matrix_take_padded(arena, rows, capacity, D);
    }
    step->attention.query = matrix_take_padded(arena, rows, capacity, widths->query);
    step->attention.mixed = matrix_take_padded(arena, rows, capacity, widths->mixed);
}

void decoder_step_clear(DecoderStep *step, size_t states)
{
    const Matrix matrices[] = {step->concat, step->gates, step->attention.mixed, step->s_between,
                               step->second_gates};
    matrix_clear_padding(matrix_with_rows(step->s_before, states), step->s_before.rows);
    for (size_t i = 0; i < sizeof matrices / sizeof *matrices; i++) matrix_clear(matrices[i]);
}

// The columns of W_i that multiply c, (3D, C): of [W_iy W_ic], or all of the second transition's.
static Weight weight_of_context(const DecoderParams *params)
{
    size_t E = input_width(params);
    if (params->conditional) return params->second.weight_ih;
    return weight_columns(params->gru.weight_ih, E, params->gru.weight_ih.matrix.columns - E);
}

void decoder_input_forward(Matrix gates, Matrix y, const Ragged *ragged,
                           const DecoderParams *params)
{
    Weight weight = weight_columns(params->gru.weight_ih, 0, input_width(params)); // W_iy, (3D, E)
    product_forward(ragged_padded(gates, ragged), ragged_padded(y, ragged), weight, PRODUCT_SET);
}

// The step's rows of a matrix, rounded up.
static Matrix padded(Matrix matrix, const DecoderStep *step)
{
    return ragged_padded(matrix_with_rows(matrix, step->rows), step->ragged);
}

/* W_i [y; c] + b_i: y's part is there, c's is added. A product that is padded must not add to the
 * rows behind its own, which in teacher forcing are the next step's, so it goes by way of the
 * scratch. */
static void add_context(DecoderStep *step, const DecoderParams *params)
{
    const Kernels *k = kernels();
    Matrix context = padded(step->attention.context, step);
    if (step->ragged->row_multiple == 1) {
        product_forward(matrix_with_rows(step->gates, step->rows), context,
                        weight_of_context(params), PRODUCT_ADD);
        return;
    }
    Matrix part = padded(step->hidden, step);
    product_forward(part, context, weight_of_context(params), PRODUCT_SET);
    for (size_t i = 0; i < step->rows; i++)
        k->add(matrix_row(step->gates, i), matrix_row(part, i), part.columns);
}

Matrix decoder_query_state(const DecoderStep *step, const DecoderParams *params)
{
    return params->conditional ? step->s_between : step->s_before;
}

// The GRU's transition, or the conditional GRU's first.
static GruStep first_transition(const DecoderStep *step)
{
    return (GruStep){step->s_before, step->gates, step->hn, step->hidden};
}

static GruStep second_transition(const DecoderStep *step)
{
    return (GruStep){step->s_between, step->second_gates, step->second_hn, step->hidden};
}

// From h_before to h (n, D).
static void transition_forward(Matrix h, GruStep gru, const DecoderStep *step,
                               const GruParams *params)
{
    gru.h_before = padded(gru.h_before, step);
    gru.hidden = padded(gru.hidden, step);
    gru_step_forward(matrix_with_rows(h, step->rows), &gru, params);
}

// s'_t of the conditional GRU.
static void before_attention(DecoderStep *step, const DecoderParams *params)
{
    if (params->conditional)
        transition_forward(step->s_between, first_transition(step), step, &params->gru);
}

/* s_t, from the context. In the conditional GRU the rows that the product of the gates is rounded
 * up to are set again by the next step. */
static void after_attention(DecoderStep *step, const DecoderParams *params)
{
    Matrix s = decoder_state_of(step->concat, params);
    if (!params->conditional) {
        add_context(step, params);
        transition_forward(s, first_transition(step), step, &params->gru);
        return;
    }
    product_forward(padded(step->second_gates, step), padded(step->attention.context, step),
                    params->second.weight_ih, PRODUCT_SET);
    transition_forward(s, second_transition(step), step, &params->second);
}

void decoder_step_forward(DecoderStep *step, const AttentionMemory *memory,
                          const DecoderParams *params)
{
    before_attention(step, params);
    attention_step_forward(&step->attention, padded(decoder_query_state(step, params), step),
                           memory, &params->attention);
    after_attention(step, params);
}

void decoder_step_advance(DecoderStep *step, const DecoderParams *params)
{
    before_attention(step, params);
    after_attention(step, params);
}

void decoder_step_backward(Matrix ds, DecoderGrads *dparams, AttentionMemoryGrads *dmemory,
                           DecoderStep *step, const AttentionMemory *memory,
                           const DecoderParams *params)
{
    const Kernels *k = kernels();
    Matrix ds_readout = decoder_state_of(step->dconcat, params);
    Matrix dc = decoder_context_of(step->dconcat, params);
    const GruStep first = first_transition(step), second = second_transition(step);
    // s_t is seen by the readout and by the next step
    for (size_t i = 0; i < step->rows; i++)
        k->add(matrix_row(ds, i), matrix_row(ds_readout, i), ds.columns);
    if (params->conditional)
        gru_step_backward(ds, ds, &second, &params->second);
    else
        gru_step_backward(ds, ds, &first, &params->gru);
    // c_t is seen by the readout and by the transition
    Matrix dgates = params->conditional ? step->second_gates : step->gates;
    product_backward_input(dc, dgates, weight_of_context(params), PRODUCT_ADD);
    // the state that attention asks with is seen by that transition, whose part ds now holds
    step->attention.dcontext = dc;
    attention_step_backward(ds, &dparams->attention, dmemory, &step->attention, memory,
                            &params->attention);
    if (params->conditional) gru_step_backward(ds, ds, &first, &params->gru);
}
