#include "translate/dictionary.h"

#include "base/array.h"
#include "text/utf8.h"

// Chosen on tests/robustness/words.tsv.
static const double LEAST_SHARE = 0.2, LEAST_OF_SAID = 0.5, LEAST_OF_THREE_WORDS = 0.6;
// Of the links of a word's first character, that another of the word has at least.
static const double LEAST_OF_LINKS = 0.3, LEAST_OF_THREE = 0.6;
static const double LEAST_LINKS = 2;

// Whether the text, in normal form, is one word: letters alone, of Han at most MAX_HAN_WORD.
static bool is_one_word(TextView text)
{
    size_t han = 0;
    for (size_t at = 0; at < text.length;) {
        uint32_t c = utf8_next(text.data, text.length, &at);
        if (!utf8_is_letter(c)) return false;
        han += utf8_is_han(c);
    }
    return text.length > 0 && han <= MAX_HAN_WORD;
}

// Appends a word in lower case as the text is written: as it is, with a capital, or in capitals.
static Status append_in_case(Bytes *out, TextView sense, TextView model, Error *error)
{
    size_t first = 0;
    bool capital = utf8_is_upper(utf8_next(model.data, model.length, &first));
    bool capitals = capital && first < model.length &&
                    !utf8_has(model.data + first, model.length - first, utf8_is_lower);
    for (size_t at = 0; at < sense.length;) {
        bool begins = at == 0;
        char bytes[4];
        uint32_t c = utf8_next(sense.data, sense.length, &at);
        if (capitals) c = utf8_to_upper(c);
        if (capital && begins) c = utf8_to_title(c);
        TRY(bytes_append(out, bytes, utf8_encode(c, bytes), error));
    }
    return STATUS_OK;
}

/* Whether a text is a word, in whatever case, with one other at most, such as its article, or two if
 * the text is likely, as in "mot de passe"; of one in Han nothing but the word. */
static Status is_word(bool *is, TextView text, double text_p, TextView word, Error *error)
{
    FREED_BY(aligner_tokens_free) AlignerTokens tokens = {0};
    TRY(aligner_tokens_set(&tokens, text.data, text.length, error));
    bool has = false;
    size_t words = 0;
    for (size_t i = 0; i < tokens.places.count; i++) {
        TextView token = aligner_tokens_spelling(&tokens, i);
        words += !aligner_tokens_is_mark(&tokens, i);
        has |= text_view_equal(token, word);
    }
    *is = (has && words <= (text_p >= LEAST_OF_THREE_WORDS ? 3 : 2)) ||
          (text.length >= word.length && !memcmp(text.data, word.data, word.length) &&
           !utf8_has(text.data + word.length, text.length - word.length, utf8_is_letter));
    return STATUS_OK;
}

Status dictionary_choose(Bytes *answer, const Senses *senses, TextView word, TextView said,
                         double said_p, Error *error)
{
    const Sense *best = senses->items;
    const TextView sense = {best->word, strlen(best->word)};
    bool same;
    if (!is_one_word(word)) return STATUS_OK;
    if (senses->count == 0 || best->share < LEAST_SHARE || best->share <= LEAST_OF_SAID * said_p)
        return STATUS_OK;
    TRY(is_word(&same, said, said_p, sense, error));
    return same ? STATUS_OK : append_in_case(answer, sense, word, error);
}

enum { MAX_PROPOSALS = 16 };

// Words that may be made of characters.
typedef struct Proposals {
    struct Proposal {
        Sense *characters[MAX_MADE_OF]; // (length)
        size_t length;
        char word[MAX_SENSE_BYTES];
    } items[MAX_PROPOSALS];
    size_t count;
} Proposals;

static void add_proposal(Proposals *proposals, Sense *a, Sense *b, Sense *c)
{
    struct Proposal *proposal = &proposals->items[proposals->count++];
    *proposal = (struct Proposal){.characters = {a, b, c}, .length = 1U + !!b + !!c};
    size_t end = 0;
    for (size_t i = 0; i < proposal->length; i++) {
        size_t length = strlen(proposal->characters[i]->word);
        if (end + length >= sizeof proposal->word) return;
        memcpy(proposal->word + end, proposal->characters[i]->word, length);
        end += length;
    }
}

