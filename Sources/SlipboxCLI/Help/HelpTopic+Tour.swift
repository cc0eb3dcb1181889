/// The first chapter.
extension HelpTopic {
  static let tour = HelpTopic(
    name: "tour", title: "The first hour", summary: "a box, notes, records, undo, a second device",
    text: #"""
      A box is a folder of Markdown files under git. An empty folder becomes one, and
      so does an Obsidian vault or any other folder of Markdown: no file is
      rewritten.

        $ slip init
        ~/notes is a box now
        next: slip new "A first thought"

      Notes
      A title, tags, a text. The command prints the id of the note, which never
      changes. The first letters of the id, or the title, name the note in other
      commands.

        $ slip new Sourdough +food -b "Flour, water, salt and time."
        pvmnkdzt
        New note: Sourdough
        $ slip new "Rye bread" +food +winter -b "Begins with [[Sourdough]]."
        dhkqccwv
        New note: Rye bread
        $ slip list
        dh  2026-11-21  Rye bread  #food #winter
        pv  2026-11-21  Sourdough  #food
        $ slip search salt
        pv  2026-11-21  Sourdough  #food
          7: Flour, water, salt and time.

      slip show NOTE shows a note, slip edit NOTE opens it in your editor, slip append
      NOTE TEXT adds a line. Fields are changed one by one, and the rest of the file
      stays as it is.

        $ slip append Sourdough "Twelve hours in the cold are better than six."
        Append to: Sourdough
        $ slip set Sourdough rating:5 +favourite
        Set rating 5, add tag favourite: Sourdough

      Links
      A link in double brackets names a note by title, file name or id. slip backlinks
      lists the notes that link to a note. slip retitle updates every link.

        $ slip backlinks Sourdough
        dh  2026-11-21  Rye bread  #food #winter
          7: Begins with [[Sourdough]].
        $ slip retitle Sourdough "Sourdough starter"
        Retitle Sourdough to Sourdough starter
        slip undo reverses it
        1 link in 1 note rewritten

      Records
      Tasks, issues, books and kinds of your own are notes with fields that are
      checked.

        $ slip new task "Feed the starter" due:tomorrow priority:high
        brjmtklv
        New task: Feed the starter
        $ slip new book Bread author:"Jeffrey Hamelman"
        jjmzdcdx
        New book: Bread
        $ slip start Bread
        Start book: Bread
        $ slip finish "Feed the starter"
        Finish task: Feed the starter
        $ slip list is:active sort:title
        jj  in progress  2026-11-21  Bread
        dh               2026-11-21  Rye bread          #food #winter
        pv               2026-11-21  Sourdough starter  #food #favourite

      Undo
      Every change is one commit. slip undo reverses the last change with another
      commit; run it again to undo earlier changes. Deleted notes are kept in history.

        $ slip rm "Rye bread"
        Delete note: Rye bread
        slip undo reverses it
        $ slip undo
        Undo: Delete note: Rye bread
        $ git log --format=%s
        Undo: Delete note: Rye bread
        Delete note: Rye bread
        Finish task: Feed the starter
        Start book: Bread
        New book: Bread
        New task: Feed the starter
        Retitle Sourdough to Sourdough starter
        Set rating 5, add tag favourite: Sourdough
        Append to: Sourdough
        New note: Rye bread
        New note: Sourdough
        Make this folder a Slipbox box

      Another device
      Any git remote will do: a folder, a path that ssh reaches, an https address.
      Changes of both sides are merged field by field and line by line.

        $ git init -q --bare -b main ../hub.git
        $ slip remote add ../hub.git
        origin is ~/hub.git; slip sync exchanges commits with it
        $ slip sync
        to origin/main: 12 commits, 4 new

      From here on: slip without arguments shows an overview, slip daily opens the
      note of the day, slip help query explains queries, and slip help kinds explains
      how to declare your own kinds.

      """#)
}
