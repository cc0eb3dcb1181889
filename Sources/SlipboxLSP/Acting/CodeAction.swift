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

/// A code action on its way back from the client, with what is kept of it.
struct ChosenAction: Decodable, Sendable {
  let title: String
  let kind: CodeActionKind?
  let isPreferred: Bool?
  let diagnostics: [JSONValue]?
  let data: CodeAction.Subject?
}

/// The answer to `codeAction/resolve`.
struct ResolvedAction: Encodable, Sendable {
  let title: String
  let kind: CodeActionKind?
  let isPreferred: Bool?
  let diagnostics: [JSONValue]?
  let edit: WorkspaceEdit?
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
