# States in which a user of git may leave a box, each as shell commands: see Tests/SlipboxCLITests/Git.
#
# The folder $W has hub.git and its clones a and b, all at the same commit; a is the box under test. If $VARIANT is
# `worktree`, a is a linked worktree of trunk. The functions of this part are available to each state.

# slip with another seed for each call, so that each call makes another id.
slip() { FIXED_SEED=$seed; seed=$((seed + 1)); FIXED_SEED=$FIXED_SEED command slip "$@"; }

# Runs commands in the other clone, at the tip of its branch.
there() { (cd "$W/b"; git pull -q --no-rebase; eval "$1"); }

# Installs a hook in the repository of the current folder.
hook() {
  hooks=$(git rev-parse --git-path hooks); mkdir -p "$hooks"
  printf '#!/bin/sh\n%s\n' "$2" >"$hooks/$1"; chmod +x "$hooks/$1"
}

# Configures a filter whose clean side differs from its smudge side.
filter() { git config filter.lfs.clean 'tr a-z b-za'; git config filter.lfs.smudge 'tr b-za a-z'; }

# Puts *.bin behind the filter in history; a has no filter configured afterwards.
filtered() {
  there 'filter; echo "*.bin filter=lfs" >.gitattributes; echo abc >other.bin
    git add --renormalize .; git add -A; git commit -qm filtered; git push -q'
  (cd a; filter; git pull -q; git config --remove-section filter.lfs)
}

# Makes the clone a, or the linked worktree a.
clone_a() {
  if [ "$VARIANT" = worktree ]; then
    git clone -q "$@" trunk; git -C trunk checkout -q --detach; git -C trunk worktree add -q ../a main
  else
    git clone -q "$@" a
  fi
}

# Replaces a by another clone.
recloned() { rm -rf trunk a; clone_a "$@" "file://$W/hub.git"; (cd a; slip init -q .); }

# Commits that conflict on the branches main and side; main is checked out.
conflicting() {
  file=${1:-other.txt}
  git branch side; sed -i '$d' $file; echo main >>$file; git commit -qam main
  git switch -q side; sed -i '$d' $file; echo side >>$file; git commit -qam side; git switch -q main
}

# Makes the box a folder of a larger repository.
larger() {
  rm -rf trunk a b hub.git; git init -q --bare hub.git; git init -q all; cp -a seed all/box; rm -rf all/box/.git
  (cd all; echo top >top.txt; printf '# Top note\n' >top.md; git add -A; git commit -qm all
    git push -q ../hub.git main)
  clone_a "$W/hub.git"; git clone -q hub.git b
  (cd a/box; slip init -q .; slip append -q notes/one.md "undo me"; git push -q)
  git -C b pull -q; echo a/box >.box
}

# Makes the folder $W.
base() {
  git init -q --bare hub.git; git init -q seed; cd seed; mkdir notes sub
  note() { printf -- "---\nid: %s\ntitle: %s\n%s---\n%s\nlast\n" "$2" "$3" "$4" "$5" >"$1"; }
  note notes/one.md kqzmvtrp One "tags: [idea]
" "First line."
  note notes/two.md kqzmvtrq Two "tags: [idea, b]
" "See [[One]]."
  note notes/three.md kqzmvtrs Three "" "See [one](one.md)."
  note notes/task.md kqzmvtrt Task "kind: task
" "A task."
  note notes/issue.md kqzmvtrv Issue "kind: issue
" "An issue."
  note notes/gone.md kqzmvtrw Gone "" "Deleted later."
  note sub/note.md kqzmvtrx Sub "" "In a folder."
  echo plain >sub/plain.txt; printf '1\n2\n3\n4\n5\nother\n' >other.txt; echo data >data.bin
  git add -A; git commit -qm first; slip init -q .; slip rm -q notes/gone.md
  git push -q ../hub.git main; cd ..
  clone_a "$W/hub.git"; git clone -q hub.git b
  (cd a; slip init -q .; slip append -q notes/one.md "undo me"; git push -q)
  (cd b; slip init -q .; git pull -q)
}

