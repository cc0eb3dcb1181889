import SlipboxCore

/// Offers what may be done at a place of a note.
enum CodeActions {
  /// The answer to `textDocument/codeAction`.
  static func list(_ params: CodeActionParams, _ request: Request) throws -> [ActionOrCommand]? {
    guard let place = try ActionPlace(params, request) else { return nil }
    let only = params.context?.only
    let isWanted = { (kinds: [CodeActionKind]) in
      only == nil || kinds.contains { kind in only?.contains { includes($0, kind.rawValue) } == true }
    }
    var offers: [ActionOffer] = []
    if isWanted([.quickFix]) {
      offers += try LinkFixes(place).offers()
      offers += try KindFixes(place).offers()
      offers += ConflictFixes(place).offers()
    }
    if isWanted([.rewrite, .extract]) { offers += try TextActions(place).offers() }
    if isWanted([.record]) { offers += try RecordActions(place).offers() }
    return offers.filter { isWanted([$0.kind]) }.compactMap { $0.told(to: request.client.capabilities) }
  }

  /// Whether a kind that is asked for stands for another: `refactor` for `refactor.extract`.
  private static func includes(_ asked: String, _ kind: String) -> Bool {
    asked.isEmpty || kind == asked || kind.hasPrefix(asked + ".")
  }

  /// The answer to `codeAction/resolve`: the action with its edit.
  static func resolve(_ action: ChosenAction, _ request: Request) throws -> ChosenAction {
    guard let subject = action.subject else { return action }
    return action.with(try edit(subject, request))
  }

  private static func edit(_ subject: CodeAction.Subject, _ request: Request) throws -> WorkspaceEdit? {
    guard let document = request.documents[subject.uri], document.version == subject.version,
      let path = document.path, let place = request.boxes.box(of: path)
    else { throw ResponseError(.requestFailed, "the text has changed: request the action again") }
    let delivery = try ChangeDelivery(request, place.box)
    let made = try Extraction(document, subject.range, delivery).result()
    return delivery.edit(try PlannedFiles(made.plan, in: delivery.view))
  }
}
