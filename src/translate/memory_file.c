#include "translate/memory_file.h"

#include "corpus/pair_reader.h"

Status memory_file_read(TranslationMemory *memory, const char *path, const Translator *translator,
                        Error *error)
{
    const char *const *languages = translator->languages;
    bool known = languages[0] && languages[1];
    const PairOptions options = {
        .languages = {known ? languages[0] : NULL, known ? languages[1] : NULL}};
    FREED_BY(pair_reader_close_at) PairReader *reader = NULL;
    FREED_BY(pair_free) Pair pair = {0};
    bool more = true;
    TRY(pair_reader_open(&reader, path, &options, error));
    while (more) {
        TRY(pair_reader_next(reader, &pair, &more, error));
        if (more)
            TRY(translation_memory_add(memory, bytes_view(&pair.sides[0]),
                                       bytes_view(&pair.sides[1]), error));
    }
    return STATUS_OK;
}
