// The socket that a server listens at.
#ifndef REGARD_SERVE_HTTP_LISTENER_H
#define REGARD_SERVE_HTTP_LISTENER_H

#include "base/status.h"

enum { LISTENER_ADDRESS_SIZE = 128 };

typedef struct Listener {
    int socket;                          // closed by whoever uses it
    char address[LISTENER_ADDRESS_SIZE]; // "http://127.0.0.1:5000", "http://[::1]:5000"
} Listener;

/* Listens for TCP connections at the first address of a host, its name or the address itself; port
 * 0 is any that is free. STATUS_ARGUMENT: the host has no address here. STATUS_IO: the port cannot
 * be had. */
Status listener_open(Listener *listener, const char *host, size_t port, Error *error);

#endif
