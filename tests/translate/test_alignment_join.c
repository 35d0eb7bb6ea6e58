// The alignment of a text of several sentences: that of its sentences, put together.

#include "base/memory.h"
#include "support/sentence_case.h"
#include "translate/alignment.h"

#include <string.h>

TEST(links_count_units_of_the_whole)
{
    Translation sentences[3], line;
    Alignment one = {0}, whole = {0};
    const UnitKind kinds[2] = {UNITS_WORDS, UNITS_CHARACTERS};
    LinkReading reading = reading_of_aligner(NULL);
    size_t sources = 0, targets = 0, links = 0;
    set_up(6);
    open_session(2);
    translate_three(1, sentences, &line);
    for (int links_only = 1; links_only >= 0; links_only--) {
        reading.links_only = links_only;
        assert_ok(alignment_set(&whole, &line, &line.renderings[0], kinds, &reading, NULL));
    }
    for (size_t i = 0; i < 3; i++) {
        const Rendering *rendering = &sentences[i].renderings[0];
        assert_ok(alignment_set(&one, &sentences[i], rendering, kinds, &reading, NULL));
        for (size_t l = 0; l < one.links.count; l++) {
            const Link link = {(uint32_t)sources + one.links.items[l].source,
                               (uint32_t)targets + one.links.items[l].target};
            ck_assert(links_contain(&whole.links, link));
        }
        links += one.links.count;
        sources += one.source_units.count;
        targets += one.target_units.count;
    }
    ck_assert_uint_eq(whole.links.count, links);
    ck_assert_uint_eq(whole.source_units.count, sources);
    ck_assert_uint_eq(whole.target_units.count, targets);
    alignment_free(&one);
    alignment_free(&whole);
    free_all(sentences, 3);
    translation_free(&line);
}

// The matrix of units joined of the sentences', and that of the subwords' joined matrix.
TEST(attention_is_joined)
{
    Translation line;
    TextView text = text_view_of(line_of_three);
    Alignment alignment = {0};
    SoftAlignment soft = {0};
    const UnitKind kinds[2] = {UNITS_WORDS, UNITS_WORDS};
    const LinkReading reading = reading_of_aligner(NULL);
    float *alpha;
    set_up(6);
    open_session(2);
    translate_all(&text, 1, options_of(SPLIT_SENTENCES, 1), &line);
    const Rendering *rendering = &line.renderings[0];
    assert_ok(alignment_set(&alignment, &line, rendering, kinds, &reading, NULL));
    assert_ok(attention_join(&alpha, &line, rendering, 1, NULL));
    const Subwords *subwords[2] = {&line.source_subwords, &rendering->subwords};
    SoftSide sides[2] = {
        {subwords[0]->ends, subwords[0]->count, &alignment.source_units, NULL},
        {subwords[1]->ends, subwords[1]->count, &alignment.target_units, NULL},
    };
    assert_ok(soft_alignment_set(&soft, alpha, sides[0], sides[1], NULL));
    ck_assert_uint_eq(soft.sources, alignment.soft.sources);
    ck_assert_uint_eq(soft.targets, alignment.soft.targets);
    for (size_t i = 0; i < soft.sources * soft.targets; i++)
        ck_assert_float_eq_tol(soft.weights[i], alignment.soft.weights[i], 1e-5F);
    size_t columns = subwords[0]->count + 1;
    for (size_t t = 0; t < subwords[1]->count; t++) {
        double sum = 0;
        for (size_t s = 0; s < columns; s++) sum += (double)alpha[t * columns + s];
        ck_assert_double_eq_tol(sum, 1, 1e-4);
    }
    soft_alignment_free(&soft);
    alignment_free(&alignment);
    memory_free(alpha);
    translation_free(&line);
}

TEST(too_large_a_matrix)
{
    Translation line;
    Bytes text = {0};
    Alignment alignment = {0};
    const UnitKind kinds[2] = {UNITS_CHARACTERS, UNITS_CHARACTERS};
    LinkReading reading = reading_of_aligner(NULL);
    TranslateOptions options = options_of(SPLIT_SENTENCES, 1);
    Error error;
    set_up(6);
    open_session(2);
    for (int i = 0; i < 800; i++)
        ck_assert_int_eq(bytes_append_string(&text, "Die Katze schläft im Haus. ", NULL), 0);
    options.search.beam = 1;
    TextView view_of_text = {text.data, text.length};
    translate_all(&view_of_text, 1, options, &line);
    ck_assert_uint_eq(line.sentence_count, 800);
    Rendering *rendering = &line.renderings[0];
    // many units of the target: the limit is of both
    for (int i = 0; i < 5000; i++) assert_ok(bytes_append_string(&rendering->text, "x y ", NULL));
    ck_assert_int_eq(alignment_set(&alignment, &line, rendering, kinds, &reading, &error),
                     STATUS_ARGUMENT);
    assert_contains(error.text, "ask for links alone, or give shorter texts");
    reading.links_only = true;
    assert_ok(alignment_set(&alignment, &line, rendering, kinds, &reading, NULL));
    alignment_free(&alignment);
    bytes_free(&text);
    translation_free(&line);
}
