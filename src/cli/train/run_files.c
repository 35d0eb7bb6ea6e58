#define _POSIX_C_SOURCE 200809L
#include "cli/train/train.h"

#include "cli/file_names.h"
#include "cli/model_names.h"
#include "corpus/pair_name.h"
#include "io/file_writer.h"
#include "io/line_reader.h"
#include "train/checkpoint.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

// With --overwrite, a name given twice by mistake must not cost the corpus.
static Status refuse_input(const RunFiles *files, const char *output, Error *error)
{
    const TrainingFiles *read = files->read;
    bool among = (read->init && file_is_same(output, read->init)) ||
                 (read->guides && file_is_among(output, read->guides, read->count));
    if (read->mix) TRY(pair_name_includes(&among, read->mix, output, error));
    for (size_t i = 0; i < read->valid_count; i++)
        TRY(pair_name_includes(&among, read->valid[i], output, error));
    for (size_t i = 0; i < read->count; i++)
        TRY(pair_name_includes(&among, read->train[i], output, error));
    if (!among) return STATUS_OK;
    return error_set(error, STATUS_ARGUMENT, "%s: is both read and written; name another file",
                     output);
}

static const char otherwise_of_model[] =
    "--resume continues its training, --overwrite replaces it, "
    "--model names another file";

// A file that exists or is read.
static Status refuse_file(const RunFiles *files, const char *name, const char *otherwise,
                          Error *error)
{
    TRY(refuse_input(files, name, error));
    if (files->resume || files->overwrite) return STATUS_OK;
    return file_refuse_existing(name, otherwise, error);
}

static Status refuse_names(const RunFiles *files, Error *error)
{
    const struct {
        const char *name, *option, *otherwise;
    } written[] = {
        {files->model, "model", otherwise_of_model},
        {files->checkpoint.data, "model", otherwise_of_model},
        {files->log, "log", "--overwrite replaces it, --log names another file"},
        {files->report, "report", "--overwrite replaces it, --report names another file"}};
    if (files->report && !strcmp(files->log, "-"))
        return error_set(error, STATUS_ARGUMENT,
                         "--report reads the log again: name a file with --log, or leave it out");
    for (size_t i = 0; i < sizeof written / sizeof *written; i++) {
        const char *name = written[i].name;
        if (!name) continue;
        for (size_t k = 0; k < i; k++)
            if (written[k].name &&
                (!strcmp(name, written[k].name) || file_is_same(name, written[k].name)))
                return error_set(error, STATUS_ARGUMENT,
                                 "%s: is written by the training itself; name another file with "
                                 "--%s",
                                 name, written[i].option);
        TRY(refuse_file(files, name, written[i].otherwise, error));
    }
    return STATUS_OK;
}

// The files of --keep.
static Status refuse_kept(const RunFiles *files, Error *error)
{
    FREED_BY(bytes_free) Bytes path = {0};
    for (size_t i = 1; i <= files->keep; i++) {
        TRY(kept_path(&path, files->model, i, error));
        TRY(refuse_file(files, path.data, otherwise_of_model, error));
    }
    return STATUS_OK;
}

Status run_files_lock(RunFiles *files, Error *error)
{
    if (!files->resume) TRY(model_names_refuse(files->model, "model", error));
    TRY(checkpoint_path(&files->checkpoint, files->model, error));
    if (files->resume && files->overwrite)
        return error_set(error, STATUS_ARGUMENT,
                         "--resume continues the training of %s, --overwrite replaces it; give one",
                         files->model);
    return files->elsewhere ? STATUS_OK : file_lock_take(&files->lock, files->model, error);
}

Status run_files_claim(const RunFiles *files, Error *error)
{
    if (files->elsewhere) return STATUS_OK;
    TRY(refuse_names(files, error));
    TRY(refuse_kept(files, error));
    TRY(file_writer_try(files->model, error));
    return file_writer_try(files->checkpoint.data, error);
}

static Status log_failed(const RunFiles *files, Error *error)
{
    return error_set(error, STATUS_IO, "%s: cannot be written: %s; name another file with --log",
                     files->log, strerror(errno));
}

/* Where the rows of a log up to this step end. A row that is not a whole line, or not one of ours,
 * ends them too. */
static Status rows_end(off_t *end, const char *path, size_t steps, Error *error)
{
    FREED_BY(line_reader_close_at) LineReader *reader = NULL;
    *end = 0;
    TRY(line_reader_open(&reader, path, error));
    while (true) {
        Line line;
        bool more;
        json_t *row;
        TRY(line_reader_next(reader, &line, &more, error));
        if (!more) break;
        Status status = json_parse(&row, line.text, line.length, path, "a row", error);
        if (status == STATUS_MEMORY) return status;
        if (status) break;
        json_int_t step = json_integer_value(json_object_get(row, "step"));
        json_decref(row);
        if (step > (json_int_t)steps) break;
        *end += (off_t)line.length + 1;
    }
    return STATUS_OK;
}

static Status cut_log(const RunFiles *files, size_t steps, Error *error)
{
    struct stat info;
    off_t end;
    if (stat(files->log, &info) || !S_ISREG(info.st_mode)) return STATUS_OK;
    TRY(rows_end(&end, files->log, steps, error));
    if (end < info.st_size && truncate(files->log, end)) return log_failed(files, error);
    return STATUS_OK;
}

Status run_files_open_log(RunFiles *files, size_t steps, Error *error)
{
    if (!files->log) return STATUS_OK;
    if (!strcmp(files->log, "-")) {
        int copy = dup(STDOUT_FILENO);
        files->log_file = copy >= 0 ? fdopen(copy, "w") : NULL;
    } else {
        if (files->resume) TRY(cut_log(files, steps, error));
        files->log_file = fopen(files->log, files->resume ? "a" : "w");
    }
    if (!files->log_file) return log_failed(files, error);
    setvbuf(files->log_file, NULL, _IONBF,
            0); // what failed is not written later, at some other place
    struct stat info;
    files->log_begun = files->resume && !fstat(fileno(files->log_file), &info) &&
                       S_ISREG(info.st_mode) && info.st_size > 0;
    return STATUS_OK;
}

Status run_files_begin_log(const RunFiles *files, const TrainLog *log, json_t *header, Error *error)
{
    Error inner;
    if (!header) return error_memory(error, 1, "the log's header");
    if (!files->log_file || files->log_begun) {
        json_decref(header);
        return STATUS_OK;
    }
    Status status = train_log_write(log, header, &inner);
    return status ? error_set(error, status, "%s: %s", files->log, inner.text) : STATUS_OK;
}

Status run_files_retire(const RunFiles *files, Error *error)
{
    const char *path = files->checkpoint.data;
    if (files->resume || files->elsewhere || unlink(path) == 0 || errno == ENOENT) return STATUS_OK;
    return error_set(error, STATUS_IO, "%s: cannot be removed: %s", path, strerror(errno));
}

Status run_files_close(RunFiles *files, Error *error)
{
    Status status = STATUS_OK;
    if (files->log_file && fclose(files->log_file)) status = log_failed(files, error);
    file_lock_release(files->lock);
    bytes_free(&files->checkpoint);
    return status;
}
