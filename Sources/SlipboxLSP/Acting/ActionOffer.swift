/// Something that may be done at a place of a text, before it is told as the client can take it.
struct ActionOffer {
  /// How it is done.
  enum Way {
    case edit([WorkspaceEdit.Change])
    case command(ClientCommand)
    /// An edit that is worked out once it is chosen; clients that can't ask for it run the command.
    case later(CodeAction.Subject, ClientCommand)
    /// It can't be done now.
    case disabled(reason: String)
  }

  let title: String
  let kind: CodeActionKind
  let way: Way
  var diagnostic: Diagnostic?
  var isPreferred = false

  /// The offer as a client can take it; nil where it can't.
  func told(to client: ClientCapabilities) -> ActionOrCommand? {
    client.hasCodeActionLiterals ? action(client).map { .action($0) } : command(client).map { .command($0) }
  }

  private func action(_ client: ClientCapabilities) -> CodeAction? {
    var action = CodeAction(
      title: title, kind: kind, diagnostics: diagnostic.map { [$0] }, isPreferred: isPreferred ? true : nil)
    switch way {
    case .edit(let changes): action.edit = WorkspaceEdit(changes, for: client)
    case .command(let command): action.command = command
    case .later(let subject, let command):
      if client.resolvesActionEdits, client.canCreateFiles {
        action.data = subject
      } else {
        action.command = command
      }
    case .disabled(let reason):
      guard client.hasDisabledActions else { return nil }
      action.disabled = CodeAction.Disabled(reason: reason)
    }
    return action
  }

  private func command(_ client: ClientCapabilities) -> ClientCommand? {
    switch way {
    case .edit(let changes):
      guard client.canApplyEdits else { return nil }
      let edit = JSONValue(encoding: WorkspaceEdit(changes, for: client))
      return ClientCommand(title, .apply, ["edit": edit])
    case .command(let command), .later(_, let command):
      return ClientCommand(title: title, command: command.command, arguments: command.arguments)
    case .disabled: return nil
    }
  }
}
