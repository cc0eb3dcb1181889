/// A command that the client may have the server run.
struct ClientCommand: Codable, Sendable {
  let title: String
  let command: String
  let arguments: [JSONValue]?
}

/// The commands of the server.
enum ServerCommand: String, CaseIterable, Sendable {
  case new = "slip.new"
  case list = "slip.list"
  case act = "slip.do"
  case undo = "slip.undo"
  case redo = "slip.redo"
  case daily = "slip.daily"
  case commit = "slip.commit"
  case extract = "slip.extract"
  case promote = "slip.promote"
  case resolve = "slip.resolve"
  case apply = "slip.apply"
}

extension ClientCommand {
  /// A command of the server with its arguments by name.
  init(_ title: String, _ command: ServerCommand, _ arguments: [String: JSONValue] = [:]) {
    self.init(title: title, command: command.rawValue, arguments: [.object(arguments)])
  }
}

/// The kinds of code actions.
enum CodeActionKind: String, CaseIterable, Codable, Sendable {
  case quickFix = "quickfix"
  case extract = "refactor.extract"
  case rewrite = "refactor.rewrite"
  case record = "source.slip"
}

/// The types of semantic tokens.
enum SemanticTokenType: String, CaseIterable, Sendable {
  case property, enumMember, decorator, `class`
}

/// The modifiers of semantic tokens.
enum SemanticTokenModifier: String, CaseIterable, Sendable {
  case deprecated
}
