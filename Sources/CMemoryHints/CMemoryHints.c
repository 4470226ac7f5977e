// The package manager wants a source file; all there is stands in the header, so that it is compiled into its caller.
#include "CMemoryHints.h"
