/* What `regard-mpi.so` gives to the program that loads it: the few operations that training needs of
 * MPI. The module is compiled against one MPI library, whose types appear in mpi_module.c alone.
 *
 * Every operation but `end_all` is called by all ranks in the same order, from the main thread. None
 * returns a failure: where communication fails, MPI ends all ranks. */
#ifndef REGARD_TRAIN_CLUSTER_MPI_MODULE_H
#define REGARD_TRAIN_CLUSTER_MPI_MODULE_H

#include <stdbool.h>
#include <stddef.h>

/* A message between this rank and another. Those between two ranks arrive in the order in which
 * both list them. */
typedef struct RankMessage {
    size_t rank; // the other
    bool incoming;
    void *data; // (bytes)
    size_t bytes;
} RankMessage;

typedef struct MpiModule {
    const char *program; // the REGARD_VERSION it was compiled for
    const char *library; // "Open MPI", "MPICH" or "MPI"
    bool (*start)(size_t *rank, size_t *count);
    void (*end)(void);
    void (*end_all)(int exit_status); // ends all ranks; does not return
    // Each number becomes the sum, or the largest, of all ranks'.
    void (*sum)(double *values, size_t count);
    void (*max)(double *values, size_t count);
    void (*broadcast)(void *data, size_t bytes, size_t from);
    void (*exchange)(const RankMessage *messages, size_t count); // returns when all have arrived
} MpiModule;

#define REGARD_MPI_MODULE "regard_mpi_module"

#endif
