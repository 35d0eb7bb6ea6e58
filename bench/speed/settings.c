#include "bench/speed/settings.h"

#include "base/threads.h"
#include "bench/speed/spread.h"

#include <string.h>

static const Option options[] = {
    OPTION_HEADING("What is measured"),
    OPTION_TEXT(Settings, only, "only", "NAMES",
                "of machine,training,decoding,growth,memory only these", .otherwise = "all"),
    OPTION_FLAG(Settings, quick, "quick", "less of everything: under a minute, and noisier"),
    OPTION_TEXT(Settings, corpus, "corpus", "PAIRS",
                "whose lengths and subwords the batches have, as regard train reads it",
                .otherwise = "the embedded English–French"),
    OPTION_SIZE(Settings, rounds, "rounds", "N", 1, MAX_ROUNDS,
                "rounds, in each of which all take their turn", .otherwise = "7, quick 2"),
    OPTION_SIZE(Settings, batches, "batches", "N", 1, 10000, "batches of training in a round",
                .otherwise = "16, quick 3"),
    OPTION_SIZE(Settings, batch_tokens, "batch-tokens", "N", 1, 1000000, "of a batch"),
    OPTION_SIZE(Settings, embedding, "embedding", "N", 1, 16384, "E"),
    OPTION_SIZE(Settings, hidden, "hidden", "N", 1, 16384,
                "units of encoder, decoder and attention"),
    OPTION_SIZE(Settings, vocabulary, "vocab-size", "N", 300, 1000000,
                "rows of the embeddings, however many subwords the corpus makes"),
    OPTION_SIZE(Settings, threads, "threads", "N", 1, 1024, "threads of training and decoding",
                .otherwise = "all processors"),
    OPTION_SIZE(Settings, seed, "seed", "N", 0, 1000000, "of the first weights and the batches"),
    OPTION_SIZE(Settings, sentences, "sentences", "N", 1, 100000, "sources that are decoded",
                .otherwise = "512, quick 64, a quarter of them one by one"),
    OPTION_REAL(Settings, seconds, "seconds", "S", 0, 3600,
                "of training before decoding, so that translations have natural lengths",
                .otherwise = "60, quick 4"),
    OPTION_HEADING("Where things are"),
    OPTION_TEXT(Settings, json, "json", "FILE", "the results as JSON too", .otherwise = "nowhere"),
    OPTION_TEXT(Settings, into, "into", "FOLDER", "where models and batches are put for the peer"),
    OPTION_TEXT(Settings, regard, "regard", "FILE", "the program, to be started cold"),
    OPTION_TEXT(Settings, python, "python", "FILE", "a Python that has PyTorch"),
    OPTION_TEXT(Settings, peer, "peer", "FILE", "the peer's script"),
    OPTION_FLAG(Settings, no_peer, "no-peer", "leave PyTorch out"),
};

static const Settings defaults = {.into = "build/speed",
                                  .regard = "./regard",
                                  .python = "/usr/bin/python3",
                                  .peer = "bench/peer_torch.py",
                                  .batch_tokens = 1500,
                                  .embedding = 256,
                                  .hidden = 256,
                                  .vocabulary = 8000,
                                  .seed = 1};

const Syntax settings_syntax = {
    .verb = "speed",
    .summary = "measure how fast this machine trains and translates, beside PyTorch",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .defaults = &defaults,
    .values_size = sizeof defaults,
};

void settings_complete(Settings *settings, const Arguments *arguments)
{
    bool quick = settings->quick;
    if (!options_given(arguments, "rounds")) settings->rounds = quick ? 2 : 7;
    if (!options_given(arguments, "batches")) settings->batches = quick ? 3 : 16;
    if (!options_given(arguments, "sentences")) settings->sentences = quick ? 64 : 512;
    if (!options_given(arguments, "seconds")) settings->seconds = quick ? 4 : 60;
    if (!settings->threads) settings->threads = threads_available();
}

/* The next name of a list and its length; NULL at the end. */
static const char *next_name(const char **list, size_t *length)
{
    if (!*list) return NULL;
    const char *name = *list, *comma = strchr(name, ',');
    *length = comma ? (size_t)(comma - name) : strlen(name);
    *list = comma ? comma + 1 : NULL;
    return name;
}

static bool names(const char *name, size_t length, const char *section)
{
    return strlen(section) == length && memcmp(name, section, length) == 0;
}

bool settings_wants(const Settings *settings, const char *section)
{
    const char *list = settings->only, *name;
    size_t length;
    while ((name = next_name(&list, &length)))
        if (names(name, length, section)) return true;
    return !settings->only;
}

Status settings_check(const Settings *settings, const char *const *sections, size_t count,
                      Error *error)
{
    const char *list = settings->only, *name;
    size_t length;
    while ((name = next_name(&list, &length))) {
        bool known = false;
        for (size_t i = 0; i < count; i++) known |= names(name, length, sections[i]);
        if (!known)
            return error_set(error, STATUS_ARGUMENT, "--only: there is no section \"%.*s\"",
                             (int)(length < 100 ? length : 100), name);
    }
    return STATUS_OK;
}
