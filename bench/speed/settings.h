// What the bench is told.
#pragma once

#include "cli/args/options.h"

typedef enum Isa { ISA_BEST, ISA_AVX2 } Isa;

typedef struct Settings {
    bool quick, large;
    Isa isa;
    const char *corpus; // NULL: the embedded one
    const char *only;   // names of sections, comma between; NULL: all
    const char *json;   // where the results go as JSON; NULL: nowhere
    const char *into;   // the folder for what is exchanged
    const char *regard; // the program that is started cold
    const char *python;
    const char *peer; // the peer's script
    bool no_peer;
    size_t rounds, batches, batch_tokens;
    size_t embedding, hidden, vocabulary;
    size_t threads; // 0: all processors
    size_t seed;
    size_t sentences; // decoded
    double seconds;   // of training before decoding
} Settings;

extern const Verb settings_verb;

// Fills in what is not given: less of everything if quick.
void settings_complete(Settings *settings, const Arguments *arguments);

// Sets in the environment what limits this program and those it starts to settings->isa, before any
// of them multiplies; false if out of memory.
bool settings_limit(const Settings *settings);

// Whether a section is to be run; STATUS_ARGUMENT at settings_check if a name is unknown.
bool settings_wants(const Settings *settings, const char *section);

// Whether every name in --only is one of those (count).
Status settings_check(const Settings *settings, const char *const *sections, size_t count,
                      Error *error);
