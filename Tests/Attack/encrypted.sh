#!/bin/bash
# Notes in a folder that git-crypt or age encrypts; see encrypted.py. The lines of an armored cipher are text for git.
# CHANGES is the number of changes for each program, SEED the first round.
set -eu
steps=${CHANGES:-2000}
[ "${2:-}" = --quick ] && steps=30
for program in git-crypt age age-armor; do
  command -v ${program%-armor} >/dev/null || { echo "encrypted: skipped, needs ${program%-armor}"; continue; }
  python3 "$(dirname "$0")/encrypted.py" "$1" "$steps" "${SEED:-1}" $program
done
