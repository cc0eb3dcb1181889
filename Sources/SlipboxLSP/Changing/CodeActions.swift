import NoteIndex
import Notes
import Presentation
import SlipboxCore
import Text

/// Offers the code actions at a place of a note.
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

  /// Whether a requested kind includes another: `refactor` for `refactor.extract`.
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
    let part = try ExtractedPart(document, subject.range, delivery)
    let made = subject.isPromotion ? try part.promotion(to: nil) : try part.extraction()
    return delivery.edit(try PlannedFiles(made.plan, in: delivery.view))
  }
}

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

  /// The input of an expensive change, which is computed once the user has chosen it.
  struct Subject: Codable, Sendable {
    let uri: String
    let range: PositionRange
    let version: Int
    /// Whether the check box on the first line becomes a record; else the range becomes a note.
    var isPromotion = false
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

/// A code action that the client has sent back: unchanged, with its edit if that was still to be computed.
struct ChosenAction: Codable, Sendable {
  private var members: [String: JSONValue]

  init(from decoder: any Decoder) throws {
    members = try decoder.singleValueContainer().decode([String: JSONValue].self)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(members)
  }

  /// The input from which its edit is computed; nil if it needs none.
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

/// The range of a note for which actions are requested, with the box around it.
struct ActionPlace {
  let request: Request
  let document: OpenDocument
  let view: BoxView
  let note: Note
  let text: NoteText
  let entry: Entry
  /// The selected bytes.
  let range: Range<Int>
  let diagnostics: [Diagnostic]

  /// - Returns: nil if the text is not a note of a box.
  init?(_ params: CodeActionParams, _ request: Request) throws {
    let place = try request.place(params.textDocument.uri)
    guard let box = place.box, let entry = try box.snapshot.catalogue().entry(path: place.path) else {
      return nil
    }
    self.request = request
    document = place.document
    view = box
    note = place.note
    text = place.text
    self.entry = entry
    range = document.lines.offsets(of: params.range)
    diagnostics = try NoteDiagnostics(place).all().filter { $0.range.touches(params.range) }
  }

  var bytes: [UInt8] { document.bytes }

  /// Whether bytes of the text have a place in common with the selection, be it an end.
  func isHere(_ other: Range<Int>) -> Bool {
    other.lowerBound <= range.upperBound && range.lowerBound <= other.upperBound
  }

  /// A change of some bytes of the text.
  func replacing(_ range: Range<Int>, by text: String) -> ActionOffer.Way {
    let edit = TextEdit(range: document.lines.range(of: range), newText: text)
    return .edit([.edits(VersionedDocument(uri: document.uri, version: document.version), [edit])])
  }

  /// The way of a plan: an edit of open texts, else a command.
  ///
  /// - Returns: nil if it changes nothing.
  func way(of plan: () throws(SlipboxError) -> Plan, command: ClientCommand?) -> ActionOffer.Way? {
    do throws(SlipboxError) {
      let planned = try PlannedFiles(try plan(), in: view)
      if planned.files.isEmpty { return nil }
      let isOfClient = planned.files.allSatisfy { $0.document != nil && $0.newPath == nil && $0.after != nil }
      if isOfClient { return .edit(planned.changes(view, request.client.encoding)) }
      if let command { return .command(command) }
      guard !planned.isForServer, planned.files.allSatisfy({ $0.newPath == nil && $0.before != nil }) else {
        return nil
      }
      return .edit(planned.changes(view, request.client.encoding))
    } catch {
      return .disabled(reason: WindowMessage(error).message)
    }
  }

  /// A diagnostic of a kind at some bytes.
  func diagnostic(_ codes: [Diagnostic.Code], at range: Range<Int>) -> Diagnostic? {
    let place = document.lines.range(of: range)
    return diagnostics.first { codes.contains($0.code) && $0.range == place }
  }
}

/// A possible change at a place of a text, before it is encoded for the client.
struct ActionOffer {
  /// How it is done.
  enum Way {
    case edit([WorkspaceEdit.Change])
    case command(ClientCommand)
    /// An edit that is computed once it is chosen; clients that can't resolve it run the command.
    case later(CodeAction.Subject, ClientCommand)
    /// It can't be done now.
    case disabled(reason: String)
  }

  let title: String
  let kind: CodeActionKind
  let way: Way
  var diagnostic: Diagnostic?
  var isPreferred = false

  /// The offer as a client can take it; nil if it can't.
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

/// Resolves conflicts that a merge left to the user.
struct ConflictFixes {
  private let place: ActionPlace

  init(_ place: ActionPlace) { self.place = place }

  /// An offer for each version of the conflict at the place.
  func offers() -> [ActionOffer] {
    var offers: [ActionOffer] = []
    guard !NoteConflict.all(in: place.text).isEmpty else { return [] }
    for conflict in (try? ResolveConflicts(in: place.view.snapshot).conflicts(of: place.entry)) ?? []
    where isHere(conflict) {
      for (number, version) in conflict.versions.enumerated() {
        let title = "Keep \(Visible.escape(conflict.name)): \(Self.shown(version))"
        let command = ClientCommand(
          title, .resolve,
          [
            "uri": .string(place.document.uri), "field": .string(conflict.name),
            "version": .integer(number + 1),
          ])
        let way = place.way(
          of: { () throws(SlipboxError) in
            try ResolveConflicts(in: place.view.snapshot).plan(
              place.entry, .version(number + 1), fields: [conflict.name], reason: nil)
          }, command: command)
        if let way { offers.append(ActionOffer(title: title, kind: .quickFix, way: way)) }
      }
    }
    return offers
  }

  /// Whether the place is in the field itself, in the list of conflicts, or in the body if the body is in conflict.
  private func isHere(_ conflict: NoteConflict) -> Bool {
    let names = [conflict.name, ConflictEntry.fieldName]
    let isInField = place.note.frontMatter.fields.contains { field in
      names.contains { field.name.isSameName(as: $0) } && place.isHere(field.span)
    }
    return isInField || conflict.versions.contains { $0.text != nil } && place.isHere(place.text.body)
  }

  private static func shown(_ version: NoteConflict.Version) -> String {
    let value: String =
      if let text = version.text {
        String(decoding: text.prefix(40), as: UTF8.self).split(separator: "\n").first.map(String.init) ?? ""
      } else {
        version.value?.strings.joined(separator: ", ") ?? "nothing"
      }
    let origin = [version.who, version.device, version.when].filter { !$0.isEmpty }.joined(separator: ", ")
    return Visible.escape(value) + (origin.isEmpty ? "" : " (\(Visible.escape(origin)))")
  }
}
