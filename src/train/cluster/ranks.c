#define _GNU_SOURCE
#include "train/cluster/ranks.h"

#include "base/string_map.h"
#include "base/version.h"
#include "io/file_content.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const char MODULE[] = "regard-mpi.so";

/* What launchers tell the processes that they start: Open MPI's mpirun, MPICH's and others' with
 * PMI, Slurm's srun (SLURM_NTASKS is that of a whole job, also where only one process was started).
 * */
static const char *const sizes[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"};
static const char *const numbers[] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "SLURM_PROCID"};
enum { LAUNCHERS = sizeof sizes / sizeof *sizes };

// Beside the program, as it was built, or where `make install` puts it.
static void *open_module(void)
{
    static const char *const places[] = {"", "../lib/regard/"};
    char folder[PATH_MAX]; // of the program, with a slash at its end; empty if it is not known
    ssize_t length = readlink("/proc/self/exe", folder, sizeof folder - 1);
    folder[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(folder, '/');
    if (slash) slash[1] = '\0';
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        char path[PATH_MAX + 32];
        snprintf(path, sizeof path, "%s%s%s", folder, places[i], MODULE);
        if (access(path, F_OK) == 0) return dlopen(path, RTLD_NOW | RTLD_GLOBAL);
    }
    return NULL;
}

static Status load(Ranks *ranks, Error *error)
{
    dlerror(); // forgets an earlier one
    void *handle = open_module();
    if (handle) ranks->module = dlsym(handle, REGARD_MPI_MODULE);
    if (ranks->module && !strcmp(ranks->module->program, REGARD_VERSION)) return STATUS_OK;
    const char *reason = dlerror();
    if (ranks->module) reason = "it belongs to another version of regard";
    ranks->module = NULL;
    return error_set(
        error, STATUS_ARGUMENT,
        "%zu processes were started to train together, but MPI cannot be used: %s%s%s; "
        "start one alone, or install an MPI library and build regard again",
        ranks->count, MODULE, reason ? ": " : " is missing", reason ? reason : "");
}

Status ranks_start(Ranks *ranks, Error *error)
{
    *ranks = (Ranks){.count = 1};
    size_t launcher = 0; // the innermost that started this process
    const char *size = NULL;
    while (launcher < LAUNCHERS && !(size = getenv(sizes[launcher]))) launcher++;
    if (size) {
        const char *number = getenv(numbers[launcher]);
        ranks->count = strtoul(size, NULL, 10);
        ranks->rank = number ? strtoul(number, NULL, 10) : 0;
    }
    if (ranks->count <= 1) {
        *ranks = (Ranks){.count = 1};
        return STATUS_OK;
    }
    size_t started = ranks->count, joined = 0, rank = 0;
    TRY(load(ranks, error));
    if (ranks->module->start(&rank, &joined) && joined == started) {
        ranks->rank = rank;
        return STATUS_OK;
    }
    const char *library = ranks->module->library;
    if (joined) ranks->module->end();
    ranks->module = NULL;
    return error_set(error, STATUS_ARGUMENT,
                     "%zu processes were started to train together, but not by %s, for which this "
                     "regard was built; use its mpirun, or build regard again with the other's "
                     "compiler: make MPICC=…",
                     started, library);
}

void ranks_end(Ranks *ranks)
{
    if (ranks->module) ranks->module->end();
    ranks->module = NULL;
    ranks->count = 1;
}

static bool is_alone(const Ranks *ranks)
{
    return !ranks || !ranks->module;
}

// What a rank that failed tells the others.
typedef struct Failure {
    Status status;
    char host[64];
    char text[ERROR_TEXT_SIZE];
} Failure;

Status ranks_agree(Ranks *ranks, Status status, Error *error)
{
    if (is_alone(ranks)) return status;
    double first = ranks_max(ranks, status ? (double)(ranks->count - ranks->rank) : 0);
    if (first == 0) return STATUS_OK;
    size_t from = ranks->count - (size_t)first;
    Failure failure = {.status = status}, own;
    gethostname(failure.host, sizeof failure.host - 1);
    if (status && error) memcpy(failure.text, error->text, sizeof failure.text);
    own = failure;
    ranks->module->broadcast(&failure, sizeof failure, from);
    bool alike = own.status == failure.status && !strcmp(own.text, failure.text);
    bool all_alike = ranks_max(ranks, !alike) == 0;
    ranks->agreed = true;
    if (all_alike) return status;
    return error_set(error, failure.status, "rank %zu (%s): %s", from, failure.host, failure.text);
}

Status ranks_compare(Ranks *ranks, uint64_t number, const char *what, Error *error)
{
    if (is_alone(ranks)) return STATUS_OK;
    uint64_t leader = number;
    ranks->module->broadcast(&leader, sizeof leader, 0);
    Status status = STATUS_OK;
    if (leader != number) status = error_set(error, STATUS_ARGUMENT, "%s", what);
    return ranks_agree(ranks, status, error);
}

Status ranks_compare_programs(Ranks *ranks, Error *error)
{
    FREED_BY(file_content_free) FileContent content = {0};
    if (is_alone(ranks)) return STATUS_OK;
    TRY(ranks_agree(ranks, file_content_read(&content, "/proc/self/exe", error), error));
    uint64_t hash = string_hash(content.data ? content.data : "", content.size);
    return ranks_compare(ranks, hash,
                         "its regard is not the program that rank 0 runs; install the same one on "
                         "all nodes",
                         error);
}

void ranks_sum(const Ranks *ranks, double *values, size_t count)
{
    if (!is_alone(ranks)) ranks->module->sum(values, count);
}

double ranks_max(const Ranks *ranks, double value)
{
    if (!is_alone(ranks)) ranks->module->max(&value, 1);
    return value;
}

void ranks_broadcast(const Ranks *ranks, void *data, size_t bytes)
{
    if (!is_alone(ranks)) ranks->module->broadcast(data, bytes, 0);
}

void ranks_exchange(Ranks *ranks, const RankMessage *messages, size_t count)
{
    if (is_alone(ranks)) return;
    for (size_t i = 0; i < count; i++)
        if (!messages[i].incoming) ranks->sent += messages[i].bytes;
    ranks->module->exchange(messages, count);
}
