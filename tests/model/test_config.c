#include "model/config.h"

#include "support/suite.h"

#include <string.h>

static const ModelConfig good = {
    .source_vocabulary = 8000,
    .target_vocabulary = 6000,
    .embedding = 256,
    .hidden = 512,
    .decoder_hidden = 300,
    .attention_size = 128,
    .joint = false,
    .tied = true,
    .attention = "additive",
    .heads = 1,
};

// What config_check says of a config that it must refuse.
static void expect_refusal(ModelConfig config, const char *part)
{
    Error error = {0};
    ck_assert_int_eq(config_check(&config, &error), STATUS_ARGUMENT);
    ck_assert_int_eq(error.status, STATUS_ARGUMENT);
    assert_contains(error.text, part);
    ck_assert_int_eq(config_check(&config, NULL), STATUS_ARGUMENT);
}

TEST(accepts)
{
    assert_ok(config_check(&good, NULL));
    const ModelConfig least = {4, 4, 1, 1, 1, 1, true, false, "additive", 1, false, false, false};
    assert_ok(config_check(&least, NULL));
    const ModelConfig most = {1000000,
                              1000000,
                              CONFIG_MAX_SIZE,
                              CONFIG_MAX_SIZE,
                              CONFIG_MAX_SIZE,
                              CONFIG_MAX_SIZE,
                              true,
                              true,
                              "additive",
                              1,
                              false,
                              true,
                              false};
    assert_ok(config_check(&most, NULL));
}

TEST(refuses)
{
    ModelConfig config = good;
    config.embedding = 0;
    expect_refusal(config, "embedding is 0; it must be 1 to 16384");
    config = good;
    config.hidden = CONFIG_MAX_SIZE + 1;
    expect_refusal(config, "hidden is 16385");
    config = good;
    config.decoder_hidden = (size_t)-1;
    expect_refusal(config, "decoder_hidden is 18446744073709551615");
    config = good;
    config.attention_size = 0;
    expect_refusal(config, "attention_size");
    config = good;
    config.source_vocabulary = 3;
    expect_refusal(config, "source_vocabulary is 3; it must be 4 to 1000000");
    config = good;
    config.target_vocabulary = 1000001;
    expect_refusal(config, "target_vocabulary");
    config = good;
    config.joint = true;
    expect_refusal(config, "joint vocabulary has one size, not 8000 and 6000");
    config = good;
    config.self_attention = true;
    config.heads = 3; // of 2H = 1024
    expect_refusal(config, "3 heads");
    expect_refusal(config, "1024");
    config = good;
    strcpy(config.attention, "dott");
    expect_refusal(config, "no attention named dott");
}

TEST(json_and_back)
{
    for (int kind = 0; kind < 32; kind++) {
        ModelConfig config = good, read;
        config.embedding_in_annotations = kind & 16;
        config.conditional_gru = kind & 8;
        config.self_attention = kind & 4;
        config.heads = kind & 4 ? 8 : 1;
        config.joint = kind & 1;
        config.tied = kind & 2;
        if (config.joint) config.source_vocabulary = config.target_vocabulary;
        json_t *json = config_to_json(&config);
        ck_assert_ptr_nonnull(json);
        // files written before there were these do not name them
        ck_assert_int_eq(json_object_get(json, "conditional_gru") != NULL, config.conditional_gru);
        ck_assert_int_eq(json_object_get(json, "embedding_in_annotations") != NULL,
                         config.embedding_in_annotations);
        assert_ok(config_from_json(&read, json, NULL));
        ck_assert(!config_difference(&config, &read));
        json_decref(json);
    }
}

// What is said of the good config's JSON with `key` set to `value` (NULL: taken away).
static void expect_bad_json(const char *key, json_t *value, const char *part)
{
    ModelConfig read;
    Error error = {0};
    json_t *json = config_to_json(&good);
    if (value)
        json_object_set_new(json, key, value);
    else
        json_object_del(json, key);
    ck_assert_int_eq(config_from_json(&read, json, &error), STATUS_FORMAT);
    ck_assert_int_eq(error.status, STATUS_FORMAT);
    assert_contains(error.text, part);
    ck_assert_int_eq(config_from_json(&read, json, NULL), STATUS_FORMAT);
    json_decref(json);
}

TEST(refuses_json)
{
    static const char *const keys[] = {"source_vocabulary",
                                       "target_vocabulary",
                                       "embedding",
                                       "hidden",
                                       "decoder_hidden",
                                       "attention_size",
                                       "heads",
                                       "joint",
                                       "tied",
                                       "self_attention",
                                       "attention"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        expect_bad_json(keys[i], NULL, keys[i]);
        expect_bad_json(keys[i], json_null(), keys[i]);
        expect_bad_json(keys[i], json_array(), keys[i]);
    }
    expect_bad_json("heads", json_integer(0), "heads is 0");
    expect_bad_json("heads", json_string("1"), "heads");
    expect_bad_json("embedding", json_integer(-1), "embedding");
    expect_bad_json("embedding", json_real(256), "embedding");
    expect_bad_json("embedding", json_string("256"), "embedding");
    expect_bad_json("embedding", json_integer(0x7fffffffffffffff), "embedding is 922");
    expect_bad_json("tied", json_integer(1), "tied");
    expect_bad_json("attention", json_string(""), "attention");
    expect_bad_json("self_attention", json_integer(1), "self_attention");
    expect_bad_json("conditional_gru", json_integer(1), "conditional_gru");
    expect_bad_json("embedding_in_annotations", json_integer(1), "embedding_in_annotations");
    expect_bad_json("heads", json_string("4"), "heads");
    expect_bad_json("joint", json_true(), "8000 and 6000");
    // not cut to a name that is known, or to one that looks so
    expect_bad_json("attention", json_string("additive but not quite"), "additive but no");
}

TEST(refuses_what_is_no_object)
{
    ModelConfig read;
    json_t *array = json_array();
    ck_assert_int_eq(config_from_json(&read, array, NULL), STATUS_FORMAT);
    ck_assert_int_eq(config_from_json(&read, NULL, NULL), STATUS_FORMAT);
    json_decref(array);
}

TEST(equality_sees_every_field)
{
    ModelConfig others[13];
    for (size_t i = 0; i < 13; i++) others[i] = good;
    others[0].source_vocabulary++;
    others[1].target_vocabulary++;
    others[2].embedding++;
    others[3].hidden++;
    others[4].decoder_hidden++;
    others[5].attention_size++;
    others[6].joint = true;
    others[7].tied = false;
    strcpy(others[8].attention, "dot");
    others[9].heads++;
    others[10].self_attention = true;
    others[11].conditional_gru = true;
    others[12].embedding_in_annotations = true;
    ck_assert(!config_difference(&good, &good));
    for (size_t i = 0; i < 13; i++)
        ck_assert_msg(config_difference(&good, &others[i]), "field %zu", i);
}
