/* A service on a socket, by HTTP/1.1 (libmicrohttpd): one thread for all connections, which sleeps
 * while the service's own thread translates. */
#pragma once

#include "serve/service/service.h"

typedef struct Server Server;

typedef struct ServerOptions {
    const char *host;       // name or address to listen at
    size_t port;            // 0: any that is free
    size_t max_connections; // more wait until one has ended
    bool behind_proxy;      // the client's address is the last one in X-Forwarded-For
    int log;                // descriptor that takes the access log; negative: there is none
    bool log_texts;
    void (*warn)(const char *message); // told of what the log lacks, by any thread
} ServerOptions;

/* Begins to listen and to answer. The service must outlive the server. STATUS_ARGUMENT if the host
 * has no address or the program was built without libmicrohttpd, STATUS_IO if the port cannot be
 * had. Ended by server_stop. */
Status server_start(Server **server, Service *service, const ServerOptions *options, Error *error);

// "http://127.0.0.1:5000", valid as long as the server.
const char *server_address(const Server *server);

/* Takes no connections any more, closes the service, which answers what has come, lets the answers
 * be sent and logged, and ends the server: within the time that a request may take, and a second.
 * NULL is allowed. */
void server_stop(Server *server);
