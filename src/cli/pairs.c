#include "cli/pairs.h"

#include "base/memory.h"

static Status read_windows(PairReader *reader, Pair *pairs, TakePairs take, void *context,
                           Error *error)
{
    size_t count = 0, first = 1;
    bool more = true;
    while (more) {
        Status status = pair_reader_next(reader, &pairs[count], &more, error);
        if (!status && more) count++;
        if (count > 0 && (count == PAIR_WINDOW || !more || status)) {
            // pairs before a bad line are still processed
            Status done = take(context, pairs, count, first, status ? NULL : error);
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
    Pair *pairs = memory_new(PAIR_WINDOW, sizeof *pairs);
    if (!pairs) return error_memory(error, PAIR_WINDOW * sizeof *pairs, "pairs");
    Status status = pair_reader_open(&reader, spec, error);
    if (!status) {
        pair_reader_keep_empty(reader, true);
        status = read_windows(reader, pairs, take, context, error);
    }
    pair_reader_close(reader);
    for (size_t i = 0; i < PAIR_WINDOW; i++) pair_free(&pairs[i]);
    memory_free(pairs);
    return status;
}

typedef struct ForcingRun {
    Session *session;
    bool with_alpha;
    const PairWriter *writer;
    TextView sources[PAIR_WINDOW], targets[PAIR_WINDOW];
    Translation translations[PAIR_WINDOW];
} ForcingRun;

static TextView view(const Bytes *text)
{
    return (TextView){text->data ? text->data : "", text->length};
}

static Status force_window(void *context, const Pair *pairs, size_t count, size_t first,
                           Error *error)
{
    ForcingRun *forcing = context;
    const PairWriter *writer = forcing->writer;
    for (size_t i = 0; i < count; i++) {
        forcing->sources[i] = view(&pairs[i].source);
        forcing->targets[i] = view(&pairs[i].target);
    }
    const TextView *const sides[2] = {forcing->sources, forcing->targets};
    Status status = session_force(forcing->session, sides, count, forcing->with_alpha,
                                  forcing->translations, error);
    for (size_t i = 0; i < count && !status; i++)
        status = writer->write(writer->context, &forcing->translations[i], first + i,
                               writer->output, error);
    for (size_t i = 0; i < count; i++) translation_free(&forcing->translations[i]);
    return status;
}

Status force_pairs(Session *session, const char *spec, bool with_alpha, const PairWriter *writer,
                   Error *error)
{
    ForcingRun *forcing = memory_new(1, sizeof *forcing);
    if (!forcing) return error_memory(error, sizeof *forcing, "pairs");
    forcing->session = session;
    forcing->with_alpha = with_alpha;
    forcing->writer = writer;
    Status status = read_pairs(spec, force_window, forcing, error);
    memory_free(forcing);
    return status;
}
