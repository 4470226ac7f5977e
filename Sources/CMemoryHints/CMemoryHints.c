// The package manager requires a source file; all functions are in the header, so that they are compiled into their
// callers.
#include "CMemoryHints.h"
