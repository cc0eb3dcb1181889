/// The name of a command, in the order of the help.
///
/// The rules for arguments read names here, so that a run reads the declaration of its own command alone.
enum CommandName: String, CaseIterable {
  case new, daily, capture, show, edit, set, append, retitle
  case move = "mv"
  case merge, split
  case remove = "rm"
  case restore, resolve
  case `do`
  case tick, untick, promote, bake

  case list, search, table, agenda, view, todos, outline, tags, filter, overview

  case links, backlinks, mentions, related, orphans, broken, graph

  case log, diff, undo, redo, review, chart, commit, status

  case language = "lsp"
  case page, browse

  case sync, heal, remote
  case `import`
  case export

  case initialise = "init"
  case config, kinds, doctor, tidy, sample, completions, manual

  case mergeDriver = "merge-driver"
  case foldCatalogue = "fold-catalogue"
  case guardTerminal = "guard-terminal"

  /// A group of commands with its heading in the help.
  enum Group: String, CaseIterable {
    case notes = "Notes"
    case finding = "Finding"
    case links = "Links"
    case history = "History"
    case interfaces = "Interfaces"
    case sharing = "Sharing"
    case box = "Box"
    case programs = "For git"

    /// The commands of the group.
    var commands: [CommandName] { CommandName.allCases.filter { $0.group == self } }
  }

  /// The group of the command.
  var group: Group {
    switch self {
    case .new, .daily, .capture, .show, .edit, .set, .append, .retitle, .move, .merge, .split, .remove,
      .restore, .resolve, .do, .tick, .untick, .promote, .bake:
      .notes
    case .list, .search, .table, .agenda, .view, .todos, .outline, .tags, .filter, .overview: .finding
    case .links, .backlinks, .mentions, .related, .orphans, .broken, .graph: .links
    case .log, .diff, .undo, .redo, .review, .chart, .commit, .status: .history
    case .language, .page, .browse: .interfaces
    case .sync, .heal, .remote, .import, .export: .sharing
    case .initialise, .config, .kinds, .doctor, .tidy, .sample, .completions, .manual: .box
    case .mergeDriver, .foldCatalogue, .guardTerminal: .programs
    }
  }

  /// The word for help on a command.
  static let help = "help"

  /// Actions of the built-in kinds that are commands too: `slip close X` is `slip do close X`.
  static let actions = ["close", "reopen", "start", "finish", "shelve", "today"]

  /// Whether a word may be the first: `help`, an action that is a command too, or a command.
  static func isFirstWord(_ word: String) -> Bool {
    word == help || CommandName(rawValue: word) != nil || actions.contains(word)
  }

  /// The words that people may type first.
  static var wordsForPeople: [String] {
    [help] + actions + allCases.filter { $0.group != .programs }.map(\.rawValue)
  }
}
