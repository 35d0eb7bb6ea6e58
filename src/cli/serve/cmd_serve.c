// regard serve: translation over HTTP.

#define _GNU_SOURCE
#include "cli/model_options.h"
#include "cli/verbs.h"
#include "serve/http/server.h"

#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>

typedef enum LogChoice { LOG_NONE, LOG_REQUESTS, LOG_TEXTS } LogChoice;
static const char *const log_choices[] = {"none", "requests", "texts", NULL};

typedef struct ServeValues {
    ModelOptions model;
    TranslateOptions translate;
    ServiceOptions service;
    ServerOptions server;
    OptionTexts memories;
    LogChoice log;
} ServeValues;

static const Option options[] = {
    OPTION_TEXTS(
        ServeValues, model.paths, "model", "FILE",
        "a model's name, such as en-fr, or file, which must say its languages; --model may "
        "be left out before a name that regard models lists and one that ends in "
        ".safetensors. Several for several pairs of languages",
        .required = true, MODEL_FIELDS),
    OPTION_HEADING("Network"),
    OPTION_TEXT(ServeValues, server.host, "host", "HOST", "address to listen at, or its name"),
    OPTION_SIZE(ServeValues, server.port, "port", "N", 0, 65535,
                "port to listen at; 0 is any that is free"),
    OPTION_FLAG(ServeValues, server.behind_proxy, "behind-proxy",
                "a client's address is the last one in X-Forwarded-For, which a proxy must set"),
    OPTION_TEXT(ServeValues, service.api_keys, "api-keys", "FILE",
                "only requests with one of the keys in the lines of FILE are answered",
                .otherwise = "all requests"),
    OPTION_CHOICE(ServeValues, log, "log", log_choices,
                  "a line of JSON on standard output for each request; texts: with the texts to "
                  "translate"),
    OPTION_HEADING("Limits"),
    OPTION_SIZE(ServeValues, service.max_characters, "max-characters", "N", 10, 100000000,
                "characters of a request's texts, with alignment a tenth; the whole request may "
                "have fifty times as many bytes, and a thousand texts"),
    OPTION_SIZE(ServeValues, service.max_queue, "max-queue", "N", 1, 1000000,
                "requests that wait to be translated"),
    OPTION_SIZE(ServeValues, server.max_connections, "max-connections", "N", 1, 1000000,
                "connections at the same time"),
    OPTION_SIZE(ServeValues, service.per_minute, "requests-per-minute", "N", 1, 1000000,
                "requests that a client may send, by its key or address",
                .otherwise = "any number"),
    OPTION_REAL(
        ServeValues, service.timeout, "timeout", "SECONDS", 1, 3600,
        "a request that takes longer is refused; a client that takes longer to send one, to "
        "read its answer or to send the next loses its connection"),
    OPTION_HEADING("Translation"),
    BEAM_OPTION(ServeValues, 0),
    OPTION_TEXTS(
        ServeValues, memories, "memory", "FILE",
        "translate by FILE, a TSV, CSV or TMX, as translate --memory does; en-fr=FILE says "
        "for which of several models; several times: several files",
        .otherwise = "none"),
    OPTION_TEXT(ServeValues, service.memories.corrections, "corrections", "FILE",
                "clients may correct translations (/suggest, and the page): FILE gets them and is "
                "read as a memory",
                .otherwise = "they may not"),
    SHORTLIST_OPTION(ServeValues, 0),
    THREADS_OPTION(ServeValues, 0),
    PRECISION_OPTION(ServeValues, 0),
};

// Called by the log's thread.
static void warn(const char *message)
{
    report_warning("serve", "%s", message);
}

static void reload(Service *service)
{
    Error error = {0};
    if (service_reload(service, &error))
        report_warning("serve", "%s; what was loaded before stays", error.text);
    else
        report_notes("serve", "loaded again");
}

// As many files may be open as there may be connections, if the system lets us.
static void allow_connections(size_t connections)
{
    enum { OTHERS = 64 };
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit)) return;
    rlim_t wanted = connections + OTHERS;
    if (limit.rlim_cur >= wanted) return;
    limit.rlim_cur = wanted < limit.rlim_max ? wanted : limit.rlim_max;
    (void)setrlimit(RLIMIT_NOFILE, &limit);
}

// Reloads at SIGHUP until SIGTERM or SIGINT.
static Status run_server(const ServeValues *values, Service *service, Output *output,
                         const sigset_t *signals, Error *error)
{
    Server *server = NULL;
    char note[256];
    ServerOptions chosen = values->server;
    chosen.log = values->log == LOG_NONE ? -1 : output->descriptor;
    chosen.log_texts = values->log == LOG_TEXTS;
    chosen.warn = warn;
    allow_connections(chosen.max_connections);
    TRY(server_start(&server, service, &chosen, error));
    (void)snprintf(note, sizeof note, "listening at %s", server_address(server));
    report_notes("serve", note);
    for (int received = SIGHUP; received == SIGHUP;)
        if (!sigwait(signals, &received) && received == SIGHUP) reload(service);
    server_stop(server);
    return STATUS_OK;
}

static Status serve(const Arguments *arguments, Output *output, Error *error)
{
    const ServeValues *values = arguments->values;
    // \ud83d\ude00, a character in JSON, is 12 bytes; glossaries and markup come on top
    enum { BYTES_A_CHARACTER = 50 };
    ServiceOptions chosen = values->service;
    FREED_BY(service_free_at) Service *service = NULL;
    sigset_t signals;
    chosen.max_body = BYTES_A_CHARACTER * chosen.max_characters;
    chosen.translate = values->translate;
    chosen.translate.split = SPLIT_SENTENCES;
    chosen.models = (ModelChoice){.paths = values->model.paths.items,
                                  .count = values->model.paths.count,
                                  .threads = model_threads(&values->model),
                                  .precision = values->model.precision,
                                  .shortlist = values->translate.search.scoring.shortlist};
    chosen.memories.files = values->memories.items;
    chosen.memories.count = values->memories.count;
    // of all threads that are started from here on
    sigemptyset(&signals);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGHUP);
    pthread_sigmask(SIG_BLOCK, &signals, NULL);
    TRY(service_new(&service, &chosen, error));
    return run_server(values, service, output, &signals, error);
}

static const ServeValues defaults = {
    .model = {.precision = PRECISION_AUTO},
    .translate = TRANSLATE_OPTIONS_DEFAULT,
    .service = {.max_characters = 20000, .max_texts = 1000, .max_queue = 1000, .timeout = 30},
    .server = {.host = "127.0.0.1", .port = 5000, .max_connections = 10000},
    .log = LOG_REQUESTS,
};

const Verb verb_serve = {
    .name = "serve",
    .summary = "translate over HTTP, by LibreTranslate's API",
    .description =
        "Answers the requests of LibreTranslate's clients, and aligns. What arrives while "
        "a batch is translated is the next batch. SIGTERM and SIGINT end the server when "
        "it has answered what has come; SIGHUP reads models and keys again.\n"
        "To ask it: curl 127.0.0.1:5000/translate -d source=en -d target=fr -d q=Welcome",
    VERB_OPTIONS(options, defaults),
    .examples = "Translate from English to French and back:\n"
                "  regard serve --model en-fr --model fr-en\n"
                "The same for those who have a key, behind a proxy:\n"
                "  regard serve --model en-fr --api-keys keys.txt --behind-proxy\n",
    .run = serve,
};
