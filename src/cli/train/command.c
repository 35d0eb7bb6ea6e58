#include "cli/train/train.h"

#include "base/array.h"

static bool is_among(const char *name, const char *const *names)
{
    while (*names && strcmp(*names, name) != 0) names++;
    return *names != NULL;
}

// The row of train/options.h; NULL if it is another option.
static const TrainOption *train_option(const char *name)
{
    const TrainOption *option = train_option_table;
    while (option->flag && strcmp(option->flag, name) != 0) option++;
    return option->flag ? option : NULL;
}

void command_take_preset(const Arguments *arguments, TrainValues *values)
{
    const Verb *verb = arguments->verb;
    TrainValues preset = *(const TrainValues *)verb->defaults;
    preset.options.preset = values->options.preset;
    train_options_take_preset(&preset.options);
    for (size_t i = 0; i < verb->option_count; i++)
        if (!arguments->given[i] && train_option(verb->options[i].name))
            option_copy(&verb->options[i], values, &preset);
}

// Whether a command keeps the option: not what is said anew, nor what is in Checkpoint.options.
static bool is_in_command(const Option *option)
{
    static const char *const said_anew[] = {"model", "resume",      "overwrite",
                                            "check", "max-minutes", NULL};
    const TrainOption *train = train_option(option->name);
    if (option->kind == OPTION_KIND_HEADING || is_among(option->name, said_anew)) return false;
    return !train || train->on_resume == TRAIN_FREE;
}

// Whether a resumed run may have the value in `given`. Of what is read, the contents are compared.
static bool may_be(const Option *option, const TrainValues *given, const TrainValues *stored)
{
    static const char *const written[] = {"log", "watch", "report", "cache", NULL};
    const TrainOption *train = train_option(option->name);
    if (train && (train->on_resume == TRAIN_FREE || train->on_resume == TRAIN_NOTED)) return true;
    if (!train && (!is_in_command(option) || is_among(option->name, written))) return true;
    if (!strcmp(option->name, "guide"))
        return !stored->train.count || guide_kind(&given->guide) == guide_kind(&stored->guide);
    if (!strcmp(option->name, "mix") && given->mix && stored->mix)
        return mix_same_weight(given->mix, stored->mix);
    bool renamed = option_is_set(option, stored) || !stored->train.count;
    return (renamed && option->input) || option_equal(option, given, stored);
}

// Appends "--name=text", or with the value of another kind, which is not a text.
static Status add_word(json_t *words, const Option *option, const char *text, const void *values,
                       Error *error)
{
    FREED_BY(bytes_free) Bytes word = {0};
    Writer out = writer_start(&word, error);
    writer_format(&out, "--%s%s", option->name, option->kind == OPTION_KIND_FLAG ? "" : "=");
    if (text)
        writer_string(&out, text);
    else
        option_write(&out, option, values);
    TRY(writer_end(&out));
    if (json_array_append_new(words, json_stringn(word.data, word.length)))
        return json_memory_was_short() ? error_memory(error, word.length, "the command")
                                       : STATUS_FORMAT; // not UTF-8
    return STATUS_OK;
}

// One word for each of the texts.
static Status add_words(json_t *words, const Option *option, const TrainValues *values,
                        Error *error)
{
    const char *const *texts;
    size_t count = option_texts(&texts, option, values);
    if (!count) return add_word(words, option, NULL, values, error);
    for (size_t i = 0; i < count; i++) TRY(add_word(words, option, texts[i], values, error));
    return STATUS_OK;
}

Status command_to_json(json_t **out, const Verb *verb, const TrainValues *values, Error *error)
{
    json_t *words = json_array();
    Status status = words ? STATUS_OK : error_memory(error, 0, "the command");
    for (size_t i = 0; i < verb->option_count && !status; i++) {
        const Option *option = &verb->options[i];
        if (is_in_command(option) && !option_equal(option, values, verb->defaults))
            status = add_words(words, option, values, error);
    }
    if (status) json_decref(words);
    *out = status ? NULL : words;
    return status == STATUS_FORMAT ? STATUS_OK : status;
}

/* Parses a checkpoint's command into `values`; defaults if it has none. */
static Status parse(TrainValues *values, const Verb *verb, const json_t *command, Error *error)
{
    Arguments arguments;
    size_t count = json_array_size(command);
    FREED const char **words = NULL;
    TRY(array_new(&words, count + 1, "the command", error));
    for (size_t i = 0; i < count; i++) {
        words[i] = json_string_value(json_array_get(command, i));
        if (!words[i]) return error_set(error, STATUS_FORMAT, "a word is no text");
    }
    return options_parse(&arguments, verb, count, words, values, error);
}

// The values of the run so far.
static Status stored_values(TrainValues *stored, const Verb *verb, const Checkpoint *checkpoint,
                            Error *error)
{
    Error inner;
    memcpy(stored, verb->defaults, sizeof *stored);
    Status status =
        checkpoint->command ? parse(stored, verb, checkpoint->command, &inner) : STATUS_OK;
    if (status)
        return error_set(
            error, status == STATUS_MEMORY ? status : STATUS_FORMAT,
            "%s: its command: %s; perhaps another version of regard wrote it: start over "
            "without --resume",
            checkpoint->path, inner.text);
    for (const TrainOption *option = train_option_table; option->flag; option++) {
        size_t offset = option->field.offset;
        if (option->on_resume != TRAIN_FREE)
            memcpy((char *)&stored->options + offset, (const char *)&checkpoint->options + offset,
                   option->field.size);
    }
    return STATUS_OK;
}

static const char ending[] =
    "when the run began; leave it out to continue as before, or start over without --resume";

Status command_resume(const Arguments *arguments, TrainValues *values, const Checkpoint *checkpoint,
                      Error *error)
{
    const Verb *verb = arguments->verb;
    TrainValues stored;
    TRY(stored_values(&stored, verb, checkpoint, error));
    bool unguided = stored.options.guide_weight > 0 && !values->guide.count;
    if (!stored.train.count && (!values->train.count || unguided))
        return error_set(error, STATUS_ARGUMENT,
                         "%s: does not say which files it was trained on; give --train, "
                         "--guide and the other options as before",
                         checkpoint->path);
    // what auto picks now need not be what it picked then
    if (values->options.precision == PRECISION_AUTO)
        values->options.precision = stored.options.precision;
    for (size_t i = 0; i < verb->option_count; i++) {
        const Option *option = &verb->options[i];
        if (arguments->given[i] && !may_be(option, values, &stored))
            return option_contradiction(verb, option, values, &stored, ending, error);
        bool stands = is_in_command(option) || train_option(option->name);
        if (stands && !arguments->given[i]) option_copy(option, values, &stored);
    }
    return STATUS_OK;
}
