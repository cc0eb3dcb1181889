#!/bin/bash
# Clones that bake lists at different times and merge by slip and by git; see baked_lists.py.
set -eu
histories=100
[ "${2:-}" = --quick ] && histories=4
python3 "$(dirname "$0")/baked_lists.py" "$1" "$histories" "${SEED:-1}"
