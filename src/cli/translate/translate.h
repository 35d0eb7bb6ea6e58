// `regard translate`: what its two ways, line by line and a whole document, share.
#pragma once

#include "cli/alignment_writer.h"
#include "cli/languages.h"
#include "cli/model_alignment.h"
#include "cli/model_options.h"
#include "cli/terminal.h"
#include "cli/unit_choice.h"

typedef enum BeamTreeFormat { BEAM_TREE_NONE, BEAM_TREE_JSON, BEAM_TREE_SVG } BeamTreeFormat;

// How words that are more likely wrong than right are marked: not, as ⟦word⟧, or in a colour.
typedef enum UncertainStyle { UNCERTAIN_NONE, UNCERTAIN_MARK, UNCERTAIN_COLOR } UncertainStyle;
extern const char *const uncertain_styles[]; // "none", "mark", "color", NULL

typedef struct TranslateValues {
    ModelOptions model;
    TranslateOptions translate;
    size_t samples, seed;
    const char *prefix, *glossary;
    OptionTexts what_if[ASK_KINDS], memories;
    BeamTreeFormat beam_tree;
    AlignmentFormat alignment;
    bool json, html, attributes_stay, markdown;
    UncertainStyle uncertain;
    double min_confidence;
    LinkSource from;
    UnitChoice units;
} TranslateValues;

typedef struct TranslateRun {
    const TranslateValues *values;
    TranslateOptions translate;
    OpenModel model;
    size_t window; // texts translated together, so that those of like length can be found
    WorkProgress progress;
    LanguageWatch language;
    TranslationMemory *memory; // NULL: none
    Glossary *glossary;        // NULL: none
    WhatIfRequest what_if;
    Svg trees;             // of all lines
    bool lists;            // several translations of each line
    bool draws;            // alignments instead of the texts
    bool doubts;           // marks what is doubtful, or leaves it untranslated
    size_t left;           // sentences left untranslated
    Confidence confidence; // scratch
    ModelAlignment alignment;
    AlignmentWriter writer; // if it draws
    Output *output;
} TranslateRun;

/* Translates the lines of a file, or of standard input, in order. What a program writes before it
 * waits for translations is answered at once. */
Status translate_lines(TranslateRun *run, const Arguments *arguments, Error *error);

/* Translates a file or standard input as one document of HTML or Markdown, which is held in memory:
 * STATUS_FORMAT if it is longer than 64 MiB. */
Status translate_document(TranslateRun *run, const char *path, Error *error);

/* Writes a rendering's text as --uncertain and --min-confidence want it: words with a probability
 * below ½ are marked, and sentences below the least confidence are left in the source's language and
 * counted in run->left. */
void doubts_write(Writer *out, TranslateRun *run, const Translation *translation,
                  const Rendering *rendering);
