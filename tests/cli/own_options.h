// A verb's table with an option of every kind, for the tests of cli/args/.
#pragma once

#include "cli/args/options.h"

#include <stdint.h>

typedef enum Colour { COLOUR_RED, COLOUR_GREEN, COLOUR_BLUE } Colour;

typedef struct Values {
    size_t hidden;
    size_t layers;
    double dropout;
    const char *model;
    OptionTexts train;
    Colour colour;
    unsigned metal;
    bool resume;
} Values;

static const char *const colours[] = {"red", "green", "blue", "ultramarine", NULL};
static const char *const metals[] = {"tin", "brass", NULL};

static const Option options[] = {
    OPTION_HEADING("Model"),
    OPTION_SIZE(Values, hidden, "hidden", "N", 1, 16384, "units of the encoder per direction"),
    OPTION_SIZE(Values, layers, "layers", "N", 1, SIZE_MAX, "layers",
                .otherwise = "as many as needed"),
    OPTION_REAL(Values, dropout, "dropout", "P", 0, 0.9, "share of units left out"),
    OPTION_HEADING("Files"),
    OPTION_TEXT(Values, model, "model", "FILE", "where the model goes", .required = true,
                .letter = 'm'),
    OPTION_TEXTS(Values, train, "train", "FILE", "sentence pairs to learn from", .input = true),
    OPTION_CHOICE(Values, colour, "colour", colours, "of the picture", .implied = "blue"),
    OPTION_CHOICE(Values, metal, "rim", metals, "of the frame"),
    OPTION_FLAG(Values, resume, "resume", "go on from the checkpoint"),
};

static const Values defaults = {.hidden = 256, .dropout = 0.2, .colour = COLOUR_GREEN};
