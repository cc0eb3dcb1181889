/// The chapter on sync and merging.
extension HelpTopic {
  static let merge = HelpTopic(
    name: "merge", title: "Sync and merging", summary: "several devices and people, without lost words",
    text: #"""
      slip sync commits what other programs changed, fetches, merges and pushes, by
      your own git with its keys and passwords. git pull, git merge and git rebase
      merge notes by the same code, after a first change that slip made in the clone.

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
          2  2026-12-04  2026-11-21T09:38:00+01:00  desk  Ada
          3  2026-12-05  2026-11-21T09:42:00+01:00  desk  Ada

        run: slip resolve lqpqxqjs --keep 1, 2 or 3 [FIELD]
        $ slip resolve "Book the train" --keep 2 --box phone
        Resolve due: Book the train

      Rules
      A note deleted here and changed there stays. A note moved here and changed there
      is moved and changed. Two notes made at one path are both kept; two with one id
      get two. The earlier created date is kept. Fields that one action changed are
      merged together. Settings and kinds in .slipbox are merged by their keys. Files
      beside the notes that both changed are both kept.

      If more than half of the notes would be deleted, sync stops and asks. slip runs
      no programs from a box.

      """#)
}
