// The package manager wants a source file; everything is in the header, so that it is compiled into its caller.
#include "CMemoryHints.h"
