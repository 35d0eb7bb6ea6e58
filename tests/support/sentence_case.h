// What the tests of texts of several sentences share: three of them, alone and in a line.
#pragma once

#include "support/small_session.h"

static TranslateOptions options_of(TextSplit split, size_t n_best)
{
    const SearchOptions search = {
        .beam = 5, .batch = 3, .length_normalization = 1, .with_alpha = true};
    return (TranslateOptions){.search = search, .n_best = n_best, .split = split};
}

static const char *const three[] = {"Die Katze schläft.", "Wo ist das Haus?",
                                    "Das Haus ist klein!"};
static const char line_of_three[] = " Die Katze\tschläft.   Wo ist das Haus? Das Haus ist klein!";

static void translate_three(size_t n_best, Translation sentences[3], Translation *line)
{
    TextView texts[3], text = text_view_of(line_of_three);
    for (size_t i = 0; i < 3; i++) texts[i] = text_view_of(three[i]);
    translate_all(texts, 3, options_of(SPLIT_SENTENCES, n_best), sentences);
    translate_all(&text, 1, options_of(SPLIT_SENTENCES, n_best), line);
    ck_assert_uint_eq(line->sentence_count, 3);
}
