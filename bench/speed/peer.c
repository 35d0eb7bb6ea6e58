#define _POSIX_C_SOURCE 200809L
#include "bench/speed/peer.h"

#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

struct Peer {
    const char *name; // of the program, not owned
    pid_t child;
    FILE *to, *from;
    char *line; // getline's
    size_t room;
};

/* The child's part: pipes as its standard streams. Never returns. */
static void become(const int to[2], const int from[2], char *const *words, const char *policy)
{
    if (policy) setenv("OMP_WAIT_POLICY", policy, 1);
    if (dup2(to[0], STDIN_FILENO) >= 0 && dup2(from[1], STDOUT_FILENO) >= 0) {
        close(to[0]);
        close(to[1]);
        close(from[0]);
        close(from[1]);
        execvp(words[0], words);
    }
    _exit(127);
}

static Status start(Peer *peer, char *const *words, const char *policy, Error *error)
{
    int to[2], from[2];
    if (pipe(to)) return error_set(error, STATUS_IO, "a pipe: %s", strerror(errno));
    if (pipe(from)) {
        close(to[0]);
        close(to[1]);
        return error_set(error, STATUS_IO, "a pipe: %s", strerror(errno));
    }
    peer->child = fork();
    if (peer->child == 0) become(to, from, words, policy);
    close(to[0]);
    close(from[1]);
    // a second peer must not hold the first one's input open
    fcntl(to[1], F_SETFD, FD_CLOEXEC);
    fcntl(from[0], F_SETFD, FD_CLOEXEC);
    peer->to = fdopen(to[1], "w");
    peer->from = fdopen(from[0], "r");
    if (peer->child > 0 && peer->to && peer->from) return STATUS_OK;
    return error_set(error, STATUS_IO, "%s cannot be started: %s", words[0], strerror(errno));
}

static Status hear(Peer *peer, json_t **answer, Error *error)
{
    json_error_t at;
    if (getline(&peer->line, &peer->room, peer->from) < 0)
        return error_set(error, STATUS_ARGUMENT, "%s cannot be run, or ended without an answer",
                         peer->name);
    *answer = json_loads(peer->line, 0, &at);
    if (!json_is_object(*answer)) {
        json_decref(*answer);
        return error_set(error, STATUS_FORMAT, "%s said: %s", peer->name, peer->line);
    }
    const char *failure = json_string_value(json_object_get(*answer, "error"));
    if (!failure) return STATUS_OK;
    Status status = error_set(error, STATUS_ARGUMENT, "PyTorch: %s", failure);
    json_decref(*answer);
    return status;
}

Status peer_start(Peer **out, const PeerCommand *command, json_t **greeting, Error *error)
{
    Peer *peer = memory_new(1, sizeof *peer);
    if (!peer) return error_memory(error, sizeof *peer, "the peer");
    peer->name = command->python;
    // exec does not change what it is given
    char *const words[] = {(char *)command->python, (char *)command->script,
                           (char *)command->folder, NULL};
    Status status = start(peer, words, command->policy, error);
    if (!status) status = hear(peer, greeting, error);
    if (status)
        peer_end(peer);
    else
        *out = peer;
    return status;
}

Status peer_ask(Peer *peer, json_t *question, json_t **answer, Error *error)
{
    int failed = json_dumpf(question, peer->to, JSON_COMPACT) || fputc('\n', peer->to) == EOF ||
                 fflush(peer->to);
    json_decref(question);
    if (failed) return error_set(error, STATUS_IO, "%s does not read its input", peer->name);
    return hear(peer, answer, error);
}

void peer_end(Peer *peer)
{
    if (!peer) return;
    if (peer->to) fclose(peer->to); // the end of its input is the end of the peer
    if (peer->from) fclose(peer->from);
    if (peer->child > 0)
        while (waitpid(peer->child, NULL, 0) < 0 && errno == EINTR) continue;
    free(peer->line); // getline's
    memory_free(peer);
}
