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
    case .drop: "remove tags from every note; in the text only the # is removed"
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
