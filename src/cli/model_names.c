#include "cli/model_names.h"

#include <unistd.h>

// en-fr, fra-eng: two codes of languages, of two or three letters.
static bool is_language_pair(const char *word)
{
    static const char LETTERS[] = "abcdefghijklmnopqrstuvwxyz";
    size_t first = strspn(word, LETTERS), second = 0;
    if (word[first] == '-') second = strspn(word + first + 1, LETTERS);
    return first >= 2 && first <= 3 && second >= 2 && second <= 3 && !word[first + 1 + second];
}

static bool ends_with(const char *word, const char *ending)
{
    size_t length = strlen(word), size = strlen(ending);
    return length > size && !strcmp(word + length - size, ending);
}

bool model_is_meant(const char *word)
{
    FREED_BY(model_folders_free) ModelFolders folders = {0};
    if (!model_is_name(word)) return ends_with(word, MODEL_ENDING);
    bool is_file = access(word, F_OK) == 0;
    // what fails here is reported when the name is replaced; a file is then none
    bool found =
        model_folders_read(&folders, NULL) ? !is_file : model_folders_find(&folders, word) != NULL;
    return found || (is_language_pair(word) && !is_file);
}

// What is done with each word that may name a model.
typedef Status WordVisit(const char **word, ModelFolders *folders, Error *error);

static Status visit_all(WordVisit *visit, OptionTexts *texts, ModelFolders *folders, Error *error)
{
    for (size_t i = 0; i < texts->count; i++) TRY(visit(&texts->items[i], folders, error));
    return STATUS_OK;
}

static Status visit_models(WordVisit *visit, ModelFolders *folders, Arguments *arguments,
                           void *values, Error *error)
{
    const Verb *verb = arguments->verb;
    for (size_t i = 0; i < verb->option_count; i++) {
        const Option *option = &verb->options[i];
        void *place = (char *)values + option->offset;
        const char **word = place;
        if (!option->model) continue;
        if (option->kind == OPTION_KIND_TEXTS)
            TRY(visit_all(visit, place, folders, error));
        else if (*word)
            TRY(visit(word, folders, error));
    }
    return verb->models ? visit_all(visit, &arguments->operands, folders, error) : STATUS_OK;
}

Status model_names_replace(ModelFolders *folders, Arguments *arguments, void *values, Error *error)
{
    return visit_models(model_folders_replace, folders, arguments, values, error);
}

// Says more where the error is that this word, without a folder, is no file and no model's name.
static Status explain_missing(const char **word, ModelFolders *folders, Error *error)
{
    size_t length = strlen(*word);
    if (strchr(*word, '/') || access(*word, F_OK) == 0) return STATUS_OK;
    if (folders->count == 0) TRY(model_folders_read(folders, error));
    if (strncmp(error->text, *word, length) != 0 || error->text[length] != ':') return STATUS_OK;
    return model_folders_refuse(folders, *word, error);
}

void model_names_explain(ModelFolders *folders, Arguments *arguments, void *values, Error *error)
{
    if (error && error->status == STATUS_IO)
        (void)visit_models(explain_missing, folders, arguments, values, error);
}

Status model_names_refuse(const char *path, const char *flag, Error *error)
{
    if (strpbrk(path, "/.")) return STATUS_OK;
    return error_set(error, STATUS_ARGUMENT,
                     "--%s %.200s: is a model's name, not a file's; write %.200s%s or ./%.200s",
                     flag, path, path, MODEL_ENDING, path);
}
