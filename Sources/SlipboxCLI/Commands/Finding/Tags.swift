import ArgumentParser
import Bytes
import Platform
import Presentation
import SlipboxCore
import Text

struct Tags: SlipCommand {
  static let configuration = CommandConfiguration(
    commandName: "tags",
    abstract: "List tags with counts; declare, rename, merge and drop tags.",
    discussion: """
      Without an action, lists every tag with the number of active notes and of all notes; notes with a nested \
      tag count for its parents too. The actions:

      \(TagAction.help)

      rename, merge and drop change the front matter and the text of every note with the tag, in one commit. \
      They ask for confirmation; without a terminal, they need --yes. If the front matter of one of these \
      notes can't be rewritten, no note is changed; fix that note with slip edit.

      Examples:
        slip tags
        slip tags --tree
        slip tags declare someday work/clients
        slip tags rename food cooking --yes
        slip tags merge trash old archive --yes
        slip tags drop inbox --yes -m "Sorted at last"
        slip tags missing "Fermentation basics"
      """)

  @Argument(help: ArgumentHelp("The action and its tags; lists all tags by default.", valueName: "action"))
  var words: [Word] = []

  @Flag(name: .option(.tree), help: "Show nested tags as a tree.")
  var tree = false

  @Flag(name: .option(.json), help: "As JSON.")
  var json = false

  @OptionGroup var past: PastOptions
  @OptionGroup var targets: TargetOptions
  @OptionGroup var global: GlobalOptions

  func run(in session: Session) throws {
    let names = Array(words.texts.dropFirst())
    let action = try action()
    try check(action, names)
    let snapshot = try session.openBox(past)
    let reason = targets.reason.text
    switch action {
    case .declare: try declare(names, snapshot, session)
    case .rename:
      try carryOut(
        try ChangeTags(in: snapshot).rename(names[0], to: names[1], reason: reason),
        BulkQuestion("rename tag \(names[0]) to \(names[1])", link: "in"), snapshot, session)
    case .merge:
      try carryOut(
        try ChangeTags(in: snapshot).merge(
          Array(names.dropLast()), into: names[names.count - 1], reason: reason),
        BulkQuestion("merge \(Self.tags(names.dropLast())) into \(names[names.count - 1])", link: "in"),
        snapshot, session)
    case .drop:
      try carryOut(
        try ChangeTags(in: snapshot).drop(names, reason: reason),
        BulkQuestion("drop \(Self.tags(names[...]))", link: "from"), snapshot, session)
    case .missing:
      try printMissing(
        try BoxTags(of: snapshot).missing(
          in: try NoteLookup(in: snapshot).entry(try session.reference(words[1]), fuzzy: true)),
        session)
    case .list:
      try printList(snapshot, session)
      session.warnOfUnreadableNotes(in: snapshot)
    }
  }

  private func printList(_ snapshot: BoxSnapshot, _ session: Session) throws {
    let rows: TagRows
    let asJSON: [UInt8]?
    if tree {
      let branches = try BoxTags(of: snapshot).branches()
      (rows, asJSON) = (TagRows(tree: branches), json ? TagJSON.tree(branches) : nil)
    } else {
      let tags = try BoxTags(of: snapshot).counts()
      (rows, asJSON) = (TagRows(list: tags), json ? TagJSON.list(tags) : nil)
    }
    if let asJSON { return try session.console.print(bytes: asJSON) }
    guard !rows.isEmpty else {
      return session.say(
        past.asOf != nil
          ? "no note had a tag at that time"
          : "no tags yet; add one with: slip set REF +tag, or declare one with: slip tags declare NAME"
      )
    }
    try session.page(rows.lines(session.display))
  }

  private func printMissing(_ tags: [TagCount], _ session: Session) throws {
    if json { return try session.console.print(bytes: TagJSON.list(tags)) }
    if tags.isEmpty { session.say("the note has every tag") }
    try session.console.print(tags.map { Visible.escape($0.name) })
  }

  /// The requested action.
  private func action() throws(SlipboxError) -> TagAction {
    guard let word = words.first?.text else { return .list }
    if let action = TagAction(rawValue: word) { return action }
    let names = TagAction.allCases.map(\.rawValue)
    let near = Self.meanings[word].map(\.rawValue) ?? Spelling.nearest(to: word, among: names)
    let tag = word.hasPrefix("+") ? word : "+" + word
    let notes = "slip list \(Visible.escape(ShellWord.quoted(tag))) lists the notes with a tag"
    let rest = words.texts.dropFirst().map { " " + Visible.escape(ShellWord.quoted($0)) }.joined()
    throw SlipboxError(
      .usage, "there is no command slip tags \(Visible.escape(word))",
      hints: [
        near.map { "did you mean: slip tags \($0)\(rest)" }
          ?? "use one of: \(names.joined(separator: ", ")); \(notes)"
      ])
  }

