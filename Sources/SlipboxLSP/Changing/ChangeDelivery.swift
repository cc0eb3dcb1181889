import NoteIndex
import Presentation
import SlipboxCore
import Text

/// Carries plans out: open texts by the client, files by the core as one commit.
struct ChangeDelivery {
  /// So many files that are not open are changed by the client as texts; of more no editor is to be full.
  static let mostClosed = 20

  let request: Request
  let box: OpenBox
  let view: BoxView

  /// A look at a box with all its files as they are now.
  init(_ request: Request, _ box: OpenBox) throws(SlipboxError) {
    self.request = request
    self.box = box
    view = try request.boxes.viewForChange(of: box, request.documents)
  }

  private var capabilities: ClientCapabilities { request.client.capabilities }

  /// The edits that the client has to apply; nil if there are none.
  ///
  /// - Throws: if the user refuses the change, and the errors of the plan's edits.
  func answer(_ plan: Plan) throws -> WorkspaceEdit? {
    let planned = try PlannedFiles(plan, in: view)
    let (open, closed) = planned.parted { $0.document != nil }
    guard closed.isForServer else { return edit(planned) }
    try confirm(closed.files.count)
    try commit(closed)
    guard !open.files.isEmpty else { return nil }
    guard capabilities.canApplyEdits else { return edit(open) }
    try apply(open.changes(view, request.client.encoding))
    return nil
  }

  /// The changes before a move by the client. If they are many, those of notes that are neither open nor moved are
  /// written here.
  func changesOfMany(_ planned: PlannedFiles) throws -> [WorkspaceEdit.Change] {
    let (own, closed) = planned.parted { $0.document != nil || $0.newPath != nil }
    guard closed.isForServer else { return planned.changes(view, request.client.encoding) }
    try confirm(closed.files.count)
    try commit(closed)
    return own.changes(view, request.client.encoding)
  }

  /// The change of some files as the client makes it; nil if there is none.
  func edit(_ planned: PlannedFiles) -> WorkspaceEdit? {
    let changes = planned.changes(view, request.client.encoding)
    return changes.isEmpty ? nil : WorkspaceEdit(changes, for: capabilities)
  }

  /// Applies a plan: to files as one commit, or to the one unsaved text in the editor.
  ///
  /// Never to both: one undo can't reverse a change that is half in a commit and half in an editor.
  /// - Throws: errors of the plan and of the writer, and if the client does not apply its part.
  @discardableResult
  func carryOut(_ plan: Plan) throws -> CarriedOut {
    let planned = try PlannedFiles(plan, in: view)
    let (open, closed) = planned.parted { view.unsaved.contains($0.path) }
    if let file = open.files.first {
      let isOfText = open.files.allSatisfy { $0.newPath == nil && $0.after != nil }
      guard capabilities.canApplyEdits, isOfText, closed.files.isEmpty else {
        throw unsaved(file.path)
      }
      try apply(open.changes(view, request.client.encoding))
      return .text
    }
    guard !closed.files.isEmpty else { return .nothing }
    let result = try commit(closed)
    return result.outcome == .unchanged ? .nothing : .commit(result)
  }

  /// Why a change is not made in a file of which the editor has another text.
  func unsaved(_ path: [UInt8]) -> ResponseError {
    ResponseError(.requestFailed, "\(view.uri(of: path)) has unsaved changes: save it first")
  }

  /// Commits the changes of some files.
  @discardableResult
  func commit(_ planned: PlannedFiles) throws(SlipboxError) -> CommitResult {
    let result = try BoxWriter(view.saved.box, box.context(), after: view.saved).record(planned.ownPlan)
    note(result)
    return result
  }

  /// Informs the user if a change is in files but in no commit.
  func note(_ result: CommitResult) {
    let lines: [String]
    switch result.outcome {
    case .saved(_, let reason, let hints):
      lines =
        ["saved, not committed; the next change by slip commits it"]
        + WindowMessage(toClient: reason, hints: hints).lines
    case .refused(let message, let hints): lines = WindowMessage(toClient: message, hints: hints).lines
    case .unchanged, .committed: return
    }
    request.client.show(.warning, lines.joined(separator: "\n"))
  }
}

extension ChangeDelivery {
  private struct Question: Encodable {
    struct Button: Encodable, Sendable { let title: String }

    let type = Client.MessageType.info
    let message: String
    let actions: [Button]
  }

  private struct Choice: Decodable, Sendable { let title: String }

  /// Asks whether many files are to be changed.
  func confirm(_ count: Int) throws(ResponseError) {
    guard count > Self.mostClosed, capabilities.canAskQuestions else { return }
    let yes = "Change \(count) files"
    let question = Question(
      message:
        "This changes \(count) notes that are not open. They are written as one commit. "
        + "\(ServerCommand.undo.rawValue) reverses it.", actions: [.init(title: yes), .init(title: "Cancel")])
    let choice = request.client.ask("window/showMessageRequest", question, for: Choice.self)
    guard choice?.title == yes else { throw ResponseError(.requestCancelled, "nothing was changed") }
  }

  private struct ApplyParams<Edit: Encodable>: Encodable { let edit: Edit }

  private struct Applied: Decodable, Sendable {
    let applied: Bool
    let failureReason: String?
  }

  /// Has the client change texts.
  ///
  /// - Throws: if it does not.
  func apply(_ changes: [WorkspaceEdit.Change]) throws(ResponseError) {
    try Self.apply(WorkspaceEdit(changes, for: capabilities), request.client)
  }

