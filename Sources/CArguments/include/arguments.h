#ifndef SLIPBOX_ARGUMENTS_H
#define SLIPBOX_ARGUMENTS_H

/// The number of arguments that the process was started with, the name of the program included; 0 if it is unknown.
int slipbox_argument_count(void);

/// The arguments that the process was started with; NULL if they are unknown.
char **slipbox_arguments(void);

#endif
