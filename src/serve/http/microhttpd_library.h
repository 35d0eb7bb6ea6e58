/* libmicrohttpd, loaded when it is first needed: with what it needs itself, such as GnuTLS, it
 * takes longer to load than a short text to translate, and only one verb uses it. */
#pragma once

#include <microhttpd.h>

// The functions that are used.
#define MICROHTTPD_FUNCTIONS(X)                                                                    \
    X(start_daemon)                                                                                \
    X(get_daemon_info)                                                                             \
    X(get_timeout)                                                                                 \
    X(run)                                                                                         \
    X(quiesce_daemon)                                                                              \
    X(stop_daemon)                                                                                 \
    X(lookup_connection_value)                                                                     \
    X(get_connection_values)                                                                       \
    X(get_connection_info)                                                                         \
    X(suspend_connection)                                                                          \
    X(resume_connection)                                                                           \
    X(create_response_from_buffer_with_free_callback)                                              \
    X(add_response_header)                                                                         \
    X(queue_response)                                                                              \
    X(destroy_response)

typedef struct MicrohttpdLibrary {
#define MICROHTTPD_MEMBER(name) __typeof__(MHD_##name) *name;
    MICROHTTPD_FUNCTIONS(MICROHTTPD_MEMBER)
#undef MICROHTTPD_MEMBER
} MicrohttpdLibrary;
