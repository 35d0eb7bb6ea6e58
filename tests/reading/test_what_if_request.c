// What people ask of a translation, for a source of a few subwords.
#include "reading/what_if_request.h"
#include "support/learned_vocabulary.h"
#include "support/suite.h"

static Vocabulary *vocabulary;
static Subwords subwords;
static const TextView source = {"the cat and the dog", 19};

static void set_up(void)
{
    static const char *const texts[] = {"the cat and the dog", "le chat et le chien"};
    vocabulary = learned_vocabulary(texts, 2, 420);
    assert_ok(vocabulary_encode(vocabulary, source.data, source.length, &subwords, NULL));
    ck_assert_uint_eq(subwords.count, 5);
}

static void tear_down(void)
{
    subwords_free(&subwords);
    vocabulary_free(vocabulary);
}

TESTS_SHARE(set_up, .remove = tear_down)

// The request: as many texts of each kind, in their order, as are given.
static WhatIfRequest request_of(const char *const *items)
{
    WhatIfRequest request = {0};
    for (int kind = 0; kind < ASK_KINDS; kind++) {
        size_t *count = &request.counts[kind];
        for (; *items; items++) request.items[kind][(*count)++] = *items;
        items++;
    }
    return request;
}

#define REQUEST(...) request_of((const char *const[]){__VA_ARGS__})

TEST(what_is_read)
{
    WhatIf what_if;
    const WhatIfRequest request = REQUEST("the", "0", "1", NULL, "0:2=0.5", "0:4=0.5", "1:2=1",
                                          NULL, "2:chat", "4:le", NULL, "2:chat", "3:le", NULL);
    ck_assert(what_if_is_asked(&request));
    ck_assert(!what_if_is_asked(&(WhatIfRequest){0}));
    assert_ok(what_if_read(&what_if, &request, source, &subwords, vocabulary, NULL));
    static const uint32_t forbidden[] = {0, 3, 1};
    ck_assert_uint_eq(what_if.forbidden_count, 3);
    for (size_t i = 0; i < 3; i++) ck_assert_uint_eq(what_if.forbidden[i], forbidden[i]);
    ck_assert_uint_eq(what_if.weight_count, 3);
    ck_assert(what_if.weights[1].step == 0 && what_if.weights[1].source == 4);
    ck_assert_uint_eq(what_if.word_count, 4);
    ck_assert(what_if.words[0].forced && !what_if.words[2].forced && what_if.words[3].step == 3);
}

TEST(what_is_refused)
{
    static const char *const cases[][ASK_KINDS + 1] = {
        {"6", NULL, NULL, NULL, "0 to 5"},
        {"cow", NULL, NULL, NULL, "the source has no such word"},
        {"ca", NULL, NULL, NULL, "the source has no such word"},
        {NULL, "1", NULL, NULL, "not STEP:SUBWORD=WEIGHT"},
        {NULL, "1:2", NULL, NULL, "not STEP:SUBWORD=WEIGHT"},
        {NULL, "x:2=1", NULL, NULL, "not STEP:SUBWORD=WEIGHT"},
        {NULL, "1:2=", NULL, NULL, "the weight is not a number"},
        {NULL, "1:2=x", NULL, NULL, "the weight is not a number"},
        {NULL, "1:2=2", NULL, NULL, "the weight is not a number"},
        {NULL, "1:2=-1", NULL, NULL, "the weight is not a number"},
        {NULL, "1:6=1", NULL, NULL, "0 to 5"},
        {"2", "1:2=1", NULL, NULL, "that subword is forbidden"},
        {NULL, NULL, "chat", NULL, "not STEP:WORD"},
        {NULL, NULL, "2:", NULL, "not STEP:WORD"},
        {NULL, NULL, "90:chat", NULL, "no translation is as long"},
        {NULL, NULL, NULL, "2: ", "not a word of at most 16 subwords"},
        {NULL, NULL, NULL, "2:xqzvwkjxqzvwkjxqzvwkj", "not a word of at most 16 subwords"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        WhatIfRequest request = {0};
        WhatIf what_if;
        Error error = {0};
        for (int kind = 0; kind < ASK_KINDS; kind++)
            if (cases[i][kind]) request.items[kind][request.counts[kind]++] = cases[i][kind];
        ck_assert_msg(what_if_read(&what_if, &request, source, &subwords, vocabulary, &error) ==
                          STATUS_ARGUMENT,
                      "case %zu", i);
        ck_assert_msg(strstr(error.text, cases[i][ASK_KINDS]) != NULL, "%s", error.text);
    }
}

static void expect_refused(WhatIfRequest request, const char *reason)
{
    WhatIf what_if;
    Error error = {0};
    ck_assert_int_eq(what_if_read(&what_if, &request, source, &subwords, vocabulary, &error),
                     STATUS_ARGUMENT);
    ck_assert_msg(strstr(error.text, reason) != NULL, "%s", error.text);
}

TEST(what_does_not_go_together)
{
    WhatIfRequest many = {0};
    char steps[MAX_WHAT_IFS][16];
    expect_refused(REQUEST("0", "1", "2", "3", "4", "5", NULL, NULL, NULL, NULL),
                   "nothing of the source is left");
    expect_refused(REQUEST(NULL, "1:2=0.1", "1:2=0.1", NULL, NULL, NULL), "given twice");
    expect_refused(REQUEST(NULL, "1:2=0.6", "1:3=0.6", NULL, NULL, NULL), "more than 1");
    expect_refused(REQUEST(NULL, NULL, "1:le", "1:chat", NULL, NULL), "another word is forced");
    for (int i = 0; i < MAX_WHAT_IFS; i++) {
        (void)snprintf(steps[i], sizeof steps[i], "%d:le", i % 16);
        many.items[ASK_FORBID][many.counts[ASK_FORBID]++] = steps[i];
    }
    expect_refused(many, "too many words");
}
