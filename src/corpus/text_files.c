// Reading files into a corpus: apart, so that what has its pairs in memory needs no readers of files.
#include "corpus/text_corpus.h"

// Adds one more file's counts; of all invalid lines the first stays the one that is named.
static void add_counts(ReadCounts *sum, const ReadCounts *counts)
{
    sum->lines += counts->lines;
    sum->empty += counts->empty;
    sum->bad += counts->bad;
    if (counts->invalid && !sum->invalid) {
        sum->invalid_line = counts->invalid_line;
        memcpy(sum->invalid_file, counts->invalid_file, sizeof sum->invalid_file);
    }
    sum->invalid += counts->invalid;
}

Status text_corpus_read(TextCorpus *corpus, const char *spec, const PairOptions *options,
                        Error *error)
{
    FREED_BY(pair_reader_close_at) PairReader *reader = NULL;
    FREED_BY(pair_free) Pair pair = {0};
    bool more = true;
    const char *file = strcmp(spec, "-") ? spec : "standard input";
    TRY(pair_reader_open(&reader, spec, options, error));
    while (true) {
        TRY(pair_reader_next(reader, &pair, &more, error));
        if (!more) break;
        size_t number = corpus->counts.lines + pair_reader_counts(reader).lines - 1;
        TextPair text = {{bytes_view(&pair.sides[0]), bytes_view(&pair.sides[1])},
                         {file, pair.line, number}};
        TRY(text_corpus_add(corpus, &text, error));
    }
    const Bytes *bad = pair_reader_bad(reader);
    if (!*corpus->languages[0]) pair_reader_languages(reader, corpus->languages);
    TRY(pair_reader_describe(reader, &corpus->notes, error));
    TRY(bytes_append(&corpus->bad, bytes_text(bad), bad->length, error));
    ReadCounts counts = pair_reader_counts(reader);
    add_counts(&corpus->counts, &counts);
    return STATUS_OK;
}
