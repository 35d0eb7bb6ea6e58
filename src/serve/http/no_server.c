// What stands for server.c where there is no libmicrohttpd.

#include "serve/http/server.h"

Status server_start(Server **server, Service *service, const ServerOptions *options, Error *error)
{
    (void)server;
    (void)service;
    (void)options;
    return error_set(error, STATUS_ARGUMENT,
                     "this regard was built without libmicrohttpd; install that (Debian: "
                     "libmicrohttpd-dev) and build again");
}

const char *server_address(const Server *server)
{
    (void)server;
    return "";
}

void server_stop(Server *server)
{
    (void)server;
}
