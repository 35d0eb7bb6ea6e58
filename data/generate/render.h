/* Turns a derivation into words, one language at a time. render.c reads the rules; english.c,
 * french.c and chinese.c know what a noun or a verb looks like in each. */
#ifndef RENDER_H
#define RENDER_H

#include "derivation.h"
#include "emit.h"
#include "manner.h"

typedef struct Render {
    Language language;
    Words *out;
    Words clitics; // French: waiting for the verb
    Words adverbs; // French: waiting for the finite verb; Chinese: 了, for the end of the phrase
    bool negated;  // a piece of bread is no bread now: pas de pain, any bread
} Render;

// A verb as a rule asks for it.
typedef struct VerbItem {
    char lemma[WORD_SIZE];
    Form form;
    Negation negation;
    Agreement subject;
    unsigned scope;
    Tags tags;
} VerbItem;

// Renders a whole frame.
void render(Words *out, const Phrase *frame, Language language);

// The agreement of the possessor or subject: the slot named, or S; '&' is S and F together.
Agreement subject_of(const Phrase *phrase, char name, Language language);

// `tags` with every one weak: for articles, auxiliaries and the like.
Tags weak_tags(const Tags *tags);

void english_noun(Render *render, const Phrase *phrase, const Slot *slot, Manner manner);
void english_adjective(Render *render, const Slot *slot, Manner manner);
void english_verb(Render *render, const VerbItem *verb);
void english_number(char *text, unsigned number);

void french_noun(Render *render, const Phrase *phrase, const Slot *slot, Manner manner);
void french_adjective(Render *render, const Phrase *phrase, const Slot *slot, Manner manner);
void french_verb(Render *render, const VerbItem *verb);
void french_number(char *text, unsigned number, bool feminine);

void chinese_noun(Render *render, const Phrase *phrase, const Slot *slot, Manner manner);
void chinese_adjective(Render *render, const Slot *slot, Manner manner);
// What stands before a verb phrase called with this form and negation: 在, 会, 没, 不 …; where the
// phrase begins with 在 no second one.
void chinese_prefix(Render *render, const Phrase *phrase, Manner manner);
void chinese_number(char *text, unsigned number, bool counting);

#endif
