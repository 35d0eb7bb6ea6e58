#define _GNU_SOURCE
#include "serve/http/listener.h"

#include <errno.h>
#include <netdb.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { WAITING = 1024 }; // connections that the system keeps until they are taken

static Status note_address(Listener *listener, Error *error)
{
    struct sockaddr_storage address = {0};
    socklen_t length = sizeof address;
    char host[64], port[16];
    if (getsockname(listener->socket, (struct sockaddr *)&address, &length) ||
        getnameinfo((struct sockaddr *)&address, length, host, sizeof host, port, sizeof port,
                    NI_NUMERICHOST | NI_NUMERICSERV))
        return error_set(error, STATUS_IO, "the address that the server listens at is not known");
    bool bracketed = address.ss_family == AF_INET6;
    (void)snprintf(listener->address, sizeof listener->address, "http://%s%s%s:%s",
                   bracketed ? "[" : "", host, bracketed ? "]" : "", port);
    return STATUS_OK;
}

static Status bind_to(Listener *listener, const struct addrinfo *found, Error *error)
{
    int yes = 1; // a server that has just ended keeps no port
    listener->socket = socket(found->ai_family, found->ai_socktype | SOCK_CLOEXEC, 0);
    if (listener->socket < 0)
        return error_set(error, STATUS_IO, "a socket cannot be made: %s", strerror(errno));
    setsockopt(listener->socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (bind(listener->socket, found->ai_addr, found->ai_addrlen) ||
        listen(listener->socket, WAITING))
        return error_set(error, STATUS_IO, "%s", strerror(errno));
    return note_address(listener, error);
}

Status listener_open(Listener *listener, const char *host, size_t port, Error *error)
{
    struct addrinfo *found, hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE};
    char service[16];
    Error inner;
    (void)snprintf(service, sizeof service, "%zu", port);
    int failed = getaddrinfo(host, service, &hints, &found);
    if (failed)
        return error_set(error, STATUS_ARGUMENT, "--host %s: %s", host, gai_strerror(failed));
    *listener = (Listener){.socket = -1};
    Status status = bind_to(listener, found, &inner);
    freeaddrinfo(found);
    if (!status) return status;
    if (listener->socket >= 0) close(listener->socket);
    return error_set(error, status, "host %s, port %zu: %s; choose another --port or --host", host,
                     port, inner.text);
}
