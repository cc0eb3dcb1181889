#!/bin/bash
# Front matter that a phone's note program writes, back and forth between two clones; see phone_stamps.py.
set -eu
rounds=1000
[ "${2:-}" = --quick ] && rounds=20
python3 "$(dirname "$0")/phone_stamps.py" "$1" "$rounds" "${SEED:-1}"
