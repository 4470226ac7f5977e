#ifndef FRESHET_CPAGES_H
#define FRESHET_CPAGES_H

// Returns the text of a page's file. The file must exist: an unknown name ends the program.
const unsigned char *_Nonnull page_text(const char *_Nonnull name);

#endif
