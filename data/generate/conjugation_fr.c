#include "conjugation_fr.h"
#include "emit.h"

#include <stdio.h>
#include <string.h>

typedef struct Irregular {
    const char *infinitive;
    const char *present; // je tu il nous vous ils; "-" where it cannot be
    const char *participle;
    const char *future;      // stem
    const char *subjunctive; // je tu il nous vous ils; NULL for the rule
} Irregular;

/* Also for compounds: revenir and devenir by venir, comprendre by prendre. */
static const Irregular irregular[] = {
    {"être", "suis es est sommes êtes sont", "été", "ser", "sois sois soit soyons soyez soient"},
    {"avoir", "ai as a avons avez ont", "eu", "aur", "aie aies ait ayons ayez aient"},
    {"aller", "vais vas va allons allez vont", "allé", "ir",
     "aille ailles aille allions alliez aillent"},
    {"faire", "fais fais fait faisons faites font", "fait", "fer",
     "fasse fasses fasse fassions fassiez fassent"},
    {"dire", "dis dis dit disons dites disent", "dit", "dir", NULL},
    {"voir", "vois vois voit voyons voyez voient", "vu", "verr", NULL},
    {"prévoir", "prévois prévois prévoit prévoyons prévoyez prévoient", "prévu", "prévoir", NULL},
    {"venir", "viens viens vient venons venez viennent", "venu", "viendr", NULL},
    {"tenir", "tiens tiens tient tenons tenez tiennent", "tenu", "tiendr", NULL},
    {"prendre", "prends prends prend prenons prenez prennent", "pris", "prendr", NULL},
    {"mettre", "mets mets met mettons mettez mettent", "mis", "mettr", NULL},
    {"pouvoir", "peux peux peut pouvons pouvez peuvent", "pu", "pourr",
     "puisse puisses puisse puissions puissiez puissent"},
    {"vouloir", "veux veux veut voulons voulez veulent", "voulu", "voudr",
     "veuille veuilles veuille voulions vouliez veuillent"},
    {"devoir", "dois dois doit devons devez doivent", "dû", "devr", NULL},
    {"savoir", "sais sais sait savons savez savent", "su", "saur",
     "sache saches sache sachions sachiez sachent"},
    {"connaître", "connais connais connaît connaissons connaissez connaissent", "connu", "connaîtr",
     NULL},
    {"naître", "nais nais naît naissons naissez naissent", "né", "naîtr", NULL},
    {"lire", "lis lis lit lisons lisez lisent", "lu", "lir", NULL},
    {"écrire", "écris écris écrit écrivons écrivez écrivent", "écrit", "écrir", NULL},
    {"rire", "ris ris rit rions riez rient", "ri", "rir", NULL},
    {"boire", "bois bois boit buvons buvez boivent", "bu", "boir", NULL},
    {"dormir", "dors dors dort dormons dormez dorment", "dormi", "dormir", NULL},
    {"partir", "pars pars part partons partez partent", "parti", "partir", NULL},
    {"sortir", "sors sors sort sortons sortez sortent", "sorti", "sortir", NULL},
    {"sentir", "sens sens sent sentons sentez sentent", "senti", "sentir", NULL},
    {"servir", "sers sers sert servons servez servent", "servi", "servir", NULL},
    {"ouvrir", "ouvre ouvres ouvre ouvrons ouvrez ouvrent", "ouvert", "ouvrir", NULL},
    {"offrir", "offre offres offre offrons offrez offrent", "offert", "offrir", NULL},
    {"recevoir", "reçois reçois reçoit recevons recevez reçoivent", "reçu", "recevr", NULL},
    {"croire", "crois crois croit croyons croyez croient", "cru", "croir", NULL},
    {"vivre", "vis vis vit vivons vivez vivent", "vécu", "vivr", NULL},
    {"suivre", "suis suis suit suivons suivez suivent", "suivi", "suivr", NULL},
    {"courir", "cours cours court courons courez courent", "couru", "courr", NULL},
    {"conduire", "conduis conduis conduit conduisons conduisez conduisent", "conduit", "conduir",
     NULL},
    {"joindre", "joins joins joint joignons joignez joignent", "joint", "joindr", NULL},
    {"traduire", "traduis traduis traduit traduisons traduisez traduisent", "traduit", "traduir",
     NULL},
    {"plaire", "plais plais plaît plaisons plaisez plaisent", "plu", "plair", NULL},
    {"pleuvoir", "- - pleut - - -", "plu", "pleuvr", NULL},
    {"falloir", "- - faut - - -", "fallu", "faudr", NULL},
    {"envoyer", "envoie envoies envoie envoyons envoyez envoient", "envoyé", "enverr", NULL},
    {"peindre", "peins peins peint peignons peignez peignent", "peint", "peindr", NULL},
    {"éteindre", "éteins éteins éteint éteignons éteignez éteignent", "éteint", "éteindr", NULL},
};

