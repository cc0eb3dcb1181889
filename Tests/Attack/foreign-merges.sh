#!/bin/bash
# Histories with merges of other programs, healed and synced; see foreign_merges.py. pygit2 and dulwich are used if they are
# installed. HISTORIES is the number of histories, SEED the first one.
set -eu
histories=${HISTORIES:-300}
[ "${2:-}" = --quick ] && histories=8
python3 "$(dirname "$0")/foreign_merges.py" "$1" "$histories" "${SEED:-1}"
