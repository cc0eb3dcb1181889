/// The chapter on kinds.
extension HelpTopic {
  static let kinds = HelpTopic(
    name: "kinds", title: "Kinds of your own", summary: "records with checked fields, as data",
    text: #"""
      A kind declares the fields of a record, their values, its actions and the layout
      of its rows. issue, book, task and group are built in, in the form of your own:
      slip kinds NAME prints it. A kind of yours is a file of the box.

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

      From then on it is a kind like those that are built in.

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
        slip: dhkqccwv: rating: six is not a whole number from 1 to 5
        $ slip set "Rye bread" ratng:5
        slip: dhkqccwv: ratng is not a field of kind recipe, and no note has it
          did you mean rating? add --new-field to create it

      Fields
      type is text, integer, boolean, date, choice, tags, reference or recurrence, and
      list of TYPE a list of these. required, not-empty, default, min, max, values, to
      (the kind that a reference names) and comment are attributes. A date with looks:
      back is read as past. on-delete is the rule for records that refer to a deleted
      one: deny, detach or cascade.

      Rules
      constraints hold on the whole record: added <= started <= completed.
      transitions say what follows when a field changes: set, clear and copy others.
      append adds the values that some fields had before to a list, so a book keeps
      its earlier readings: append: {readings: [started, completed]}. Queries on
      these fields, such as completed:2025, also find the values in the list.
      What is given in the same command beats what follows. actions are changes with
      a name: slip do cook NOTE.

      Which notes
      match is a query, such as path:Recipes/ or has:minutes: the notes without a
      kind of their own that are of it, so that a folder of old notes becomes records
      as it is. active is the query that says which records still matter. key is the
      field by which references name a record. A file of the name of a built-in kind
      takes its place, with extends: NAME it adds to it.

      For waiting, blocked and recurring records, and urgency: slip help tasks.

      """#)
}
