import Text

/// A page of help that belongs to no single command: a chapter of the manual.
///
/// Its text is written for terminals; `HelpBlock` defines how it is converted to pages of `man` and to Markdown. Lines
/// after `$ ` are commands, followed by their output. The tests run them in the order of the text.
struct HelpTopic {
  let name: String
  /// The heading of the chapter.
  let title: String
  /// The subject in one line.
  let summary: String
  let text: String

  /// The topic of `slip help NAME`.
  static func asked(by words: [String]) -> HelpTopic? {
    let words = words.filter { word in !GlobalOptions.flags.contains { $0.typed == word } }
    guard words.count == 2, words[0] == "help" else { return nil }
    let word = words[1].lowercased()
    let name = otherWords.first { $0.value.contains(word) }?.key ?? words[1]
    return all.first { $0.name == name }
  }

  /// Other words for the topics, by name; none of them is a command.
  private static let otherWords = [
    "config": ["obsidian", "logseq", "dendron", "hugo", "jekyll", "layout", "layouts", "hooks"],
    "dates": ["date", "time", "times"],
    "kinds": ["kind", "schema"],
    "merge": [
      "backup", "backups", "phone", "phones", "mobile", "conflict", "conflicts", "encryption", "encrypt",
      "device", "devices", "merging", "syncthing", "dropbox",
    ],
    "query": ["queries"],
    "refs": ["ref", "names", "ids"],
    "scripting": ["script", "scripts", "pipe", "pipes"],
    "tasks": [
      "due", "recur", "recurrence", "recurring", "repeat", "repeating", "urgency", "waiting", "blocked",
    ],
  ]

  /// The text for `slip help NAME`.
  ///
  /// - Parameter isCommand: whether a command has the same name, whose help is named first.
  func page(isCommand: Bool) -> String {
    isCommand ? "About \(title). The command: slip \(name) --help\n\n\(text)" : text
  }

  /// In the order in which a book has them.
  static let all = [
    tour, refs, query, dates, kinds, tasks, history, merge, templates, editors, scripting, files, config,
  ]

  /// The heading of the chapter with the name of its page of `man`.
  static func title(of page: String) -> String {
    all.first { "slip-\($0.name)" == page }?.title ?? page
  }

  private static let refs = HelpTopic(
    name: "refs", title: "Naming notes", summary: "how a note is named on the command line",
    text: """
      A REF names a note by its id, path, title, alias or slug, or by the first
      letters of its id (two or more). If it matches several notes, they are listed
      and nothing is changed. If exactly one of several records with a title is open,
      slip uses that one and says so; rm, mv and merge don't.

        slip show kqzmvtrp
        slip show kq
        slip show 2026/11/fermentation-basics-kqzmvtrp.md
        slip show "Fermentation basics"

      show, edit and log also take a part of a title if only one note has it. @1 is
      the first note of the last list in this terminal; @1-3 are the first three, for
      commands that take several. A shortened path of a list, such as
      2026/...bread.md, works as a REF if it is unique. - reads REFs from standard
      input, the first column of each line, so a list can be picked from:

        slip list +food | fzf -m | slip set - +favourite

      show, edit, append, set --body, rm, mv, links, backlinks, tick, untick and
      promote take a part of a note; retitle and split take a heading:

        "Fermentation basics#Sources"  a heading with everything below it
        "Fermentation basics#^recipe"  a block, by its name at the end of a line
        kqzmvtrp:12  kqzmvtrp:12-20    lines of the file

      """)

