/* Translates standard input with one model that several threads share:
 *
 *     cc threads.c $(pkg-config --cflags --libs regard) -lpthread -o threads
 *     ./threads model.safetensors 4 <text
 *
 * prints a translation for each line, in order. Each thread calls the library for one line after another;
 * if a call fails, the calls of the others are cancelled. (For a text that is there as a whole it is faster
 * to give all of it to one call with options.threads; this is the way of a server.) */
#define _POSIX_C_SOURCE 200809L // getline

#include <regard.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

enum { MAX_THREADS = 64 };

typedef struct Line {
    RegardText text;
    RegardResult *result;
} Line;

typedef struct Work {
    const RegardModel *model;
    Line *lines; // (count)
    size_t count;
    atomic_size_t next;   // the line that the next free thread takes
    atomic_bool failed;   // by any thread
    pthread_mutex_t lock; // of error
    RegardError error;    // the first
} Work;

static bool has_failed(void *context)
{
    return atomic_load(&((Work *)context)->failed);
}

static void fail(Work *work, const RegardError *error)
{
    pthread_mutex_lock(&work->lock);
    if (!atomic_exchange(&work->failed, true)) work->error = *error;
    pthread_mutex_unlock(&work->lock);
}

static void *translate_lines(void *context)
{
    Work *work = context;
    RegardOptions options;
    RegardError error;
    regard_options_default(&options, sizeof options);
    options.cancelled = has_failed;
    options.context = work;
    for (size_t i; (i = atomic_fetch_add(&work->next, 1)) < work->count && !has_failed(work);) {
        Line *line = &work->lines[i];
        if (regard_translate(work->model, &line->text, 1, &options, &line->result, &error))
            fail(work, &error);
    }
    return NULL;
}

static void run_threads(Work *work, size_t count)
{
    pthread_t threads[MAX_THREADS];
    size_t started = 0;
    while (started + 1 < count && !pthread_create(&threads[started], NULL, translate_lines, work))
        started++;
    translate_lines(work); // this thread too
    while (started > 0) pthread_join(threads[--started], NULL);
}

// All lines of standard input; false if memory is short.
static bool read_lines(Work *work)
{
    char *line = NULL;
    size_t capacity = 0;
    for (ssize_t length; (length = getline(&line, &capacity, stdin)) >= 0; line = NULL) {
        Line *grown = realloc(work->lines, (work->count + 1) * sizeof *grown);
        if (!grown) break;
        if (length > 0 && line[length - 1] == '\n') length--;
        work->lines = grown;
        work->lines[work->count++] = (Line){{line, (size_t)length}, NULL};
        capacity = 0;
    }
    free(line);
    return feof(stdin) != 0;
}

static void print_lines(const Work *work)
{
    for (size_t i = 0; i < work->count; i++) {
        const RegardTranslation *best = regard_result_translation(work->lines[i].result, 0, 0);
        if (best) fwrite(best->text.bytes, 1, best->text.length, stdout);
        putchar('\n');
    }
}

int main(int count, char **words)
{
    Work work = {.lock = PTHREAD_MUTEX_INITIALIZER};
    RegardModel *model;
    size_t threads = count > 2 ? strtoul(words[2], NULL, 10) : 4;
    if (regard_open(&model, count > 1 ? words[1] : NULL, &work.error)) {
        fprintf(stderr, "threads: %s\n", work.error.text);
        return EXIT_FAILURE;
    }
    work.model = model;
    bool read = read_lines(&work);
    run_threads(&work, threads < MAX_THREADS ? threads : MAX_THREADS);
    if (!read) fputs("threads: standard input cannot be read to its end\n", stderr);
    if (work.failed) fprintf(stderr, "threads: %s\n", work.error.text);
    bool good = read && !work.failed;
    if (good) print_lines(&work);
    for (size_t i = 0; i < work.count; i++) {
        regard_result_free(work.lines[i].result);
        free((char *)work.lines[i].text.bytes);
    }
    free(work.lines);
    regard_close(model);
    return good && !fflush(stdout) ? EXIT_SUCCESS : EXIT_FAILURE;
}