static bool ends_with(const char *text, const char *ending)
{
    size_t length = strlen(text), tail = strlen(ending);
    return length >= tail && strcmp(text + length - tail, ending) == 0;
}

// The longest irregular verb that the infinitive ends with; verbs in -er only as they are.
static const Irregular *find_irregular(const char *infinitive)
{
    const Irregular *best = NULL;
    bool whole_only = ends_with(infinitive, "er");
    for (size_t i = 0; i < sizeof irregular / sizeof *irregular; i++) {
        const Irregular *row = &irregular[i];
        bool fits = whole_only ? strcmp(infinitive, row->infinitive) == 0
                               : ends_with(infinitive, row->infinitive);
        if (fits && (!best || strlen(row->infinitive) > strlen(best->infinitive))) best = row;
    }
    return best;
}

// The place of a person in a table of six.
static size_t place_of(Agreement subject)
{
    return (size_t)(subject.person - 1) + (subject.plural ? 3 : 0);
}

static void nth_word(char *text, const char *list, size_t n)
{
    for (; n > 0; n--) list = strchr(list, ' ') + 1;
    size_t length = strcspn(list, " ");
    memcpy(text, list, length);
    text[length] = '\0';
}

/* The stem of a verb in -er as it is before a mute ending (jette, achète, préfère, paie); the e of
 * é_er verbs opens in the present only. */
static void open_stem(char *stem, const char *infinitive, bool future)
{
    static const char *const doubling[] = {"appeler", "rappeler", "jeter", NULL};
    size_t length = strlen(stem);
    for (size_t i = 0; doubling[i]; i++)
        if (strcmp(infinitive, doubling[i]) == 0) {
            stem[length] = stem[length - 1];
            stem[length + 1] = '\0';
            return;
        }
    if (stem[length - 1] == 'y') {
        stem[length - 1] = 'i';
        return;
    }
    // one consonant behind e or é: e → è always, é → è in the present
    if (length > 2 && stem[length - 2] == 'e' && !strchr("aeiou", stem[length - 1])) {
        char last = stem[length - 1];
        sprintf(stem + length - 2, "è%c", last);
    } else if (!future && length > 3 && memcmp(stem + length - 3, "é", 2) == 0) {
        memcpy(stem + length - 3, "è", 2);
    }
}

// manger before a, o: mange-; commencer: commenç-
static void soften(char *stem, const char *ending)
{
    size_t length = strlen(stem);
    if (!strchr("ao", ending[0])) return;
    if (stem[length - 1] == 'g')
        strcat(stem, "e");
    else if (stem[length - 1] == 'c')
        strcpy(stem + length - 1, "ç");
}

static void regular_present(char *text, const char *infinitive, size_t place)
{
    static const char *const er[] = {"e", "es", "e", "ons", "ez", "ent"};
    static const char *const ir[] = {"is", "is", "it", "issons", "issez", "issent"};
    static const char *const re[] = {"s", "s", "", "ons", "ez", "ent"};
    strcpy(text, infinitive);
    text[strlen(text) - 2] = '\0';
    if (ends_with(infinitive, "er")) {
        if (place < 3 || place == 5)
            open_stem(text, infinitive, false);
        else
            soften(text, er[place]);
        strcat(text, er[place]);
    } else {
        strcat(text, ends_with(infinitive, "ir") ? ir[place] : re[place]);
    }
}

static void present(char *text, const char *infinitive, size_t place)
{
    const Irregular *row = find_irregular(infinitive);
    if (!row) {
        regular_present(text, infinitive, place);
        return;
    }
    size_t prefix = strlen(infinitive) - strlen(row->infinitive);
    memcpy(text, infinitive, prefix);
    nth_word(text + prefix, row->present, place);
}

