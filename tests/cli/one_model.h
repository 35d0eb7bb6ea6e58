// One trained model for all tests of a program, made before they fork.
#pragma once

#include "support/suite.h"
#include "support/trained_model.h"

static TrainedModel trained;

static void train_once(void)
{
    trained = trained_model_make();
}