  private static let dates = HelpTopic(
    name: "dates", title: "Dates", summary: "dates and lengths of time in queries and changes",
    text: """
      Dates in queries and changes:

        2026-11-21  20261121           a day
        2026-11  2026-W47  2026        a month, a week, a year
        2026-11-21T09:30               a moment
        today yesterday tomorrow       in your time zone
        friday  fri  'dec 5'  '5 dec'  the next one, or the last one if the field
                                       looks back (see below); today counts
        11/30  30/11  2026/11/30       the same, if one number can't be a month
        30.11.2026  30.11.             the same, the day first
        'next week'  'last month'      this, next or last week, month, year, weekday
        7d 2w 6m 1y                    in a query, the time between then and now:
                                       modified:7d is the last 168 hours, due:7d
                                       the next; in a change 3d means +3d
        -3d +3d                        that one day, before or after today
        'in 3 days'  '2 weeks ago'     that single day; '3 days' means 3d
        'day after tomorrow'           that day; so 'end of month', 'end of week'
        'monday 9am'  '9am tomorrow'   that minute; a change of a date stores the
                                       time beside it: due-time for due; a time
                                       alone, such as noon, is one of today
        eod                            today
        sow eow som eom soy eoy        start and end of this week, month, year;
                                       weeks start on Monday
        a..b  a..  ..b                 from a to b, including both

      A change sets one day: a month or a week is refused, 'next week' is its Monday.
      If a kind declares a date, other values are errors. due: and scheduled: are
      dates in every kind. A file has dates as 2026-11-21, with a time or without;
      the other forms are for commands. A date with a time and an offset, such as
      2026-11-21T23:30:00Z, is the day that is written, in every time zone.

      Weekdays and lengths of time look back in created:, modified: and fields that
      say when something was done (closed, finished, added, started, completed), and
      in slip daily. A future date in such a field causes a warning. They look ahead
      in due:, my-day: and others.

      """)

  private static let config = HelpTopic(
    name: "config", title: "Settings", summary: "the settings of a box and of its user",
    text: """
      Settings of a box, in .slipbox/config.yaml, committed with it:

        layout   the conventions of the folder: slipbox (default), obsidian, zk,
                 hugo, jekyll, dendron, denote or logseq. See below
        path     the path of new notes, {year}/{month}/{slug}-{id}.md; {day},
                 {title}, {tags} and {date:FORMAT} are known too
        daily    the path of daily notes, daily/{year}-{month}-{day}.md
        inbox    the note for slip capture, by title or path: Inbox
        capture  the format of lines that slip capture adds: - {{selection}}
        exclude  folders and patterns of files that are not notes. See below
        inline-fields  whether key:: value in the text is a field: yes or no;
                 by default as in the layout
        publish  which notes slip export html exports: all but those marked draft,
                 private or publish: false (marked, the default), or only those
                 with publish: true (required)
        publish.fields  the fields that sites show besides those of kinds
        publish.title  the title of sites; by default the name of the folder
        publish.url  the address of sites, https://...
        publish.author  the author of sites
        merge.later  further fields in which merges keep the later time, besides
                 modified, updated, lastmod and the like
        bake     when lists in notes are written besides slip bake: sync (default),
                 after a merge by slip sync; commit, after each change by a
                 command and after a merge; never
        lsp.commit  when slip lsp commits saved notes: never (default), save or idle
        lsp.links  how slip lsp names notes in links: title, id or path

      Your own, in ~/.config/slipbox/config.yaml (slip config --user):

        box      the default box
        device   the name of this device in history. Otherwise each clone keeps the
                 host name of its first write, in git config slipbox.device; a clone
                 with a remote adds four letters to it
        editor   the editor; overrides $VISUAL and $EDITOR
        pager    the pager; overrides $PAGER
        browse.keys  other keys for actions of slip browse, as in delete=X
        picker   the program that lets you choose if you name no note: fzf. It
                 gets lines and prints those chosen; picker none means a list
                 with numbers

      Layouts: slip init recognises the folder of another program and sets layout.
      It defines the path of a new note, the place of its title, its id, the form of
      links, and the path of daily notes. The settings path and daily override the
      layout. slip reads the settings of the program (.obsidian, .zk) and never writes
      them; slip doctor lists those that it ignores. A mapping under layout: in the
      file sets base, path, title, id, created, links, daily, templates and
      inline-fields.

      Excluded files: exclude is a list of folders and patterns, such as exclude:
      [Templates/, "*.excalidraw.md"]. On the command line, commas separate the
      entries. * and ? also match slashes, as in path:. An excluded file is not a note
      in any list, count, check or site, and slip never changes it. Links to it are
      links to a file. slip new and slip mv refuse a path that is excluded. The
      present entries apply to past states too.

      Without the setting, slip reads the settings of other programs in the box,
      and never writes them: Obsidian's excluded files (except regular
      expressions), the template folders of Obsidian and of its plug-in Templater,
      and exclude or ignore of the section [note] in .zk/config.toml. exclude: []
      excludes nothing.

      Hooks: commits run pre-commit, prepare-commit-msg, commit-msg and post-commit,
      with an index that has the change, as in git commit --only. slip sync runs
      pre-push, as git push does. If a hook refuses, the change stays in the file and
      is not committed (exit 77); no later command retries it. A slip command in such
      a hook can't change notes (exit 75). This turns the hooks of commits off in one
      clone:

        git config slipbox.hooks skip

      Hooks of merges do not run, and commits are not signed. The first change in a
      clone reports that, and slip doctor each time.

      Environment: SLIPBOX names a box, NO_COLOR turns colour off. The box of a
      command is the one of --box, else $SLIPBOX, else the nearest at or above the
      working directory, else the folder that slipbox.box names in the git
      configuration of the repository, else your own default.

      """)
}