static void list_proposals(Proposals *proposals, Senses *senses, Sense *first)
{
    Sense *others[2] = {NULL, NULL};
    proposals->count = 0;
    for (size_t i = 0; i < senses->character_count; i++) {
        Sense *other = &senses->characters[i];
        if (other == first || other->share < LEAST_OF_LINKS * first->share) continue;
        if (!others[0] || other->share > others[0]->share) {
            others[1] = others[0];
            others[0] = other;
        } else if (!others[1] || other->share > others[1]->share) {
            others[1] = other;
        }
    }
    add_proposal(proposals, first, NULL, NULL);
    add_proposal(proposals, first, first, NULL);
    for (size_t i = 0; i < 2 && others[i]; i++) {
        add_proposal(proposals, first, others[i], NULL);
        add_proposal(proposals, others[i], first, NULL);
    }
    if (!others[1] || others[1]->share < LEAST_OF_THREE * first->share) return;
    Sense *all[3] = {first, others[0], others[1]};
    for (size_t i = 0; i < 3; i++)
        for (size_t j = 0; j < 3; j++)
            if (i != j) add_proposal(proposals, all[i], all[j], all[3 - i - j]);
}

// How often a word may have been said, by the links of its characters; takes that from them.
static double take_links(const struct Proposal *proposal)
{
    bool twice = proposal->length == 2 && proposal->characters[0] == proposal->characters[1];
    double links = proposal->characters[0]->share;
    for (size_t i = 1; i < proposal->length; i++)
        links = fmin(links, proposal->characters[i]->share);
    if (twice) links /= 2;
    for (size_t i = 0; i < proposal->length; i++) proposal->characters[i]->share -= links;
    return links;
}

static Status make_word(Sense *made, Senses *senses, Sense *first, ScoreWords *score, void *context,
                        Error *error)
{
    Proposals proposals;
    TextView words[MAX_PROPOSALS];
    double log_ps[MAX_PROPOSALS] = {0};
    size_t best = 0;
    list_proposals(&proposals, senses, first);
    for (size_t i = 0; i < proposals.count; i++)
        words[i] = (TextView){proposals.items[i].word, strlen(proposals.items[i].word)};
    TRY(score(context, log_ps, words, proposals.count, error));
    for (size_t i = 1; i < proposals.count; i++)
        if (log_ps[i] > log_ps[best]) best = i;
    memcpy(made->word, proposals.items[best].word, sizeof made->word);
    made->share = take_links(&proposals.items[best]);
    return STATUS_OK;
}

Status dictionary_make_words(Senses *senses, ScoreWords *score, void *context, Error *error)
{
    enum { MOST = 3 };
    Sense made[MOST];
    size_t count = 0;
    double all = 0;
    while (count < MOST) {
        Sense *first = senses->characters;
        for (size_t i = 1; i < senses->character_count; i++)
            if (senses->characters[i].share > first->share) first = &senses->characters[i];
        if (senses->character_count == 0 || first->share < LEAST_LINKS) break;
        TRY(make_word(&made[count], senses, first, score, context, error));
        all += made[count++].share;
    }
    for (size_t i = 0; i < senses->character_count; i++) all += senses->characters[i].share;
    for (size_t i = 0; i < count; i++) {
        made[i].share /= all;
        senses_insert(senses->items, &senses->count, MAX_SENSES, &made[i]);
    }
    senses->character_count = 0;
    return STATUS_OK;
}

// What is looked up, as a sentence in lower case, and who says how likely its translations are.
typedef struct Scorer {
    Session *session;
    Bytes sentence;
} Scorer;

// Appends a word as a sentence, of which models know more than of words.
static Status append_sentence(Bytes *out, TextView word, const char *stop, Error *error)
{
    TRY(utf8_append_lowercase(out, word.data, word.length, error));
    return bytes_append_string(out, stop, error);
}

