/* A derivation: a frame whose slots have been filled, the same for the three languages. */
#ifndef DERIVATION_H
#define DERIVATION_H

#include "grammar.h"
#include "pick.h"

enum { MAX_SLOTS = 8, MAX_PHRASES = 32 };

// What words agree with.
typedef struct Agreement {
    int person; // 1, 2, 3
    bool plural;
    bool polite; // French vous to one person: a plural verb, a singular adjective
    char gender; // m, f, n (English it)
} Agreement;

typedef enum SlotKind { SLOT_PHRASE, SLOT_NOUN, SLOT_ADJECTIVE, SLOT_NUMBER } SlotKind;

typedef struct Phrase Phrase;

typedef struct Slot {
    char name;
    SlotKind kind;
    unsigned scope; // its tags are its own
    const Phrase *phrase;
    const Noun *noun;
    bool plural;
    const Adjective *adjective;
    unsigned number;
} Slot;

struct Phrase {
    const Rule *rule;
    const Phrase *parent; // where a slot that the rule does not declare is looked up
    unsigned scope;
    Agreement agreement; // of rules for people
    Slot slots[MAX_SLOTS];
    size_t slot_count;
};

typedef struct Derivation {
    Phrase phrases[MAX_PHRASES];
    size_t count;
    unsigned scopes;
} Derivation;

// Fills the slots of `frame` at random. No noun, adjective or rule is used twice in one derivation.
const Phrase *derive(Derivation *derivation, const Rule *frame, Picker *picker);

// The slot called `name` in the phrase or the nearest phrase around it; a fault if there is none.
const Slot *find_slot(const Phrase *phrase, char name);

// What a verb or adjective agrees with if this slot is its subject.
Agreement slot_agreement(const Slot *slot, Language language);

// The weight of a rule: its `*n`, or 1.
size_t rule_weight(const Rule *rule);

#endif