/// Help on a screen: lines that are too long go on under their own text.
enum HelpText {
  /// Texts are written for this width.
  static let usualWidth = 80
  /// A line that begins further in than this goes on with the text of the line above it.
  private static let deepest = 12
  /// A line of a paragraph that is at least so long goes on in the next line.
  private static let longLine = 60

  /// The lines of a text, none longer than the screen unless a word alone is.
  static func lines(_ text: String, width: Int?) -> [String] {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    while lines.last?.isEmpty == true { lines.removeLast() }
    guard let width else { return lines }
    return (width < usualWidth ? rows(of: lines) : lines.map(Row.init)).flatMap { $0.fitted(to: width) }
  }

  /// The lines with those that only go on with another one put to it.
  private static func rows(of lines: [String]) -> [Row] {
    var rows: [Row] = []
    var last = ""
    for line in lines {
      let row = Row(line)
      if let above = rows.last, !line.isEmpty, !last.isEmpty, row.goesOn(above, lineAbove: last) {
        rows[rows.count - 1].text += " " + row.text
      } else {
        rows.append(row)
      }
      last = line
    }
    return rows
  }

  /// A line: an indentation, the term in a table, and the text.
  private struct Row {
    let indent: Int
    let head: String
    /// The column at which the text begins.
    let column: Int
    var text: String

    init(_ line: String) {
      let letters = Array(line)
      let indent = letters.prefix { $0 == " " }.count
      self.indent = indent
      var gap: Int?
      for index in letters.indices.dropFirst(indent + 1).dropLast(2)
      where letters[index] == " " && letters[index + 1] == " " && letters[index + 2] != " " {
        gap = index + 2
      }
      column = gap ?? indent
      head = gap.map { String(letters[indent..<$0]) } ?? ""
      text = String(letters[column...])
    }

    func goesOn(_ above: Row, lineAbove: String) -> Bool {
      guard head.isEmpty else { return false }
      if indent > HelpText.deepest { return true }
      return above.head.isEmpty && indent == above.indent && lineAbove.count >= HelpText.longLine
    }

    func fitted(to width: Int) -> [String] {
      let whole = String(repeating: " ", count: indent) + head + text
      guard CellWidth.of(whole) > width else { return [whole] }
      let hanging = min(head.isEmpty ? indent : indent + 4, width / 2)
      guard !head.isEmpty else { return Self.wrapped(text, from: hanging, to: width) }
      guard column > width / 2 else {
        let lines = Self.wrapped(text, from: column, to: width)
        return [String(repeating: " ", count: indent) + head + (lines[0].dropFirst(column))]
          + lines.dropFirst()
      }
      return Self.wrapped(head, from: min(indent, width / 2), to: width)
        + Self.wrapped(text, from: hanging, to: width)
    }

    private static func wrapped(_ text: String, from column: Int, to width: Int) -> [String] {
      let start = String(repeating: " ", count: column)
      var lines: [String] = []
      var current = ""
      for word in text.split(separator: " ") {
        if !current.isEmpty, column + CellWidth.of(current) + 1 + CellWidth.of(String(word)) > width {
          lines.append(start + current)
          current = ""
        }
        current += (current.isEmpty ? "" : " ") + word
      }
      return lines + [start + current]
    }
  }
}

/// Help on a terminal: it fits the width, and longer than the screen it goes through the pager.
extension Session {
  /// Wider than any line: where lines are broken is settled afterwards.
  private static let unbroken = 1_000

  /// Shows a text of help that is made for a number of columns; nil if the output is not a terminal.
  func showHelp(_ text: (_ columns: Int?) -> String) throws {
    guard let width else { return try console.print(HelpText.lines(text(nil), width: nil)) }
    try page(HelpText.lines(text(width < HelpText.usualWidth ? Self.unbroken : width), width: width))
  }
}
