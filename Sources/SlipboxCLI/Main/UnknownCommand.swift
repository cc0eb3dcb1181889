import Bytes
import NoteIndex
import Notes
import SlipboxCore
import Text

/// A first word that is not a command, with the command that was most likely meant.
struct UnknownCommand {
  private let word: String
  private let arguments: [String]

  init(_ word: String, arguments: [String]) {
    self.word = word
    self.arguments = arguments
  }

  /// The refusal, with what to type instead.
  var error: SlipboxError {
    guard word.contains(where: { !$0.isWhitespace }) else {
      return SlipboxError(.usage, "the command is empty", lines: [Self.help])
    }
    return SlipboxError(
      .usage, "there is no command \(Visible.escape(word))",
      lines: [Self.elsewhere(word) ?? suggestion.map { "did you mean: \(Visible.escape($0))" } ?? Self.help])
  }

  private static let help = "slip --help lists the commands"

  /// The refusal of a command line whose first word is an action of a kind of the box; nil if it is not an action.
  static func action(in words: [String], _ openBox: () throws -> BoxSnapshot) -> SlipboxError? {
    let rest = Arguments.splittingGlobals(words).rest
    guard let word = rest.first, !CommandName.isFirstWord(word),
      let kind = (try? openBox())?.schema().kinds.first(where: { $0.action(named: word) != nil })
    else { return nil }
    let line = (["slip", "do"] + rest).map { ShellWord.quoted($0) }.joined(separator: " ")
    return SlipboxError(
      .usage, "\(Visible.escape(word)) is an action of the kind \(Visible.escape(kind.name)), not a command",
      lines: [Visible.escape(line)])
  }

  /// The probably intended command line; nil if none is likely.
  private var suggestion: String? {
    if Schema.builtIn.kinds.contains(where: { $0.action(named: word) != nil }) {
      return "slip do \(word)"
    }
    if let form = termForm ?? kindForm ?? argumentForm { return form }
    let names = CommandName.wordsForPeople
    let folded = word.lowercased()
    if let command = names.first(where: { $0 == folded }) ?? Self.meaning(of: folded) {
      return "slip \(command)"
    }
    return (Spelling.nearest(to: word, among: names) ?? Self.nearMeaning(of: folded)).map { "slip \($0)" }
  }

  /// The hint for a term of a query, an id or a title in the place of the command.
  private var termForm: String? {
    let (shown, folded) = (ShellWord.quoted(word), word.lowercased())
    if folded == "version" { return "slip --version" }
    if let first = word.first, "+@".contains(first), word.count > 1 { return "slip list \(shown)" }
    if NoteID(word) != nil { return "slip show \(word)" }
    if word.contains(where: \.isWhitespace), word.contains(where: \.isLetter) { return "slip new \(shown)" }
    if Change(word) != nil { return "slip list \(shown)" }
    return nil
  }

  /// The form of a word whose meaning depends on the words after it: `slip tag add`, `slip inbox`.
  private var argumentForm: String? {
    switch word.lowercased() {
    case "tag", "untag":
      guard let action = arguments.first else { return word.lowercased() == "tag" ? "slip tags" : nil }
      let removes =
        word.lowercased() == "untag" || ["rm", "remove", "delete", "drop", "del"].contains(action)
      return removes ? "slip set REF -TAG" : "slip set REF +TAG"
    case "check", "done", "mark":
      guard word.lowercased() == "check" || arguments.count > 1 else { return nil }
      return "slip tick REF TEXT for a check box, slip finish REF for a task"
    case "inbox": return arguments.isEmpty ? "slip show Inbox" : "slip capture TEXT"
    default: return nil
    }
  }

  /// `slip task ...` makes a task, `slip tasks` lists them.
  private var kindForm: String? {
    let folded = word.lowercased()
    for kind in Schema.builtIn.kinds.map(\.name) {
      if folded == "note", !arguments.isEmpty { return "slip new TITLE" }
      if folded == kind { return arguments.isEmpty ? "slip list kind:\(kind)" : "slip new \(kind)" }
      if folded == kind + "s" { return "slip list kind:\(kind)" }
    }
    return nil
  }
}

