/* How a rule asks for a slot: `$A.past.not:T`, `$O.the+J`. */
#ifndef MANNER_H
#define MANNER_H

#include <stddef.h>

typedef enum Form {
    FORM_CALL, // the form the rule itself was called with
    FORM_PRESENT,
    FORM_PAST,       // English past, French passé composé
    FORM_PERFECT,    // English present perfect
    FORM_PROGRESS,   // is doing; French present
    FORM_PASTING,    // was doing; French imparfait
    FORM_FUTURE,     // will; French futur
    FORM_GOING,      // going to; French aller + infinitive
    FORM_WOULD,      // would; French conditionnel
    FORM_INFINITIVE, // bare
    FORM_ING,        // English gerund
    FORM_IMPERATIVE,
    FORM_SUBJUNCTIVE, // French
    FORM_LE,          // Chinese 了
    FORM_ASK          // 了 in a question: behind the object, if that is not a counted one
} Form;

typedef enum Negation { NEG_NONE, NEG_NOT, NEG_NEVER, NEG_NOMORE, NEG_NOTYET } Negation;

typedef enum Article {
    ARTICLE_NONE,
    ARTICLE_X, // a car, bread, shoes: une voiture, du pain, des chaussures; 一辆车, 面包
    ARTICLE_THE,
    ARTICLE_GENERIC, // cars, bread: les voitures, le pain
    ARTICLE_THIS,
    ARTICLE_THAT,
    ARTICLE_POSSESSIVE, // of the subject
    ARTICLE_NUMBER,     // of the slot after the plus
    ARTICLE_WHICH,
    ARTICLE_HOWMANY,
    ARTICLE_ANOTHER,
    ARTICLE_PRONOUN, // he, il, 他 for a person named before
    ARTICLE_OBJECT   // him, lui, 他
} Article;

// What is wanted of an adjective or a number.
typedef enum Degree {
    DEGREE_PLAIN,
    DEGREE_MORE,      // bigger, plus grand
    MAX_DEGREE,       // biggest, le plus grand
    DEGREE_PREDICATE, // Chinese 很大, 是红色的
    DEGREE_DIGITS,
    DEGREE_COUNTING, // Chinese 两 before a measure word
} Degree;

typedef struct Manner {
    char slot; // its name; 0 for a verb item
    Form form;
    Negation negation;
    Article article;
    Degree degree;
    char other;   // the slot after '+', or 0
    char subject; // the slot after ':', or 0
} Manner;

/* Reads `.past.not+J:T` up to the first '/' or the end; a fault on anything else. `item` is the
 * whole item, for the message. */
Manner manner_parse(const char *suffixes, const char *item);

#endif
