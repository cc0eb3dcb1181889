#include "revision.h"

#ifndef SLIPBOX_REVISION
#define SLIPBOX_REVISION ""
#endif

const char *slipbox_revision(void) { return SLIPBOX_REVISION; }
