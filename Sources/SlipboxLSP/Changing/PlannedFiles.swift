import SlipboxCore

/// What a plan changes, file by file: open ones as the editor has them, others as they are on disk.
struct PlannedFiles {
  /// One file before and after.
  struct File {
    let path: [UInt8]
    /// The path that the file gets; nil where it stays.
    let newPath: [UInt8]?
    /// The bytes now; nil where there is no file.
    let before: [UInt8]?
    /// The bytes afterwards; nil where the file goes.
    let after: [UInt8]?
    /// The text in the editor.
    let document: OpenDocument?

    /// Whether a change of the file can be told as edits of its text.
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

  /// Works a plan out; nothing is written.
  ///
  /// - Throws: what the edits of the plan refuse.
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
