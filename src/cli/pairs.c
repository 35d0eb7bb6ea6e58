#include "cli/pairs.h"

#include "base/memory.h"
#include "corpus/pair_reader.h"

enum { WINDOW = 512 }; // pairs decoded together, so that those of like length can be found

typedef struct PairWindow {
    Pair pairs[WINDOW];
    TextView sources[WINDOW], targets[WINDOW];
    Translation translations[WINDOW];
    size_t count;
    size_t first; // number of the first pair, from 1
} PairWindow;

static TextView view(const Bytes *text)
{
    return (TextView){text->data ? text->data : "", text->length};
}

static Status force_window(PairWindow *window, Session *session, bool with_alpha, WritePair write,
                           void *context, Output *output, Error *error)
{
    for (size_t i = 0; i < window->count; i++) {
        window->sources[i] = view(&window->pairs[i].source);
        window->targets[i] = view(&window->pairs[i].target);
    }
    Status status = session_force(session, window->sources, window->targets, window->count,
                                  with_alpha, window->translations, error);
    for (size_t i = 0; i < window->count && !status; i++)
        status = write(context, &window->translations[i], window->first + i, output, error);
    for (size_t i = 0; i < window->count; i++) translation_free(&window->translations[i]);
    window->first += window->count;
    window->count = 0;
    return status;
}

static Status force_all(PairWindow *window, PairReader *reader, Session *session, bool with_alpha,
                        WritePair write, void *context, Output *output, Error *error)
{
    bool more = true;
    while (more) {
        Status status = pair_reader_next(reader, &window->pairs[window->count], &more, error);
        if (!status && more) window->count++;
        if (window->count > 0 && (window->count == WINDOW || !more || status)) {
            // pairs before a bad line are still answered
            Status done = force_window(window, session, with_alpha, write, context, output,
                                       status ? NULL : error);
            if (!status) status = done;
        }
        if (status) return status;
    }
    return STATUS_OK;
}

Status force_pairs(Session *session, const char *spec, bool with_alpha, WritePair write,
                   void *context, Output *output, Error *error)
{
    PairReader *reader = NULL;
    PairWindow *window = memory_new(1, sizeof *window);
    if (!window) return error_memory(error, sizeof *window, "pairs");
    window->first = 1;
    Status status = pair_reader_open(&reader, spec, error);
    if (!status) {
        pair_reader_keep_empty(reader, true);
        status = force_all(window, reader, session, with_alpha, write, context, output, error);
    }
    pair_reader_close(reader);
    for (size_t i = 0; i < WINDOW; i++) pair_free(&window->pairs[i]);
    memory_free(window);
    return status;
}