static void future_stem(char *text, const char *infinitive)
{
    const Irregular *row = find_irregular(infinitive);
    if (row) {
        size_t prefix = strlen(infinitive) - strlen(row->infinitive);
        memcpy(text, infinitive, prefix);
        strcpy(text + prefix, row->future);
        return;
    }
    strcpy(text, infinitive);
    size_t length = strlen(text);
    if (ends_with(infinitive, "er")) {
        text[length - 2] = '\0';
        open_stem(text, infinitive, true);
        strcat(text, "er");
    } else if (ends_with(infinitive, "re")) {
        text[length - 1] = '\0';
    }
}

// The stem of nous: finiss-, buv-, mang-; être has ét-.
static void imperfect_stem(char *text, const char *infinitive)
{
    if (strcmp(infinitive, "être") == 0) {
        strcpy(text, "ét");
        return;
    }
    if (strcmp(infinitive, "pleuvoir") == 0 || strcmp(infinitive, "falloir") == 0) {
        strcpy(text, infinitive[0] == 'p' ? "pleuv" : "fall");
        return;
    }
    present(text, infinitive, 3);
    text[strlen(text) - 3] = '\0';
}

static void imperfect(char *text, const char *infinitive, size_t place)
{
    static const char *const endings[] = {"ais", "ais", "ait", "ions", "iez", "aient"};
    imperfect_stem(text, infinitive);
    // mangeons gives mange-, commençons commenç-: before i the plain letter comes back
    if (endings[place][0] == 'i' && ends_with(infinitive, "er")) {
        strcpy(text, infinitive);
        text[strlen(text) - 2] = '\0';
    }
    strcat(text, endings[place]);
}

static void subjunctive(char *text, const char *infinitive, size_t place)
{
    static const char *const endings[] = {"e", "es", "e", "ions", "iez", "ent"};
    const Irregular *row = find_irregular(infinitive);
    if (row && row->subjunctive) {
        size_t prefix = strlen(infinitive) - strlen(row->infinitive);
        memcpy(text, infinitive, prefix);
        nth_word(text + prefix, row->subjunctive, place);
    } else if (place == 3 || place == 4) {
        imperfect(text, infinitive, place);
    } else {
        present(text, infinitive, 5);
        strcpy(text + strlen(text) - 3, endings[place]);
    }
}

// Like the present, without the s of -es and -as; être and the like take the subjunctive.
static void imperative(char *text, const char *infinitive, size_t place)
{
    const Irregular *row = find_irregular(infinitive);
    bool odd =
        row && (strcmp(row->infinitive, "être") == 0 || strcmp(row->infinitive, "avoir") == 0);
    if (odd)
        subjunctive(text, infinitive, place);
    else
        present(text, infinitive, place);
    if (place == 1 && (ends_with(text, "es") || ends_with(text, "as")))
        text[strlen(text) - 1] = '\0';
}

void conjugate(char *text, const char *infinitive, Tense tense, Agreement subject)
{
    static const char *const future[] = {"ai", "as", "a", "ons", "ez", "ont"};
    static const char *const conditional[] = {"ais", "ais", "ait", "ions", "iez", "aient"};
    size_t place = place_of(subject);
    switch (tense) {
    case TENSE_PRESENT:
        present(text, infinitive, place);
        break;
    case TENSE_IMPERFECT:
        imperfect(text, infinitive, place);
        break;
    case TENSE_SUBJUNCTIVE:
        subjunctive(text, infinitive, place);
        break;
    case TENSE_IMPERATIVE:
        imperative(text, infinitive, place);
        break;
    case TENSE_FUTURE:
    case TENSE_CONDITIONAL:
        future_stem(text, infinitive);
        strcat(text, (tense == TENSE_FUTURE ? future : conditional)[place]);
        break;
    }
    if (text[0] == '-') grammar_fault("a form that does not exist", infinitive);
}

void participle(char *text, const char *infinitive)
{
    const Irregular *row = find_irregular(infinitive);
    if (row) {
        size_t prefix = strlen(infinitive) - strlen(row->infinitive);
        memcpy(text, infinitive, prefix);
        strcpy(text + prefix, row->participle);
        return;
    }
    strcpy(text, infinitive);
    char *ending = text + strlen(text) - 2;
    strcpy(ending, ends_with(infinitive, "er") ? "é" : ends_with(infinitive, "ir") ? "i" : "u");
}

bool takes_etre(const char *infinitive)
{
    static const char list[] =
        "aller venir revenir devenir partir repartir arriver entrer rentrer rester "
        "tomber sortir monter descendre naître mourir retourner";
    return has_word(list, infinitive);
}
