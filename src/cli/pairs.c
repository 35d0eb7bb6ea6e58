#include "cli/pairs.h"

#include "base/array.h"
#include "cli/languages.h"

typedef struct Window {
    Pair pairs[PAIR_WINDOW];
    TextView sides[2][PAIR_WINDOW]; // of the pairs: sources, targets
    LanguageWatch language;
} Window;

static Status read_windows(PairReader *reader, const PairInput *input, Window *window,
                           TakePairs take, void *context, Error *error)
{
    const TextView *const sides[2] = {window->sides[0], window->sides[1]};
    size_t count = 0, first = 1;
    bool more = true;
    while (more) {
        Pair *pair = &window->pairs[count];
        Status status = pair_reader_next(reader, pair, &more, error);
        if (!status && more && pair->cut)
            report_warning(NULL, "%s: line %zu is longer than %d MiB; the rest is not read",
                           input->spec, pair->line, LINE_LIMIT >> 20);
        for (int s = 0; s < 2 && !status && more; s++)
            window->sides[s][count] = bytes_view(&pair->sides[s]);
        count += !status && more;
        bool full = !more || status || count == PAIR_WINDOW;
        if (count > 0 && (full || (input->output && pair_reader_would_block(reader)))) {
            if (input->progress) work_progress_reach(input->progress, pair_reader_share(reader));
            Error *reason = status ? NULL : error; // pairs before a bad line are still processed
            Status done = STATUS_OK;
            if (input->translator)
                done = language_watch_add(&window->language, sides[0], count, reason);
            if (!done) done = take(context, sides, count, first, reason);
            if (!done && more && input->output) done = output_flush(input->output, reason);
            if (!status) status = done;
            first += count;
            count = 0;
        }
        if (status) return status;
    }
    return STATUS_OK;
}

Status read_pairs(const PairInput *input, TakePairs take, void *context, Error *error)
{
    FREED_BY(pair_reader_close_at) PairReader *reader = NULL;
    FREED Window *window = NULL;
    FREED_BY(bytes_free) Bytes taken = {0};
    PairOptions options = *input->options;
    options.keep_empty = true;
    TRY(array_new(&window, 1, "pairs", error));
    window->language = (LanguageWatch){.translator = input->translator, .verb = input->verb};
    TRY(pair_reader_open(&reader, input->spec, &options, error));
    terminal_invite(input->verb, input->spec, "a pair, the source, a TAB and the target,");
    Status status = read_windows(reader, input, window, take, context, error);
    if (!status) status = pair_reader_describe(reader, &taken, error);
    if (!status) report_notes(input->verb, bytes_text(&taken));
    language_evidence_free(&window->language.evidence);
    for (size_t i = 0; i < PAIR_WINDOW; i++) pair_free(&window->pairs[i]);
    return status;
}

typedef struct ForcingRun {
    Session *session;
    WorkProgress progress;
    bool with_alpha;
    WritePair write;
    void *context;
    Translation *translations; // (PAIR_WINDOW)
} ForcingRun;

static Status force_window(void *context, const TextView *const sides[2], size_t count,
                           size_t first, Error *error)
{
    ForcingRun *forcing = context;
    work_progress_begin(&forcing->progress, count);
    Status status = session_force(forcing->session, sides, count, forcing->with_alpha,
                                  forcing->translations, error);
    work_progress_end(&forcing->progress);
    for (size_t i = 0; i < count && !status; i++)
        status = forcing->write(forcing->context, &forcing->translations[i], first + i, error);
    for (size_t i = 0; i < count; i++) translation_free(&forcing->translations[i]);
    return status;
}

Status force_pairs(Session *session, PairInput input, bool with_alpha, WritePair write,
                   void *context, Error *error)
{
    ForcingRun forcing = {.session = session,
                          .progress = work_progress_start("pairs", 1),
                          .with_alpha = with_alpha,
                          .write = write,
                          .context = context};
    TRY(array_new(&forcing.translations, PAIR_WINDOW, "pairs", error));
    session_set_listener(session, work_progress_listener(&forcing.progress));
    input.progress = &forcing.progress;
    Status status = read_pairs(&input, force_window, &forcing, error);
    session_set_listener(session, (WorkListener){0});
    memory_free(forcing.translations);
    return status;
}
