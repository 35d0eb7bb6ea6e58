// The plan of a torture: which calls count, which one fails and how, and where the program crashed.
#include "fate.h"

#include <execinfo.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static const char *const kind_names[] = {"memory", "map",   "open", "read", "write", "sync",
                                         "rename", "close", "stat", "lock", "thread"};

typedef enum How { ONCE, ALWAYS, SHORT, KILL, TORN, HOW_COUNT } How;
static const char *const how_names[] = {"once", "always", "short", "kill", "torn"};

static struct {
    bool known;
    bool begun; // calls count
    unsigned kinds;
    long at;
    How how;
    const char *count_file, *keep_folder;
} plan;
static atomic_long calls;
__thread int fate_inside;

static unsigned parse_kinds(const char *text)
{
    unsigned kinds = 0;
    while (*text) {
        size_t length = strcspn(text, ",");
        for (unsigned i = 0; i < sizeof kind_names / sizeof *kind_names; i++)
            if (strlen(kind_names[i]) == length && !strncmp(kind_names[i], text, length))
                kinds |= 1U << i;
        text += length + (text[length] == ',');
    }
    return kinds;
}

// Before the C library has the environment, nothing counts.
static bool plan_made(void)
{
    if (plan.known) return true;
    if (!environ) return false;
    const char *kinds = getenv("TORTURE_KINDS"), *at = getenv("TORTURE_AT");
    const char *how = getenv("TORTURE_HOW");
    plan.kinds = kinds ? parse_kinds(kinds) : 0;
    plan.at = at ? strtol(at, NULL, 10) : 0;
    for (int i = 0; how && i < HOW_COUNT; i++)
        if (!strcmp(how, how_names[i])) plan.how = (How)i;
    const char *from = getenv("TORTURE_FROM");
    if (from && !strcmp(from, "load")) plan.begun = true;
    plan.count_file = getenv("TORTURE_COUNT");
    plan.keep_folder = getenv("TORTURE_KEEP");
    plan.known = true;
    return true;
}

Fate fate_of(unsigned kind)
{
    if (fate_inside || !plan_made() || !plan.begun || !(plan.kinds & kind)) return SUCCEED;
    long call = ++calls;
    bool from_here = plan.how == ALWAYS || plan.how == SHORT;
    if (!plan.at || (from_here ? call < plan.at : call != plan.at)) return SUCCEED;
    if (plan.how == KILL) (void)raise(SIGKILL);
    if (plan.how == TORN) return kind & WRITE ? HALVE : DIE_AFTER;
    if (plan.how == SHORT) return kind & (READ | WRITE) ? HALVE : SUCCEED;
    return FAIL;
}

void fate_after(Fate fate)
{
    if (plan.how == TORN && fate != SUCCEED) (void)raise(SIGKILL);
}

const char *fate_keep_folder(void)
{
    return plan_made() ? plan.keep_folder : NULL;
}

// Malloc no longer counts; what it might deadlock on is the time limit's.
// Threads may crash together: the first one names the place and ends the program, the others wait.
static void name_the_crashed(int number)
{
    static atomic_flag begun = ATOMIC_FLAG_INIT;
    while (atomic_flag_test_and_set(&begun)) (void)pause();
    void *frames[64];
    char line[512];
    const char *last = "";
    fate_inside++;
    int count = backtrace(frames, 64);
    int length =
        snprintf(line, sizeof line, "\ntorture: %s in", number == SIGABRT ? "SIGABRT" : "SIGSEGV");
    for (int i = 1; i < count && length < (int)sizeof line - 64; i++) {
        Dl_info info;
        if (!dladdr(frames[i], &info) || !info.dli_fname || !strcmp(info.dli_fname, last)) continue;
        last = info.dli_fname;
        const char *slash = strrchr(last, '/');
        length += snprintf(line + length, 64, " %.60s", slash ? slash + 1 : last);
    }
    line[length++] = '\n';
    if (syscall(SYS_write, STDERR_FILENO, line, (size_t)length) < 0) length = 0;
    (void)signal(number, SIG_DFL);
    (void)raise(number);
}

__attribute__((constructor)) static void catch_crashes(void)
{
    static char stack[1 << 16]; // for the main thread, whose own one may be what has overflowed
    if (!plan_made() || !plan.at) return;
    const stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
    (void)sigaltstack(&other, NULL);
    void *frame;
    fate_inside++;
    (void)backtrace(&frame, 1); // which loads what it needs
    fate_inside--;
    const struct sigaction action = {.sa_handler = name_the_crashed, .sa_flags = SA_ONSTACK};
    static const int numbers[] = {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        (void)sigaction(numbers[i], &action, NULL);
}

__attribute__((destructor)) static void write_count(void)
{
    if (!plan.known || !plan.count_file) return;
    fate_inside++;
    FILE *file = fopen(plan.count_file, "w");
    if (file) {
        fprintf(file, "%ld\n", (long)calls);
        fclose(file);
    }
    fate_inside--;
}

static int (*real_main)(int, char **, char **);

static int counted_main(int count, char **words, char **env)
{
    plan.begun = plan_made();
    return real_main(count, words, env);
}

int __libc_start_main(int (*main)(int, char **, char **), int count, char **words,
                      void (*start)(void), void (*finish)(void), void (*loader_finish)(void),
                      void *stack_end);

int __libc_start_main(int (*main)(int, char **, char **), int count, char **words,
                      void (*start)(void), void (*finish)(void), void (*loader_finish)(void),
                      void *stack_end)
{
    REAL(__libc_start_main)
    real_main = main;
    return real(counted_main, count, words, start, finish, loader_finish, stack_end);
}
