/// The chapter on history.
extension HelpTopic {
  static let history = HelpTopic(
    name: "history", title: "History", summary: "what was, who changed it, and how it comes back",
    text: #"""
      One command is one commit, however many notes it changes. The subject is a
      sentence; under it stand the old and the new value of every field, so that
      history can be asked.

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

      Taking back
      slip undo takes back the last command of this device by a new commit, and again
      goes further back; slip redo the other way. It works after sync too, and where
      later work is in the way it names it and changes nothing. What was deleted is
      listed and comes back with its text and its date.

        $ slip undo
        Undo: Close issue: Crash on start
        $ slip redo
        Redo: Close issue: Crash on start
        $ slip rm "Crash on start"
        Delete issue: Crash on start
        slip undo takes it back
        $ slip list --deleted
        pv  2026-11-21  rm  Crash on start  #ios
        $ slip restore "Crash on start"
        Restore issue: Crash on start

      Telling
      slip review tells what happened in some days, slip chart counts over time, slip
      diff shows fields and words, slip search --history finds what is gone.

        $ slip chart kind:issue --by status --csv | tail -n 1
        2026-11-21,1,1

      What other programs changed is committed apart by slip commit, sync and the
      next command that touches the note. A commit is never rewritten.

      """#)
}
