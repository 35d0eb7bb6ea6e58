/* Soft alignments of many pairs as one self-contained page: pointing at a word, or moving to it
 * with the arrow keys, highlights the words on the other side with their weights. The page itself
 * is page.html, page.css and page.js beside this file; the pairs are written into it one by one, so
 * their number does not matter for memory.
 *
 *     html_begin(&out, &page);
 *     html_add(&out, &page, &pair, number);   // for each pair
 *     html_end(&out);
 *
 * The data are JSON within the page:
 *
 *     {"model": "m.safetensors", "attention": "additive", "units": ["words", "words"],
 *      "heads": 1,
 *      "pairs": [{"words": {"source": ["the", " cat"], "target": ["chat"], "weights": ["ABPo"]},
 *                 "subwords": {…}, "links": "0-0 1-0"}, …]}
 *
 * "shows", if it is there, says what the weights are if not attention. "links", if they are there,
 * are those of the words. A pair that was compared has "differ": the links of words that only the
 * attention has, and those that only the aligner has.
 *
 * A word includes the space before it. "weights" holds a string per matrix: its numbers row by row, in
 * thousandths, as digits of base 64 (A … Z a … z 0 … 9 + /). A number is two digits, of which the
 * first is at most P (1000 = 15 · 64 + 40); a digit from Q to / stands for 1 … 48 zeros, because
 * attention is mostly zeros. */
#pragma once

#include "render/pictures.h"

// The page's heading: strings, not owned; of which what is not UTF-8 becomes U+FFFD.
typedef struct HtmlPage {
    const char *model;     // the file's name
    const char *attention; // the scorer's name; "" without one
    const char *shows;     // what the weights are, if not attention; else NULL
    UnitKind units[2];     // of source and target
    size_t heads;          // of attention, ≥ 1
} HtmlPage;

// The number of matrices of a pair: one, or with several heads their mean and then each head's.
size_t html_matrices(size_t heads);

/* Each writes its part of the page, and fails with STATUS_ARGUMENT for text that is not UTF-8.
 * `number` counts the pairs from 0. */
void html_begin(Writer *out, const HtmlPage *page);
void html_add(Writer *out, const HtmlPage *page, const AlignedPair *pair, size_t number);
void html_end(Writer *out);

/* The page, embedded by the build (tools/embed): UTF-8, NUL-terminated. PAGE_PAIRS marks the place
 * of the JSON. */
#define PAGE_PAIRS "{{pairs}}"
extern const char page_html[];
