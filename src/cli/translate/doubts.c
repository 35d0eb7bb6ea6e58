#include "cli/translate/translate.h"

const char *const uncertain_styles[] = {"none", "mark", "color", NULL};

static const struct Marks {
    const char *before, *after;
} marks[] = {
    [UNCERTAIN_NONE] = {"", ""},
    [UNCERTAIN_MARK] = {"⟦", "⟧"},
    [UNCERTAIN_COLOR] = {"\x1b[33m", "\x1b[0m"}, // yellow
};

// Writes the words of one sentence; run->confidence is of it.
static void write_marked(Writer *out, const TranslateRun *run, const Bytes *text)
{
    const Confidence *confidence = &run->confidence;
    const struct Marks *style = &marks[run->values->uncertain];
    size_t written = 0;
    for (size_t i = 0; i < confidence->words.count; i++) {
        const Span word = confidence->words.items[i];
        bool doubtful = confidence->of_words[i].right < 0.5;
        writer_bytes(out, text->data + written, word.begin - written);
        if (doubtful) writer_string(out, style->before);
        writer_bytes(out, text->data + word.begin, word.end - word.begin);
        if (doubtful) writer_string(out, style->after);
        written = word.end;
    }
    writer_bytes(out, bytes_text(text) + written, text->length - written);
}

static void write_sentence(Writer *out, TranslateRun *run, const Translation *sentence,
                           const Rendering *rendering)
{
    const Translator *translator = &run->model.translator;
    if (!out->status)
        out->status = confidence_set(&run->confidence, &translator->confidence, sentence, rendering,
                                     translator->target_units, out->error);
    bool leaves = run->confidence.text < run->values->min_confidence;
    run->left += leaves;
    if (leaves)
        writer_bytes(out, bytes_text(&sentence->source), sentence->source.length);
    else
        write_marked(out, run, &rendering->text);
}

void doubts_write(Writer *out, TranslateRun *run, const Translation *translation,
                  const Rendering *rendering)
{
    size_t written = 0;
    if (translation->count == 0) return;
    if (translation->sentence_count == 0) {
        write_sentence(out, run, translation, rendering);
        return;
    }
    for (size_t i = 0; i < translation->sentence_count; i++) {
        const SentencePlace *place = &rendering->places[i];
        const Translation *sentence = &translation->sentences[i];
        const Rendering *one = &sentence->renderings[place->rendering];
        writer_bytes(out, bytes_text(&rendering->text) + written, place->begin - written);
        write_sentence(out, run, sentence, one);
        written = place->begin + one->text.length;
    }
}
