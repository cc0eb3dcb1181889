#!/bin/bash
# Lets slip write beside a git that is at work in the same box: checkouts, merges and commits that are held open at their
# worst moment, then a loop of quick ones.
#
#   commit-races.sh SLIP            a few minutes
#   commit-races.sh SLIP --quick    a few seconds, without the loops
#   commit-races.sh SLIP NAME...    only these: checkout, merge, hook, loop, pull
#
# A branch may only ever hold its own version of each note and what slip was told to write. Nothing that slip said it
# wrote may be missing or be there twice. Prints figures; exits 0 where all of it holds.
set -u
slip=$(realpath "$1") || exit 64
shift
seconds=${SECONDS_OF_LOOP:-120}
names="" all="checkout merge hook loop pull"
for word in "$@"; do
  case $word in
    --quick) seconds=10 all="checkout merge hook" ;;
    *) names="$names $word" ;;
  esac
done
[ -n "$names" ] || names=$all

work=$(mktemp -d "${TMPDIR:-/tmp}/slip-commit-races-XXXXXX") && work=$(realpath "$work") || exit 70
trap 'rm -rf "$work"' EXIT
printf '[user]\n\tname = Ada\n\temail = ada@example.org\n[gc]\n\tauto = 0\n[advice]\n\tdetachedHead = false\n' > "$work/gitconfig"
export GIT_CONFIG_GLOBAL=$work/gitconfig GIT_CONFIG_NOSYSTEM=1 HOME=$work XDG_CONFIG_HOME=$work LC_ALL=C.UTF-8
unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE SLIPBOX
box=$work/box
problems=0
count=20

fail() { problems=$((problems + 1)); echo "FAILED $*"; }

# A box with two branches: each note has another text on each, `same.md` one text on both. The file `m-slow.txt` is
# checked out by a filter that sleeps; half of the notes come before it.
build() {
  rm -rf "$box"
  git init -q -b main "$box" && cd "$box" || exit 70
  git config filter.slow.smudge "sleep \${SLOW:-0}; cat"
  git config filter.slow.clean cat
  echo "m-slow.txt filter=slow" > .git/info/attributes
  for number in $(seq -w $count); do
    printf '# A %s\n\nmain\n' "$number" > "a$number.md"
    printf '# Z %s\n\nmain\n' "$number" > "z$number.md"
  done
  printf '# Same\n' > same.md
  echo main > m-slow.txt
  git add -A && git commit -q -m Before && "$slip" init -q || exit 70
  git switch -q -c other
  sed -i 's/^main$/other/' a*.md z*.md m-slow.txt
  rm "a01.md" && printf '# B\n\nother\n' > b.md
  git add -A && git commit -q -m Other && git switch -q main || exit 70
  for branch in main other; do
    git ls-tree -r $branch | grep -v same.md > "$work/tree.$branch"
  done
  : > "$work/said"
}

# say WORD STATUS: what slip has answered for a word that it was to write.
say() { echo "$1 $2" >> "$work/said"; }

# check NAME BRANCH...: whether the branches hold what is theirs.
check() {
  local name=$1 branch commit; shift
  cd "$box" || exit 70
  rm -f .git/index.lock.test
  "$slip" list -n 1 > /dev/null 2>&1
  for branch in "$@"; do
    git ls-tree -r "$branch" | grep -v -e same.md -e "written-" > "$work/now"
    local own=$branch
    [ "$name" = merge ] && own=other
    if ! diff "$work/tree.$own" "$work/now" > "$work/diff"; then
      fail "$name: $branch holds what is not its own: $(grep -c '^[<>]' "$work/diff") lines, such as $(grep -m 1 '^[<>]' "$work/diff")"
    fi
  done
  # A commit of what git was writing changes nothing once git is done.
  for commit in $(git rev-list --branches --no-merges --grep='^Slip-Operation:'); do
    [ -n "$(git diff-tree -r --root --name-only --no-commit-id "$commit")" ] || fail "$name: $(git log -1 --format=%s "$commit"): an empty commit"
  done
  git fsck --strict > "$work/fsck" 2>&1 || fail "$name: git fsck: $(head -3 "$work/fsck")"
  grep -q -e error -e missing "$work/fsck" && fail "$name: git fsck: $(head -3 "$work/fsck")"
  find .git -name '*.lock' ! -name catalogue.lock | grep . && fail "$name: locks are left behind"
  # Every word stands once in the files and the history of the branches together, where it was acknowledged or saved.
  git log --branches -p --no-renames --format= > "$work/log"
  while read -r word status; do
    local added; added=$(grep -c "^+.*$word\$" "$work/log")
    case $status in
      0) [ "$added" = 1 ] || fail "$name: $word was acknowledged and is $added times in history" ;;
      75) [ "$added" -le 1 ] || fail "$name: $word is $added times in history" ;;
      saved) [ "$added" = 1 ] || fail "$name: $word was saved and is $added times in history" ;;
      refused) [ "$added" = 0 ] || fail "$name: $word was refused and is $added times in history" ;;
      *) fail "$name: $word: exit $status" ;;
    esac
  done < "$work/said"
}

