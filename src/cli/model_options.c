#include "cli/model_options.h"

#include "base/array.h"
#include "cli/terminal.h"

#include <unistd.h>

/* Opens all models but the first and adds them to the session. */
static Status open_ensemble(OpenModel *model, const OptionTexts *paths, Error *error)
{
    const Translator *others[MAX_OPTION_TEXTS];
    Error inner;
    size_t count = paths->count - 1, odd;
    TRY(array_new(&model->others, count, "an ensemble", error));
    for (; model->other_count < count; model->other_count++) {
        Translator *other = &model->others[model->other_count];
        TRY(translator_open(other, paths->items[model->other_count + 1], error));
        others[model->other_count] = other;
    }
    Status status = session_add_models(model->session, others, count, &odd, &inner);
    if (status && error) *error = inner;
    if (status != STATUS_FORMAT) return status;
    return error_set(
        error, status,
        "%s: its vocabulary differs from that of %s; train the models of an ensemble on "
        "the same pairs, such as with several --seed",
        paths->items[odd + 1], paths->items[0]);
}

Status open_model(OpenModel *model, const ModelOptions *options, bool shortlist, Error *error)
{
    *model =
        (OpenModel){.path = options->paths.count > 0 ? options->paths.items[0] : options->path};
    TRY(translator_open(&model->translator, model->path, error));
    const Model *opened = &model->translator.model;
    Status status = session_new(&model->session, &model->translator, model_threads(options),
                                options->precision, error);
    if (!status && options->paths.count > 1)
        status = shortlist ? error_set(error, STATUS_ARGUMENT,
                                       "--shortlist is for one --model; each has its own list")
                           : open_ensemble(model, &options->paths, error);
    if (!status && shortlist && opened->shortlist.always_count == 0)
        status = error_set(
            error, STATUS_FORMAT,
            "%s: has no shortlist, like all models of --attention none; leave --shortlist out",
            model->path);
    if (status) close_model(model);
    return status;
}

void close_model(OpenModel *model)
{
    session_free(model->session);
    for (size_t i = 0; i < model->other_count; i++) translator_close(&model->others[i]);
    memory_free(model->others);
    translator_close(&model->translator);
    *model = (OpenModel){0};
}

Status open_text(LineReader **reader, const Arguments *arguments, const char *what, Error *error)
{
    const char *path = arguments->operands.count ? arguments->operands.items[0] : "-";
    const char *verb = arguments->verb->name;
    if (strchr(path, ' ') && access(path, F_OK))
        return error_set(error, STATUS_ARGUMENT,
                         "%.200s: there is no such file; %s reads text from a file, or from "
                         "standard input: echo \"SENTENCE\" | regard %s …",
                         path, verb, verb);
    terminal_invite(verb, path, what);
    return line_reader_open(reader, path, error);
}

void close_text(LineReader *reader, const char *verb)
{
    if (reader && line_reader_encoding(reader))
        report_warning(verb, "%s: read as %s", line_reader_name(reader),
                       line_reader_encoding(reader));
    line_reader_close(reader);
}

Status choose_reading(LinkReading *reading, OpenModel *model, LinkSource from, bool given,
                      Error *error)
{
    Translator *translator = &model->translator;
    *reading = reading_of_aligner(NULL);
    if (given && from == LINKS_FROM_ATTENTION) return STATUS_OK;
    if (translator->aligner) {
        *reading = reading_of_aligner(translator->aligner);
        if (given) reading->from = from;
        return STATUS_OK;
    }
    if (!given) return STATUS_OK;
    return error_set(error, STATUS_FORMAT,
                     "%s: carries no aligner; train it with --guide auto, or leave out --from %s",
                     model->path, link_source_names[from]);
}