static Status force_words(const Scorer *scorer, Translation *given, TextView *sides[2],
                          Bytes *sentences, const TextView *words, size_t count, Error *error)
{
    for (size_t i = 0; i < count; i++) {
        TRY(append_sentence(&sentences[i], words[i], "。", error));
        sides[0][i] = bytes_view(&scorer->sentence);
        sides[1][i] = bytes_view(&sentences[i]);
    }
    return session_force_quietly(scorer->session, (const TextView *const[]){sides[0], sides[1]},
                                 count, false, given, error);
}

static Status score_words(void *context, double *log_ps, const TextView *words, size_t count,
                          Error *error)
{
    TextView views[2][MAX_PROPOSALS], *sides[2] = {views[0], views[1]};
    Translation given[MAX_PROPOSALS] = {{.count = 0}};
    Bytes sentences[MAX_PROPOSALS] = {{0}};
    Status status = force_words(context, given, sides, sentences, words, count, error);
    for (size_t i = 0; i < count; i++) {
        if (!status) log_ps[i] = given[i].renderings->log_p;
        translation_free(&given[i]);
        bytes_free(&sentences[i]);
    }
    return status;
}

// Puts a rendering before those that a translation has, in the place of the last.
static void put_first(Translation *translation, Translation *given)
{
    Rendering *renderings = translation->renderings;
    size_t others = translation->count - 1;
    Rendering found = given->renderings[0];
    given->renderings[0] = renderings[others];
    memmove(renderings + 1, renderings, others * sizeof *renderings);
    renderings[0] = found;
}

// Of a word that is looked up: what the model gives less it does not know as a translation at all.
static const double LEAST_MEAN = -8;

// Puts the word found first, and lets the model say what it thinks of it.
static Status answer(Translation *translation, Session *session, TextView word, TextView found,
                     const SearchOptions *options, Error *error)
{
    FREED_BY(translation_free) Translation given = {0};
    TRY(session_force_quietly(session, (const TextView *const[]){&word, &found}, 1,
                              options->with_alpha, &given, error));
    rendering_set_score(given.renderings, 1);
    const bool known = given.renderings->score >= LEAST_MEAN;
    rendering_set_score(given.renderings, options->length_normalization);
    given.renderings->known = translation->senses->items->share;
    if (known) put_first(translation, &given);
    return STATUS_OK;
}

static Status find_senses(Senses *senses, Session *session, const Aligner *aligner, TextView word,
                          Error *error)
{
    Scorer scorer = {.session = session};
    TRY(senses_find(senses, aligner, word, error));
    if (senses->character_count == 0) return STATUS_OK;
    Status status = append_sentence(&scorer.sentence, word, ".", error);
    if (!status) status = dictionary_make_words(senses, score_words, &scorer, error);
    bytes_free(&scorer.sentence);
    return status;
}

Status dictionary_look_up(Translation *translation, Session *session, const Aligner *aligner,
                          bool free, const SearchOptions *options, Error *error)
{
    FREED_BY(bytes_free) Bytes found = {0};
    Senses senses;
    const TextView word = bytes_view(&translation->source);
    const Rendering *said = translation->renderings;
    if (translation->count == 0 || translation->sentence_count > 0) return STATUS_OK;
    TRY(find_senses(&senses, session, aligner, word, error));
    if (senses.count == 0) return STATUS_OK;
    TRY(array_new(&translation->senses, 1, "words", error));
    *translation->senses = senses;
    if (!free) return STATUS_OK;
    const double length = (double)said->subwords.count + 1;
    double mean = said->score * pow(length, options->length_normalization - 1); // as α = 1 has it
    TRY(dictionary_choose(&found, &senses, word, bytes_view(&said->text), exp(mean), error));
    if (found.length > 0)
        TRY(answer(translation, session, word, bytes_view(&found), options, error));
    return STATUS_OK;
}
