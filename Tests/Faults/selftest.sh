#!/bin/bash
# Shows that each mode of shim.c does what its head says, on the small program victim.c and on git.
# Usage: selftest.sh [FOLDER]; works in a new folder in FOLDER (default $TMPDIR or /tmp), which it removes.
set -u
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d "${1:-${TMPDIR:-/tmp}}/shim-selftest-XXXXXX") && work=$(realpath "$work") || exit 70
trap 'rm -rf "$work"' EXIT
cc=${CC:-cc}
$cc -O1 -Wall -Wextra -Werror -shared -fPIC -o "$work/shim.so" "$here/shim.c" -ldl -lpthread || exit 70
$cc -O1 -Wall -Wextra -Werror -o "$work/victim" "$here/victim.c" || exit 70
box=$work/box
failures=0 checks=0

# shim NAME=VALUE... -- PROGRAM...: runs the program under the library.
shim() {
  local variables=()
  while [ "$1" != -- ]; do variables+=("$1"); shift; done
  shift
  env -u SHIM_OWNER SHIM_ROOT="$box" SHIM_COUNT="$work/count" SHIM_LOG="$work/log" "${variables[@]}" \
    LD_PRELOAD="$work/shim.so" "$@" 2> "$work/errors"
}
# victim WAY NAME=VALUE...: runs the victim in a new box that holds an old note; sets `status`.
victim() {
  local way=$1; shift
  rm -rf "$box"; mkdir "$box"; echo "old text" > "$box/note"
  { shim "$@" -- "$work/victim" "$box" "$way"; } 2> /dev/null
  status=$?
}
note() { cat "$box/note" 2> /dev/null || echo "(none)"; }
names() { (cd "$box" && find . -mindepth 1 | LC_ALL=C sort | tr '\n' ' '); }
new="new text of the note" old="old text"

expect() { # expect WHAT GOT WANTED
  checks=$((checks + 1))
  [ "$2" = "$3" ] && return
  failures=$((failures + 1))
  printf 'FAILED %s\n  got:    %s\n  wanted: %s\n' "$1" "$2" "$3"
}

# count
while read -r way count; do
  victim "$way"
  expect "count $way" "$status $(cat "$work/count") $(wc -l < "$work/log")" "0 $count $count"
done << END
safe 5
unsynced 4
nofolder 4
exchange 7
inplace 2
tree 5
remove 1
child 0
outside 0
END
victim child SHIM_CHILDREN=1
expect "count of a child" "$status $(cat "$work/count")" "0 5"
victim safe
expect "log" "$(cut -d' ' -f1,3 "$work/log" | tr '\n' ' ')" "1 open 2 write 3 fsync 4 rename 5 fsync "

# kill
for at in 1 2 3 4 5 6; do
  victim safe SHIM_MODE=kill SHIM_AT=$at
  case $at in
    [1-4]) expect "kill at $at" "$status $(note)" "137 $old" ;;
    5) expect "kill at $at" "$status $(note)" "137 $new" ;;
    6) expect "kill at $at" "$status $(note)" "0 $new" ;;
  esac
done
victim safe SHIM_MODE=kill SHIM_AT=1
expect "killed before the call" "$(names)" "./note "
victim safe SHIM_MODE=kill SHIM_AT=2
expect "killed after the call before" "$(names)" "./note ./note.tmp "
victim child SHIM_MODE=kill SHIM_AT=4 SHIM_CHILDREN=1
expect "kill in a child ends its parent" "$status $(note)" "137 $old"

# fail, fail-from, fail-after
for at in 1 2 3 4 5; do
  victim safe SHIM_MODE=fail SHIM_AT=$at SHIM_ERRNO=ENOSPC
  expect "fail at $at" "$status $(grep -c 'No space' "$work/errors")" "74 1"
done
victim safe SHIM_MODE=fail SHIM_AT=2 SHIM_ERRNO=EACCES
expect "EACCES" "$(cat "$work/errors")" "write: Permission denied"
victim safe SHIM_MODE=fail SHIM_AT=2
expect "EIO" "$(cat "$work/errors")" "write: Input/output error"
rm -rf "$box"; mkdir "$box"
shim SHIM_MODE=fail SHIM_AT=2 SHIM_ERRNO=28 -- sh -c "true > '$box/a'; true > '$box/b'; true > '$box/c'"
expect "fail fails once" "$(names)" "./a ./c "
rm -rf "$box"; mkdir "$box"
shim SHIM_MODE=fail-from SHIM_AT=2 SHIM_ERRNO=28 -- sh -c "true > '$box/a'; true > '$box/b'; true > '$box/c'"
expect "fail-from goes on failing" "$(names)" "./a "
victim safe SHIM_MODE=fail-after SHIM_AT=4
expect "fail-after" "$status $(note)" "74 $new"

