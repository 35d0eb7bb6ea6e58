#include "search/prefix.h"

#include "base/array.h"

#include <stdlib.h>

static Status add_edge(Prefix *prefix, PrefixEdge edge, Error *error)
{
    return array_add(&prefix->edges, &prefix->count, &prefix->capacity, "a prefix", error, edge);
}

Status prefix_keep(Prefix *prefix, int32_t token, Error *error)
{
    return array_add(&prefix->tokens, &prefix->token_count, &prefix->token_capacity, "a prefix",
                     error, token);
}

Status prefix_walk(Prefix *prefix, const int32_t *tokens, size_t count, uint32_t *node,
                   Error *error)
{
    *node = PREFIX_START;
    for (size_t t = 0; t < count; t++) {
        size_t i = 0;
        while (i < prefix->count &&
               (prefix->edges[i].from != *node || prefix->edges[i].token != tokens[t]))
            i++;
        if (i == prefix->count) {
            TRY(prefix_keep(prefix, tokens[t], error));
            TRY(add_edge(prefix, (PrefixEdge){*node, ++prefix->last_node, tokens[t]}, error));
        }
        *node = prefix->edges[i].to;
    }
    if (prefix->longest < count + 1) prefix->longest = count + 1; // with what is allowed there
    return STATUS_OK;
}

Status prefix_allow(Prefix *prefix, uint32_t node, int32_t token, Error *error)
{
    return add_edge(prefix, (PrefixEdge){node, PREFIX_DONE, token}, error);
}

static int compare_edges(const void *a, const void *b)
{
    const PrefixEdge *x = a, *y = b;
    if (x->from != y->from) return x->from < y->from ? -1 : 1;
    return x->token < y->token ? -1 : x->token > y->token;
}

void prefix_finish(Prefix *prefix)
{
    size_t kept = 1;
    if (prefix->count == 0) return;
    qsort(prefix->edges, prefix->count, sizeof *prefix->edges, compare_edges);
    for (size_t i = 1; i < prefix->count; i++)
        if (compare_edges(&prefix->edges[i], &prefix->edges[kept - 1]) != 0)
            prefix->edges[kept++] = prefix->edges[i];
    prefix->count = kept;
}

const PrefixEdge *prefix_edges(const Prefix *prefix, uint32_t node, size_t *count)
{
    size_t edge;
    array_search(edge, 0, prefix->count, prefix->edges[edge].from < node);
    size_t end = edge;
    while (end < prefix->count && prefix->edges[end].from == node) end++;
    *count = end - edge;
    return prefix->edges + edge;
}

void prefix_free(Prefix *prefix)
{
    memory_free(prefix->edges);
    memory_free(prefix->tokens);
    *prefix = (Prefix){0};
}
