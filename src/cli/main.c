#define _DEFAULT_SOURCE
#include "base/memory.h"
#include "base/version.h"
#include "cli/model_names.h"
#include "cli/output.h"
#include "cli/terminal.h"
#include "cli/verbs.h"
#include "io/json.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

enum { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_USAGE = 2, EXIT_INTERRUPTED = 3 };

static const Verb *find_verb(const char *name)
{
    for (size_t i = 0; verbs[i]; i++)
        if (strcmp(verbs[i]->name, name) == 0) return verbs[i];
    return NULL;
}

// The message for a word where a verb should be.
static Status refuse_word(const char *word, Error *error)
{
    const char *names[MAX_VERBS] = {"--help", "--version"};
    bool option = *word == '-';
    size_t count = option ? 2 : 0;
    for (size_t i = 0; !option && verbs[i]; i++) names[count++] = verbs[i]->name;
    const char *nearest = nearest_name(word, names, count), *quote = option ? "" : "\"";
    const char *what = option ? "unknown option" : "there is no verb";
    if (nearest)
        return error_set(error, STATUS_ARGUMENT,
                         "%s %s%.200s%s; did you mean %s? (see regard --help)", what, quote, word,
                         quote, nearest);
    return error_set(error, STATUS_ARGUMENT, "%s %s%.200s%s; %ssee regard --help", what, quote,
                     word, quote, option ? "the verb comes first: " : "");
}

static Status print_overview(Output *output, Error *error)
{
    Writer out = output_start(output, error);
    writer_string(&out,
                  "Usage: regard VERB [options] [operands]\n\n"
                  "Trains a translator on parallel sentences, translates, and shows which source\n"
                  "words each target word attends to. A model is one file: train writes it, the\n"
                  "other verbs read it.\n\nVerbs\n");
    for (size_t i = 0; verbs[i]; i++)
        writer_format(&out, "  %-10s %s\n", verbs[i]->name, verbs[i]->summary);
    writer_string(
        &out, "\nOptions\n"
              "  --help     list the verbs; after a verb, its options and their defaults\n"
              "  --version  print the version\n\n"
              "Options may come in any order, before, after and between operands. A value is\n"
              "the next word or follows \"=\": --beam 5 or --beam=5; one that begins with \"--\"\n"
              "needs the \"=\". After \"--\", every word is an operand.\n\n"
              "Examples\n"
              "  Translate with a model that comes with Regard (regard models lists them):\n"
              "    echo \"Where is the station?\" | regard translate en-fr\n"
              "  Learn from a file with one pair per line, source TAB target:\n"
              "    regard train --train pairs.tsv\n"
              "  Translate with the resulting model:\n"
              "    echo \"A dog runs.\" | regard translate --model model.safetensors\n"
              "  See where it looked:\n"
              "    regard align --model model.safetensors --format heatmap pairs.tsv\n");
    return output_end(output, &out);
}

static Status print_help(const Verb *verb, Output *output, Error *error)
{
    Writer out = output_start(output, error);
    options_help(&out, verb);
    return output_end(output, &out);
}

// Parses the words after the verb and runs it, or prints its help.
static Status run_verb(const Verb *verb, size_t count, const char *const *words, Output *output,
                       Error *error)
{
    Arguments arguments;
    FREED_BY(model_folders_free) ModelFolders folders = {0};
    FREED void *values = memory_new(1, verb->values_size);
    if (!values) return error_memory(error, verb->values_size, "options");
    TRY(options_parse(&arguments, verb, count, words, values, error));
    if (arguments.help) return print_help(verb, output, error);
    TRY(model_names_replace(&folders, &arguments, values, error));
    Status status = verb->run(&arguments, output, error);
    if (status) model_names_explain(&folders, &arguments, values, error);
    return status;
}

/* Runs the command line; `words` are those after the program's name. *verb is set, for messages, as
 * soon as it is known. */
static Status run(size_t count, const char *const *words, const Verb **verb, Output *output,
                  Error *error)
{
    if (count == 0 || options_ask_for_help(words[0])) return print_overview(output, error);
    if (strcmp(words[0], "--version") == 0)
        return output_format(output, error, "regard %s\n", REGARD_VERSION);
    bool help = strcmp(words[0], "help") == 0;
    if (help && (count == 1 || options_ask_for_help(words[1])))
        return print_overview(output, error);
    const Verb *found = find_verb(words[help]);
    if (!found) return refuse_word(words[help], error);
    if (help) return print_help(found, output, error);
    *verb = found;
    return run_verb(found, count - 1, words + 1, output, error);
}

/* If descriptor 0, 1 or 2 is closed, the next file opened would get its number, and results or
 * messages would be written into that file. So it is opened in the wrong direction: using it
 * fails. */
static void occupy_standard_descriptors(void)
{
    for (int descriptor = 0; descriptor <= 2; descriptor++)
        if (fcntl(descriptor, F_GETFD) == -1)
            (void)open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY);
}

/* glibc raises its threshold for mmap to the size of any freed block, up to 32 MB, and then keeps
 * such blocks. A batch's memory is freed as a whole, and kept blocks would double what training
 * needs. A fixed threshold returns them at once. */
static void return_large_blocks(void)
{
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 1 << 20);
#endif
}

int main(int argc, char **argv)
{
    Error error = {0};
    const Verb *verb = NULL;
    Output output = {.descriptor = STDOUT_FILENO, .guarded = terminal_is(STDOUT_FILENO)};
    return_large_blocks();
    json_watch();
    occupy_standard_descriptors();
    // a failed write must return an error, not end the program
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);

    size_t count = argc > 0 ? (size_t)argc - 1 : 0;
    Status status = run(count, (const char *const *)argv + 1, &verb, &output, &error);
    // results from before a failure are still written, but the failure is what is reported
    Status closed = output_close(&output, status ? NULL : &error);
    if (!status) status = closed;
    bool seen_enough = status == STATUS_INTERRUPTED && output.reader_gone;
    if (!status || seen_enough) return EXIT_DONE;
    report_error(verb ? verb->name : NULL, &error);
    if (status == STATUS_INTERRUPTED) return EXIT_INTERRUPTED;
    return status == STATUS_ARGUMENT ? EXIT_USAGE : EXIT_FAILED;
}
