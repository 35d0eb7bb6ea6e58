#define _GNU_SOURCE
#include "simulation/scenario.h"

#include <math.h>
#include <string.h>

static double draw_seconds(double most)
{
    return most * (double)simulation_draw(1u << 20) / (1u << 20);
}

// Half of the times nothing, else up to so many seconds, often much less.
static double draw_pause(double most)
{
    static const double parts[] = {0, 0, 0, 0.001, 0.05, 1};
    return draw_seconds(most * parts[simulation_draw(6)]);
}

static void draw_request(ClientRequest *request, const Scenario *scenario)
{
    // more than half of them wait for a model
    request->query = simulation_chance(0.5) ? 2 + simulation_draw(14) : simulation_draw(QUERIES);
    if (simulation_chance(scenario->corrects))
        request->query = simulation_chance(0.5) ? QUERY_SUGGEST : QUERY_SUGGESTED;
    const Query *query = &queries[request->query];
    request->fate = simulation_chance(0.75) ? FATE_SERVED : (Fate)simulation_draw(FATES);
    request->pieces = 1 + simulation_draw(MAX_PIECES);
    bool dawdles = simulation_chance(0.1);
    for (size_t i = 0; i < request->pieces; i++)
        request->pauses[i] = draw_pause(dawdles ? 2 * scenario->timeout : 0.1);
    request->leaves = draw_pause(scenario->timeout);
    request->closes = simulation_chance(0.2);
    request->chunked = *query->body && simulation_chance(0.2);
}

static void draw_clients(Scenario *scenario)
{
    double most = simulation_chance(0.5) ? 0.05 : 2 * scenario->timeout;
    scenario->client_count = 1 + simulation_draw(MAX_CLIENTS);
    for (size_t i = 0; i < scenario->client_count; i++) {
        Client *client = &scenario->clients[i];
        *client = (Client){.scenario = scenario,
                           .number = i,
                           .begins = draw_seconds(most),
                           .count = 1 + simulation_draw(MAX_REQUESTS)};
        for (size_t j = 0; j < client->count; j++) draw_request(&client->requests[j], scenario);
    }
    scenario->reload_count = simulation_draw(MAX_RELOADS + 1);
    for (size_t i = 0; i < scenario->reload_count; i++)
        scenario->reloads[i] = (struct Reload){draw_seconds(most), simulation_draw(VERSIONS + 1)};
    if (simulation_chance(0.6)) scenario->ends = draw_seconds(2 * most) + 1e-6;
}

static void draw_pace(Pace *pace)
{
    static const double stays[] = {0, 0.5, 0.9, 0.99}, steps[] = {0, 1e-6, 1e-4, 2e-3, 0.02};
    *pace = (Pace){.stays = stays[simulation_draw(4)],
                   .step = steps[simulation_draw(5)],
                   .pause = simulation_chance(0.3) ? 3 : 0,
                   .day_moves = simulation_chance(0.2),
                   .short_memory = simulation_chance(0.25) ? 20 + simulation_draw(1000) : 0};
}

void scenario_draw(Scenario *scenario, uint64_t seed)
{
    *scenario = (Scenario){.seed = seed,
                           .timeout = (double)(1 + simulation_draw(4)),
                           .max_queue = simulation_chance(0.2) ? 1 + simulation_draw(2) : 1000,
                           .per_minute = simulation_chance(0.1) ? 1 + simulation_draw(5) : 0,
                           .max_connections = simulation_chance(0.1) ? 2 : 1000,
                           .threads = 1 + simulation_draw(2),
                           .corrects = simulation_chance(0.2) ? 0.9 : 0.1,
                           .log_pause = draw_pause(3),
                           .versions = 1,
                           .counted = SIZE_MAX};
    draw_pace(&scenario->pace);
    draw_clients(scenario);
}

void scenario_add_version(Scenario *scenario, size_t version)
{
    scenario->versions |= 1u << version;
    for (size_t i = 0; i < scenario->client_count; i++) {
        Client *client = &scenario->clients[i];
        if (client->active) client->requests[client->current].versions |= 1u << version;
    }
}
