/* The four tokens that begin every vocabulary and that the network itself uses. */
#pragma once

enum {
    TOKEN_PAD = 0, // <pad> is not used here; its id is kept for other programs
    TOKEN_UNK = 1, // <unk> does not occur: unknown characters are spelt in bytes
    TOKEN_BOS = 2, // <s>   is the decoder's first input
    TOKEN_EOS = 3, // </s>  ends every sentence, source and target
};