  /// Words of other programs for the actions.
  private static let meanings: [String: TagAction] = [
    "delete": .drop, "del": .drop, "remove": .drop, "rm": .drop, "mv": .rename, "move": .rename,
    "join": .merge, "combine": .merge, "add": .declare, "create": .declare, "new": .declare, "ls": .list,
  ]

  /// Refuses words and options that do not go with the action.
  private func check(_ action: TagAction, _ names: [String]) throws(SlipboxError) {
    guard action.takes(names.count) else {
      throw SlipboxError(.usage, "run: slip tags \(action.form)")
    }
    if !targets.selection.where.isEmpty || targets.selection.input.nulSeparated {
      throw SlipboxError(
        .usage, "slip tags works on the whole box",
        hints: ["slip set --where QUERY +new -old changes some notes"])
    }
    if past.asOf != nil, action != .list, action != .missing {
      throw SlipboxError(
        .usage, "--as-of works only with the list and with missing: the past can't be changed")
    }
    if tree, action != .list { throw SlipboxError(.usage, "--tree works only with the list") }
    if json, action != .list, action != .missing {
      throw SlipboxError(.usage, "--json works only with the list and with missing")
    }
  }

  private func declare(_ names: [String], _ snapshot: BoxSnapshot, _ session: Session) throws {
    let plan = try ChangeTags(in: snapshot).declare(names, reason: targets.reason.text)
    if targets.dryRun { return try Changes.printPatch(plan, snapshot, session) }
    try Changes.record(plan, in: snapshot, session)
  }

  /// Such as `tag food` and `tags food and drink`.
  private static func tags(_ names: ArraySlice<String>) -> String {
    "\(names.count == 1 ? "tag" : "tags") \(Sentence.list(Array(names)))"
  }

  /// Shows the effect of a change of tags, asks for confirmation, and applies it.
  private func carryOut(
    _ work: TagWork, _ question: BulkQuestion, _ snapshot: BoxSnapshot, _ session: Session
  ) throws {
    if let expect = targets.expect, work.entries.count != expect {
      throw SlipboxError(
        .usage, "\(Count.notes(work.entries.count)), not \(expect) as expected",
        hints: ["nothing was changed"])
    }
    if !work.entries.isEmpty, !targets.yes, !targets.dryRun { Self.show(work.moves, session) }
    guard work.entries.isEmpty, !targets.dryRun else {
      return try Changes.carryOut(
        work.plan, on: work.entries, areNamed: false, question, targets, snapshot, session)
    }
    // Only the settings name such a tag, or all is in place.
    try Changes.record(work.plan, in: snapshot, session)
  }

  private static let shownMoves = 10

  private static func show(_ moves: [(old: String, new: String?)], _ session: Session) {
    for move in moves.prefix(shownMoves) {
      let old = Visible.escape(move.old)
      session.console.complain(move.new.map { "\(old) becomes \(Visible.escape($0))" } ?? "\(old) is removed")
    }
    if moves.count > shownMoves {
      session.console.complain("and \(moves.count - shownMoves) more tags")
    }
  }
}

/// An action of `slip tags`; the command, its help and completion read this table.
enum TagAction: String, CaseIterable {
  case list, declare, rename, merge, drop, missing

  /// The names that follow the action, as help and messages show them.
  var arguments: String {
    switch self {
    case .list: ""
    case .declare, .drop: "NAME..."
    case .rename: "OLD NEW"
    case .merge: "FROM... INTO"
    case .missing: "REF"
    }
  }

  /// Whether it takes so many names.
  func takes(_ count: Int) -> Bool {
    switch self {
    case .list: count == 0
    case .declare, .drop: count > 0
    case .rename: count == 2
    case .merge: count >= 2
    case .missing: count == 1
    }
  }

  /// A line for the help; nil for the list, which needs no action.
  private var summary: String? {
    switch self {
    case .list: nil
    case .declare: "declare tags that no note has"
    case .rename: "including nested tags: work/clients with work"
    case .merge: "replace several tags with one"
    case .drop: "remove tags from every note; in the text, remove the #"
    case .missing: "the tags that a note does not have"
    }
  }

  /// The form that is typed.
  var form: String { arguments.isEmpty ? rawValue : "\(rawValue) \(arguments)" }

  /// The table of the help.
  static var help: String {
    allCases.compactMap { action in
      action.summary.map { "  \(action.form)\(String(repeating: " ", count: 20 - action.form.count))\($0)" }
    }.joined(separator: "\n")
  }
}