# write WORD ARGUMENT...: runs slip, notes what it says of the word.
write() {
  export FIXED_SEED=$RANDOM$RANDOM
  local word=$1 status; shift
  "$slip" "$@" > /dev/null 2> "$work/errors.$word"; status=$?
  if [ $status = 75 ]; then
    if grep -q "saved, not committed" "$work/errors.$word"; then status=saved; else status=refused; fi
  fi
  say "$word" $status
}

# A checkout is held open in the middle; each command comes then.
held_checkout() {
  local rounds=0
  for command in commit append new set tags edit; do
    build
    SLOW=1 git checkout -q other 2> "$work/git" & local git=$!
    sleep 0.4
    # Nothing is changed by hand: whatever `commit` finds is half of the checkout.
    case $command in
      commit) "$slip" commit > /dev/null 2>&1 ;;
      append) write word1 append a05.md word1 ;;
      new) write word2 new "written- word2" ;;
      set) write word3 set same.md step:word3 ;;
      tags) "$slip" set a06.md z06.md +written > /dev/null 2>&1; "$slip" tags rename written again --yes > /dev/null 2>&1 ;;
      edit) EDITOR="sh -c 'echo word4 >> \"\$1\"' editor" "$slip" edit same.md > /dev/null 2>&1 ;;
    esac
    wait $git || fail "checkout: git: $(cat "$work/git")"
    rounds=$((rounds + 1))
    git stash -q -u 2> /dev/null
    case $command in
      append) sed -i '/a05/d' "$work/tree.other"; git ls-tree -r other | grep a05 >> "$work/tree.other"
        LC_ALL=C sort -k 4 -t ' ' -o "$work/tree.other" "$work/tree.other"
        LC_ALL=C sort -k 2 "$work/tree.other" -t "$(printf '\t')" -o "$work/tree.other"
        [ "$(git show other:a05.md | tail -1)" = word1 ] || fail "checkout: append is not on the new branch"
        [ "$(git show other:a05.md | sed -n 3p)" = other ] || fail "checkout: append is on the old text" ;;
      tags) grep -v -e a06 -e z06 "$work/tree.other" > "$work/t"; git ls-tree -r other | grep -e a06 -e z06 >> "$work/t"
        LC_ALL=C sort -k 2 -t "$(printf '\t')" "$work/t" > "$work/tree.other" ;;
    esac
    check "checkout" main other
  done
  echo "checkout: $rounds commands beside one that was held open"
}

# A fast-forward is held open in the middle.
held_merge() {
  build
  git switch -q other && git switch -q main
  git reset -q --hard main
  # The old branch is an ancestor of the other one, so that the merge only moves it.
  SLOW=1 git merge -q --ff-only other 2> "$work/git" & local git=$!
  sleep 0.4
  "$slip" commit > /dev/null 2>&1
  write word5 append same.md word5
  wait $git || fail "merge: git: $(cat "$work/git")"
  check merge main
  echo "merge: 2 commands beside one that was held open"
}

# git commit has read the branch and runs a hook that sleeps; slip writes meanwhile.
held_hook() {
  build
  local rounds=0 delay
  printf '#!/bin/sh\nsleep 0.3\n' > .git/hooks/pre-commit
  chmod +x .git/hooks/pre-commit
  for delay in 0.0 0.1 0.2 0.22 0.24 0.26 0.28 0.30 0.32 0.34; do
    rounds=$((rounds + 1))
    echo "$rounds" > m-slow.txt; git add m-slow.txt
    git commit -q -m "By git $rounds" > /dev/null 2>&1 & local git=$!
    sleep $delay
    write "hook${rounds}a" append same.md "hook${rounds}a"
    write "hook${rounds}n" new "written- hook${rounds}n"
    wait $git
  done
  # One that holds the lock of the index all the time.
  echo all > m-slow.txt
  git commit -q -a -m "By git all" > /dev/null 2>&1 & local git=$!
  sleep 0.1
  write hookall append same.md hookall
  wait $git || fail "hook: git commit -a failed"
  sed -i '/m-slow/d' "$work/tree.main"; git ls-tree -r main | grep m-slow >> "$work/tree.main"
  LC_ALL=C sort -k 2 -t "$(printf '\t')" "$work/tree.main" -o "$work/tree.main"
  check hook main
  grep -v " 0\$" "$work/said" | while read -r word status; do fail "hook: $word: $status"; done
  echo "hook: $rounds commits of git with a slow hook, $(wc -l < "$work/said") commands, $(git log --format=%s | grep -c 'By git') by git"
}

