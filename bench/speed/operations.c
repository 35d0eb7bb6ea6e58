#include "bench/speed/operations.h"

double operations_of_pair(const ModelConfig *config, const TokenPair *pair)
{
    double S = pair->source_length, T = pair->target_length;
    double E = (double)config->embedding, H = (double)config->hidden;
    double D = (double)config->decoder_hidden, A = (double)config->attention_size;
    double V = (double)config->target_vocabulary;
    double width = (double)config_annotation_width(config); // C
    double encoder = 2 * (3 * H * (E + H));                 // both directions, of a source token
    double key = width * A;                                 // U_a h_j
    double bridge = D * width;                              // of a sentence
    double query = D * A;                                   // W_a s, of a target token
    double looking = A + width;           // vᵀ tanh(…) and α h, of every pair of tokens
    double gru = 3 * D * (E + width + D); // W_i [y; c] and W_h s
    if (config->conditional_gru) gru += 3 * D * D;        // W_h s' of the second transition
    double readout = E * (D + E + width), logits = V * E; // W_r [s; y; c] and E_out r
    double products =
        S * (encoder + key) + bridge + T * (query + gru + readout + logits) + T * S * looking;
    return 3 * 2 * products;
}
