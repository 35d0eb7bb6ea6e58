/* The step for the mark at a sentence's end. Models of whole sentences read short texts without one
 * badly: "Hello" is read as "Hello.", and the mark at the end of what they say of it is left out. */
#include "reading/reading.h"
#include "reading/word.h"
#include "text/utf8.h"

#include <string.h>

enum { SHORT_WORDS = 3, SHORT_HAN = 6 };

/* The mark that a short text lacks, "." or "。", in the script of its end: one of at most three
 * words, or six characters of Han, that ends in a letter. NULL for any other. */
static const char *missing_mark(const char *text, size_t length)
{
    size_t words = 0, han = 0;
    uint32_t last = utf8_before(text, length);
    Word word;
    for (size_t at = 0; word_next(text, length, at, &word); at = word.end)
        *(word.han ? &han : &words) += 1;
    if (words > SHORT_WORDS || han > SHORT_HAN || !utf8_is_letter(last)) return NULL;
    return utf8_is_han(last) ? "。" : ".";
}

static bool applies(const Reading *reading)
{
    const Bytes *text = &reading->text.text;
    return !reading->begun && reading->context->placeholders > 0 &&
           missing_mark(bytes_text(text), text->length);
}

static Status read(Reading *reading, Error *error)
{
    MappedText *text = &reading->text;
    size_t end = text->text.length;
    const char *mark = missing_mark(bytes_text(&text->text), end);
    TRY(mapped_replace(text, end, end, mark, strlen(mark), error));
    return mapped_finish(text, error);
}

// Leaves out the marks at the end and the white space before them, unless nothing else is there.
static Status write(const Reading *reading, MappedText *said, Error *error)
{
    size_t end = 0, length = said->text.length;
    (void)reading;
    for (size_t at = 0; at < length;) {
        uint32_t c = utf8_next(said->text.data, length, &at);
        if (!utf8_is_space(c) && !utf8_is_among(c, ".!?…。！？")) end = at;
    }
    if (end == 0) return STATUS_OK;
    TRY(mapped_replace(said, end, length, "", 0, error));
    return mapped_finish(said, error);
}

const ReadingStep end_mark_step = {"end mark", applies, read, write};
