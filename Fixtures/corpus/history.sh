#!/bin/sh
# Makes a repository with a history from the notes beside this script: four authors, a rename of a folder, a deletion,
# and a merge. The last commit holds the notes as they are here.
#
# usage: history.sh FOLDER
set -eu
notes=$(cd "$(dirname "$0")" && pwd)
git init -q -b main "$1"
cd "$1"

# commit DAY AUTHOR MESSAGE: commits all files.
commit() {
  git add -A
  GIT_AUTHOR_DATE="$1T12:00:00Z" GIT_COMMITTER_DATE="$1T12:00:00Z" GIT_AUTHOR_NAME=$2 GIT_COMMITTER_NAME=$2 \
    GIT_AUTHOR_EMAIL="$2@example.org" GIT_COMMITTER_EMAIL="$2@example.org" git commit -q -m "$3"
}

cp "$notes/README.md" "$notes/compost.md" "$notes/.gitignore" .
commit 2025-01-04 marek 'Begin'
cp -R "$notes/recipes" food
echo 'Plums, sugar.' >food/plum-jam.md
commit 2025-02-01 zoe 'Add recipes'
for note in food/*.md; do printf '\nTo be tried.\n' >>"$note"; done
commit 2025-02-20 zoe 'Mark recipes'
git mv food recipes
rm recipes/plum-jam.md
commit 2025-03-01 ioanna 'Rename a folder, delete a recipe'
git checkout -q -b kitchen
cp -R "$notes/Küche" .
commit 2025-03-05 zoe 'Add the kitchen'
git checkout -q main
cp -R "$notes/projets" "$notes/rules" "$notes/attachments" .
printf 'Turned on Sunday.\n' >>compost.md
commit 2025-03-10 marek 'Add projects and rules'
GIT_AUTHOR_DATE=2025-03-12T12:00:00Z GIT_COMMITTER_DATE=2025-03-12T12:00:00Z \
  GIT_AUTHOR_NAME=lin GIT_AUTHOR_EMAIL=lin@example.org GIT_COMMITTER_NAME=lin GIT_COMMITTER_EMAIL=lin@example.org \
  git merge -q --no-ff -m 'Merge the kitchen' kitchen
git branch -q -d kitchen
cp -R "$notes/journal" "$notes/templates" .
commit 2025-05-11 lin 'Add the journal'
rm -rf recipes
cp -R "$notes/." .
rm history.sh
commit 2025-12-31 marek 'Add everything else'
