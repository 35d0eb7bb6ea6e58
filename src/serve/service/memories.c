#define _POSIX_C_SOURCE 200809L
#include "serve/service/served_models.h"

#include "text/normalise.h"
#include "translate/memory_file.h"

#include <errno.h>
#include <stdio.h>

// The model of a pair of languages, named as "en-fr"; NULL: there is none.
static ServedModel *model_named(ServedModels *models, TextView name)
{
    char tags[2 * LANGUAGE_SIZE];
    if (name.length >= sizeof tags) return NULL;
    memcpy(tags, name.data, name.length);
    tags[name.length] = '\0';
    for (char *at = tags; (at = strchr(at, '-')); *at++ = '-') {
        *at = '\0';
        const LanguageCode source = language_code_of(tags), target = language_code_of(at + 1);
        ServedModel *model = served_models_find(models, &source, &target);
        if (model && language_code_equal(&model->languages[0], &source)) return model;
    }
    return NULL;
}

static Status read_file(ServedModels *models, const char *name, Error *error)
{
    const char *equals = strchr(name, '=');
    ServedModel *model =
        equals ? model_named(models, (TextView){name, (size_t)(equals - name)}) : NULL;
    const char *path = model ? equals + 1 : name;
    if (!model && models->count == 1) model = models->items;
    if (!model)
        return error_set(error, STATUS_ARGUMENT,
                         "--memory %s: does not say for which pair of languages; give en-fr=%s",
                         name, name);
    if (!model->memory) TRY(translation_memory_new(&model->memory, error));
    return memory_file_read(model->memory, path, &model->translator, error);
}

static Status add_line(ServedModels *models, const Line *line, Error *error)
{
    TextView rest = {line->text, line->length};
    const TextView source = text_view_cut(&rest, '\t'), target = text_view_cut(&rest, '\t');
    const ServedModel *model = model_named(models, rest); // none: perhaps not written to its end
    return model ? translation_memory_add(model->memory, source, target, error) : STATUS_OK;
}

// Appends lines to a file, which is made if need be, and whose last line may not have been written to
// its end.
static Status append(const char *path, const Bytes *text, Error *error)
{
    FILE *file = fopen(path, "a+b");
    bool failed = !file;
    if (file) {
        bool cut = text->length > 0 && fseek(file, -1, SEEK_END) == 0 && getc(file) != '\n';
        (void)fseek(file, 0, SEEK_END); // between reading and writing
        if (cut) (void)putc('\n', file);
        (void)fwrite(bytes_text(text), 1, text->length, file);
        failed = ferror(file);
        failed |= fclose(file) != 0;
    }
    if (!failed) return STATUS_OK;
    return error_set(error, STATUS_IO, "%s: cannot be written: %s", path, strerror(errno));
}

Status corrections_read(ServedModels *models, const char *path, Error *error)
{
    FREED_BY(line_reader_close_at) LineReader *reader = NULL;
    bool more = true;
    for (size_t i = 0; i < models->count; i++)
        if (!models->items[i].memory) TRY(translation_memory_new(&models->items[i].memory, error));
    TRY(append(path, &(Bytes){0}, error));
    TRY(line_reader_open(&reader, path, error));
    while (more) {
        Line line;
        TRY(line_reader_next(reader, &line, &more, error));
        if (more) TRY(add_line(models, &line, error));
    }
    return STATUS_OK;
}

Status memories_read(ServedModels *models, const MemoryChoice *choice, Error *error)
{
    for (size_t i = 0; i < choice->count; i++) TRY(read_file(models, choice->files[i], error));
    return STATUS_OK;
}

Status correction_add(const char *file, const ServedModel *model, TextView source, TextView target,
                      Error *error)
{
    FREED_BY(bytes_free) Bytes line = {0}, normal = {0};
    TRY(normalise(&line, source.data, source.length, NULL, error));
    TRY(normalise(&normal, target.data, target.length, NULL, error));
    TRY(bytes_append_format(&line, error, "\t%s\t%s-%s\n", bytes_text(&normal),
                            model->languages[0].text, model->languages[1].text));
    TRY(append(file, &line, error));
    return translation_memory_add(model->memory, source, target, error);
}
