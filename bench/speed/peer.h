/* The peer: bench/peer_torch.py, a process that is asked and answers in lines of JSON. An answer is
 * an object; one with "error" is a failure. */
#pragma once

#include "base/status.h"

#include <jansson.h>

typedef struct Peer Peer;

// What runs as the peer. Not owned; must outlive it.
typedef struct PeerCommand {
    const char *python, *script, *folder; // `python script folder`
    const char *policy;                   // of OMP_WAIT_POLICY; NULL: as it is
} PeerCommand;

/* Starts the peer; *greeting is what it says first, a new reference. STATUS_ARGUMENT if it cannot
 * run, or has no PyTorch. Ended by peer_end. */
Status peer_start(Peer **peer, const PeerCommand *command, json_t **greeting, Error *error);

// Asks; steals the question, which may be NULL for want of memory. *answer is a new reference.
Status peer_ask(Peer *peer, json_t *question, json_t **answer, Error *error);

// Ends the process; NULL is allowed.
void peer_end(Peer *peer);
