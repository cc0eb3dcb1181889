/// The chapter on files.
extension HelpTopic {
  static let files = HelpTopic(
    name: "files", title: "Files and guarantees",
    summary: "the form of notes on disk, and the guarantees of slip",
    text: #"""
      A note is a Markdown file with front matter in YAML between lines of three
      dashes.

        $ slip init
        ~/notes is a box now
        next: slip new "A first thought"
        $ slip new "Rye bread" +food minutes:60 -b "Begins with [[Sourdough]]."
        pvmnkdzt
        New note: Rye bread
        $ slip show "Rye bread" --raw
        ---
        id: pvmnkdzt
        title: Rye bread
        created: 2026-11-21T09:32:00+01:00
        tags: [food]
        minutes: 60
        ---
        Begins with [[Sourdough]].
        $ git ls-files
        .slipbox/config.yaml
        2026/11/rye-bread-pvmnkdzt.md

      id is eight random letters; it never changes. created is written once. The date
      of the last change is not in the file but in the history. title may be missing:
      then it is the heading that opens the text, else the name of the file. Tags are
      in the field tags and, as #tags, in the text. Every other key is yours, and is
      kept as it is.

      Notes are files that end in .md or .markdown, wherever they are in the box,
      except hidden files, files in hidden folders and files that git ignores. A name
      that begins with a dot is hidden. Files that notes link to belong to the box
      too.

      In .slipbox are the settings, kinds and templates, committed with the notes.
      Caches, locks, drafts and texts that could not be saved (recovered/) are in
      .git/slipbox. The next command rebuilds a missing cache.

      Promises
      A change of one field changes the lines of that field. Comments, order, quotes,
      line ends, a byte-order mark and a missing last newline stay.

        $ slip set "Rye bread" minutes:55 --dry-run
        diff --git a/2026/11/rye-bread-pvmnkdzt.md b/2026/11/rye-bread-pvmnkdzt.md
        index c586bf4..43c10e2 100644
        --- a/2026/11/rye-bread-pvmnkdzt.md
        +++ b/2026/11/rye-bread-pvmnkdzt.md
        @@ -3,6 +3,6 @@ id: pvmnkdzt
         title: Rye bread
         created: 2026-11-21T09:32:00+01:00
         tags: [food]
        -minutes: 60
        +minutes: 55
         ---
         Begins with [[Sourdough]].

      Front matter that is not valid YAML is shown, found and never rewritten. So are
      notes between lines of +++.

      The next command reads the changes of editors, git and other tools. Your
      uncommitted edits of a note get a commit of their own before a command changes
      that note. Staged content and other files are not changed.

      If a command is killed or the machine loses power, the box has the old or the
      new state, and the next command recovers. Files are synced to the disk before
      the branch moves. Afterwards, git fsck --strict finds no errors and git status
      is clean.

      Nothing in a box is run: no template, kind or setting of a clone.

      Without slip
      git log shows the history, git push is the backup, and any editor works. If you
      stop using slip, the files are as readable as before.

      """#)
}

/// The chapter on history.
extension HelpTopic {
  static let history = HelpTopic(
    name: "history", title: "History", summary: "history, undo and restore",
    text: #"""
      One command is one commit, however many notes it changes. The subject is a
      sentence; the body has the old and the new value of every field, so you can
      query history.

        $ slip init
        ~/notes is a box now
        next: slip new "A first thought"
        $ slip new issue "Crash on start" priority:high +ios
        pvmnkdzt
        New issue: Crash on start
        $ slip set "Crash on start" priority:low -m "Only on one phone"
        Set priority low: Crash on start
        $ slip close "Crash on start"
        Close issue: Crash on start
        $ git log --format=%s
        Close issue: Crash on start
        Set priority low: Crash on start
        New issue: Crash on start
        Make this folder a Slipbox box
        $ slip log "Crash on start" --field priority
        dhkqccwv 2026-11-21 09:33 Crash on start  priority: high → low Ada
        szrfxztk 2026-11-21 09:32 Crash on start  priority: - → high Ada

      Back in time
      Every command that reads takes --as-of with a day, a commit or an operation, and
      uses the state of that time. slip show NOTE --at DAY shows one note as it was.

        $ slip show "Crash on start" --at HEAD~1 | head -n 7
        Crash on start

        id        pvmnkdzt
        path      2026/11/crash-on-start-pvmnkdzt.md
        kind      issue
        created   2026-11-21T09:32:00+01:00
        modified  2026-11-21T09:33:00+01:00
        $ slip list is:active --as-of HEAD~1
        pv     Crash on start  ios  2026-11-21

      Undo
      slip undo reverses the last command of this device with a new commit; run it
      again to undo earlier commands. slip redo reverses an undo. Both work after
      sync. If later changes conflict, they are listed and nothing is changed. Deleted
      notes are listed and can be restored with their text and date.

        $ slip undo
        Undo: Close issue: Crash on start
        $ slip redo
        Redo: Close issue: Crash on start
        $ slip rm "Crash on start"
        Delete issue: Crash on start
        slip undo reverses it
        $ slip list --deleted
        pv  2026-11-21  rm  Crash on start  #ios
        $ slip restore "Crash on start"
        Restore issue: Crash on start

      Reports
      slip review summarises days, slip chart counts over time, slip diff shows
      changed fields and words, slip search --history finds deleted text.

        $ slip chart kind:issue --by status --csv | tail -n 1
        2026-11-21,1,1

      slip commit, slip sync and the next command that changes the note commit the
      changes of other programs separately. A commit is never rewritten.

      """#)
}

/// The chapter on sync and merging.
extension HelpTopic {
  static let merge = HelpTopic(
    name: "merge", title: "Sync and merging", summary: "several devices and people, without lost changes",
    text: #"""
      slip sync commits changes by other programs, fetches, merges and pushes, by your
      own git with its keys and passwords. git pull, git merge and git rebase merge
      notes in the same way, once slip has made a change in the clone.

        $ slip init laptop
        ~/notes/laptop is a box now
        next: slip new "A first thought"
        $ git init -q --bare -b main hub.git
        $ slip remote add hub.git --box laptop
        origin is ~/notes/hub.git; slip sync exchanges commits with it
        $ slip new task "Book the train" --box laptop
        lqpqxqjs
        New task: Book the train
        $ slip sync --box laptop
        to origin/main: 2 commits, 1 new
        $ git clone -q hub.git phone

      Two changes of one note are merged automatically if they affect different
      fields, different elements of a list, or different lines and words of the text.

        $ slip set "Book the train" priority:high +travel --box laptop
        Set priority high, add tag travel: Book the train
        $ slip set "Book the train" due:2026-12-04 +lisbon --box phone
        set up this clone: registered slip's merge driver for notes
        Set due 2026-12-04, add tag lisbon: Book the train
        $ slip sync --box laptop
        to origin/main: 1 commit, 1 changed
        $ slip sync --box phone
        from origin/main: 1 commit by Ada
          changed  Book the train  2026/11/book-the-train-lqpqxqjs.md
        to origin/main: 2 commits, 1 changed
        $ slip show "Book the train" --raw --box phone
        ---
        id: lqpqxqjs
        title: Book the train
        kind: task
        created: 2026-11-21T09:34:00+01:00
        tags: [travel, lisbon]
        priority: high
        done: false
        due: 2026-12-04
        ---

      Conflicts
      If both changed the same field, the later change is used, and the other value is
      kept in the note's field conflicts. If both changed the same words, the text has
      both versions between comments. The merge never stops, the front matter has no
      conflict markers, and all devices get the same bytes.

        $ slip set "Book the train" due:2026-12-05 --box laptop
        Set due 2026-12-05: Book the train
        $ slip sync --box laptop
        from origin/main: 2 commits by Ada
          changed  Book the train  2026/11/book-the-train-lqpqxqjs.md
        both sides changed 1 note; both versions are kept:
          Book the train: both versions of due
        slip list is:conflicted lists the conflicts, slip resolve REF resolves them
        to origin/main: 2 commits, 1 changed
        $ slip set "Book the train" due:2026-12-08 --box phone
        Set due 2026-12-08: Book the train
        $ slip sync --box phone
        from origin/main: 2 commits by Ada
          changed  Book the train  2026/11/book-the-train-lqpqxqjs.md
        both sides changed 1 note; both versions are kept:
          Book the train: both versions of due
        slip list is:conflicted lists the conflicts, slip resolve REF resolves them
        to origin/main: 2 commits, 1 changed
        $ slip resolve "Book the train" --box phone
        lqpqxqjs  Book the train

        due
          1  2026-12-08  in the note  2026-11-21T09:44:00+01:00  desk  Ada
          2  2026-12-05  2026-11-21T09:42:00+01:00  desk  Ada

        keep one version: slip resolve lqpqxqjs --keep 2
        $ slip resolve "Book the train" --keep 2 --box phone
        Resolve due: Book the train

      Rules
      A note that one side deleted and the other changed is kept. A note that one side
      moved and the other changed is moved and changed. Two notes created at one path
      are both kept; two notes with one id get different ids. The earlier created date
      is kept, and the later of modified, updated, lastmod and the like. Fields that
      one action changed are merged together. Settings and kinds in .slipbox are
      merged by their keys. If both sides changed a file that is not a note, both
      versions are kept.

      If more than half of the notes and more than 5 would be deleted, sync stops and
      asks. slip runs no programs from a box.

      Backup, phones and encryption
      Each remote is a backup of the committed notes: git push URL --all adds a second
      one, and git bundle create FILE --all writes one file. Drafts and texts that
      could not be saved are only in .git/slipbox. There is no phone app: use a git
      client, or an exported site. slip does not encrypt notes; git-crypt can encrypt
      a folder. Commits show the reason that is given with -m. Earlier commits keep
      the text of a note that was deleted or encrypted later; slip sync --help
      describes how to remove it from the history.

      """#)
}
