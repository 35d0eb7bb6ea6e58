// The version of program and library, as `regard --version` and model files give it.
#ifndef REGARD_BASE_VERSION_H
#define REGARD_BASE_VERSION_H

#define REGARD_VERSION "0.1.0"

#endif
