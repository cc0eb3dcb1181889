/// The chapter on tasks.
extension HelpTopic {
  static let tasks = HelpTopic(
    name: "tasks", title: "Tasks", summary: "waiting, blocked and recurring tasks, and urgency",
    text: #"""
      task is a kind like any other: slip kinds task prints it, and a file
      .slipbox/kinds/task.yaml with extends: task adds to it.

        $ slip init
        ~/notes is a box now
        next: slip new "A first thought"
        $ slip new task "Buy paint" due:friday
        pvmnkdzt
        New task: Buy paint
        $ slip new task "Paint the fence" depends:"Buy paint" priority:high
        dhkqccwv
        New task: Paint the fence
        $ slip new task "Renew the passport" wait:2027-01-10 due:2027-02-15
        lqpqxqjs
        New task: Renew the passport
        $ slip new task "Water the plants" due:today recur:weekly
        kssdwsxw
        New task: Water the plants
        $ slip list kind:task is:active sort:-urgency
        pv  ☐       Buy paint         2026-11-27
        ks  ☐       Water the plants  2026-11-21  weekly
        dh  ⊠  !!!  Paint the fence

      Put off
      wait is the day until which a task is out of sight: is:waiting shows those, and
      is:active leaves them out.

      Blocked
      depends names tasks that must be done first. is:blocked matches tasks with open
      dependencies, is:blocking matches these dependencies, and slip show lists both.

        $ slip list kind:task is:active NOT is:blocked
        ks  ☐       Water the plants  2026-11-21  weekly
        pv  ☐       Buy paint         2026-11-27
        $ slip finish "Buy paint"
        Finish task: Buy paint
        $ slip list kind:task is:active NOT is:blocked
        dh  ☐  !!!  Paint the fence
        ks  ☐       Water the plants  2026-11-21  weekly

      Recurring
      recur says how often: daily, weekdays, weekly, 2w, monthly, yearly, counted from
      the day on which it was due; +2w counts from the day on which it is done.
      Finishing one makes the next, in the same commit, with the list of its text
      unticked; slip undo reverses both. The next date is always after today. until is
      the last day on which it comes.

        $ slip finish "Water the plants"
        Finish task: Water the plants
        slip undo reverses it
        lwvdxxvm  2026-11-28  Water the plants

      Urgency
      urgency is the sum of weights that the kind assigns to fields of the task.
      sort:-urgency lists the most urgent tasks first, and show --json has the terms
      of the sum. Tasks with +next come first.

      In kinds of your own
      All this is declared, so any kind can have it. waiting is the query that says
      which records are put off; a list of references with blocking: true defines what
      is:blocked tests; a field of type recurrence and a transition with next create
      the next record; urgency lists queries and weights.

        waiting: wait:tomorrow..
        fields:
          wait: date
          depends: {type: list of reference, to: chore, blocking: true}
          every: {type: recurrence}
        transitions:
          - {field: done, from: false, to: true, next: {by: every, move: [due, wait]}}
        urgency:
          - due:..7d 4
          - is:blocked -5

      slip import reads what task export prints, and slip export taskwarrior writes
      what task import reads.

      """#)
}
