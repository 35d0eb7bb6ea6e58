#include "train/schedule.h"

#include <math.h>

double schedule_rate(double highest, uint64_t warmup, uint64_t t)
{
    double w = warmup ? (double)warmup : 1, update = (double)t;
    return highest * fmin(update / w, sqrt(w / update));
}
