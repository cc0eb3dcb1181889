#!/bin/sh
# Programs named in a box's own git configuration, attributes and hooks, beside every command.
# The user has turned the hooks of commits off, which slip runs otherwise as git commit does.
#
#   Tests/Attack/canaries.sh path/to/slip [--quick]
#
# Each of them only leaves a mark. No mark may ever be there, whatever form git's index has. Plain git comes last, to show
# that the marks can be seen at all.
exec python3 "$(dirname "$0")/canaries.py" "$@"
