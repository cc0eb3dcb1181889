/// The parameters of `textDocument/codeAction`.
struct CodeActionParams: Decodable, Sendable {
  struct Context: Decodable, Sendable {
    let only: [String]?
  }

  let textDocument: DocumentIdentifier
  let range: PositionRange
  let context: Context?
}

/// Something that may be done at a place of a text, as the client shows it.
struct CodeAction: Encodable, Sendable {
  struct Disabled: Encodable, Sendable {
    let reason: String
  }

  /// What a costly change is worked out from, once the user has chosen it.
  struct Subject: Codable, Sendable {
    let uri: String
    let range: PositionRange
    let version: Int
  }

  let title: String
  let kind: CodeActionKind
  var diagnostics: [Diagnostic]?
  var isPreferred: Bool?
  var disabled: Disabled?
  var edit: WorkspaceEdit?
  var command: ClientCommand?
  var data: Subject?
}

/// A code action on its way back from the client: all that it had, with its edit where that was to be worked out.
struct ChosenAction: Codable, Sendable {
  private var members: [String: JSONValue]

  init(from decoder: any Decoder) throws {
    members = try decoder.singleValueContainer().decode([String: JSONValue].self)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(members)
  }

  /// What its edit is worked out from; nil where it needs none.
  var subject: CodeAction.Subject? { members["data"]?.decoded(CodeAction.Subject.self) }

  /// The same action with an edit.
  func with(_ edit: WorkspaceEdit?) -> ChosenAction {
    var action = self
    if let edit { action.members["edit"] = JSONValue(encoding: edit) }
    return action
  }
}

/// An answer to `textDocument/codeAction`: an action, or the command alone for clients that know no more.
enum ActionOrCommand: Encodable, Sendable {
  case action(CodeAction)
  case command(ClientCommand)

  func encode(to encoder: any Encoder) throws {
    switch self {
    case .action(let action): try action.encode(to: encoder)
    case .command(let command): try command.encode(to: encoder)
    }
  }
}
