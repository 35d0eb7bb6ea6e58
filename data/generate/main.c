/* Generates the corpus: `generate data` rewrites data/en-fr and data/en-zh. The same seed gives the
 * same bytes. */
#include "corpus.h"
#include "derivation.h"
#include "render.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    SEED = 2026,
    ROWS = 13000, // test and validation included
    TEST = 500,
    VALID = 500,
    MAX_FRAMES = 512,
    TIRED = 60, // failures in a row after which a frame has said what it can
    MIN_UNITS = 3,
    MAX_UNITS_ENGLISH = 20
};

typedef struct Frame {
    const Rule *rule;
    size_t weight; // 0 once it is tired
    size_t failures;
    size_t said;
} Frame;

typedef struct Frames {
    Frame frames[MAX_FRAMES];
    size_t count;
    size_t weight;
} Frames;

static void collect_frames(Frames *frames)
{
    *frames = (Frames){0};
    for (size_t t = 0; t < table_count; t++) {
        for (size_t i = 0; i < tables[t]->count; i++) {
            const Rule *rule = &tables[t]->rules[i];
            if (!has_word(rule->classes, "sentence")) continue;
            if (frames->count == MAX_FRAMES) grammar_fault("too many frames", rule->text[ENGLISH]);
            size_t weight = rule_weight(rule);
            frames->frames[frames->count++] = (Frame){.rule = rule, .weight = weight};
            frames->weight += weight;
        }
    }
}

static Frame *choose_frame(Frames *frames, Picker *picker)
{
    size_t left = pick(picker, frames->weight);
    for (Frame *frame = frames->frames;; frame++) {
        if (left < frame->weight) return frame;
        left -= frame->weight;
    }
}

/* Says one sentence by this frame; false if it has been said before or has an odd length. The words
 * of what is said go into `vocabulary`, one set for each language. */
static bool say(Corpus *corpus, const Rule *rule, TextSet *vocabulary, Picker *picker)
{
    static Derivation derivation; // large
    static Sentence sentences[LANGUAGES];
    static Words words[LANGUAGES];
    const Phrase *phrase = derive(&derivation, rule, picker);
    bool short_forms = pick(picker, 2) == 0;
    for (Language l = 0; l < LANGUAGES; l++) {
        render(&words[l], phrase, l);
        join(&sentences[l], &words[l], l, short_forms);
    }
    size_t units = sentences[ENGLISH].unit_count;
    if (units < MIN_UNITS || units > MAX_UNITS_ENGLISH) return false;
    if (!corpus_add(corpus, sentences)) return false;
    for (Language l = 0; l < LANGUAGES; l++)
        for (size_t i = 0; i < words[l].count; i++)
            text_set_add(&vocabulary[l], words[l].words[i].text);
    return true;
}

static void say_all(Corpus *corpus, Frames *frames, TextSet *vocabulary, Picker *picker)
{
    while (corpus->count < ROWS && frames->weight > 0) {
        Frame *frame = choose_frame(frames, picker);
        if (say(corpus, frame->rule, vocabulary, picker)) {
            frame->failures = 0;
            frame->said++;
        } else if (++frame->failures == TIRED) {
            frames->weight -= frame->weight;
            frame->weight = 0;
        }
    }
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: generate DIRECTORY\n");
        return 2;
    }
    static Frames frames;
    static TextSet vocabulary[LANGUAGES]; // large
    Corpus corpus = corpus_new();
    Picker picker = {SEED};
    collect_frames(&frames);
    size_t everyday = corpus_write_everyday(&corpus, argv[1], "train", "everyday");
    size_t everyday_test = corpus_write_everyday(&corpus, argv[1], "test", "everyday-test");
    say_all(&corpus, &frames, vocabulary, &picker);
    size_t tired = 0;
    for (size_t i = 0; i < frames.count; i++) tired += frames.frames[i].weight == 0;
    if (corpus.count <= TEST + VALID) grammar_fault("too few sentences", "all frames");
    corpus_write_split(&corpus, argv[1], TEST, VALID, &picker);
    fprintf(stderr, "%zu rows by %zu frames (%zu of them used up), %zu and %zu everyday rows\n",
            corpus.count, frames.count, tired, everyday, everyday_test);
    fprintf(stderr, "words: %zu English, %zu French, %zu Chinese\n", vocabulary[ENGLISH].count,
            vocabulary[FRENCH].count, vocabulary[CHINESE].count);
    for (Language l = 0; l < LANGUAGES; l++) text_set_free(&vocabulary[l]);
    corpus_free(&corpus);
    return 0;
}