# Makes a copy of the folder usable at its new place.
moved() {
  if [ -d trunk ]; then
    echo "gitdir: $W/trunk/.git/worktrees/a" >a/.git; echo "$W/a/.git" >trunk/.git/worktrees/a/gitdir
  fi
  for clone in a b; do git -C $clone remote set-url origin "$W/hub.git"; done
}

## plain
:
## other side changed
there 'echo "from b" >>notes/two.md; git commit -qam "b"; git push -q'
## other side changed the same note
there 'echo "from b" >>notes/one.md; git commit -qam "b"; git push -q'
## ahead and the other side changed
there 'echo "from b" >>notes/two.md; git commit -qam "b"; git push -q'
cd a; echo "from a" >>notes/three.md; git commit -qam "a"
## skip-worktree with an edit in the note
cd a; git update-index --skip-worktree notes/one.md; echo secret >>notes/one.md
## assume-unchanged with an edit in the note
cd a; git update-index --assume-unchanged notes/one.md; echo secret >>notes/one.md
## skip-worktree with an edit in another note
cd a; git update-index --skip-worktree notes/two.md; echo secret >>notes/two.md
## assume-unchanged with an edit in another note
cd a; git update-index --assume-unchanged notes/two.md; echo secret >>notes/two.md
## skip-worktree on the settings
cd a; git update-index --skip-worktree .slipbox/config.yaml; echo "# secret" >>.slipbox/config.yaml
## skip-worktree edit and the other side changed it
there 'echo "from b" >>notes/two.md; git commit -qam "b"; git push -q'
cd a; git update-index --skip-worktree notes/two.md; echo secret >>notes/two.md
## skip-worktree without an edit and the other side changed it
there 'echo "from b" >>notes/two.md; git commit -qam "b"; git push -q'
cd a; git update-index --skip-worktree notes/two.md
## assume-unchanged without an edit and the other side changed it
there 'echo "from b" >>notes/two.md; git commit -qam "b"; git push -q'
cd a; git update-index --assume-unchanged notes/two.md
## draft branch without upstream
cd a; git switch -qc draft; echo more >>notes/three.md; git commit -qam "draft"
## branch whose upstream has another name
cd a; git push -q origin main:other; git switch -qc mine; git branch -qu origin/other; echo more >>notes/three.md; git commit -qam "mine"
## pre-push hook that refuses
cd a; echo more >>notes/three.md; git commit -qam "m"; hook pre-push 'echo "no pushing today" >&2; exit 1'
## pre-push hook that records
cd a; echo more >>notes/three.md; git commit -qam "m"; hook pre-push 'echo "$@" >>$W/pushed; cat >>$W/pushed'
## pre-commit hook that refuses
cd a; hook pre-commit 'echo "no commits today" >&2; exit 1'
## commit-msg hook that adds a line
cd a; hook commit-msg 'echo "Ticket: 1" >>"$1"'
## sparse cone
cd a; git sparse-checkout set --cone notes .slipbox
## sparse cone and changes outside
there 'echo b >>sub/plain.txt; rm sub/note.md; echo new >sub/added.txt; git add -A; git commit -qm "b"; git push -q'
cd a; git sparse-checkout set --cone notes .slipbox
## sparse patterns and changes outside
there 'echo b >>sub/plain.txt; rm sub/note.md; echo new >sub/added.txt; git add -A; git commit -qm "b"; git push -q'
cd a; git sparse-checkout set --no-cone '/*' '!/sub/'
## sparse patterns without another note
cd a; git sparse-checkout set --no-cone '/*' '!/notes/two.md'
## sparse with both sides changed
there 'echo b >>sub/plain.txt; git add -A; git commit -qm "b"; git push -q'
cd a; echo a >>notes/three.md; git commit -qam "a"; git sparse-checkout set --cone notes .slipbox
## sparse with a file present outside
cd a; git sparse-checkout set --cone notes .slipbox; mkdir -p sub; echo other >sub/plain.txt
## filter and the other side changed
filtered; there 'filter; echo hello >data.bin; git commit -qam "b"; git push -q'
cd a; filter
## filter with local edit and the other side changed another
filtered; there 'filter; echo hello >data.bin; git commit -qam "b"; git push -q'
cd a; filter; echo mine >>other.bin
## filter not configured and the other side changed
filtered; there 'filter; echo hello >data.bin; git commit -qam "b"; git push -q'
## filter that fails and the other side changed
filtered; there 'filter; echo hello >data.bin; git commit -qam "b"; git push -q'
cd a; git config filter.lfs.clean false; git config filter.lfs.smudge false; git config filter.lfs.required true
## filter on notes
there 'echo "notes/*.md filter=lfs" >.gitattributes; filter; git add --renormalize . ; git add .gitattributes; git commit -qm f; git push -q'
cd a; filter; git pull -q; rm notes/*.md; git checkout -q notes
## filter on notes not configured
there 'echo "notes/*.md filter=lfs" >.gitattributes; filter; git add --renormalize . ; git add .gitattributes; git commit -qm f; git push -q'
cd a; git pull -q
## shallow
recloned --depth 1
## shallow and ahead
recloned --depth 1
cd a; echo a >>notes/three.md; git commit -qam "a"
## shallow and behind
recloned --depth 1
there 'echo b >>notes/two.md; git commit -qam "b"; git push -q'
## shallow and diverged
recloned --depth 1
there 'echo b >>notes/two.md; git commit -qam "b"; git push -q'
cd a; echo a >>notes/three.md; git commit -qam "a"
## shallow and the histories parted before the cut
there 'git switch -qc old HEAD~2; echo b >>other.txt; git commit -qam "old"; git push -q origin old'
rm -rf a; recloned --depth 1
cd a; echo a >>notes/three.md; git commit -qam "a"; git config branch.main.merge refs/heads/old; git fetch -q --depth 1 origin old:refs/remotes/origin/old
## partial clone
git -C hub.git config uploadpack.allowFilter true; recloned --filter=blob:none
## partial clone behind
git -C hub.git config uploadpack.allowFilter true; recloned --filter=blob:none
there 'echo b >>notes/two.md; git commit -qam "b"; git push -q'
## partial clone diverged
git -C hub.git config uploadpack.allowFilter true; recloned --filter=blob:none
there 'echo b >>notes/two.md; git commit -qam "b"; git push -q'
cd a; echo a >>notes/three.md; git commit -qam "a"
## partial clone of nothing checked out
git -C hub.git config uploadpack.allowFilter true; rm -rf trunk a; clone_a --filter=blob:none --sparse "file://$W/hub.git"
cd a; git sparse-checkout set --cone notes .slipbox; slip init -q .
## shared repository of a group
cd a; git config core.sharedRepository group
## note is a link in the box
cd a; git mv notes/one.md real.md; ln -s ../real.md notes/one.md; git add -A; git commit -qm link; git push -q
## another note is a link in the box
cd a; ln -s one.md notes/alias.md; git add -A; git commit -qm link; git push -q
## link became a file
there 'ln -s plain.txt sub/link; git add -A; git commit -qm l; git push -q'; git -C a pull -q
there 'rm sub/link; echo file >sub/link; git add -A; git commit -qm b; git push -q'
## file became a link
there 'rm sub/plain.txt; ln -s ../other.txt sub/plain.txt; git add -A; git commit -qm b; git push -q'
## note became a link
there 'rm notes/two.md; ln -s one.md notes/two.md; git add -A; git commit -qm b; git push -q'
## file became a link here
cd a; rm sub/plain.txt; ln -s ../other.txt sub/plain.txt
## note became a link here
cd a; mv notes/one.md real.md; ln -s ../real.md notes/one.md
## executable here
cd a; chmod +x notes/one.md
## executable there
there 'chmod +x notes/two.md other.txt; git commit -qam b; git push -q'
## executable there and edited here
there 'chmod +x notes/two.md; git commit -qam b; git push -q'
echo mine >>a/notes/two.md
## executable in history
there 'chmod +x notes/one.md other.txt; git commit -qam b; git push -q'; git -C a pull -q
## fileMode false
cd a; git config core.fileMode false; chmod +x notes/one.md other.txt
## fileMode false and executable in history
there 'chmod +x notes/one.md other.txt; git commit -qam b; git push -q'; git -C a pull -q
cd a; git config core.fileMode false; chmod -x notes/one.md other.txt
## fileMode false and executable there
there 'chmod +x notes/two.md other.txt; git commit -qam b; git push -q'
cd a; git config core.fileMode false
## untracked file in the way
there 'echo b >incoming.txt; git add -A; git commit -qm b; git push -q'; echo mine >a/incoming.txt
## untracked note in the way
there 'echo b >notes/incoming.md; git add -A; git commit -qm b; git push -q'; echo mine >a/notes/incoming.md
## untracked folder in the way
there 'echo b >incoming; git add -A; git commit -qm b; git push -q'; mkdir a/incoming; echo mine >a/incoming/file
## untracked file where a folder comes
there 'mkdir incoming; echo b >incoming/file; git add -A; git commit -qm b; git push -q'; echo mine >a/incoming
## ignored file in the way
there 'echo b >incoming.log; git add -f incoming.log; git commit -qm b; git push -q'
cd a; echo '*.log' >>"$(git rev-parse --git-path info/exclude)"; echo mine >incoming.log
## same untracked file as comes
there 'echo b >incoming.txt; git add -A; git commit -qm b; git push -q'; echo b >a/incoming.txt
## autocrlf with CRLF files
cd a; git config core.autocrlf true; rm -r notes other.txt; git checkout -q .
## autocrlf and the other side changed
there 'echo "b" >>notes/two.md; echo b >>other.txt; git commit -qam b; git push -q'
cd a; git config core.autocrlf true; rm -r notes other.txt; git checkout -q .
## eol=crlf
there 'echo "* text=auto eol=crlf" >.gitattributes; git add -A; git commit -qm b; git push -q'
cd a; git pull -q; rm -r notes other.txt; git checkout -q .
## eol=crlf and the other side changed
there 'echo "* text=auto eol=crlf" >.gitattributes; git add -A; git commit -qm b; git push -q'
(cd a; git pull -q; rm -r notes other.txt; git checkout -q .)
there 'echo "b" >>notes/two.md; echo b >>other.txt; git commit -qam b; git push -q'
## CRLF in history with autocrlf
there 'sed -i "s/$/\r/" notes/one.md notes/two.md; git commit -qam b; git push -q'; git -C a pull -q
cd a; git config core.autocrlf true
## CRLF in history with text attribute
there 'sed -i "s/$/\r/" notes/one.md notes/two.md; git commit -qam b; git push -q'; git -C a pull -q
cd a; echo '*.md text' >>"$(git rev-parse --git-path info/attributes)"
## ident attribute
there 'echo "notes/*.md ident" >.gitattributes; echo "\$Id\$" >>notes/one.md; git add -A; git commit -qm b; git push -q'
cd a; git pull -q; rm notes/one.md; git checkout -q notes
## moved by hand
cd a; mv notes/one.md notes/eins.md
## moved by hand and edited
cd a; mv notes/one.md notes/eins.md; echo more >>notes/eins.md
## deleted by hand
cd a; rm notes/one.md
## staged rename of the note
cd a; git mv notes/one.md notes/eins.md
## staged rename of another note
cd a; git mv notes/two.md notes/zwei.md
## staged rename of another file
cd a; git mv other.txt renamed.txt
## staged content in the note
cd a; echo staged >>notes/one.md; git add notes/one.md
## staged content in the note and more in the file
cd a; echo staged >>notes/one.md; git add notes/one.md; echo more >>notes/one.md
## staged content in another note
cd a; echo staged >>notes/two.md; git add notes/two.md; echo more >>notes/two.md
## staged content in another file
cd a; echo staged >>other.txt; git add other.txt; echo more >>other.txt; echo new >new.txt; git add new.txt
## staged deletion of the note, kept on disk
cd a; git rm -q --cached notes/one.md
## staged deletion of another file
cd a; git rm -q other.txt; git rm -q --cached sub/plain.txt
## staged files and the other side changed
there 'echo b >>notes/two.md; git commit -qam b; git push -q'
cd a; echo staged >>other.txt; git add other.txt; echo more >>other.txt; echo new >new.txt; git add new.txt
## intent to add
cd a; echo new >new.txt; printf '# New\n' >notes/new.md; git add -N new.txt notes/new.md
## intent to add of the note
cd a; git rm -q --cached notes/one.md; git commit -qm gone; git add -N notes/one.md
## unstaged edits
cd a; echo mine >>notes/one.md; echo mine >>notes/two.md; echo mine >>other.txt; echo new >untracked.txt; echo new >notes/untracked.md
## submodule
git init -q -b main lib; (cd lib; echo lib >lib.txt; printf '# Lib note\n' >lib.md; git add -A; git commit -qm lib)
cd a; git submodule --quiet add ../lib lib; git commit -qm sub; git push -q; echo dirty >>lib/lib.txt; echo dirty >>lib/lib.md
## submodule moved there
git init -q -b main lib; (cd lib; echo lib >lib.txt; git add -A; git commit -qm lib)
(cd a; git submodule --quiet add ../lib lib; git commit -qm sub; git push -q)
there 'git submodule --quiet update --init; cd lib; echo 2 >lib.txt; git commit -qam 2; git push -q origin HEAD:refs/heads/two; cd ..; git add lib; git commit -qm b; git push -q'
## nested repository
git init -q a/nested; (cd a/nested; printf '# Nested\n' >n.md; git add -A; git commit -qm n)
## ignored but tracked note
cd a; echo 'one.md' >>"$(git rev-parse --git-path info/exclude)"; echo mine >>notes/one.md
## ignored untracked note
cd a; echo 'secret.md' >>"$(git rev-parse --git-path info/exclude)"; printf '# Secret\n' >notes/secret.md
## box in a larger repository
larger
## box in a larger repository, outside changes
larger
cd a; echo staged >>top.txt; git add top.txt; echo more >>top.txt; echo u >u.txt
## box in a larger repository, the other side changed both
larger
there 'echo b >>top.txt; echo b >>box/notes/two.md; git commit -qam b; git push -q'
## detached
cd a; git checkout -q --detach
## unborn
rm -rf a; git init -q -b trunk a; (cd a; cp -r ../b/.slipbox .; mkdir notes; printf '# One\n\nx\n' >notes/one.md)
## unborn with a staged file
rm -rf a; git init -q -b trunk a; (cd a; cp -r ../b/.slipbox .; mkdir notes; printf '# One\n\nx\n' >notes/one.md; echo s >s.txt; git add s.txt notes)
## merge under way
cd a; conflicting; git merge -q side || :
## merge under way, resolved
cd a; conflicting; git merge -q side || :; echo resolved >other.txt; git add other.txt
## rebase under way
cd a; conflicting; git rebase -q side 2>/dev/null || :
## cherry-pick under way
cd a; conflicting; git cherry-pick side >/dev/null 2>&1 || :
## revert under way
cd a; echo 1 >>other.txt; git commit -qam 1; echo 2 >>other.txt; git commit -qam 2; git revert --no-edit HEAD~1 >/dev/null 2>&1 || :
## bisect under way
cd a; git bisect start -q HEAD HEAD~2 >/dev/null
## conflict in the note under way
cd a; conflicting notes/one.md; git -c merge.slip.driver=false merge -q side || :
## index version 4
cd a; git update-index --index-version 4; echo staged >>other.txt; git add other.txt
## split index
cd a; git update-index --split-index; echo staged >>other.txt; git add other.txt
## untracked cache and fsmonitor off
cd a; git update-index --untracked-cache; echo u >u.txt; git status >/dev/null
## sparse index
cd a; git sparse-checkout set --cone --sparse-index notes .slipbox
## sparse index and intent to add
cd a; git sparse-checkout set --cone --sparse-index notes .slipbox; printf '# New\n' >notes/new.md; git add -N notes/new.md
## read-only note
chmod a-w a/notes/one.md
## read-only folder
chmod a-w a/notes
## no identity
git config --global --remove-section user; git config --global user.useConfigOnly true
## index locked
cd a; touch "$(git rev-parse --git-path index.lock)"
## branch locked
cd a; p=$(git rev-parse --git-path refs/heads/main.lock); mkdir -p "$(dirname "$p")"; touch "$p"
## replace and grafts
cd a; git replace "$(git rev-parse HEAD)" "$(git commit-tree -m 'other message' -p HEAD~1 HEAD^{tree})"
## packed refs and objects
cd a; git gc -q; git pack-refs --all
## alternates
git clone -q --shared hub.git c; rm -rf a; mv c a; (cd a; git remote set-url origin ../hub.git)
## case differs
cd a; printf '# Upper\n' >notes/ONE.md; git add -A; git commit -qm upper
## file name with a newline and quote
cd a; printf '# Odd\n' >"notes/o\"d
d.md"; git add -A; git commit -qm odd; printf 'x' >"un
tracked"
## merge attribute union
there 'echo "*.txt merge=union" >.gitattributes; git add -A; git commit -qm u; git push -q'; git -C a pull -q
there 'echo b >>other.txt; git commit -qam b; git push -q'; cd a; echo a >>other.txt; git commit -qam a
## merge attribute binary
there 'echo "other.txt -merge" >.gitattributes; git add -A; git commit -qm u; git push -q'; git -C a pull -q
there 'echo b >>other.txt; git commit -qam b; git push -q'; cd a; echo a >>other.txt; git commit -qam a
## renamed there and edited here
there 'git mv other.txt renamed.txt; git mv notes/two.md notes/zwei.md; git commit -qm b; git push -q'
cd a; echo a >>other.txt; echo a >>notes/two.md; git commit -qam a
## folder renamed there and a file added here
there 'git mv sub subs; git commit -qm b; git push -q'
cd a; echo a >sub/fresh.txt; git add -A; git commit -qm a
## deleted there and staged here
there 'git rm -q other.txt; git commit -qm b; git push -q'
cd a; echo a >>other.txt; git add other.txt
## changed there and edited here
there 'echo b >>other.txt; git commit -qam b; git push -q'
cd a; echo a >>other.txt
## changed there and deleted here
there 'echo b >>other.txt; git commit -qam b; git push -q'
cd a; rm other.txt
## note deleted there and edited here
there 'git rm -q notes/two.md; git commit -qm b; git push -q'
cd a; echo a >>notes/two.md
## working-tree-encoding on the note
there 'echo "notes/one.md working-tree-encoding=UTF-16LE" >.gitattributes; git add -A; git commit -qm u; git push -q'
cd a; git pull -q; rm notes/one.md; git checkout -q notes
## pull.rebase set
(cd a; git config pull.rebase true; echo a >>notes/three.md; git commit -qam a)
there 'echo b >>notes/two.md; git commit -qam b; git push -q'
## push.default nothing
cd a; git config push.default nothing; echo a >>notes/three.md; git commit -qam a
## pushurl elsewhere
git clone -q --bare hub.git elsewhere.git; cd a; git config remote.origin.pushurl ../elsewhere.git; echo a >>notes/three.md; git commit -qam a
## pushRemote elsewhere
git clone -q --bare hub.git elsewhere.git; cd a; git remote add fork ../elsewhere.git; git config remote.pushDefault fork; echo a >>notes/three.md; git commit -qam a
## receive denies
hub_hook='echo "hub says no" >&2; exit 1'; printf '#!/bin/sh\n%s\n' "$hub_hook" >hub.git/hooks/pre-receive; chmod +x hub.git/hooks/pre-receive; cd a; echo a >>notes/three.md; git commit -qam a
## assume-unchanged note deleted on disk
cd a; git update-index --assume-unchanged notes/two.md; rm notes/two.md
## skip-worktree note deleted on disk
cd a; git update-index --skip-worktree notes/two.md; rm notes/two.md
