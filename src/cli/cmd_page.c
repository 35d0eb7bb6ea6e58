// regard page: a page that translates by itself.

#include "base/string_map.h"
#include "browser/page.h"
#include "cli/file_names.h"
#include "cli/output.h"
#include "cli/verbs.h"
#include "io/file_content.h"
#include "io/file_writer.h"
#include "io/json.h"
#include "translate/translator.h"

#include <sys/stat.h>

typedef struct PageValues {
    const char *output;
    const char *folder;
    bool overwrite;
} PageValues;

static const Option options[] = {
    OPTION_TEXT(PageValues, output, "output", "FILE", "the page, with all that it needs in it",
                .required = true, .unless = "folder", .letter = 'o'),
    OPTION_TEXT(
        PageValues, folder, "folder", "DIR",
        "a folder for the page, index.html, and beside it its engine and models as files, which "
        "any web server can send and browsers keep"),
    OPTION_FLAG(PageValues, overwrite, "overwrite", "replace files that exist"),
};

// What the page loads: the engine first, then the models.
typedef struct PageFile {
    const char *name; // without folders
    const unsigned char *data;
    size_t size;
} PageFile;

typedef struct PageRun {
    const PageValues *values;
    PageFile files[MAX_OPTION_TEXTS + 1];
    FileContent contents[MAX_OPTION_TEXTS];
    size_t count; // of files
} PageRun;

// The place of a line of the page.
static size_t place_of(const char *line)
{
    return (size_t)(strstr(browser_page, line) - browser_page);
}

static void write_base64(Writer *out, const unsigned char *data, size_t size)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char text[4096];
    size_t length = 0;
    for (size_t i = 0; i < size; i += 3) {
        size_t left = size - i < 3 ? size - i : 3;
        unsigned bits = (unsigned)data[i] << 16;
        if (left > 1) bits |= (unsigned)data[i + 1] << 8;
        if (left > 2) bits |= data[i + 2];
        for (unsigned k = 0; k < 4; k++)
            text[length++] = k <= left ? digits[bits >> (18 - 6 * k) & 63] : '=';
        if (length + 4 <= sizeof text && i + 3 < size) continue;
        writer_bytes(out, text, length);
        length = 0;
    }
}

static void write_list(Writer *out, const PageRun *run)
{
    json_t *list = json_array();
    for (size_t i = 0; i < run->count; i++) {
        const PageFile *file = &run->files[i];
        char version[17];
        snprintf(version, sizeof version, "%016llx",
                 (unsigned long long)string_hash((const char *)file->data, file->size));
        json_append(&list, json_pack("{s:s, s:I, s:s}", "file", file->name, "bytes",
                                     (json_int_t)file->size, "version", version));
    }
    json_write(out, list, JSON_COMPACT);
}

// The page: the template with its policy, the list of files and, unless they are beside it, the files.
static void write_page(Writer *out, const PageRun *run)
{
    size_t head = place_of("<title>"),
           data = place_of("<script type=\"text/plain\" id=\"worker\">");
    writer_bytes(out, browser_page, head);
    writer_format(out,
                  "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                  "connect-src %s; img-src data:; base-uri 'none'; form-action 'none'; "
                  "worker-src blob:; %s\">\n",
                  run->values->folder ? "'self'" : "'none'", browser_page_policy);
    writer_bytes(out, browser_page + head, data - head);
    writer_string(out, "<script type=\"application/json\" id=\"contents\">");
    write_list(out, run);
    writer_string(out, "</script>\n");
    for (size_t i = 0; i < run->count && !run->values->folder; i++) {
        writer_format(out, "<script type=\"text/plain\" id=\"%s\">", run->files[i].name);
        write_base64(out, run->files[i].data, run->files[i].size);
        writer_string(out, "</script>\n");
    }
    writer_string(out, browser_page + data);
}

static Status save_in_folder(const PageRun *run, const char *name, const void *data, size_t size,
                             Error *error)
{
    FREED_BY(bytes_free) Bytes path = {0};
    TRY(bytes_append_format(&path, error, "%s/%s", run->values->folder, name));
    TRY(output_file_check(bytes_text(&path), "folder", false, run->values->overwrite, error));
    return file_write(bytes_text(&path), data, size, error);
}

