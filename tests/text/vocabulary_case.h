/* What the tests of vocabularies share: one read from a text, one learned from sentences, and the
 * text of one. */
#pragma once

#include "support/learned_vocabulary.h"
#include "support/suite.h"

#include <jansson.h>

#define SPACE "\xE2\x96\x81"

static inline Vocabulary *from_text(const char *text)
{
    Vocabulary *vocabulary;
    Error error = {0};
    Status status = vocabulary_read(&vocabulary, text, &error);
    ck_assert_msg(status == STATUS_OK, "%s", error.text);
    return vocabulary;
}

// A vocabulary from sentences in several scripts, some of which hold what is special.
static inline Vocabulary *learned(void)
{
    static const char *const sentences[] = {
        "The old man looked at the sea, and the sea looked back.",
        "L'homme regardait la mer, et la mer lui rendait son regard : \xC3\xA9trange !",
        "\xE8\x80\x81\xE4\xBA\xBA\xE7\x9C\x8B\xE7\x9D\x80\xE5\xA4\xA7\xE6\xB5\xB7\xE3\x80\x82",
        "It's 1984 <s> or 2001 </s>? <pad> <unk> <0xE2>",
        "caf\xC3\xA9 na\xC3\xAFve \xF0\x9F\x98\x80 \xF0\x9F\x98\x80",
    };
    Vocabulary *vocabulary =
        learned_vocabulary(sentences, sizeof sentences / sizeof *sentences, 420);
    ck_assert_uint_gt(vocabulary_size(vocabulary), 380);
    return vocabulary;
}

// The vocabulary's JSON, to be freed by free.
static inline char *dump(const Vocabulary *vocabulary)
{
    json_t *json = vocabulary_to_json(vocabulary);
    ck_assert_ptr_nonnull(json);
    char *text = json_dumps(json, JSON_COMPACT | JSON_SORT_KEYS);
    json_decref(json);
    return text;
}
