#!/bin/sh
# Random mutations of every file in .git and .slipbox of a small box, against the answers of git and of a clean clone.
#
#   Tests/Attack/mutations.sh path/to/slip [--quick] [--count N] [--seed N] [--keep DIR]
#
# After each of them every answer is right, or refused or warned of in words. No command crashes, runs for ten seconds or
# makes a repository worse that git found sound.
exec python3 "$(dirname "$0")/mutations.py" "$@"