static Status save_all(const PageRun *run, const Bytes *page, Error *error)
{
    if (!run->values->folder)
        return file_write(run->values->output, page->data, page->length, error);
    (void)mkdir(run->values->folder, 0777); // what is wrong with it, the first file tells
    for (size_t i = 0; i < run->count; i++)
        TRY(save_in_folder(run, run->files[i].name, run->files[i].data, run->files[i].size, error));
    return save_in_folder(run, "index.html", page->data, page->length, error);
}

// Opens a model, so that one which the page could not use is refused here, and reads its file.
static Status read_model(PageRun *run, const char *path, Error *error)
{
    const char *name = file_base_name(path);
    FREED_BY(translator_close) Translator translator = {0};
    TRY(translator_open(&translator, path, error));
    if (!translator.languages[0] || !translator.languages[1])
        return error_set(error, STATUS_FORMAT,
                         "%s: does not say its languages; train it with --source-language and "
                         "--target-language",
                         path);
    if (strpbrk(name, "\"<>&?#%"))
        return error_set(error, STATUS_ARGUMENT, "%s: a page needs a file name without \"<>&?#%%",
                         path);
    for (size_t i = 0; i < run->count; i++)
        if (!strcmp(run->files[i].name, name))
            return error_set(error, STATUS_ARGUMENT,
                             "%s: another file has this name; leave one out", path);
    FileContent *content = &run->contents[run->count - 1];
    TRY(file_content_read(content, path, error));
    run->files[run->count++] =
        (PageFile){name, (const unsigned char *)content->data, content->size};
    return STATUS_OK;
}

static Status make_page(PageRun *run, const Arguments *arguments, Output *output, Error *error)
{
    FREED_BY(bytes_free) Bytes page = {0};
    for (size_t i = 0; i < arguments->operands.count; i++)
        TRY(read_model(run, arguments->operands.items[i], error));
    Writer out = writer_start(&page, error);
    write_page(&out, run);
    TRY(writer_end(&out));
    TRY(save_all(run, &page, error));
    if (run->values->output)
        TRY(output_format(output, error, "%s: %zu bytes\n", run->values->output, page.length));
    return STATUS_OK;
}

static Status page(const Arguments *arguments, Output *output, Error *error)
{
    const PageValues *values = arguments->values;
    PageRun run = {.values = values, .count = 1};
    run.files[0] = (PageFile){"engine.wasm.gz", browser_engine, browser_engine_size};
    if (values->output && values->folder)
        return error_set(error, STATUS_ARGUMENT, "--output and --folder conflict; give only one");
    if (values->output)
        TRY(output_file_check(values->output, "output", false, values->overwrite, error));
    if (!browser_engine_size)
        return error_set(
            error, STATUS_IO,
            "this program was built without the engine of pages; build it where clang, lld "
            "and wasi-libc are: make wasm && make");
    Status status = make_page(&run, arguments, output, error);
    for (size_t i = 0; i < MAX_OPTION_TEXTS; i++) file_content_free(&run.contents[i]);
    return status;
}

const Verb verb_page = {
    .name = "page",
    .summary = "make a page that translates by itself, offline",
    .description =
        "The page of `regard serve` as one file that is opened by a double click: models and the "
        "engine, "
        "the same program in WebAssembly, are in it, and what it translates never leaves it. Its "
        "translations are those of --precision int8, bit for bit. Browsers from 2023 on can use "
        "it; "
        "models of `regard quantize` make it a quarter of the size.",
    VERB_OPTIONS(options, (const PageValues){0}),
    .models = true,
    .operands =
        {"MODEL",
         "a model, a file or a name that regard models lists; one for each pair of languages", 1,
         MAX_OPTION_TEXTS - 1},
    .examples = "A translator from English to Chinese and back, in one file:\n"
                "  regard page en-zh zh-en -o translator.html\n"
                "The same for a web server:\n"
                "  regard page en-zh zh-en --folder translator\n",
    .run = page,
};
