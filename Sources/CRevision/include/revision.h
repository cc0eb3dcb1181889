#ifndef SLIPBOX_REVISION_H
#define SLIPBOX_REVISION_H

/// The commit that the program was built from, as git describe names it; empty if the build was not told.
const char *slipbox_revision(void);

#endif