# Checkouts as fast as they go, and slip beside them.
loop() {
  build
  local end=$((SECONDS + seconds)) number=0 checkouts
  (
    done=0
    while [ ! -e "$work/over" ]; do
      for branch in other main; do
        # One that meets slip's lock, or a note that is not committed yet, is tried again.
        for attempt in $(seq 200); do
          git checkout -q $branch 2> /dev/null && { done=$((done + 1)); break; }
          [ -e "$work/over" ] && break
          sleep 0.01
        done
      done
    done
    echo $done > "$work/checkouts"
  ) & local checker=$!
  ( while [ ! -e "$work/over" ]; do "$slip" commit > /dev/null 2>&1; echo; done | wc -l > "$work/commits" ) & local committer=$!
  while [ $SECONDS -lt $end ]; do
    number=$((number + 1))
    write "loop${number}a" append same.md "loop${number}a"
    write "loop${number}n" new "written- loop${number}n"
    echo "hand$number" >> same.md; say "hand$number" 75
    sleep 0.02
  done
  touch "$work/over"; wait $checker $committer
  checkouts=$(cat "$work/checkouts")
  "$slip" commit > /dev/null 2>&1
  check loop main other
  local bogus=0 commit
  for commit in $(git rev-list --branches --grep='^Slip-Operation:'); do
    git diff-tree -r --name-only --no-commit-id $commit | grep -q -v -e '^same.md$' -e 'written-' -e '^.slipbox' && bogus=$((bogus + 1))
  done
  [ $bogus = 0 ] || fail "loop: $bogus commits of slip hold what git was checking out"
  echo "loop: $checkouts checkouts, $(cat "$work/commits") times slip commit, $((2 * number)) other commands, of them" \
    "$(grep -c ' 0$' "$work/said") committed, $(grep -c ' saved$' "$work/said") saved," \
    "$(git rev-list --count --branches) commits, $bogus bogus"
  rm -f "$work/over"
}

# A merge that lost its race for HEAD leaves what it merged staged; what slip has saved in files stays.
drop_merge() {
  local attempt
  for attempt in $(seq 100); do
    git merge --quit 2> /dev/null
    git reset -q 2> /dev/null && git checkout -q -- far.txt 2> /dev/null && [ ! -e .git/MERGE_HEAD ] && return
    sleep 0.02
  done
}

# Pulls that merge, as fast as they go, and slip beside them.
pulls() {
  build
  local end=$((SECONDS + seconds)) number=0
  echo 0 > far.txt && git add far.txt && git commit -q -m Far
  rm -rf "$work/remote" "$work/far"
  git clone -q --bare "$box" "$work/remote" && git clone -q "$work/remote" "$work/far"
  git remote add origin "$work/remote" && git fetch -q && git branch -q --set-upstream-to origin/main main
  (
    done=0
    while [ ! -e "$work/over" ]; do
      done=$((done + 1))
      (cd "$work/far" && echo $done > far.txt && git add far.txt && git commit -q -m "Far $done" && git push -q)
      for attempt in $(seq 50); do
        git pull -q --no-rebase --no-edit > "$work/git" 2>&1 && break
        drop_merge
        sleep 0.02
      done
    done
    echo $done > "$work/pulls"
  ) & local puller=$!
  while [ $SECONDS -lt $end ]; do
    number=$((number + 1))
    write "pull${number}a" append same.md "pull${number}a"
    write "pull${number}n" new "written- pull${number}n"
    "$slip" commit > /dev/null 2>&1
  done
  touch "$work/over"; wait $puller
  rm -f "$work/over"
  drop_merge
  "$slip" list -n 1 > /dev/null 2>&1
  git ls-tree -r main | grep far.txt >> "$work/tree.main"
  LC_ALL=C sort -k 2 -t "$(printf '\t')" "$work/tree.main" -o "$work/tree.main"
  check pull main
  # A merge that gives up resets the files to the commit that it had read; no text may be gone by that.
  local word status
  while read -r word status; do
    case $status in
      0 | saved) grep -rqs --include='*.md' "$word\$" . || fail "pull: $word is in no file any more" ;;
    esac
  done < "$work/said"
  [ -z "$(git log --format=%s main | grep '^Delete: ')" ] || fail "pull: notes were deleted: $(git log --format=%s main | grep -c '^Delete: ')"
  local bogus=0 commit
  for commit in $(git rev-list main --no-merges --grep='^Slip-Operation:'); do
    git diff-tree -r --name-only --no-commit-id $commit | grep -q far.txt && bogus=$((bogus + 1))
  done
  [ $bogus = 0 ] || fail "pull: $bogus commits of slip hold what git was merging"
  echo "pull: $(cat "$work/pulls") pulls, $((2 * number)) commands, of them $(grep -c ' 0$' "$work/said") committed," \
    "$(grep -c ' saved$' "$work/said") saved, $(git rev-list --count --merges main) merges, $bogus bogus"
}

for name in $names; do
  case $name in
    checkout) held_checkout ;;
    merge) held_merge ;;
    hook) held_hook ;;
    loop) loop ;;
    pull) pulls ;;
    *) echo "no such part: $name"; exit 64 ;;
  esac
done
echo "commit-races: $problems problems"
[ $problems = 0 ]
