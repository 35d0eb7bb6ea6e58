#include "serve/passage.h"

#include "base/array.h"
#include "base/memory.h"
#include "text/clause.h"
#include "text/sentences.h"

#include <string.h>

static Status add_piece(Passage *passage, const char *text, size_t length, Error *error)
{
    TRY(array_reserve(&passage->pieces, &passage->capacity, passage->count + 1, "a text", error));
    passage->pieces[passage->count++] = (TextView){text, length};
    return STATUS_OK;
}

// A sentence, in parts if it is too long.
static Status add_sentence(Passage *passage, const char *text, size_t length, Error *error)
{
    while (length > MAX_PIECE) {
        size_t part = clause_end(text, length, MAX_PIECE);
        TRY(add_piece(passage, text, part, error));
        for (text += part, length -= part; length > 0 && *text == ' '; text++) length--;
    }
    return length > 0 ? add_piece(passage, text, length, error) : STATUS_OK;
}

static Status add_line(Passage *passage, size_t language, TextView line, Error *error)
{
    Sentences sentences = {0};
    Status status = sentences_split(&sentences, language, line.data, line.length, error);
    for (size_t i = 0; i < sentences.count && !status; i++) {
        Sentence sentence = sentences.items[i];
        status =
            add_sentence(passage, line.data + sentence.begin, sentence.end - sentence.begin, error);
    }
    sentences_free(&sentences);
    return status;
}

Status passage_set(Passage *passage, size_t language, TextView text, Error *error)
{
    passage->text = text;
    passage->count = 0;
    for (size_t at = 0; at < text.length;) {
        const char *end = memchr(text.data + at, '\n', text.length - at);
        size_t length = end ? (size_t)(end - text.data) - at : text.length - at;
        TRY(add_line(passage, language, (TextView){text.data + at, length}, error));
        at += length + 1;
    }
    return STATUS_OK;
}

void passage_write(Writer *out, const Passage *passage, const TextView *replacements)
{
    const char *at = passage->text.data;
    for (size_t i = 0; i < passage->count; i++) {
        const TextView *piece = &passage->pieces[i];
        writer_bytes(out, at, (size_t)(piece->data - at));
        writer_bytes(out, replacements[i].data, replacements[i].length);
        at = piece->data + piece->length;
    }
    writer_bytes(out, at, (size_t)(passage->text.data + passage->text.length - at));
}

void passage_free(Passage *passage)
{
    memory_free(passage->pieces);
    *passage = (Passage){0};
}
