#include "bench/speed/operations.h"
#include "support/suite.h"

// E 2, H 3, D 4, A 5, V 7; 2 source and 3 target tokens.
TEST(by_hand)
{
    const ModelConfig config = {.embedding = 2,
                                .hidden = 3,
                                .decoder_hidden = 4,
                                .attention_size = 5,
                                .source_vocabulary = 9,
                                .target_vocabulary = 7};
    const TokenPair pair = {.source_length = 2, .target_length = 3};
    double encoder = 2 * (9 * 2 + 9 * 3);          // (3H, E) and (3H, H), there and back
    double key = 5 * 6, bridge = 4 * 6;            // (A, 2H), (D, 2H)
    double query = 5 * 4;                          // (A, D)
    double gru = 12 * (2 + 6) + 12 * 4;            // (3D, E + 2H), (3D, D)
    double readout = 2 * (4 + 2 + 6), logits = 14; // (E, D + E + 2H), (V, E)
    double looking = 5 + 6;                        // v and the mixture
    double products =
        2 * (encoder + key) + bridge + 3 * (query + gru + readout + logits) + 6 * looking;
    ck_assert_double_eq_tol(operations_of_pair(&config, &pair), 3 * 2 * products, 1e-9);
}
