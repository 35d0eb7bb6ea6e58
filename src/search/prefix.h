/* What a translation must begin with, as tokens. A text can be said by several sequences of tokens,
 * the last of which may go on beyond it ("Le ch" by "Le" "chat" as well as by "Le" "ch"), so a
 * prefix is a trie: at each node some tokens may follow, and where a sequence ends, anything. What
 * the sequences are is up to the caller (reading/target_prefix.h). */
#pragma once

#include "base/status.h"

enum { PREFIX_START = 0 };     // the first node
#define PREFIX_DONE UINT32_MAX // behind the prefix: anything may follow

typedef struct PrefixEdge {
    uint32_t from, to; // nodes
    int32_t token;
} PrefixEdge;

// Start from {0}, add, call prefix_finish, end with prefix_free. Without edges there is no prefix.
typedef struct Prefix {
    PrefixEdge *edges; // (count) by node, then token, once it is finished
    size_t count, capacity;
    uint32_t last_node;
    int32_t *tokens; // (token_count) that a shortlist must not leave out
    size_t token_count, token_capacity;
    size_t longest; // tokens of the longest sequence
} Prefix;

/* Sets *node to where the tokens lead from the start, making what is missing. On STATUS_MEMORY the
 * prefix can only be freed; likewise below. */
Status prefix_walk(Prefix *prefix, const int32_t *tokens, size_t count, uint32_t *node,
                   Error *error);

// Allows a token, which must not lead to another node, to end the prefix at a node; twice is once.
Status prefix_allow(Prefix *prefix, uint32_t node, int32_t token, Error *error);

// A shortlist must not leave out this token.
Status prefix_keep(Prefix *prefix, int32_t token, Error *error);

// After the last call that adds.
void prefix_finish(Prefix *prefix);

// The edges from a node of a finished prefix, *count ≥ 1 of them, by token.
const PrefixEdge *prefix_edges(const Prefix *prefix, uint32_t node, size_t *count);

void prefix_free(Prefix *prefix);
