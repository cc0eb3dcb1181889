#include "arguments.h"

// Swift's CommandLine looks for the arguments in front of the environment. If a preloaded library has called setenv, the
// environment was moved to the heap and no argument is found there. glibc passes the arguments to each constructor.
static int count;
static char **arguments;

__attribute__((constructor)) static void keep_arguments(int argc, char **argv) {
  count = argc;
  arguments = argv;
}

int slipbox_argument_count(void) { return count; }

char **slipbox_arguments(void) { return arguments; }
