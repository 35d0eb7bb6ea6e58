#include "translate/dictionary.h"

#include "base/array.h"
#include "text/utf8.h"

#include <math.h>

// A sentence that the model translates with this probability of each subword is left to it.
static const double SURE = 0.75;

Status dictionary_spell(Bytes *out, const Sense *sense, TextView text, Error *error)
{
    const char *word = *sense->spelling ? sense->spelling : sense->word;
    const size_t length = strlen(word);
    size_t first = 0;
    const uint32_t initial = utf8_next(text.data, text.length, &first);
    const bool upper = utf8_is_upper(initial);
    const bool sentence = (upper || utf8_is_unspaced(initial)) && senses_end(text).length > 0;
    const bool capital = upper || sentence;
    if (sense->origin == SENSE_OF_TEXT && !capital) return bytes_append(out, word, length, error);
    const bool capitals = upper && sense->origin != SENSE_OF_TEXT && first < text.length &&
                          !utf8_has(text.data + first, text.length - first, utf8_is_lower);
    for (size_t at = 0; at < length;) {
        bool begins = at == 0;
        uint32_t c = utf8_next(word, length, &at);
        if (capitals) c = utf8_to_upper(c);
        if (capital && begins) c = utf8_to_title(c);
        TRY(utf8_append(out, c, error));
    }
    return STATUS_OK;
}

size_t dictionary_choose(const Senses *senses, const double *log_ps)
{
    size_t best = 0;
    double most = 0;
    for (size_t i = 0; i < senses->count; i++) {
        const double p = senses->items[i].share * exp(log_ps[i] / 2);
        if (p <= most) continue;
        most = p;
        best = i;
    }
    return best;
}

static void move_first(Rendering *renderings, size_t i)
{
    const Rendering found = renderings[i];
    memmove(renderings + 1, renderings, i * sizeof *renderings);
    renderings[0] = found;
}

// Puts a rendering before those that a translation has, in the place of the last.
static void put_first(Translation *translation, Translation *given)
{
    const size_t last = translation->count - 1;
    const Rendering dropped = translation->renderings[last];
    translation->renderings[last] = given->renderings[0];
    given->renderings[0] = dropped;
    move_first(translation->renderings, last);
}

/* Chooses among the senses of a translation. The model scores them in lower case, in which it has seen
 * most words: with a capital they are the beginning of a sentence, such as "Eating" rather than "Eat". */
static Status choose(const Sense **best, const Translation *translation, Session *session,
                     Error *error)
{
    const Senses *senses = translation->senses;
    FREED_BY(bytes_free) Bytes small = {0};
    Translation given[MAX_SENSES] = {{.count = 0}};
    TextView sides[2][MAX_SENSES];
    double log_ps[MAX_SENSES] = {0};
    const TextView words = senses_trim(bytes_view(&translation->source));
    TRY(utf8_append_lowercase(&small, words.data, words.length, error));
    for (size_t i = 0; i < senses->count; i++) {
        sides[0][i] = bytes_view(&small);
        sides[1][i] = text_view_of(senses->items[i].word);
    }
    TRY(session_force_quietly(session, (const TextView *const[]){sides[0], sides[1]}, senses->count,
                              false, given, error));
    for (size_t i = 0; i < senses->count; i++) {
        rendering_set_score(given[i].renderings, 1);
        log_ps[i] = given[i].renderings->score;
        translation_free(&given[i]);
    }
    *best = &senses->items[dictionary_choose(senses, log_ps)];
    return STATUS_OK;
}

// How probable it is that a sense is right: of several words, for which training has others as well, any is.
static double known_of(const Senses *senses, const Sense *sense, TextView text)
{
    double known = 0;
    if (sense->origin == SENSE_OF_WORD || !senses_are_several(text)) return sense->share;
    for (size_t i = 0; i < senses->count; i++)
        if (senses->items[i].origin == sense->origin) known += senses->items[i].share;
    return known;
}

/* Puts a sense first, spelt as the source is, with the end of a sentence that the model has said, and
 * lets it say what it thinks of that. */
static Status answer(Translation *translation, Session *session, const Sense *sense,
                     const SearchOptions *options, Error *error)
{
    const TextView word = bytes_view(&translation->source);
    const double known = known_of(translation->senses, sense, word);
    FREED_BY(translation_free) Translation given = {0};
    FREED_BY(bytes_free) Bytes spelling = {0};
    TRY(dictionary_spell(&spelling, sense, word, error));
    if (senses_end(word).length > 0) {
        const TextView end = senses_end(bytes_view(&translation->renderings->text));
        if (end.length > 0) TRY(bytes_append(&spelling, end.data, end.length, error));
    }
    const TextView text = bytes_view(&spelling);
    for (size_t i = 0; i < translation->count; i++)
        if (text_view_equal(text, bytes_view(&translation->renderings[i].text))) {
            move_first(translation->renderings, i);
            translation->renderings->known = known;
            return STATUS_OK;
        }
    TRY(session_force_quietly(session, (const TextView *const[]){&word, &text}, 1,
                              options->with_alpha, &given, error));
    rendering_set_score(given.renderings, options->length_normalization);
    given.renderings->known = known;
    put_first(translation, &given);
    return STATUS_OK;
}

// Of each subword.
static double mean_p(const Rendering *rendering)
{
    return exp(rendering->log_p / ((double)rendering->subwords.count + 1));
}

Status dictionary_look_up(Translation *translation, Session *session, const Translator *translator,
                          bool free, const SearchOptions *options, Error *error)
{
    const Vocabulary *const vocabularies[2] = {translator->source_vocabulary,
                                               translator->target_vocabulary};
    const TextView word = bytes_view(&translation->source);
    const Sense *best;
    Senses senses;
    if (translation->count == 0) return STATUS_OK;
    TRY(senses_find(&senses, &translator->model.lexicon, vocabularies, word, true, error));
    if (senses.count == 0) return STATUS_OK;
    TRY(array_new(&translation->senses, 1, "words", error));
    *translation->senses = senses;
    // a mark may be half of what is meant: "Price?"
    if (!free || (senses.items->origin == SENSE_OF_WORD &&
                  utf8_run_end(word.data, word.length, 0, utf8_is_letter) < word.length))
        return STATUS_OK;
    if (senses_end(word).length > 0 && mean_p(translation->renderings) >= SURE) return STATUS_OK;
    TRY(choose(&best, translation, session, error));
    return answer(translation, session, best, options, error);
}
