/* The four tokens that every vocabulary begins with and the network itself must know. */
#ifndef REGARD_TEXT_SPECIAL_TOKENS_H
#define REGARD_TEXT_SPECIAL_TOKENS_H

enum {
    TOKEN_PAD = 0, // <pad> fills nothing here; its place is kept for other programs
    TOKEN_UNK = 1, // <unk> never occurs: unknown characters are spelt in bytes
    TOKEN_BOS = 2, // <s>   what the decoder reads first
    TOKEN_EOS = 3, // </s>  ends every sentence, source and target
};

#endif
