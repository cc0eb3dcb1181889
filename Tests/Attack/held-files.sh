#!/bin/sh
# Writes to notes from another program, which holds them open for a while, beside every writing command.
#
#   Tests/Attack/held-files.sh path/to/slip [--quick]
#
# Each text that the other program wrote must afterwards be in the file, in history, or in a file that slip named on
# standard error; each text that slip said it wrote must be in the file or in history. Prints the counts of each kind of
# writer and ends with 1 where a text has vanished.
exec python3 "$(dirname "$0")/held_files.py" "$@"