# short
victim safe SHIM_MODE=short SHIM_AT=2
expect "short write" "$status $(note) $(cat "$work/count")" "0 $new 6"
victim safe SHIM_MODE=short SHIM_AT=3
expect "short at another call" "$status $(cat "$work/count")" "0 5"

# power: data
victim unsynced SHIM_MODE=power SHIM_AT=4 SHIM_NAMES=keep
expect "not synced: empty after the rename" "$status $(names)[$(note)]" "137 ./note []"
victim unsynced SHIM_MODE=power SHIM_AT=4 SHIM_NAMES=keep SHIM_DATA=half
expect "not synced: half" "$status [$(note)]" "137 [${new:0:10}]"
victim unsynced SHIM_MODE=power SHIM_AT=end SHIM_NAMES=keep
expect "not synced: empty after the end" "$status [$(note)]" "0 []"
victim unsynced SHIM_MODE=power SHIM_AT=end SHIM_NAMES=keep SHIM_DATA=keep
expect "everything kept" "$status [$(note)]" "0 [$new]"
victim inplace SHIM_MODE=power SHIM_AT=end
expect "written in place" "$status [$(note)]" "0 []"
for at in 1 2 3 4 5 end; do
  for variant in "zero undo" "half undo" "zero keep" "zero journal"; do
    for way in safe exchange; do
      victim $way SHIM_MODE=power SHIM_AT=$at SHIM_DATA=${variant% *} SHIM_NAMES=${variant#* }
      expect "power $way $at $variant: old or new" "$(note | grep -cxF -e "$old" -e "$new")" 1
      [ $at = end ] && expect "power $way end $variant" "$status $(note)" "0 $new"
    done
  done
done

# power: names
victim nofolder SHIM_MODE=power SHIM_AT=end
expect "rename undone, then the creation" "$(names)$(note)" "./note $old"
victim nofolder SHIM_MODE=power SHIM_AT=end SHIM_NAMES=keep
expect "rename kept" "$(names)$(note)" "./note $new"
victim nofolder SHIM_MODE=power SHIM_AT=end SHIM_NAMES=journal
expect "journal: the rename came after the last sync" "$(names)$(note)" "./note ./note.tmp $old"
victim exchange SHIM_MODE=power SHIM_AT=5
expect "exchange undone" "$(names)$(note)" "./note $old"
victim exchange SHIM_MODE=power SHIM_AT=7
expect "removal undone" "$(names)$(note) $(cat "$box/note.tmp")" "./note ./note.tmp $new $old"
victim remove SHIM_MODE=power SHIM_AT=end
expect "removal of a note undone" "$(note)" "$old"
victim tree SHIM_MODE=power SHIM_AT=end
expect "folder undone" "$(names)" "./note "
victim tree SHIM_MODE=power SHIM_AT=end SHIM_NAMES=journal
expect "journal: what came before the sync holds" "$(names)" "./note ./sub ./sub/file "
victim child SHIM_MODE=power SHIM_AT=5 SHIM_CHILDREN=1
expect "power in a child" "$status $(note)" "137 $old"

# git, whose objects are not synced unless asked
if command -v git > /dev/null; then
  commit() {
    rm -rf "$box"; mkdir "$box"
    (cd "$box" && git init -q && echo text > note && git add note && git config gc.auto 0) 2> /dev/null
    local options=(-c user.name=a -c user.email=a@b "$@")
    (cd "$box" && shim SHIM_CHILDREN=1 "${variables[@]}" -- git "${options[@]}" commit -qm text) 2> /dev/null
    status=$?
  }
  variables=(SHIM_MODE=count)
  commit
  calls=$(cat "$work/count")
  expect "git is seen" "$((calls > 10))" 1
  variables=(SHIM_MODE=power SHIM_AT=end SHIM_NAMES=keep)
  commit -c core.fsync=none
  expect "git without syncs is damaged" "$(git -C "$box" rev-parse -q --verify 'HEAD^{tree}' > /dev/null 2>&1; echo $?)" 1
  commit -c core.fsync=all
  expect "git with syncs is not" "$(git -C "$box" fsck --strict > /dev/null 2>&1; echo $?)" 0
fi

echo "$checks checks, $failures failures"
[ $failures = 0 ]
