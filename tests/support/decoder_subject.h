/* The decoder alone: teacher forcing from given s_0, y and annotations to the readouts. Any failure
 * fails the test. */
#pragma once

#include "decoder/teacher_forcing.h"

enum { MAX_STEPS = 16, MAX_SENTENCES = 24, MAX_HEADS = 2 };

typedef struct DecoderSubject {
    ParamList list;
    real *block, *grad_block;
    DecoderParams params;
    DecoderGrads dparams;
    DecoderSizes sizes;
    Arena source_arena, target_arena, arena;
    Ragged source, target;
    uint32_t order[MAX_SENTENCES]; // the source of each place of the target's order
    AttentionMemory memory;
    AttentionMemoryGrads dmemory;
    TeacherForcingActs acts;
    Matrix s_0;       // (B, D) what goes into the acts
    Matrix y;         // (N_t, E) time-major, likewise
    Matrix dreadouts; // (N_t, E): the loss is Σ r · dreadouts
    Matrix dr;        // (N_t, E)
    Matrix ds;        // (B, D)
    Matrix dconcat;   // (N_t, D+E+C)
    Matrix dmixed;    // (N_t, C)
    real scratch[MAX_HEADS * MAX_STEPS];
} DecoderSubject;

/* `order` (B) tells for each place of the target's order which source it belongs to. */
void decoder_subject_begin(DecoderSubject *subject, DecoderSizes sizes,
                           const uint32_t *source_lengths, const uint32_t *target_lengths,
                           const uint32_t *order, size_t count, size_t row_multiple);

void decoder_subject_end(DecoderSubject *subject);

void decoder_subject_copy_rows(Matrix to, Matrix from);

void decoder_subject_forward(DecoderSubject *subject);

// The memory's gradients start at 0, the parameters' go on.
void decoder_subject_backward(DecoderSubject *subject);

// A forward pass and Σ r · dreadouts, of a DecoderSubject.
double decoder_subject_loss(void *subject);

// Draws the parameters, and fills annotations, s_0, y and dreadouts.
void decoder_subject_draw(DecoderSubject *subject, double spread);