  static func apply(_ edit: some Encodable, _ client: Client) throws(ResponseError) {
    let answer = client.ask("workspace/applyEdit", ApplyParams(edit: edit), for: Applied.self)
    guard answer?.applied == true else {
      let reason = answer?.failureReason.map { ": \($0)" } ?? ""
      throw ResponseError(.requestFailed, "the editor did not apply the change to its open files\(reason)")
    }
  }
}

/// Commits of the files as they are on disk.
extension ChangeDelivery {
  /// Makes a note, of which there is no file yet.
  func write(_ plan: Plan) throws(SlipboxError) -> CommitResult {
    try BoxWriter(view.saved.box, box.context(), after: view.saved).record(plan)
  }

  /// Commits saved files as `slip commit` does.
  ///
  /// - Parameter paths: the files; nil for all that differ from the last commit, without large ones that notes link to.
  /// - Returns: nil if nothing differs.
  func commitSaved(_ paths: [[UInt8]]?) throws(SlipboxError) -> CommitResult? {
    let outside = OutsideChanges(in: view.saved)
    try OutsideChange.refuseConflicted(try outside.notes())
    let chosen =
      if let paths { paths } else {
        try outside.paths { (size) throws(SlipboxError) in
          request.client.show(
            .info,
            "files of \(size >> 20) MB that notes link to are not committed; "
              + "run: \(Phrase.slip("commit")) in a terminal")
          return false
        }
      }
    if let paths, let reason = try outside.exposed(among: paths).values.first {
      throw SlipboxError(.configuration, reason)
    }
    let files = try UncommittedFiles(chosen, in: view.saved.box)
    guard !files.paths.isEmpty else {
      if let refusal = files.refusals.first?.reason { throw refusal }
      return nil
    }
    let result = try BoxWriter(view.saved.box, box.context(), after: view.saved).commitAsFound(files.paths)
    note(result)
    return result
  }
}

/// The result of an applied plan.
enum CarriedOut {
  /// Everything was so already.
  case nothing
  /// The open text was changed by the editor, and is not saved.
  case text
  case commit(CommitResult)

  var commit: CommitResult? { if case .commit(let result) = self { result } else { nil } }
}

/// The changes of a plan by file: open files as the editor has them, others as they are on disk.
struct PlannedFiles {
  /// One file before and after.
  struct File {
    let path: [UInt8]
    /// The path that the file gets; nil if it stays.
    let newPath: [UInt8]?
    /// The bytes now; nil if there is no file.
    let before: [UInt8]?
    /// The bytes afterwards; nil if the file goes.
    let after: [UInt8]?
    /// The text in the editor.
    let document: OpenDocument?

    /// Whether a change of the file can be expressed as edits of its text.
    var isText: Bool {
      guard let after else { return false }
      return [before ?? [], after].allSatisfy { String(validating: $0, as: UTF8.self) != nil }
    }
  }

  let plan: Plan
  let files: [File]

  private init(_ plan: Plan, _ files: [File]) {
    self.plan = plan
    self.files = files
  }

  /// Computes the changes of a plan without writing them.
  ///
  /// - Throws: the errors of the plan's edits.
  init(_ plan: Plan, in view: BoxView) throws(SlipboxError) {
    var texts: [[UInt8]: (before: [UInt8]?, after: [UInt8]?)] = [:]
    var order: [[UInt8]] = []
    for edit in plan.edits {
      if let known = texts[edit.path] {
        texts[edit.path]?.after = try edit.transform(known.after)
      } else {
        let before = try view.bytes(at: edit.path)
        texts[edit.path] = (before, try edit.transform(before))
        order.append(edit.path)
      }
    }
    let arrivals = Set(plan.moves.values)
    self.plan = plan
    files = order.compactMap { path in
      guard let text = texts[path], !arrivals.contains(path) else { return nil }
      let newPath = plan.moves[path]
      let after = newPath.map { texts[$0]?.after } ?? text.after
      guard newPath != nil || text.before != after else { return nil }
      return File(
        path: path, newPath: newPath, before: text.before, after: after, document: view.documents[path])
    }
  }

  /// The files that a test is true of, and the others.
  func parted(by isFirst: (File) -> Bool) -> (PlannedFiles, PlannedFiles) {
    (PlannedFiles(plan, files.filter(isFirst)), PlannedFiles(plan, files.filter { !isFirst($0) }))
  }

  /// Whether they are too many for the client, or no texts that it could change.
  var isForServer: Bool { files.count > ChangeDelivery.mostClosed || !files.allSatisfy(\.isText) }

  /// The plan for these files alone.
  var ownPlan: Plan {
    let paths = Set(files.flatMap { [$0.path, $0.newPath].compactMap { $0 } })
    return plan.limited { paths.contains($0) }
  }

  /// The same changes as the client makes them.
  func changes(_ view: BoxView, _ encoding: PositionEncoding) -> [WorkspaceEdit.Change] {
    files.flatMap { file -> [WorkspaceEdit.Change] in
      let uri = view.uri(of: file.path)
      guard let after = file.after else { return [] }
      let lines = file.document?.lines ?? LineTable(file.before ?? [], encoding)
      let edits = TextDifference.edits(from: file.before ?? [], to: after, lines)
      var changes: [WorkspaceEdit.Change] = file.before == nil ? [.create(uri: uri)] : []
      if !edits.isEmpty {
        changes.append(.edits(VersionedDocument(uri: uri, version: file.document?.version), edits))
      }
      if let new = file.newPath { changes.append(.rename(old: uri, new: view.uri(of: new))) }
      return changes
    }
  }
}