extension UnknownCommand {
  /// Words of other programs, each with the command that does the same here.
  private static let meanings: [(command: String, words: [String])] = [
    ("list", ["ls", "ll", "l", "dir", "all", "query"]),
    ("list --count", ["count"]),
    ("list --paths", ["path", "paths", "where", "files"]),
    ("list due:..7d sort:due", ["due"]),
    ("agenda", ["upcoming", "schedule", "calendar", "cal", "month"]), ("agenda --week", ["week"]),
    ("new", ["add", "a", "create", "make", "insert", "touch", "write", "n", "mk"]),
    ("new TITLE --from REF", ["copy", "cp", "duplicate", "dup"]),
    ("todos", ["todo", "checkbox", "checkboxes", "boxes"]),
    ("daily", ["journal", "diary", "jrnl", "day"]), ("capture", ["jot", "quick"]),
    ("help templates", ["template", "templates"]),
    ("search", ["find", "grep", "rg", "ag", "ack", "look", "lookup", "f"]),
    ("rm", ["delete", "del", "remove", "erase", "destroy", "trash", "unlink", "d"]),
    (
      "set",
      ["modify", "mod", "update", "change", "put", "field"]
    ),
    ("retitle", ["rename", "title"]),
    ("mv", ["move", "ren"]),
    ("merge", ["join", "combine"]),
    ("split", ["extract", "refactor"]),
    ("finish", ["done", "complete", "completed", "check", "mark"]),
    ("close", ["resolved", "closed"]), ("set REF wait:DATE", ["snooze", "defer", "postpone", "wait"]),
    ("show", ["cat", "open", "print", "read", "less", "more", "get", "display", "info", "p"]),
    ("restore", ["undelete", "recover", "unrm", "resurrect"]),
    ("edit", ["vi", "vim", "nano", "emacs", "editor", "e"]),
    ("append", ["annotate", "comment", "prepend", "denotate"]),
    ("log", ["history", "changes", "blame", "reflog", "evolog", "oplog"]),
    ("undo", ["revert", "rollback", "unfinish", "oops"]), ("redo", ["again"]),
    ("review", ["recap", "standup", "digest", "retro"]),
    ("chart", ["plot", "burndown", "timeline"]),
    ("tidy", ["gc", "repack", "prune", "maintenance"]),
    ("tags", ["labels", "categories", "contexts", "projects"]),
    ("filter", ["filters", "alias", "aliases", "saved"]),
    ("kinds", ["types", "schema", "schemas", "models"]),
    ("overview", ["home", "dashboard", "summary", "stats", "st"]),
    ("list is:active --sort -urgency", ["next", "ready", "urgent", "urgency"]),
    ("list @overdue", ["overdue", "late"]), ("page", ["serve", "server", "web", "gui", "ui"]),
    ("browse", ["tui", "screen"]),
    ("list is:waiting", ["waiting", "snoozed"]), ("list is:blocked", ["blocked"]),
    ("list is:blocking", ["blocking"]),
    ("status", ["dirty", "pending"]),
    ("sync", ["push", "pull", "synchronize", "synchronise", "upload", "share"]),
    ("remote", ["remotes", "origin", "upstream"]),
    ("commit", ["ci", "save", "describe", "snapshot", "checkpoint"]),
    ("doctor", ["fsck", "verify", "lint", "validate", "repair", "fix", "reindex"]),
    ("init", ["setup", "begin", "initialize", "initialise"]),
    ("config", ["settings", "configure", "preferences", "prefs", "context"]),
    ("list --watch", ["watch", "tail", "follow"]),
    ("backlinks", ["inlinks", "linkedby", "refs"]), ("links", ["outlinks", "outgoing"]),
    ("orphans", ["unlinked"]), ("broken", ["dangling", "deadlinks"]), ("graph", ["map", "network"]),
    ("related", ["similar"]),
    ("import", ["load", "ingest"]), ("export", ["dump", "publish", "build", "generate", "render"]),
    ("help", ["man", "usage", "?", "h", "commands"]),
  ]

  /// All words of other programs that are known.
  static let wordsOfOthers = meanings.flatMap(\.words)

  /// The command that a word of another program means.
  static func meaning(of word: String) -> String? {
    meanings.first { $0.words.contains(word) }?.command
  }

  /// The command whose name elsewhere is typed but for one letter: a longer word that begins alike.
  private static func nearMeaning(of word: String) -> String? {
    let words = wordsOfOthers.filter { $0.count > 4 && $0.first == word.first }
    guard word.count > 3 else { return nil }
    return Spelling.slip(of: word, among: words).flatMap(meaning)
  }

  /// Commands that slip leaves to git.
  private static let leftToGit = [
    "fetch": "git fetch", "rebase": "git rebase", "clone": "git clone URL",
    "branch": "git branch", "checkout": "git checkout", "stash": "git stash",
    "bisect": "git bisect", "switch": "git switch",
  ]

  /// A line on what another program does.
  private static func elsewhere(_ word: String) -> String? {
    leftToGit[word.lowercased()].map { "a box is a git repository: \($0)" }
  }
}

/// A title of several words that was typed without quotes, so that its first word named no note.
struct UnquotedTitle {
  /// The refusal with the line that was meant.
  let error: SlipboxError

  /// - Parameters:
  ///   - error: the refusal of the first word.
  ///   - words: the words after `slip`.
  /// - Returns: nil if the words name no note together either.
  init?(_ error: SlipboxError, _ words: [String], _ openBox: () throws -> BoxSnapshot) {
    guard case .noNote(let reference, _)? = error.fact, let start = words.firstIndex(of: reference),
      let snapshot = try? openBox()
    else { return nil }
    let rest = words[(start + 1)...].prefix { !$0.hasPrefix("-") && !$0.hasPrefix("+") }
    for count in stride(from: rest.count, to: 0, by: -1) {
      let title = words[start...(start + count)].joined(separator: " ")
      guard let entry = try? NoteLookup(in: snapshot).entry(title, fuzzy: false) else { continue }
      guard entry.note.title.lowercased() == title.lowercased() else { continue }
      let line = ["slip"] + words[..<start] + [title] + words[(start + count + 1)...]
      self.error = SlipboxError(
        .notFound, error.message,
        hints: [
          "quote a title of several words: \(Visible.escape(line.map { ShellWord.quoted($0) }.joined(separator: " ")))"
        ])
      return
    }
    return nil
  }
}

extension SlipboxError {
  /// The refusal of a REF that names no note; if a deleted note has the name, with the command that restores it.
  ///
  /// - Parameter words: the words after `slip`.
  func namingDeletion(_ words: [String], _ session: Session) -> SlipboxError {
    let isOfPast = words.contains { word in
      [OptionName.asOf, .at].contains { word == $0.typed || word.hasPrefix("\($0.typed)=") }
    }
    guard case .noNote(let reference, let isNear)? = fact, !isOfPast, let snapshot = try? session.openBox()
    else { return self }
    let names = [reference] + NotePart.readings(of: reference).map(\.name)
    let deletion = names.lazy.map { DeletedNotes.hints(for: $0, snapshot, session.context) }
      .first { !$0.isEmpty }
    guard let deletion else { return self }
    return SlipboxError(
      kind, message, hints: isNear ? hints + deletion : deletion, fact: fact, unsavedText: unsavedText)
  }
}
