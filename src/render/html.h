/* Soft alignments of many pairs as one page that needs nothing else: pointing at a word, or moving
 * to it with the arrow keys, lights up the words on the other side with their weights. The page
 * itself is page.html, page.css and page.js beside this file (render/page.h); this writes the pairs
 * into it, one after the other, so that no number of them fills memory.
 *
 *     html_begin(&out, &page);
 *     html_add(&out, &page, &pair, number);   // for each pair
 *     html_end(&out);
 *
 * The pairs stand in the page as JSON:
 *
 *     {"model": "m.safetensors", "attention": "additive", "units": ["words", "words"], "heads": 1,
 *      "ramp": ["#101448", …], "pairs": [{"words": {"source": ["the", " cat"], "target": ["chat"],
 *      "weights": ["ABPo"]}, "subwords": {…}}, …]}
 *
 * A word has the space that stands before it. `ramp` has the colours of 0, 0.01, … 1
 * (render/colour_map.h). "weights" has a string for each matrix, which holds its numbers row by row, in
 * thousandths, as digits of base 64 (A … Z a … z 0 … 9 + /): a number is two digits, of which the
 * first is at most P (1000 = 15 · 64 + 40); a digit from Q to / stands for 1 … 48 zeros. Attention
 * is mostly zeros. */
#ifndef REGARD_RENDER_HTML_H
#define REGARD_RENDER_HTML_H

#include "align/units.h"
#include "base/writer.h"

// What the page says of itself. Strings of UTF-8, not owned.
typedef struct HtmlPage {
    const char *model;     // the name of what made the alignments
    const char *attention; // the name of its scorer
    const char *units[2];  // what the words of either side are: "words", "characters"
    size_t heads;          // of attention, ≥ 1
} HtmlPage;

// How many matrices a pair has: one, or with several heads their mean and then each of them.
size_t html_matrices(size_t heads);

// A pair in one kind of unit.
typedef struct HtmlView {
    Labels source, target;
    const float *const *weights; // (matrices), each (target, source), row-major, in 0 … 1
} HtmlView;

typedef struct HtmlPair {
    HtmlView words;
    HtmlView subwords; // subwords, with </s>
} HtmlPair;

/* Each writes its part of the page, and fails with STATUS_ARGUMENT for text that is not UTF-8.
 * `number` counts the pairs from 0. */
void html_begin(Writer *out, const HtmlPage *page);
void html_add(Writer *out, const HtmlPage *page, const HtmlPair *pair, size_t number);
void html_end(Writer *out);

#endif
