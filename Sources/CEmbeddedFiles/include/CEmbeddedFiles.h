#ifndef FRESHET_CEMBEDDEDFILES_H
#define FRESHET_CEMBEDDEDFILES_H

#include <stddef.h>

// Returns the text of an embedded file. The file must exist: an unknown name ends the program.
const unsigned char *_Nonnull embedded_text(const char *_Nonnull name);

// Returns the name of the embedded file at a position, counted from 0; NULL after the last one.
const char *_Nullable embedded_name(size_t position);

#endif
