#define _POSIX_C_SOURCE 200809L
#include "bench/speed/settings.h"

#include "base/threads.h"
#include "bench/speed/spread.h"

#include <stdlib.h>
#include <string.h>

static const char *const isa_names[] = {"best", "avx2", NULL};

static const Option options[] = {
    OPTION_HEADING("Measurements"),
    OPTION_TEXT(Settings, only, "only", "NAMES",
                "only some of machine,training,decoding,growth,memory", .otherwise = "all"),
    OPTION_FLAG(Settings, large, "large",
                "60 million parameters: E 512, 1024 units, 32,000 rows unless given"),
    OPTION_CHOICE(Settings, isa, "isa", isa_names,
                  "limit everybody, PyTorch too, to this instruction set: AVX2 and FMA"),
    OPTION_FLAG(Settings, quick, "quick", "less of everything: about a minute, and noisier"),
    OPTION_TEXT(Settings, corpus, "corpus", "PAIRS",
                "take lengths and subwords from this corpus, in a format of regard train",
                .otherwise = "the embedded English–French"),
    OPTION_SIZE(Settings, rounds, "rounds", "N", 1, MAX_ROUNDS,
                "rounds; in each, every contestant runs once", .otherwise = "7, quick 2"),
    OPTION_SIZE(Settings, batches, "batches", "N", 1, 10000, "training batches per round",
                .otherwise = "16, quick 3"),
    OPTION_SIZE(Settings, batch_tokens, "batch-tokens", "N", 1, 1000000, "tokens per batch"),
    OPTION_SIZE(Settings, embedding, "embedding", "N", 1, 16384, "E"),
    OPTION_SIZE(Settings, hidden, "hidden", "N", 1, 16384,
                "units of encoder, decoder and attention"),
    OPTION_SIZE(Settings, vocabulary, "vocab-size", "N", 300, 1000000,
                "rows of the embeddings, even if the corpus has fewer subwords"),
    OPTION_SIZE(Settings, threads, "threads", "N", 1, 1024, "threads for training and decoding",
                .otherwise = "all processors"),
    OPTION_SIZE(Settings, seed, "seed", "N", 0, 1000000, "random seed"),
    OPTION_SIZE(Settings, sentences, "sentences", "N", 1, 100000, "sentences to translate",
                .otherwise = "512, quick 64, a quarter of them one by one"),
    OPTION_REAL(Settings, seconds, "seconds", "S", 0, 3600,
                "seconds of training before decoding, so that translations have realistic lengths",
                .otherwise = "60, quick 4"),
    OPTION_HEADING("Files"),
    OPTION_TEXT(Settings, json, "json", "FILE", "the results as JSON too", .otherwise = "nowhere"),
    OPTION_TEXT(Settings, into, "into", "FOLDER", "where to put models and batches for PyTorch"),
    OPTION_TEXT(Settings, regard, "regard", "FILE", "the regard program"),
    OPTION_TEXT(Settings, python, "python", "FILE", "a Python that has PyTorch"),
    OPTION_TEXT(Settings, peer, "peer", "FILE", "the PyTorch script"),
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

const Verb settings_verb = {
    .name = "speed",
    .summary = "measure training and decoding speed, compared with PyTorch",
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
    if (settings->large) {
        if (!options_given(arguments, "embedding")) settings->embedding = 512;
        if (!options_given(arguments, "hidden")) settings->hidden = 1024;
        if (!options_given(arguments, "vocab-size")) settings->vocabulary = 32000;
    }
    if (!settings->threads) settings->threads = threads_available();
}

bool settings_limit(const Settings *settings)
{
    // Regard; oneDNN, in both; PyTorch's own kernels; OpenBLAS, in both
    static const char *const limits[][2] = {{"REGARD_ISA", "avx2"},
                                            {"DNNL_MAX_CPU_ISA", "AVX2"},
                                            {"ATEN_CPU_CAPABILITY", "avx2"},
                                            {"OPENBLAS_CORETYPE", "Haswell"}};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        if (settings->isa == ISA_AVX2 && setenv(limits[i][0], limits[i][1], 1)) return false;
    return true;
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
