/* Jobs for the same model, worked on together. What a job is answered does not depend on the others
 * (search/batch_search.h). */
#pragma once

#include "serve/service/job.h"

/* Sets the response of each job of a list by `next`. If their work fails together, such as for lack
 * of memory, each is tried alone. */
void batch_run(Job *jobs, const TranslateOptions *options);
