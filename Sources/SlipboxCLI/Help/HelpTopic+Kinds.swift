/// The chapter on kinds.
extension HelpTopic {
  static let kinds = HelpTopic(
    name: "kinds", title: "Kinds of your own", summary: "records with checked fields, as data",
    text: #"""
      A kind declares the fields of a record, their values, its actions and the layout
      of its rows. issue, book, task and group are built in; slip kinds NAME prints
      their declarations, in the form of your own kinds. A kind of your own is a file
      of the box.

      A recipe, in .slipbox/kinds/recipe.yaml:

        comment: something to cook
        active: NOT status:cooked
        sort: -rating,title
        fields:
          title: {type: text, required: true}
          minutes: {type: integer, min: 1}
          rating: {type: integer, min: 1, max: 5}
          status: {type: choice, values: [planned, cooked], default: planned}
          cooked: {type: date, looks: back}
          book: {type: reference, to: book}
        transitions:
          - {field: status, to: cooked, set: {cooked: today}}
          - {field: status, to: planned, clear: cooked}
        actions:
          cook: "status:cooked"
        row:
          - {field: status, as: {planned: [○, "-"], cooked: [●, x]}}
          - title
          - minutes
          - {field: rating, stars: true}

      From then on it works like a built-in kind.

        $ slip init
        ~/notes is a box now
        next: slip new "A first thought"
        $ slip kinds
        note    a plain note
        issue   a problem to solve
        book    a book to read, with its summary as text
        group   a group of tasks
        task    a thing to do
        recipe  something to cook
        $ slip new recipe "Rye bread" minutes:60 +winter
        dhkqccwv
        New recipe: Rye bread
        $ slip new recipe "Onion soup" minutes:40
        lqpqxqjs
        New recipe: Onion soup
        $ slip do cook "Onion soup" rating:4
        Cook recipe: Onion soup (set rating 4)
        $ slip list kind:recipe
        lq  ●  Onion soup  40  ★★★★
        dh  ○  Rye bread   60

      Invalid values are refused, and the message lists the allowed values.

        $ slip set "Rye bread" rating:six
        slip: Rye bread (dhkqccwv): rating: six is not a whole number from 1 to 5
        $ slip set "Rye bread" ratng:5
        slip: Rye bread (dhkqccwv): ratng is not a field of kind recipe, and no note has it
          did you mean rating? add --new-field to create it

      Fields
      type is text, integer, boolean, date, moment, choice, tags, reference or
      recurrence, or list of TYPE. required, not-empty, default, min, max, values, to
      (the kind that a reference names) and comment are attributes. A date with looks:
      back is read as past. on-delete is the rule for records that refer to a deleted
      one: deny, detach or cascade. merge settles the field without a conflict if two
      devices changed it: later or earlier (dates), greater, union (lists) or derived
      (either value, for a field that a program recomputes).

      Rules
      constraints hold on the whole record: added <= started <= completed. transitions
      set, clear or copy other fields when a field changes. append adds the values
      that some fields had before to a list, so a book keeps its earlier readings:
      append: {readings: [started, completed]}. Queries on these fields, such as
      completed:2025, also find the values in the list. Values given in the same
      command override those that a transition sets. actions are changes with a name:
      slip do cook NOTE.

      Which notes
      match is a query, such as path:Recipes/ or has:minutes. Notes without kind: that
      match it count as records of this kind, so a folder of old notes needs no edit.
      active is the query that defines is:active. key is the field by which references
      name a record. A file named like a built-in kind replaces it; with extends: NAME
      it adds to it.

      For waiting, blocked and recurring records, and urgency: slip help tasks.

      """#)
}

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

      Scheduled and put off
      scheduled is the day on which you want to begin: slip agenda lists the task on
      that day, and then each day until it is done. wait is the day until which a task
      is hidden: is:waiting lists hidden tasks, and is:active excludes them.

      Blocked
      depends names tasks that should be done first; finishing a blocked task prints
      a warning. is:blocked matches tasks with open dependencies, is:blocking matches
      these dependencies, and slip show lists both.

        $ slip list kind:task is:active NOT is:blocked
        ks  ☐       Water the plants  2026-11-21  weekly
        pv  ☐       Buy paint         2026-11-27
        $ slip finish "Buy paint"
        Finish task: Buy paint
        $ slip list kind:task is:active NOT is:blocked
        dh  ☐  !!!  Paint the fence
        ks  ☐       Water the plants  2026-11-21  weekly

      Recurring
      recur says how often: daily, weekdays, weekly, 2w, monthly, yearly or
      'every friday', counted from the day on which it was due; +2w counts from the
      day on which it is done. scheduled and wait move by as many days as due.
      Finishing a task creates the next one, in the same commit, with its check boxes
      cleared; slip undo reverses both. The next date is always after today. until is
      the last day on which the task can be due.

        $ slip finish "Water the plants"
        Finish task: Water the plants
        slip undo reverses it
        lwvdxxvm  2026-11-28  Water the plants

      My Day
      slip today TASK puts a task on the list of today (field my-day). slip today and
      slip today +home print the agenda of today. slip list
      @my-day shows that list, and @leftover shows open tasks of earlier days. slip do
      not-today TASK takes a task off the list.

      Check boxes
      A box in the text of any note, such as - [ ] buy milk, is a small task. slip
      todos lists open boxes. slip tick NOTE:12 or slip tick NOTE milk ticks one, slip
      untick clears it, and slip promote NOTE:12 turns it into a task of its own. See
      slip todos --help.

      Due this week
        slip list kind:task is:active due:..eow

      Urgency
      urgency is the sum of weights that the kind assigns to fields of the task.
      sort:-urgency lists the most urgent tasks first, and show --json has the terms
      of the sum. Tasks with +next come first.

      In kinds of your own
      All this is declared, so any kind can have it. waiting is the query for the
      records that are put off; a list of references with blocking: true defines what
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

/// The topic on templates.
extension HelpTopic {
  static let templates = HelpTopic(
    name: "templates", title: "Templates",
    summary: "notes with placeholders that are filled when a note is created",
    text: """
      A template is a note .slipbox/templates/NAME.md with placeholders that are
      filled when a note is created from it. Nothing in it is executed.

        slip new "Monday's meeting" --template meeting

      These are used automatically: KIND.md for slip new KIND, note.md for plain notes
      (--no-template uses neither), daily.md for slip daily, inbox.md for the note of
      slip capture. An example:

        ---
        tags: [meeting]
        with: "{{field:client}}"   # comments, quotes and order stay
        ---
        # {{title}}

        {{date:dddd, D MMMM YYYY}}, after [[{{date -7d}}]]

        {{selection}}

      Placeholders
        {{title}}         the title
        {{id}}            the id of the new note
        {{date}}          the day as 2026-11-21: today, with slip daily its own day
        {{date:FORMAT}}   the day in another form
        {{date +1d}}      a day before or after, by d w m y; {{date -1d:FORMAT}} too
        {{time}}          the time as 09:30
        {{field:NAME}}    a field of the new note; a list with commas
        {{selection}}     the text of -b, also that of -b -; without it, the
                          text is added at the end

      FORMAT is made of YYYY YY, MMMM (November) MMM MM M, DD D Do (21st), dddd
      (Monday) ddd, HH mm ss, Z (the offset), Q (the quarter), and of weeks by ISO
      8601: GGGG (their year) WW; gggg ww are weeks from Sunday. The other tokens of
      moment.js work too. Write other letters in brackets: [week] WW. Names are
      English.

      \\{{ means {{. An unknown placeholder is an error, with file and line, and no
      note is created.

      The front matter of a template sets fields and tags. Values of the command line
      override the template, and the template overrides the defaults of the kind.
      Transitions also apply to fields that a template sets. A field whose value is
      empty when it is filled is left out. id, created, kind and the title that was
      given are always those of the new note; kind: is used if no kind was given.

      """)
}
