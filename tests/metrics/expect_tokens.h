/* What a tokenizer makes of a text, for the tokenizers' tests. */
#pragma once

#include "base/bytes.h"
#include "support/suite.h"

#include <string.h>

// `text` and `tokens` are string literals, which may hold NULs.
#define expect_tokens(tokenize, text, tokens)                                                      \
    do {                                                                                           \
        Bytes line_ = {0};                                                                         \
        assert_ok(bytes_append_string(&line_, "", NULL));                                          \
        assert_ok(tokenize(text, sizeof(text) - 1, &line_, NULL));                                 \
        ck_assert_str_eq(line_.data, tokens);                                                      \
        ck_assert_uint_eq(line_.length, sizeof(tokens) - 1);                                       \
        bytes_free(&line_);                                                                        \
    } while (0)
