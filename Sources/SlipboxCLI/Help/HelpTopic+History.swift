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
      Every command that reads takes --as-of with a day, a commit or an operation,
      and answers from then. slip show NOTE --at DAY shows one note as it was.

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
