#include "bench/bottleneck/lengths.h"

size_t length_class(size_t length)
{
    size_t class = (length - 1) / LENGTH_CLASS_WIDTH;
    return class < LENGTH_CLASSES ? class : LENGTH_CLASSES - 1;
}

const char *length_class_name(size_t class)
{
    static const char *const names[LENGTH_CLASSES] = {"1–10",  "11–20", "21–30", "31–40",
                                                      "41–50", "51–60", "61+"};
    return names[class];
}
