#include "cli/pairs.h"

#include "base/memory.h"
#include "corpus/pair_reader.h"

typedef struct Window {
    Pair pairs[PAIR_WINDOW];
    TextView sources[PAIR_WINDOW], targets[PAIR_WINDOW]; // of the pairs
} Window;

static TextView view(const Bytes *text)
{
    return (TextView){text->data ? text->data : "", text->length};
}

static Status read_windows(PairReader *reader, Window *window, TakePairs take, void *context,
                           Error *error)
{
    const TextView *const sides[2] = {window->sources, window->targets};
    size_t count = 0, first = 1;
    bool more = true;
    while (more) {
        Pair *pair = &window->pairs[count];
        Status status = pair_reader_next(reader, pair, &more, error);
        if (!status && more) {
            window->sources[count] = view(&pair->source);
            window->targets[count++] = view(&pair->target);
        }
        if (count > 0 && (count == PAIR_WINDOW || !more || status)) {
            // pairs before a bad line are still processed
            Status done = take(context, sides, count, first, status ? NULL : error);
            if (!status) status = done;
            first += count;
            count = 0;
        }
        if (status) return status;
    }
    return STATUS_OK;
}

Status read_pairs(const char *spec, TakePairs take, void *context, Error *error)
{
    PairReader *reader = NULL;
    Window *window = memory_new(1, sizeof *window);
    if (!window) return error_memory(error, sizeof *window, "pairs");
    Status status = pair_reader_open(&reader, spec, error);
    if (!status) {
        pair_reader_keep_empty(reader, true);
        status = read_windows(reader, window, take, context, error);
    }
    pair_reader_close(reader);
    for (size_t i = 0; i < PAIR_WINDOW; i++) pair_free(&window->pairs[i]);
    memory_free(window);
    return status;
}

typedef struct ForcingRun {
    Session *session;
    bool with_alpha;
    WritePair write;
    void *context;
    Translation translations[PAIR_WINDOW];
} ForcingRun;

static Status force_window(void *context, const TextView *const sides[2], size_t count,
                           size_t first, Error *error)
{
    ForcingRun *forcing = context;
    Status status = session_force(forcing->session, sides, count, forcing->with_alpha,
                                  forcing->translations, error);
    for (size_t i = 0; i < count && !status; i++)
        status = forcing->write(forcing->context, &forcing->translations[i], first + i, error);
    for (size_t i = 0; i < count; i++) translation_free(&forcing->translations[i]);
    return status;
}

Status force_pairs(Session *session, const char *spec, bool with_alpha, WritePair write,
                   void *context, Error *error)
{
    ForcingRun *forcing = memory_new(1, sizeof *forcing);
    if (!forcing) return error_memory(error, sizeof *forcing, "pairs");
    forcing->session = session;
    forcing->with_alpha = with_alpha;
    forcing->write = write;
    forcing->context = context;
    Status status = read_pairs(spec, force_window, forcing, error);
    memory_free(forcing);
    return status;
}
