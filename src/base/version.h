// The version of program and library, as `regard --version` and model files give it.
#pragma once

#define REGARD_VERSION "0.1.0"
